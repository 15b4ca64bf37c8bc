"""Sums of many independent steps: their distribution at a point, exact far out in its tails.

The sum of thousands of items has a distribution that is quick to have by Fourier inversion: multiply the transforms,
transform back. But that is exact to 1e-16 of the largest probability only, and a probability of 1e-40 would be noise.
So the distribution is tilted first: every step w is weighted by e^(hw), with h such that the mean becomes the point of
interest. There the tilted distribution is largest and the inversion keeps all digits; one factor undoes the tilt.
"""

from dataclasses import dataclass
from math import exp, expm1, floor, inf, nan, sqrt

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray

_NEVER = 1e-21  # a frequency that adds less to a probability adds nothing to its first 16 digits
_CELLS = 1 << 18  # kinds times frequencies held at once
_REACH = 13  # standard deviations: what is beyond has a probability below 1e-37


@dataclass(frozen=True, slots=True)
class SumOfSteps:
    """A sum of independent steps: so many items of each kind, and the log probability of each step per kind."""

    counts: FloatArray
    steps: FloatArray
    logs: FloatArray


@dataclass(frozen=True, slots=True)
class _Tilted:
    """A loss with every step w weighted by e^(tilt w)."""

    tilt: float
    cumulant: float
    """log E e^(tilt W): the tilted weights sum to its exponential."""
    chances: FloatArray
    """Of each step per kind."""
    mean: float
    deviation: float
    variance: float


def sum_of_steps(counts: FloatArray, steps: FloatArray, chances: FloatArray) -> SumOfSteps:
    """Return the sum of so many steps of each kind, given each kind's probabilities."""
    occurring = counts > 0
    counts = counts[occurring]
    chances = chances[occurring]
    rows = np.arange(counts.size)
    likeliest = chances.argmax(axis=1)
    with np.errstate(divide="ignore"):
        logs = np.log(chances)
    # 1 - e has lost the digits of a small e; its logarithm, from the sum of the other chances, has them.
    chances[rows, likeliest] = 0
    logs[rows, likeliest] = np.log1p(-chances.sum(axis=1))
    return SumOfSteps(counts, steps, logs)


def split(loss: SumOfSteps, target: float) -> tuple[float, float, float]:
    """P(W < T), P(W = T) and P(W > T); NaN for the likelier of the outer two if it is 1 minus the others."""
    possible = loss.logs > -inf
    lows = np.where(possible, loss.steps, inf).min(axis=1)
    highs = np.where(possible, loss.steps, -inf).max(axis=1)
    low = float(loss.counts @ lows)
    high = float(loss.counts @ highs)
    if low < target < high:
        return _inside(loss, target)
    if target > high:
        return 1.0, 0.0, 0.0
    if target < low:
        return 0.0, 0.0, 1.0
    # At an end of the range every step is the least one, or the largest: a single product.
    ends = lows if target == low else highs
    log = float(loss.counts @ loss.logs[loss.steps == ends[:, None]])
    at = exp(log)
    beyond = 0.0 - expm1(log)
    if target == low:
        return 0.0, at, beyond
    return beyond, at, 0.0


def _inside(loss: SumOfSteps, target: float) -> tuple[float, float, float]:
    """P(W = w) = e^(c(h) - h w) P_h(W = w), c the cumulant generating function, P_h tilted until its mean is T.

    Under P_h no w near T is rare, so that Fourier inversion keeps its digits; the factor is a single number.
    """
    tilted = _tilted_to(loss, target)
    tilt = tilted.tilt
    whole = floor(target)
    half = int(_REACH * tilted.deviation) + 64
    transform = _transform(loss, tilted.chances, whole, half)
    near = np.fft.fftshift(np.fft.irfft(transform, n=2 * half))
    offsets = np.arange(-half, half) + (whole - target)
    factor = exp(tilted.cumulant - tilt * target)
    # Only the rare tail, which the tilt has raised, is summed: there the weights e^(-h w) fall.
    side = offsets > 0 if tilt > 0 else offsets < 0
    tail = float(np.maximum(near[side], 0) @ np.exp(-tilt * offsets[side]))
    outer = factor * tail
    at = 0.0
    if target == whole:
        at = factor * max(0.0, float(near[half]))
    if tilt > 0:
        return nan, at, outer
    return outer, at, nan


def _tilted_to(loss: SumOfSteps, target: float) -> _Tilted:
    """Return the loss tilted to a mean near the target, by Newton's method within a bracket."""
    low = -inf
    high = inf
    tilt = 0.0
    while True:
        tilted = _tilted_by(loss, tilt)
        excess = tilted.mean - target
        if abs(excess) <= 0.05 * tilted.deviation + 0.01:
            return tilted
        if excess > 0:
            high = tilt
        else:
            low = tilt
        step = -excess / tilted.variance if tilted.variance > 0 else -excess * inf
        most = 2 + 2 * abs(tilt)
        tilt += min(most, max(-most, step))
        if not low < tilt < high:
            tilt = (low + high) / 2


def _tilted_by(loss: SumOfSteps, tilt: float) -> _Tilted:
    """Return the loss under a tilt; relative to the likeliest step of each kind, so that nothing overflows."""
    logs = loss.logs + tilt * loss.steps
    rows = np.arange(len(logs))
    likeliest = logs.argmax(axis=1)
    top = logs[rows, likeliest]
    weights = np.exp(logs - top[:, None])
    weights[rows, likeliest] = 0
    rest = weights.sum(axis=1)
    weights[rows, likeliest] = 1
    chances = weights / (1 + rest)[:, None]
    means = chances @ loss.steps
    variance = float(loss.counts @ (chances @ loss.steps**2 - means**2))
    return _Tilted(
        tilt=tilt,
        cumulant=float(loss.counts @ (top + np.log1p(rest))),
        chances=chances,
        mean=float(loss.counts @ means),
        deviation=sqrt(max(0.0, variance)),
        variance=variance,
    )


def _transform(
    loss: SumOfSteps, chances: FloatArray, shift: int, half: int
) -> npt.NDArray[np.complex128]:
    """E e^(-it(W - shift)) at the frequencies t = pi k / half, up to where it is negligible."""
    block = max(1, min(half + 1, _CELLS // len(chances)))
    # With three steps |E e^(itW)| falls with t, and what comes after a negligible value is negligible too.
    falls = len(loss.steps) == 3
    parts: list[npt.NDArray[np.complex128]] = []
    for start in range(0, half + 1, block):
        t = np.pi * np.arange(start, min(start + block, half + 1)) / half
        # E e^(itw) - 1 of one item of each kind, as real and imaginary part: 1 - cos t = 2 sin² (t/2) keeps the digits
        # of small t. Thousands of items are powers of it, hence sums of its logarithm: of its size and its angle.
        real = -2 * chances @ np.sin(np.outer(loss.steps, t / 2)) ** 2
        imaginary = chances @ np.sin(np.outer(loss.steps, t))
        with np.errstate(divide="ignore"):
            log_size = np.log1p(np.maximum(-1, real * (2 + real) + imaginary**2)) / 2
        angle = np.arctan2(imaginary, 1 + real)
        phase = shift * t - loss.counts @ angle
        part = np.exp(loss.counts @ log_size + 1j * phase)
        parts.append(part)
        if falls and abs(part[-1]) < _NEVER:
            break
    return np.concatenate(parts)
