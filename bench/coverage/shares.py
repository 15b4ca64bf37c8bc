"""Does a 95 % interval for a share hold 95 % of the time? By enumeration of all outcomes, without chance."""

import platform
from collections.abc import Callable
from itertools import product

import numpy as np
import scipy
from scipy import special

from karat.doubt.bounds.exact import exact
from karat.doubt.bounds.jeffreys import jeffreys
from karat.doubt.bounds.wilson import wilson
from karat.doubt.interval import Interval
from karat.numeric.arrays import FloatArray

LEVEL = 0.95
TRIALS = (10, 20, 50, 100, 500)
METHODS: tuple[Callable[..., Interval], ...] = (exact, wilson, jeffreys)
# Midpoints of 2000 equal cells: the mean over them is the mean over all shares.
GRID = (np.arange(2000) + 0.5) / 2000


def chances(n: int, p: FloatArray) -> FloatArray:
    x = np.arange(n + 1)[:, None]
    ways = special.gammaln(n + 1) - special.gammaln(x + 1) - special.gammaln(n - x + 1)
    return np.asarray(np.exp(ways + special.xlogy(x, p) + special.xlog1py(n - x, -p)))


def coverage(found: Interval, n: int, p: FloatArray) -> FloatArray:
    held = (found.low[:, None] <= p) & (p <= found.high[:, None])
    return np.asarray((chances(n, p) * held).sum(axis=0))


def beside_ends(found: Interval) -> FloatArray:
    # Coverage jumps at the ends and is lowest just beside them, where a plain grid would miss it.
    ends = np.concatenate([found.low, found.high])
    near = np.concatenate([ends - 1e-9, ends + 1e-9])
    return near[(near > 0) & (near < 1)]


def row(method: Callable[..., Interval], n: int) -> str:
    found = method(np.arange(n + 1), n, level=LEVEL)
    on_grid = coverage(found, n, GRID)
    lowest = min(on_grid.min(), coverage(found, n, beside_ends(found)).min())
    width = (chances(n, GRID) * (found.high - found.low)[:, None]).sum(axis=0).mean()
    return f"{n:>5}  {found.method:<9} {lowest:>12.4f} {on_grid.mean():>13.4f} {width:>11.4f}"


def main() -> None:
    print(f"python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}")
    print(f"level {LEVEL}, {GRID.size} shares in (0, 1) and the points just beside every end")
    print(f"{'n':>5}  {'method':<9} {'min coverage':>12} {'mean coverage':>13} {'mean width':>11}")
    for n, method in product(TRIALS, METHODS):
        print(row(method, n))


if __name__ == "__main__":
    main()
