"""Make the environments that bootstrap.py promises, with the standard library only.

A stamp, written last, says what an environment holds. While it is right and no package is
missing, nothing is done, so later runs need no network. When it is missing or wrong (first run,
changed lock, upgraded Python, interrupted install), or a package was deleted, the environment
is emptied and made again.
"""

import argparse
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "build" / "bootstrap.log"
# What uv and pip write when something other than the network is wrong, and what to say then.
REASONS = (
    (
        r"hash mismatch|do not match the hashes|hashes are required",
        "a downloaded package differs from the one that the lock names by its hash: the lock"
        " was edited, or the package index serves another file; restore the lock, or name"
        " another index by PIP_INDEX_URL",
    ),
    (
        r"no space left on device|disk quota",
        "the disk is full; free about 2 GB and run the same command again",
    ),
    (
        r"permission denied|read-only file system",
        "a folder could not be written to (UV_CACHE_DIR and PIP_CACHE_DIR can name others)",
    ),
    (
        r"no solution found|no matching distribution|no wheels? with a matching",
        "the lock asks for a package that the index does not have for this system and Python",
    ),
)


class Refusal(Exception):
    """What went wrong and what to do, in one sentence."""


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--extras", action="store_true", help="peers and oracles, apart")
    locks = [ROOT / "requirements.lock"]
    venv = ROOT / ".venv"
    if parser.parse_args().extras:
        locks.append(ROOT / ".ci" / "requirements-extras.lock")
        venv = ROOT / ".venv-extras"
    try:
        if not complete(venv, locks):
            build(venv, locks)
    except Refusal as refusal:
        sys.exit(f"bootstrap: {refusal}")
    except OSError as error:
        sys.exit(f"bootstrap: the environment could not be written ({error}).")
    except KeyboardInterrupt:
        sys.exit("\nbootstrap: interrupted; run the same command again to start over.")


def complete(venv: Path, locks: list) -> bool:
    """Whether the environment holds what its stamp says, and that is what the locks ask for."""
    return stamp(venv) == expected_stamp(venv, locks) and not missing(venv)


def missing(venv: Path) -> bool:
    """Whether a package is gone: one module of each was written down after installing."""
    try:
        return not all((venv / x).exists() for x in (venv / "modules").read_text().splitlines())
    except OSError:
        return True


def record_modules(venv: Path) -> None:
    """Write down one file of each installed package, for `missing`."""
    with (venv / "modules").open("w") as found:
        for record in sorted(site_packages(venv).glob("*.dist-info/RECORD")):
            names = [line.partition(",")[0] for line in record.read_text().splitlines()]
            code = [x for x in names if not x.startswith("..") and ".dist-info/" not in x]
            for name in code[:1]:
                path = record.parent.parent / name.strip('"')
                found.write(os.path.relpath(str(path), str(venv)) + "\n")


def site_packages(venv: Path) -> Path:
    base = {"base": str(venv), "platbase": str(venv)}
    return Path(sysconfig.get_path("purelib", "venv", base))


def stamp(venv: Path) -> str:
    """What the environment says it holds; empty while it is not complete."""
    try:
        return (venv / "installed").read_text()
    except OSError:
        return ""


def expected_stamp(venv: Path, locks: list) -> str:
    """What it should say: the contents of the locks and the Python that still runs there."""
    contents = hashlib.sha256(b"".join(lock.read_bytes() for lock in locks)).hexdigest()
    version = "import sys; print(*sys.version_info[:2], sep='.')"
    try:
        done = subprocess.run([str(python(venv)), "-c", version], stdout=subprocess.PIPE)
    except OSError:
        return "no environment yet"
    return f"{contents} python{done.stdout.decode().strip()}\n"


def python(venv: Path) -> Path:
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def build(venv: Path, locks: list) -> None:
    """Make the environment from nothing; the stamp comes last."""
    mark = claim(venv)
    with mark.open("a") as held:
        wait_for_others(held)
        if complete(venv, locks):  # another `make` was faster
            return
        began = time.monotonic()
        LOG.parent.mkdir(exist_ok=True)
        LOG.write_text("")
        print(f"Setting up {venv.name} (once; downloads about 300 MB)", flush=True)
        create(venv, mark)
        for lock in locks:
            install(venv, lock)
        record_modules(venv)
        (venv / "installed").write_text(expected_stamp(venv, locks))
        print(f"Set up {venv.name} in {time.monotonic() - began:.0f} s", flush=True)


