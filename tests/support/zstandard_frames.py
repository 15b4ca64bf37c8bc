"""What compresses by Zstandard: Python itself from 3.14 on, a package before."""

import sys

import pytest

if sys.version_info >= (3, 14):
    from compression.zstd import compress
else:
    compress = pytest.importorskip("zstandard").compress

__all__ = ["compress"]
