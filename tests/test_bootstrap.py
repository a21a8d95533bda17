"""bootstrap.py explains itself in one sentence, and works once only."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap
import environment


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A project folder of its own, with an empty lock; nothing is downloaded."""
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "LOG", tmp_path / "build" / "bootstrap.log")
    monkeypatch.setattr(sys, "argv", ["bootstrap.py"])
    (tmp_path / "requirements.lock").write_text("# nothing\n")
    return tmp_path


@pytest.fixture
def installed(monkeypatch):
    """Record what would be installed instead of installing it."""
    calls = []
    monkeypatch.setattr(environment, "install", lambda venv, lock: calls.append(lock.name))
    return calls


def refusal() -> str:
    with pytest.raises(SystemExit) as refused:
        environment.main()
    return str(refused.value)


def test_it_parses_on_every_python():
    """Python 2 has no f-strings and no annotations, nor does ast know it any more."""
    tree = ast.parse(Path(bootstrap.__file__).read_text(), feature_version=(3, 4))
    assert not [
        node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr | ast.AnnAssign)
    ]
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert not any(f.returns or any(a.annotation for a in f.args.args) for f in functions)


@pytest.mark.parametrize("version", [(2, 7), (3, 8), (3, 10), (3, 15), (4, 0)])
def test_an_unsupported_python_is_refused_by_its_number(version):
    found = ".".join(map(str, version))
    expected = f"bootstrap: this is Python {found}, but the pinned packages need 3.11 to 3.14; "
    assert bootstrap.refusal(version).startswith(expected)


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14)])
def test_supported_pythons_pass(version):
    assert bootstrap.refusal(version) == ""


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("error: Hash mismatch for `numpy==2.4.6`", "differs from the one that the lock names"),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "the lock",
        ),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("error: failed to create directory: Permission denied (os error 13)", "UV_CACHE_DIR"),
        ("ERROR: No matching distribution found for numpy==9", "the index does not have"),
        ("error: dns error: failed to lookup address", "check the network connection"),
    ],
)
def test_a_failed_installation_names_its_true_cause(tree, monkeypatch, line, sentence):
    def attempt(title, command):
        with environment.LOG.open("a") as log:
            log.write(f"{line}\n")
        return "set-up" in title

    monkeypatch.setattr(environment, "attempt", attempt)
    message = refusal()
    assert sentence in message and "build/bootstrap.log" in message and "\n" not in message
    assert ("network" in message) == ("dns" in line)


def test_a_deleted_package_is_installed_again(tree, monkeypatch):
    installed = []

    def install(venv, lock):
        installed.append(lock.name)
        packages = environment.site_packages(venv)
        (packages / "numpy").mkdir()
        (packages / "numpy" / "__init__.py").touch()
        about = packages / "numpy-2.dist-info"
        about.mkdir()
        (about / "RECORD").write_text("../../../bin/f2py,,\nnumpy/__init__.py,,\n")

    monkeypatch.setattr(environment, "install", install)
    environment.main()
    environment.main()
    assert len(installed) == 1
    shutil.rmtree(environment.site_packages(tree / ".venv") / "numpy")
    environment.main()
    environment.main()
    assert len(installed) == 2


def test_without_a_writable_home_caches_go_to_the_project(tree, monkeypatch):
    home = tree / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(environment.os, "access", lambda path, mode: path != str(home))
    for name in ("UV_CACHE_DIR", "PIP_CACHE_DIR"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setattr(environment, "attempt", lambda title, command: True)
    environment.main()
    assert environment.os.environ["UV_CACHE_DIR"] == str(tree / "build" / "uv")
    assert environment.os.environ["PIP_CACHE_DIR"] == str(tree / "build" / "pip")


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_what_to_install(tree, monkeypatch, missing):
    find = environment.importlib.util.find_spec
    monkeypatch.setattr(
        environment.importlib.util,
        "find_spec",
        lambda name: None if name == missing else find(name),
    )
    monkeypatch.setattr(environment.shutil, "which", lambda name: None)
    version = ".".join(map(str, sys.version_info[:2]))
    assert f"apt install python{version}-venv" in refusal()


def test_a_failed_download_says_what_to_do(tree, monkeypatch):
    monkeypatch.setattr(environment, "attempt", lambda title, command: "set-up" in title)
    message = refusal()
    assert "check the network connection" in message and "build/bootstrap.log" in message
    assert "\n" not in message


def test_the_second_time_nothing_is_installed(tree, installed, capsys):
    environment.main()
    environment.main()
    assert installed == ["requirements.lock"]
    assert capsys.readouterr().out.count("Setting up") == 1


def test_a_changed_lock_is_installed_again(tree, installed):
    environment.main()
    (tree / "requirements.lock").write_text("# something else\n")
    environment.main()
    assert installed == ["requirements.lock"] * 2


def test_an_interrupted_install_starts_over(tree, monkeypatch):
    def interrupted(venv, lock):
        (venv / "half a package").touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "install", interrupted)
    assert "run the same command again" in refusal()
    monkeypatch.setattr(environment, "install", lambda venv, lock: None)
    environment.main()
    assert not (tree / ".venv" / "half a package").exists()


def test_an_environment_of_somebody_else_is_left_alone(tree, installed):
    (tree / ".venv").mkdir()
    (tree / ".venv" / "precious").touch()
    assert "was not made by this project" in refusal()
    assert (tree / ".venv" / "precious").exists() and installed == []


def test_the_extras_live_apart(tree, installed, monkeypatch):
    (tree / ".ci").mkdir()
    (tree / ".ci" / "requirements-extras.lock").write_text("# more\n")
    monkeypatch.setattr(sys, "argv", ["bootstrap.py", "--extras"])
    environment.main()
    assert installed == ["requirements.lock", "requirements-extras.lock"]
    assert (tree / ".venv-extras").exists() and not (tree / ".venv").exists()


def test_the_environment_imports_the_project_from_anywhere(tree, installed):
    (tree / "tdlib.py").write_text("print('imported')")
    environment.main()
    python = environment.python(tree / ".venv")
    done = subprocess.run(
        [python, "-c", "import tdlib"], cwd="/", env={}, capture_output=True, check=True
    )
    assert done.stdout.split() == [b"imported"]


def test_uv_is_taken_from_the_lock_with_its_hashes(tree, monkeypatch):
    lock = tree / "requirements.lock"
    lock.write_text(
        "uvx==1 \\\n    --hash=a\nuv==2 \\\n    --hash=b \\\n    --hash=c\n    # via x\n"
    )
    (tree / "build").mkdir()
    monkeypatch.setattr(environment, "attempt", lambda title, command: True)
    assert environment.get_uv(["pip"], lock)
    written = (tree / "build" / "uv.txt").read_text()
    assert written == "uv==2 \\\n    --hash=b \\\n    --hash=c\n"