def claim(venv: Path) -> Path:
    """Mark the directory as ours; never touch one that somebody else filled."""
    mark = venv / "made-by-bootstrap"
    if venv.exists() and not mark.exists() and any(venv.iterdir()):
        raise Refusal(
            f"{venv} was not made by this project, so it is left alone; "
            "move it away and run the same command again."
        )
    venv.mkdir(exist_ok=True)
    mark.touch()
    return mark


def wait_for_others(held) -> None:
    """Let one bootstrap at a time work here, where the system has file locks."""
    try:
        import fcntl

        fcntl.flock(held, fcntl.LOCK_EX)
    except (ImportError, OSError):
        pass


def create(venv: Path, mark: Path) -> None:
    """An empty environment that can import the project.

    A .pth line naming the repository is all an editable install would come to, without the
    build backend that it would have to download. It is relative: the tree may be moved.
    """
    if importlib.util.find_spec("venv") is None:
        raise Refusal(no_venv())
    import venv as builder

    for child in venv.iterdir():
        if child.is_dir() and not child.is_symlink():
            shutil.rmtree(str(child))
        elif child != mark:
            child.unlink()
    builder.create(str(venv), symlinks=os.name != "nt", with_pip=False)
    packages = site_packages(venv)
    (packages / "tdlib.pth").write_text(os.path.relpath(str(ROOT), str(packages)) + "\n")


def install(venv: Path, lock: Path) -> None:
    """Everything in the lock, by uv if it can be had (far faster), else by pip."""
    own = str(python(venv))
    what = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(lock)]
    by_uv = ["pip", "install", "--python", own, *what]  # whatever environment is active
    os.environ.setdefault("UV_SYSTEM_CERTS", "true")  # a company's proxy has its own authority
    if not os.access(os.path.expanduser("~"), os.W_OK):  # then caches go where we may write
        os.environ.setdefault("UV_CACHE_DIR", str(ROOT / "build" / "uv"))
        os.environ.setdefault("PIP_CACHE_DIR", str(ROOT / "build" / "pip"))
    uv = shutil.which("uv")
    if uv and attempt("uv", [uv, *by_uv]):
        return
    if not has_pip(venv):
        raise Refusal(no_venv())
    pip = [own, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    if get_uv(pip, lock) and attempt("uv", [own, "-m", "uv", *by_uv]):
        return
    if attempt("pip", [*pip, *what]):
        return
    raise Refusal(f"{reason(LOG.read_text())}; see {LOG.relative_to(ROOT)} for more.")


def reason(log: str) -> str:
    """Why an installation failed, as far as its log tells."""
    for pattern, sentence in REASONS:
        if re.search(pattern, log, re.IGNORECASE):
            return sentence
    return (
        "the packages could not be downloaded and installed; check the network connection "
        "(PIP_INDEX_URL can name a mirror) and run the same command again"
    )


def has_pip(venv: Path) -> bool:
    """Put pip there, from the copy that Python carries."""
    if importlib.util.find_spec("ensurepip") is None:
        return False
    return attempt("pip's own set-up", [str(python(venv)), "-m", "ensurepip", "--default-pip"])


def get_uv(pip: list, lock: Path) -> bool:
    """Install the uv that the lock pins, by pip."""
    pinned = re.search(r"^uv==(?:.*\\\n)*.*", lock.read_text(), re.MULTILINE)
    if pinned is None:  # a lock of extras; uv came with the first
        return True
    request = LOG.with_name("uv.txt")
    request.write_text(pinned.group() + "\n")
    return attempt("uv's own set-up", [*pip, "--require-hashes", "-r", str(request)])


def attempt(title: str, command: list) -> bool:
    """Run it, its output to the log, the seconds to the terminal; whether it succeeded."""
    began = time.monotonic()
    with LOG.open("a") as log:
        log.write(f"$ {' '.join(command)}\n")
        log.flush()
        try:
            child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        except OSError as error:
            log.write(f"{error}\n")
            return False
        while True:
            try:
                return child.wait(timeout=1) == 0
            except subprocess.TimeoutExpired:
                if sys.stdout.isatty():
                    seconds = time.monotonic() - began
                    print(f"\r  installing by {title}: {seconds:.0f} s ", end="\r", flush=True)


def no_venv() -> str:
    version = ".".join(map(str, sys.version_info[:2]))
    return (
        f"this Python {version} lacks its venv or ensurepip module; install it "
        f"(Debian, Ubuntu: apt install python{version}-venv) and run the same command again."
    )


if __name__ == "__main__":
    main()
