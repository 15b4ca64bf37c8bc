"""Sums of many small steps: their law at a point, exact far out in its tails."""

from dataclasses import dataclass
from math import exp, expm1, floor, inf, nan, sqrt

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import FloatArray

_NEVER = 1e-21  # a frequency that adds less to a probability adds nothing to its first 16 digits
_CELLS = 1 << 18  # kinds times frequencies held at once
_REACH = 13  # standard deviations: what lies beyond has a probability below 1e-37


@dataclass(frozen=True, slots=True)
class Loss:
    """A sum of independent steps: so many items of each kind, and the log probability of each step per kind."""

    counts: FloatArray
    steps: FloatArray
    logs: FloatArray


def loss_of(counts: FloatArray, steps: FloatArray, chances: FloatArray) -> Loss:
    """Return the sum of so many steps of each kind, given each kind's probabilities."""
    counts, chances = counts[counts > 0], chances[counts > 0]
    rows, likeliest = np.arange(counts.size), chances.argmax(axis=1)
    with np.errstate(divide="ignore"):
        logs = np.log(chances)
    chances[rows, likeliest] = 0  # 1 - e has lost the digits of a small e; its logarithm need not
    logs[rows, likeliest] = np.log1p(-chances.sum(axis=1))
    return Loss(counts, steps, logs)


def split(loss: Loss, target: float) -> tuple[float, float, float]:
    """P(W < T), P(W = T) and P(W > T); NaN for the likelier of the outer two if it is 1 minus the others."""
    possible = loss.logs > -inf
    lows, highs = (
        np.where(possible, loss.steps, inf).min(axis=1),
        np.where(possible, loss.steps, -inf).max(axis=1),
    )
    low, high = float(loss.counts @ lows), float(loss.counts @ highs)
    if low < target < high:
        return _inside(loss, target)
    if target not in (low, high):
        return (1.0, 0.0, 0.0) if target > high else (0.0, 0.0, 1.0)
    ends = lows if target == low else highs
    log = float(loss.counts @ loss.logs[loss.steps == ends[:, None]])
    return (0.0, exp(log), 0.0 - expm1(log)) if target == low else (0.0 - expm1(log), exp(log), 0.0)


def _inside(loss: Loss, target: float) -> tuple[float, float, float]:
    """P(W = w) = e^(c(h) - h w) P_h(W = w), c the cumulants' function and P_h the law tilted until its mean is T.

    Under that law no w near T is rare, so that Fourier inversion keeps its digits; the factor is a single number.
    """
    tilt, cumulant, chances, spread = _tilted(loss, target)
    half = int(_REACH * spread) + 64
    offsets = np.arange(-half, half) + (floor(target) - target)
    near = np.fft.fftshift(np.fft.irfft(_transform(loss, chances, floor(target), half), n=2 * half))
    scale = cumulant - tilt * target
    side = offsets > 0 if tilt > 0 else offsets < 0
    tail = float(np.maximum(near[side], 0) @ np.exp(-tilt * offsets[side]))
    outer, at = (
        exp(scale) * tail,
        exp(scale) * max(0.0, float(near[half])) if target == floor(target) else 0.0,
    )
    return (nan, at, outer) if tilt > 0 else (outer, at, nan)


def _tilted(loss: Loss, target: float) -> tuple[float, float, FloatArray, float]:
    """Newton's method for the tilt, kept within a bracket; a mean near the target will do."""
    low, high, tilt = -inf, inf, 0.0
    while True:
        cumulant, chances = _at(loss, tilt)
        means = chances @ loss.steps
        variance = float(loss.counts @ (chances @ loss.steps**2 - means**2))
        off = float(loss.counts @ means) - target
        if abs(off) <= 0.05 * sqrt(max(0.0, variance)) + 0.01:
            return tilt, cumulant, chances, sqrt(max(0.0, variance))
        low, high = (low, tilt) if off > 0 else (tilt, high)
        most = 2 + 2 * abs(tilt)
        tilt += min(most, max(-most, -off / variance if variance > 0 else -off * inf))
        if not low < tilt < high:
            tilt = (low + high) / 2


def _at(loss: Loss, tilt: float) -> tuple[float, FloatArray]:
    """Return log E e^(hW), and the chances of each step under that tilt."""
    logs = loss.logs + tilt * loss.steps
    rows, likeliest = np.arange(len(logs)), logs.argmax(axis=1)
    top = logs[rows, likeliest]
    weights = np.exp(logs - top[:, None])
    weights[rows, likeliest] = 0
    rest = weights.sum(axis=1)
    weights[rows, likeliest] = 1
    return float(loss.counts @ (top + np.log1p(rest))), weights / (1 + rest)[:, None]


def _transform(
    loss: Loss, chances: FloatArray, shift: int, half: int
) -> npt.NDArray[np.complex128]:
    """E e^(-it(W - shift)) at the frequencies t = pi k / half, up to where it is negligible."""
    block = max(1, min(half + 1, _CELLS // len(chances)))
    flips = (
        len(loss.steps) == 3
    )  # then |E e^(itW)| falls with t, and what comes after a negligible value is too
    found: list[npt.NDArray[np.complex128]] = []
    for start in range(0, half + 1, block):
        t = np.pi * np.arange(start, min(start + block, half + 1)) / half
        real = -2 * chances @ np.sin(np.outer(loss.steps, t / 2)) ** 2
        imaginary = chances @ np.sin(np.outer(loss.steps, t))
        with np.errstate(divide="ignore"):
            size = np.log1p(np.maximum(-1, real * (2 + real) + imaginary**2)) / 2
        found.append(
            np.exp(
                loss.counts @ size
                + 1j * (shift * t - loss.counts @ np.arctan2(imaginary, 1 + real))
            )
        )
        if flips and abs(found[-1][-1]) < _NEVER:
            break
    return np.concatenate(found)
