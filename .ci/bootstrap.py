"""Give the project its own Python environment, once: standard library only, called by `make`.

    python3 .ci/bootstrap.py             .venv          holds requirements.lock
    python3 .ci/bootstrap.py --extras    .venv-extras   holds .ci/requirements-extras.lock too

This file runs on any Python, even Python 2, to refuse the wrong ones in a sentence; the work is
done by environment.py beside it.
"""

import sys

OLDEST, NEWEST = (3, 11), (3, 14)  # for which every pinned package has a ready-made wheel


def refusal(version):
    """Why the lock cannot be installed for this Python; empty if it can."""
    if OLDEST <= version <= NEWEST:
        return ""
    oldest, newest, found = (".".join(map(str, v)) for v in (OLDEST, NEWEST, version))
    return (
        "bootstrap: this is Python {0}, but the pinned packages need {1} to {2}; "
        "install one of these and name it, for example: make test PYTHON=python{2}"
    ).format(found, oldest, newest)


if __name__ == "__main__":
    why = refusal(tuple(sys.version_info[:2]))
    if why:
        sys.exit(why)
    import environment

    environment.main()
