"""The experiment of Lampert and Gançarski's "The bane of skew" on made-up fissures: its figures and tables 1 and 3.

    python scripts/fissures.py FOLDER

writes images into FOLDER (a photograph of ground with fissures, the masks of thirteen annotators who miss faint ones
and widen others, the score maps of a Gaussian matched filter and of a centre-surround filter; five images of vessels
with two annotators), asks karat the paper's questions about them, writes figures 1 to 3 and 5 to 8 and prints the
tables. The paper's images are not published; nothing here is fitted to its numbers. All seeds are fixed.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import binary_dilation, convolve, gaussian_filter, map_coordinates

import karat
from karat.bench import Bench
from karat.questions.agreement_levels import agreement_in_images
from karat.questions.pixel_picture import pixel_picture
from karat.report.pictures import png
from karat.result import Result
from karat.verdict.prevalence.agreement_result import AgreementLevels

SEED = 13
SIDE = 480
ANNOTATORS = 13
LOW, HIGH = 0.0, 0.5
"""The paper's limits of the prevalence, set by experts."""
LANDGREBE_LOW = 1 / 101
"""A ratio of negatives to positives from 1 to 100, as the paper has it for the measure of Landgrebe et al."""

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def curves(random: np.random.Generator, number: int, length: int) -> list[NDArray[np.int64]]:
    """Return winding lines: the pixels of each."""
    lines = []
    for _ in range(number):
        place = random.uniform(0.05, 0.95, 2) * SIDE
        angle = random.uniform(0, 2 * np.pi)
        steps = []
        for _ in range(int(random.uniform(0.4, 1.0) * length)):
            angle += random.normal(0, 0.09)
            place = place + np.array([np.sin(angle), np.cos(angle)])
            steps.append(place)
        pixels = np.unique(np.round(steps).astype(np.int64), axis=0)
        inside = ((pixels >= 0) & (pixels < SIDE)).all(axis=1)
        lines.append(pixels[inside])
    return lines


def drawn(lines: list[NDArray[np.int64]], width: int) -> Mask:
    """Return the pixels of lines, widened by so many pixels to each side."""
    mask = np.zeros((SIDE, SIDE), bool)
    for line in lines:
        mask[tuple(line.T)] = True
    return binary_dilation(mask, iterations=width) if width else mask


def photograph(
    random: np.random.Generator, lines: list[NDArray[np.int64]], depth: Floats, noise: float
) -> Floats:
    """Return ground, uneven and rough, with dark lines in it."""
    ground = gaussian_filter(random.normal(size=(SIDE, SIDE)), 12) * 120
    ground += gaussian_filter(random.normal(size=(SIDE, SIDE)), 1.2) * 40
    ground += random.normal(0, noise, (SIDE, SIDE))
    dark = np.zeros((SIDE, SIDE))
    for line, own in zip(lines, depth, strict=True):
        one = drawn([line], 1)
        dark = np.maximum(dark, own * gaussian_filter(one.astype(float), 0.8))
    return ground - dark


def annotate(
    random: np.random.Generator, lines: list[NDArray[np.int64]], depth: Floats, care: float
) -> Mask:
    """Return what one annotator marks: faint lines are missed more often, and all are moved and widened."""
    seen = random.random(len(lines)) < care * depth / depth.max()
    width = 1 + int(random.random() < 0.5) + int(random.random() < 0.3)
    moved = [line for line, one in zip(lines, seen, strict=True) if one]
    mask = drawn(moved, width) if moved else np.zeros((SIDE, SIDE), bool)
    shift = random.normal(0, 0.5, 2)
    rows, columns = np.mgrid[:SIDE, :SIDE] + shift[:, None, None]
    return np.asarray(map_coordinates(mask.astype(float), [rows, columns], order=1) >= 0.5)


def matched_filter(photo: Floats) -> Floats:
    """Return the response to dark lines with a Gaussian profile: the largest over twelve directions."""
    reach = 8
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    best = np.full(photo.shape, -np.inf)
    for angle in np.arange(12) * np.pi / 12:
        across = rows * np.cos(angle) - columns * np.sin(angle)
        along = rows * np.sin(angle) + columns * np.cos(angle)
        kernel = np.where(abs(along) <= 6, -np.exp(-(across**2) / (2 * 1.5**2)), 0)
        used = abs(along) <= 6
        kernel[used] -= kernel[used].mean()
        best = np.maximum(best, convolve(photo, kernel / abs(kernel).sum(), mode="reflect"))
    return best


