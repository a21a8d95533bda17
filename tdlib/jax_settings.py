"""The settings of JAX that results depend on, the same for everyone.

JAX reads its settings from the environment. Some of them change the random numbers that are
drawn, the width of floats, or how XLA rounds: the same experiment would then give other numbers
under the same hash. `prepare` sets these to the values that all stored results were computed
with. It refuses what cannot be set from here. Whatever computes calls it first.
"""

import os
import sys
from pathlib import Path
from typing import Any

from tdlib import cache

# Each by its name in `jax.config`; in upper case it is the environment variable. None: unset.
PINNED: dict[str, Any] = {
    "jax_platforms": "cpu",
    "jax_default_device": None,
    # random numbers
    "jax_default_prng_impl": "threefry2x32",
    "jax_enable_custom_prng": False,
    "jax_high_dynamic_range_gumbel": False,
    "jax_random_seed_offset": 0,
    "jax_threefry_partitionable": True,
    # types and rounding
    "jax_default_matmul_precision": None,
    "jax_disable_jit": False,
    "jax_disable_most_optimizations": False,
    "jax_enable_x64": False,
    "jax_exec_time_optimization_effort": 0.0,
    "jax_explicit_x64_dtypes": "allow",  # float64 is what asks for it by name, nothing else
    "jax_numpy_dtype_promotion": "standard",
    "jax_optimization_level": "UNKNOWN",
}
# Flags of XLA that only show what it does; any other may change how it rounds.
_HARMLESS = ("--xla_dump", "--xla_force_host_platform_device_count")


def prepare() -> Path | None:
    """Pin the settings and keep compiled programs, here and in processes started from here.

    Returns the folder of compiled programs, or None if they are not kept. ValueError names a
    setting that results would depend on.
    """
    _refuse_what_cannot_be_pinned()
    for name, value in PINNED.items():
        if value is None:
            os.environ.pop(name.upper(), None)
        else:
            os.environ[name.upper()] = str(int(value) if isinstance(value, bool) else value)
    if "jax" in sys.modules:  # it reads the environment only when imported
        import jax

        for name, value in PINNED.items():
            jax.config.update(name, value)
    return cache.enable()


def _refuse_what_cannot_be_pinned() -> None:
    platforms = os.environ.get("JAX_PLATFORMS") or "cpu"
    if platforms != "cpu":
        raise ValueError(
            f"JAX_PLATFORMS is {platforms!r}, but results are computed on the CPU, because"
            " other devices round differently; unset it and try again"
        )
    for flag in os.environ.get("XLA_FLAGS", "").split():
        if not flag.startswith(_HARMLESS):
            raise ValueError(
                f"XLA_FLAGS has {flag!r}, which may change how results are rounded; unset it"
                " and try again"
            )
