"""`python -m tdlib`."""

from tdlib import interrupts

interrupts.install()  # before anything that takes long to import

import sys  # noqa: E402

from tdlib.cli import main  # noqa: E402

sys.exit(main())
