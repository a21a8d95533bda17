"""Compiled programs kept on disk, so that only the first run of anything waits for XLA.

On by default, in the user's cache folder, separately for each jaxlib and kind of processor (in
a home shared by a cluster, one machine could otherwise load the code of another). The variable
``TDLIB_COMPILATION_CACHE=off`` turns it off; JAX's own ``JAX_COMPILATION_CACHE_DIR`` moves it.
"""

import hashlib
import os
import platform
import sys
import warnings
from importlib import metadata
from pathlib import Path

# Everything is kept: even the smallest program takes 24 ms to compile and 8 ms to read.
MIN_COMPILE_SECONDS = 0.0


def enable() -> Path | None:
    """Keep programs compiled here and in processes started here; the folder, None if off."""
    switch = os.environ.get("TDLIB_COMPILATION_CACHE", "on")
    if switch not in ("on", "off"):
        raise ValueError(f"TDLIB_COMPILATION_CACHE is {switch!r}; expected on or off")
    if switch == "off":
        return None
    folder = Path(os.environ.get("JAX_COMPILATION_CACHE_DIR") or _default_folder())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None  # no writable home; only speed is lost
    # An entry that is unreadable or half written by a neighbour is compiled again.
    warnings.filterwarnings("ignore", "Error (reading|writing) persistent compilation cache")
    os.environ["JAX_COMPILATION_CACHE_DIR"] = str(folder)
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = str(MIN_COMPILE_SECONDS)
    if "jax" in sys.modules:  # it reads the environment only when imported
        import jax

        jax.config.update("jax_compilation_cache_dir", str(folder))
        jax.config.update("jax_persistent_cache_min_compile_time_secs", MIN_COMPILE_SECONDS)
    return folder


def _default_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    key = f"jaxlib-{metadata.version('jaxlib')}-{platform.machine()}-{_processor_features()}"
    return Path(home) / "tdlib" / key


def _processor_features() -> str:
    """A short hash of the instructions that the processor has, if the system lists them."""
    features = platform.processor()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        features = next((x for x in lines if x.startswith(("flags", "Features"))), features)
    except OSError:
        pass
    return hashlib.sha256(features.encode()).hexdigest()[:8]
