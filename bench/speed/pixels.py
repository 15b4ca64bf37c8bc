"""Pixels per second: masks and score maps counted, against a plain decode of the same files.

Twelve images of 1,500 x 1,500 pixels with a truth and two systems: masks, score maps of 8 bits, and of 16.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line, made

from karat.source import SOURCES

IMAGES, SIDE = 12, 1_500
KINDS = {
    "masks": ("mask-a", "mask-b"),
    "scores of 8 bits": ("a", "b"),
    "scores of 16 bits": ("deep-a", "deep-b"),
}


def make(home: Path) -> None:
    random = np.random.default_rng(0)
    home.mkdir(parents=True)
    for name in ("truth", *(name for names in KINDS.values() for name in names)):
        (home / name).mkdir()
    for number in range(IMAGES):
        ground = gaussian_filter(random.normal(size=(SIDE, SIDE)), 6)
        truth = ground > np.quantile(ground, 0.93)
        save(home / "truth", number, np.where(truth, 255, 0).astype(np.uint8))
        for system, noise in {"a": 12, "b": 30}.items():
            score = 100 + 80 * gaussian_filter(truth.astype(float), 2)
            score = (score + random.normal(0, noise, truth.shape)).clip(0, 255)
            save(home / system, number, score.astype(np.uint8))
            save(home / f"deep-{system}", number, (score * 257).astype(np.uint16))
            save(home / f"mask-{system}", number, np.where(score > 140, 255, 0).astype(np.uint8))


def save(folder: Path, number: int, values: np.ndarray) -> None:
    Image.fromarray(values).save(folder / f"{number:02d}.png")


def decode(folders: list[Path]) -> None:
    for folder in folders:
        for path in sorted(folder.iterdir()):
            with Image.open(path) as image:
                np.asarray(image)


header("pixels: within three times a plain decode of the same images", "pillow")
home = made("pixels", make)
for kind, systems in KINDS.items():
    folders = [home / name for name in ("truth", *systems)]
    pixels = IMAGES * SIDE**2 * len(folders)
    plain = clock(lambda folders=folders: decode(folders))
    own = clock(lambda folders=folders: SOURCES["pixels"]([str(path) for path in folders]))
    line(f"{kind}: decode", plain, f"{pixels / plain[1] / 1e6:,.0f} million pixels a CPU second")
    line(f"{kind}: counted", own, f"{own[1] / plain[1]:.2f} times the CPU of a plain decode")
