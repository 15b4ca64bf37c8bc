"""Texts line by line: peak memory for 1,000 to 100,000 pages, which are counted as they are read."""

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
from common import header, made

LENGTH = 2_000
CHARACTERS = "etaoinshrdlucmfwyp,. " * 3 + "ETAOIN"
PEAK = """
import resource, sys, time, karat
start = time.perf_counter()
bench = karat.read([sys.argv[1], "a=" + sys.argv[2]], format="text", using={"page": "line"})
rows = bench.score(measure="accuracy").rows()
print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10:.0f} MiB, {time.perf_counter() - start:.0f} s, "
      f"{rows[0]['trials']:,} characters, {rows[0]['value']:.4f} right")
"""


def page(draw: random.Random) -> str:
    return "".join(draw.choices(CHARACTERS, k=LENGTH)).strip().replace("  ", " x")


def misread(text: str, draw: random.Random) -> str:
    """Return a text with 5 % of its characters changed, lost or doubled."""
    places = {
        place: draw.choice(["", "x", "xy"])
        for place in draw.sample(range(len(text)), len(text) // 20)
    }
    return "".join(places.get(place, character) for place, character in enumerate(text)).replace(
        "  ", " "
    )


def write_pages(number: int, *, read: bool) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        draw = random.Random(1)  # noqa: S311 (the same pages each time)
        pages = [page(draw) for _ in range(500)]
        if read:
            pages = [misread(text, draw) for text in pages]
        with path.open("w") as file:
            file.writelines(pages[place % 500] + "\n" for place in range(number))

    return write


def lines_of(number: int) -> tuple[Path, Path]:
    names = (f"pages{number}-{side}.txt" for side in ("truth", "read"))
    truth, read = (
        made(name, write_pages(number, read=side))
        for name, side in zip(names, (False, True), strict=True)
    )
    return truth, read


header("memory for pages of 2,000 characters (it does not grow with their number)", "rapidfuzz")
for number in (1_000, 10_000, 100_000):
    paths = [str(path) for path in lines_of(number)]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PEAK, *paths], check=True, capture_output=True, text=True
    )
    print(f"  {number:>7,} pages: {done.stdout.strip()}")
