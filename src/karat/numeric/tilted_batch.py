"""Sums of the same numbers of steps under many sets of probabilities at once, compared with one point.

As `tilted_sums`, whose reasons hold here too; one pass over arrays with an axis more costs a tenth of as many single
sums. All transforms have the length that the widest sum needs.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import BoolArray, FloatArray

_CELLS = 1 << 18  # sums times kinds times frequencies held at once
_REACH = 13  # standard deviations: what is beyond has a probability below 1e-37


@dataclass(frozen=True, slots=True, eq=False)
class _TiltedBatch:
    """Sums with every step w weighted by e^(tilt w), an entry a sum."""

    tilt: FloatArray
    cumulant: FloatArray
    chances: FloatArray
    mean: FloatArray
    variance: FloatArray


def split_many(
    counts: FloatArray, steps: FloatArray, chances: FloatArray, target: float
) -> FloatArray:
    """P(W < T), P(W = T) and P(W > T) of sums W, a row a sum; `chances` has the axes sum, kind and step.

    So many steps of each kind, every sum with its own probabilities. Each T must be strictly inside the range of its
    sum. To some 12 digits of the largest of the three.
    >>> two_coins = np.array([[[0.5, 0.5]], [[0.9, 0.1]]])
    >>> split_many(np.array([2.0]), np.array([0.0, 1.0]), two_coins, 1).round(4).tolist()
    [[0.25, 0.5, 0.25], [0.81, 0.18, 0.01]]
    """
    logs = _logs(chances)
    tilted = _tilted_to(counts, steps, logs, target)
    whole = int(np.floor(target))
    deviation = float(np.sqrt(np.maximum(0, tilted.variance)).max())
    half = int(_REACH * deviation) + 64
    at_once = max(1, _CELLS // (half * len(counts)))
    parts = []
    for start in range(0, len(chances), at_once):
        chosen = slice(start, start + at_once)
        transform = _transform(counts, steps, tilted.chances[chosen], whole, half)
        parts.append(np.fft.fftshift(np.fft.irfft(transform, n=2 * half), axes=-1))
    near = np.maximum(np.concatenate(parts), 0)
    offsets = np.arange(-half, half, dtype=np.float64) + (whole - target)
    return _sides(tilted, near, offsets, target)


def inside(counts: FloatArray, steps: FloatArray, chances: FloatArray, target: float) -> BoolArray:
    """Return which sums can be on both sides of a point."""
    possible = chances > 0
    lows = np.where(possible, steps, np.inf).min(axis=-1)
    highs = np.where(possible, steps, -np.inf).max(axis=-1)
    return np.asarray((lows @ counts < target) & (target < highs @ counts))


def _logs(chances: FloatArray) -> FloatArray:
    """Return the logarithms, that of the likeliest step of each kind from the sum of the others."""
    likeliest = chances.argmax(axis=-1)[..., None]
    others = chances.copy()
    np.put_along_axis(others, likeliest, 0, axis=-1)
    with np.errstate(divide="ignore"):
        logs = np.log(chances)
    rest = others.sum(axis=-1, keepdims=True)
    np.put_along_axis(logs, likeliest, np.log1p(-rest), axis=-1)
    return np.asarray(logs)


def _tilted_to(
    counts: FloatArray, steps: FloatArray, logs: FloatArray, target: float
) -> _TiltedBatch:
    """Return every sum tilted to a mean near the target, by Newton's method within a bracket."""
    low = np.full(len(logs), -np.inf)
    high = np.full(len(logs), np.inf)
    tilt = np.zeros(len(logs))
    while True:
        tilted = _tilted_by(counts, steps, logs, tilt)
        excess = tilted.mean - target
        deviation = np.sqrt(np.maximum(0, tilted.variance))
        away = np.abs(excess) > 0.05 * deviation + 0.01
        if not away.any():
            return tilted
        high = np.where(away & (excess > 0), tilt, high)
        low = np.where(away & (excess <= 0), tilt, low)
        most = 2 + 2 * np.abs(tilt)
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.where(tilted.variance > 0, -excess / tilted.variance, -excess * np.inf)
        new = tilt + np.clip(step, -most, most)
        beyond = ~((low < new) & (new < high))
        with np.errstate(invalid="ignore"):
            new = np.where(beyond, (low + high) / 2, new)
        tilt = np.where(away, new, tilt)


def _tilted_by(
    counts: FloatArray, steps: FloatArray, logs: FloatArray, tilt: FloatArray
) -> _TiltedBatch:
    """Return the sums under a tilt each; relative to the likeliest step of each kind, so that nothing overflows."""
    weighted = logs + tilt[:, None, None] * steps
    likeliest = weighted.argmax(axis=-1)[..., None]
    top = np.take_along_axis(weighted, likeliest, axis=-1)
    weights = np.exp(weighted - top)
    np.put_along_axis(weights, likeliest, 0, axis=-1)
    rest = weights.sum(axis=-1)
    np.put_along_axis(weights, likeliest, 1, axis=-1)
    chances = weights / (1 + rest)[..., None]
    means = chances @ steps
    return _TiltedBatch(
        tilt=tilt,
        cumulant=(top[..., 0] + np.log1p(rest)) @ counts,
        chances=chances,
        mean=means @ counts,
        variance=(chances @ steps**2 - means**2) @ counts,
    )


def _transform(
    counts: FloatArray, steps: FloatArray, chances: FloatArray, shift: int, half: int
) -> npt.NDArray[np.complex128]:
    """E e^(-it(W - shift)) at the frequencies t = pi k / half, a row a sum."""
    t = np.pi * np.arange(half + 1) / half
    real = -2 * chances @ np.sin(np.outer(steps, t / 2)) ** 2
    imaginary = chances @ np.sin(np.outer(steps, t))
    with np.errstate(divide="ignore"):
        log_size = np.log1p(np.maximum(-1, real * (2 + real) + imaginary**2)) / 2
    angle = np.arctan2(imaginary, 1 + real)
    # The axis of the kinds is the second one of both.
    phase = shift * t - np.einsum("k,nkt->nt", counts, angle)
    with np.errstate(invalid="ignore"):
        size = np.exp(np.einsum("k,nkt->nt", counts, log_size))
    return np.asarray(size * np.exp(1j * phase))


def _sides(
    tilted: _TiltedBatch, near: FloatArray, offsets: FloatArray, target: float
) -> FloatArray:
    """Return the probabilities below, at and above the target: the rare side is summed, the other is the rest."""
    tilt = tilted.tilt[:, None]
    factor = np.exp(tilted.cumulant - tilted.tilt * target)
    upwards = tilt > 0
    on_side = np.where(upwards, offsets > 0, offsets < 0)
    # On the rare side the exponents fall; elsewhere they are not used, and are kept from overflowing.
    weights = np.exp(np.where(on_side, -tilt * offsets, -np.inf))
    outer = factor * (near * weights).sum(axis=1)
    at = np.zeros(len(near))
    here = np.flatnonzero(offsets == 0)
    if len(here):
        at = factor * near[:, here[0]]
    other = 1 - at - outer
    below = np.where(tilted.tilt > 0, other, outer)
    above = np.where(tilted.tilt > 0, outer, other)
    return np.asarray(np.maximum(np.stack([below, at, above], axis=1), 0), float)