def centre_surround(photo: Floats) -> Floats:
    """Return how much darker a pixel and its nearest neighbours are than those farther away."""
    return np.asarray(gaussian_filter(photo, 6.0) - gaussian_filter(photo, 1.2))


def save(path: Path, values: NDArray[np.generic]) -> None:
    """Write an image."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(values).save(path)


def scores(response: Floats) -> NDArray[np.uint8]:
    """Return a response as scores of 8 bits; what is no response is 0."""
    kept = np.maximum(response, 0)
    return np.round(255 * kept / kept.max()).astype(np.uint8)


def make_fissures(folder: Path) -> None:
    """Write the photograph, thirteen masks and two score maps."""
    random = np.random.default_rng(SEED)
    lines = curves(random, 26, 260)
    depth = random.uniform(10, 60, len(lines))
    photo = photograph(random, lines, depth, 6)
    save(folder / "photo" / "fissures.png", grey(photo))
    for number in range(1, ANNOTATORS + 1):
        marks = annotate(random, lines, depth, random.uniform(0.9, 2.0))
        name = folder / "annotators" / f"{number:02d}" / "fissures.png"
        save(name, np.where(marks, 255, 0).astype(np.uint8))
    save(folder / "gauss" / "fissures.png", scores(matched_filter(photo)))
    save(folder / "centre-surround" / "fissures.png", scores(centre_surround(photo)))
    # Fewer negatives: four in ten of the pixels that nobody marked do not count.
    marked = np.zeros((SIDE, SIDE), bool)
    for path in (folder / "annotators").glob("*/fissures.png"):
        marked |= np.asarray(Image.open(path)) > 0
    dropped = ~marked & (random.random(marked.shape) < 0.47)
    save(folder / "fewer" / "fissures.png", np.where(dropped, 255, 0).astype(np.uint8))


def grey(photo: Floats) -> NDArray[np.uint8]:
    """Return a photograph of 8 bits."""
    low, high = np.percentile(photo, [0.5, 99.5])
    return (255 * (photo - low) / (high - low)).clip(0, 255).astype(np.uint8)


def make_vessels(folder: Path) -> None:
    """Write five images of vessels with two annotators, one of whom marks thinner and more of them."""
    random = np.random.default_rng(SEED + 1)
    for number in range(1, 6):
        lines = curves(random, 30, 300)
        depth = random.uniform(25, 90, len(lines))
        photo = photograph(random, lines, depth, 4)
        careful = annotate(random, lines, depth, 3.0) | drawn(lines, 1)
        quick = drawn([line for line, own in zip(lines, depth, strict=True) if own > 45], 1)
        response = scores(matched_filter(photo))
        # As the paper does: a tenth of the output is replaced by noise, so that there are false alarms.
        noisy = random.random(response.shape) < 0.1
        response[noisy] = random.integers(0, 256, int(noisy.sum()))
        name = f"im{number:04d}.png"
        save(folder / "VK" / name, np.where(careful, 255, 0).astype(np.uint8))
        save(folder / "AH" / name, np.where(quick, 255, 0).astype(np.uint8))
        save(folder / "detector" / name, response)


def read(folder: Path, truth: str, *systems: str, **using: str) -> Bench:
    """Read score maps of 8 bits beside one truth."""
    paths = [str(folder / name) for name in (truth, *systems)]
    return karat.read(paths, using=using)


def main() -> None:
    """Make the images, ask the questions, write the pictures and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    make_fissures(folder / "fissures")
    make_vessels(folder / "vessels")
    fissures, vessels = folder / "fissures", folder / "vessels"
    pictures = folder / "figures"
    pictures.mkdir(exist_ok=True)

    def picture(name: str, result: Result) -> None:
        (pictures / f"{name}.png").write_bytes(png(result))
        print(f"  {pictures / name}.png")

    print("Figure 1: agreement, response, and the response from 50 on")
    shown = pixel_picture(
        fissures / "gauss" / "fissures.png",
        fissures / "annotators",
        photo=fissures / "photo" / "fissures.png",
        threshold=50,
        using={"at_least": "1"},
    )
    picture("figure-1", shown)

    print("Figures 2, 3 and 6, tables 1 and 3: every level of agreement as the truth")
    folders = [str(fissures / name) for name in ("annotators", "gauss", "centre-surround")]
    levels = agreement_in_images(folders, low=LOW, high=HIGH)
    picture("figures-2-3-6", levels)
    weighed = agreement_in_images(folders, low=LANDGREBE_LOW, high=HIGH, prior="landgrebe")
    picture("figure-6-landgrebe", weighed)
    print_tables(levels)

    print("Figure 5: the detectors at other prevalences, by what one or more annotators marked")
    bench = read(fissures, "annotators", "gauss", "centre-surround", at_least="1")
    skewed = bench.skew(to=[0.01, 0.5])
    picture("figure-5", skewed)
    inversions(bench)

    print("Figure 7: fewer negatives change precision, not the mean over a range of prevalences")
    fewer = read(
        fissures,
        "annotators",
        "gauss",
        at_least="1",
        ignore=str(fissures / "fewer"),
    )
    whole = read(fissures, "annotators", "gauss", at_least="1")
    pair = whole.skew(low=LOW, high=HIGH, beside={"fewer negatives": fewer})
    picture("figure-7", pair)
    for name, one in {"all-pixels": whole, "fewer-negatives": fewer}.items():
        picture(f"figure-7-{name}", one.skew(to=prevalence(one)))
    areas(whole, fewer, "all pixels", "fewer negatives")

    print("Figure 8: two annotators as truths")
    eighth = read(fissures, "annotators/08", "gauss")
    twelfth = read(fissures, "annotators/12", "gauss")
    picture("figure-8-fissures", eighth.skew(low=LOW, high=HIGH, beside={"annotator 12": twelfth}))
    areas(eighth, twelfth, "annotator 8", "annotator 12")
    careful, quick = read(vessels, "VK", "detector"), read(vessels, "AH", "detector")
    picture("figure-8-vessels", careful.skew(low=LOW, high=HIGH, beside={"AH": quick}))
    areas(careful, quick, "VK", "AH")


