"""The cache of compiled programs has a place, an off switch, and never stops a run."""

import os

import jax
import pytest

from tdlib import cache


@pytest.fixture(autouse=True)
def restore(monkeypatch):
    """Whatever a test sets, the process keeps the cache that conftest chose."""
    monkeypatch.delenv("TDLIB_COMPILATION_CACHE", raising=False)
    monkeypatch.delenv("JAX_COMPILATION_CACHE_DIR", raising=False)
    before = jax.config.jax_compilation_cache_dir
    yield
    jax.config.update("jax_compilation_cache_dir", before)


def test_it_is_on_by_default_apart_for_each_jaxlib(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache.enable()
    assert folder.is_dir() and folder.parent == tmp_path / "tdlib"
    assert folder.name.startswith(f"jaxlib-{jax.lib.__version__}-")
    assert jax.config.jax_compilation_cache_dir == str(folder)
    assert os.environ["JAX_COMPILATION_CACHE_DIR"] == str(folder)  # for kernels


def test_it_can_be_moved(tmp_path, monkeypatch):
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", str(tmp_path / "here"))
    assert cache.enable() == tmp_path / "here"


def test_it_can_be_turned_off(monkeypatch):
    monkeypatch.setenv("TDLIB_COMPILATION_CACHE", "off")
    assert cache.enable() is None
    assert "JAX_COMPILATION_CACHE_DIR" not in os.environ


def test_a_mistyped_switch_is_refused(monkeypatch):
    monkeypatch.setenv("TDLIB_COMPILATION_CACHE", "of")
    with pytest.raises(ValueError, match="'of'; expected on or off"):
        cache.enable()


def test_without_a_writable_home_it_is_off(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert cache.enable() is None
