"""`python -m tdlib`."""

import sys

from tdlib.cli import main

sys.exit(main())