def print_tables(levels: AgreementLevels) -> None:
    """Print how far scores follow agreement, and the areas by level."""
    print(
        "Table 1: Pearson's correlation of scores and agreement: where anybody marked, everywhere"
    )
    for system, found in levels.correlations.items():
        marked, whole = found.within[0].value, found.over_all[0].value
        print(f"  {system:<16} {marked:.4f}  {whole:.4f}")
    print("Table 3: positives; area, normalised; mean over the range, normalised; ROC area")
    by_level: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in levels.rows():
        by_level.setdefault((row["system"], row["at_least"]), []).append(dict(row))
    for (system, at_least), (own, mean) in by_level.items():
        values = [own["area"], own["normalised"], mean["area"], mean["normalised"], own["roc_area"]]
        shown = "  ".join(f"{value:.4f}" for value in values)
        print(f"  {system:<16} >= {at_least:<2}  {own['skew']:.4f}  {shown}")


def prevalence(bench: Bench) -> float:
    """Return the share of positives in the pixels that count."""
    positives, negatives = next(iter(bench.skew(to=0.5).sides.values()))
    return positives / (positives + negatives)


def inversions(bench: Bench) -> None:
    """Print who is better at which prevalence, and where that changes."""
    found = bench.skew(to=[0.01, 0.5])
    for row in found.rows():
        print(f"  {row['system']:<16} {row['low']:.4f} {row['area']:.4f}")
    for one in found.stretches:
        print(f"  {one.low:.4f} to {one.high:.4f}: {' > '.join(one.order)}")


def areas(first: Bench, second: Bench, *names: str) -> None:
    """Print the areas of two tables at their own prevalence, and over the range."""
    for bench, name in zip((first, second), names, strict=True):
        own = bench.score(measure="average-precision").rows()[0]["value"]
        mean = bench.skew(low=LOW, high=HIGH).rows()[0]["area"]
        print(f"  {name:<16} average precision {own:.4f}, mean over the range {mean:.4f}")


if __name__ == "__main__":
    main()
