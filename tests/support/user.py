"""Who runs the tests: nothing is closed to root, and Windows has none."""

import os

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
