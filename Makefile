# The first target of a fresh clone sets up .venv by itself (.ci/bootstrap.py); later ones need no
# network. `make` alone lists the targets.

# The first Python on the path that the pinned packages support; `make PYTHON=...` overrides.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
    "$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' \
        2>/dev/null && { echo "$$python"; exit; }; done; echo python3)
PY := .venv/bin/python
PY_EXTRAS := .venv-extras/bin/python

SCALE ?= quick
JOBS ?= 2
ARGS ?=

# Nothing from the user's own installations, and no chatter from the C++ side of JAX.
export PYTHONNOUSERSITE := 1
export JUPYTER_PREFER_ENV_PATH := 1
export JAX_PLATFORMS ?= cpu
export TF_CPP_MIN_LOG_LEVEL ?= 3
unexport PYTHONHOME PYTHONPATH

.PHONY: help reproduce test lint bench oracles playthroughs lock clean venv venv-extras python
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

reproduce: venv ## notebooks, figures, then the scorecard; SCALE=smoke|quick|paper, ARGS="--only 01"
	@$(PY) -m tdlib reproduce --scale $(SCALE) $(ARGS)

# The tests of a file share what they compile, so one process runs them all; notebooks come first
# (tests/conftest.py), because they take longest. A process that crashes ends the run: replaced,
# it would leave the others waiting for ever.
SHARED := --dist loadfile --no-loadscope-reorder --max-worker-restart=0
test: lint ## lint, then all tests, on JOBS=2 processes; ARGS="-k kalah"
	@$(PY) -m pytest -n $(JOBS) $(SHARED) --durations=10 $(ARGS)

lint: venv ## ruff check, ruff format --check and mypy
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy

bench: venv-extras ## speed of games, learning and search; ARGS=search for one part
	@$(PY_EXTRAS) -m tests.benchmarks $(ARGS)

oracles: venv-extras ## compare the rules with independent engines (gnubg, OpenSpiel, abalone-boai)
	@$(PY_EXTRAS) tests/oracles/run.py $(ARGS)

playthroughs: venv ## record tests/playthroughs again, after a deliberate change of rules
	@$(PY) tests/playthroughs/record.py $(ARGS)

# Universal: one file for every supported Python and system. No registry address is written into
# it, so it works with any mirror.
LOCK := -m uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
    --generate-hashes --no-emit-index-url --custom-compile-command "make lock"
EXTRAS := import tomllib; \
    extras = tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]; \
    print(*extras["bench"], *extras["oracles"], sep="\n")
lock: venv ## pin again what pyproject.toml asks for (network); ARGS=--upgrade for newer ones
	@$(PY) $(LOCK) $(ARGS) --extra dev --output-file requirements.lock pyproject.toml
	@$(PY) -c '$(EXTRAS)' | $(PY) $(LOCK) $(ARGS) --constraint requirements.lock \
	    --output-file .ci/requirements-extras.lock -

clean: ## remove caches and generated files; keeps .venv and stored results
	@rm -rf build .pytest_cache .mypy_cache .ruff_cache .hypothesis figures/smoke figures/quick
	@find tdlib tests notebooks \( -name __pycache__ -o -name .ipynb_checkpoints \) \
	    -prune -exec rm -rf {} +

venv: python
	@$(PYTHON) .ci/bootstrap.py

venv-extras: python
	@$(PYTHON) .ci/bootstrap.py --extras

python:
	@command -v $(PYTHON) >/dev/null || \
	    { echo "make: no $(PYTHON) found; install Python 3.11 to 3.14 and try again" >&2; exit 1; }
