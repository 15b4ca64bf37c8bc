"""Pixels: masks and score maps counted, beside a plain decode of the same files."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from case import Case, Way
from common import made
from PIL import Image
from scipy.ndimage import gaussian_filter

from karat.source import SOURCES

IMAGES, SIDE = 12, 1_500


@dataclass(frozen=True)
class Folders:
    """A folder of truths, and one of each system's images."""

    paths: tuple[Path, ...]


def folders(*systems: str) -> Folders:
    home = made("pixels", _write)
    return Folders(tuple(home / name for name in ("truth", *systems)))


def _write(home: Path) -> None:
    random = np.random.default_rng(0)
    home.mkdir()
    for number in range(IMAGES):
        ground = gaussian_filter(random.normal(size=(SIDE, SIDE)), 6)
        truth = ground > np.quantile(ground, 0.93)
        _save(home / "truth", number, np.where(truth, 255, 0).astype(np.uint8))
        for system, noise in {"a": 12, "b": 30}.items():
            score = 100 + 80 * gaussian_filter(truth.astype(float), 2)
            score = (score + random.normal(0, noise, truth.shape)).clip(0, 255)
            _save(home / system, number, score.astype(np.uint8))
            _save(home / f"deep-{system}", number, (score * 257).astype(np.uint16))
            _save(home / f"mask-{system}", number, np.where(score > 140, 255, 0).astype(np.uint8))


def _save(folder: Path, number: int, values: np.ndarray) -> None:
    folder.mkdir(exist_ok=True)
    Image.fromarray(values).save(folder / f"{number:02d}.png")


def counted(data: Folders) -> None:
    SOURCES["pixels"]([str(path) for path in data.paths])


def decoded(data: Folders) -> int:
    total = 0
    for folder in data.paths:
        for path in sorted(folder.iterdir()):
            with Image.open(path) as image:
                total += np.asarray(image).size
    return total


DECODE = Way("Pillow, every image decoded", decoded)
CASES = (
    Case("81 million pixels, two systems' masks", partial(folders, "mask-a", "mask-b"), counted, DECODE),
    Case("81 million pixels, two systems' scores of 8 bits", partial(folders, "a", "b"), counted, DECODE),
    Case("81 million pixels, two systems' scores of 16 bits", partial(folders, "deep-a", "deep-b"), counted, DECODE),
)  # fmt: skip
