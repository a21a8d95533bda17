"""bootstrap.py explains itself in one sentence, and works once only."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A project folder of its own, with an empty lock; nothing is downloaded."""
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    monkeypatch.setattr(bootstrap, "LOG", tmp_path / "build" / "bootstrap.log")
    monkeypatch.setattr(sys, "argv", ["bootstrap.py"])
    (tmp_path / "requirements.lock").write_text("# nothing\n")
    return tmp_path


@pytest.fixture
def installed(monkeypatch):
    """Record what would be installed instead of installing it."""
    calls = []
    monkeypatch.setattr(bootstrap, "install", lambda venv, lock: calls.append(lock.name))
    return calls


def refusal() -> str:
    with pytest.raises(SystemExit) as refused:
        bootstrap.main()
    return str(refused.value)


def test_it_parses_on_pythons_too_old_for_the_project():
    source = Path(bootstrap.__file__).read_text()
    assert ast.parse(source, feature_version=(3, 7))


@pytest.mark.parametrize("version", [(2, 7), (3, 8), (3, 10), (3, 15), (4, 0)])
def test_an_unsupported_python_is_refused_by_its_number(version):
    found = ".".join(map(str, version))
    with pytest.raises(bootstrap.Refusal, match=rf"this is Python {found}, .* 3\.11 to 3\.14"):
        bootstrap.check_python(version)


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13), (3, 14)])
def test_supported_pythons_pass(version):
    assert bootstrap.check_python(version) is None


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told_what_to_install(tree, monkeypatch, missing):
    find = bootstrap.importlib.util.find_spec
    monkeypatch.setattr(
        bootstrap.importlib.util,
        "find_spec",
        lambda name: None if name == missing else find(name),
    )
    monkeypatch.setattr(bootstrap.shutil, "which", lambda name: None)
    version = ".".join(map(str, sys.version_info[:2]))
    assert f"apt install python{version}-venv" in refusal()


def test_a_failed_download_says_what_to_do(tree, monkeypatch):
    monkeypatch.setattr(bootstrap, "attempt", lambda title, command: "set-up" in title)
    message = refusal()
    assert "check the network connection" in message and "build/bootstrap.log" in message
    assert "\n" not in message


def test_the_second_time_nothing_is_installed(tree, installed, capsys):
    bootstrap.main()
    bootstrap.main()
    assert installed == ["requirements.lock"]
    assert capsys.readouterr().out.count("Setting up") == 1


def test_a_changed_lock_is_installed_again(tree, installed):
    bootstrap.main()
    (tree / "requirements.lock").write_text("# something else\n")
    bootstrap.main()
    assert installed == ["requirements.lock"] * 2


def test_an_interrupted_install_starts_over(tree, monkeypatch):
    def interrupted(venv, lock):
        (venv / "half a package").touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "install", interrupted)
    assert "run the same command again" in refusal()
    monkeypatch.setattr(bootstrap, "install", lambda venv, lock: None)
    bootstrap.main()
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
    bootstrap.main()
    assert installed == ["requirements.lock", "requirements-extras.lock"]
    assert (tree / ".venv-extras").exists() and not (tree / ".venv").exists()


def test_the_environment_imports_the_project_from_anywhere(tree, installed):
    (tree / "tdlib.py").write_text("print('imported')")
    bootstrap.main()
    python = bootstrap.python(tree / ".venv")
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
    monkeypatch.setattr(bootstrap, "attempt", lambda title, command: True)
    assert bootstrap.get_uv(["pip"], lock)
    written = (tree / "build" / "uv.txt").read_text()
    assert written == "uv==2 \\\n    --hash=b \\\n    --hash=c\n"
