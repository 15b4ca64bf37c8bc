"""A page for 34 ImageNet classifiers, and one for the demo: CPU seconds, memory and size; needs the shared data."""

import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line

SHARED = Path(__file__).parents[3] / "shared" / "data"
PAGES = {
    "mmlu_redux_14, 57 groups": (
        "mmlu_redux_14",
        "systems.csv",
        "items.csv:truth_original",
        {"group": "subject"},
    ),
    "imagenet_val_34": (
        "imagenet_val_34",
        "systems_label.csv.gz",
        "items.csv.gz:truth_original",
        {},
    ),
}


def main() -> None:
    import karat

    header(
        "a page of imagenet_val_34 end to end: under 20 s of CPU, 1 GiB and 3 MB; of the demo under 1 MB"
    )
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"

        def measured(what: str, *given: object, **options: object) -> None:
            seconds = clock(lambda: karat.read(*given, **options).report(page), times=1)
            peak = getrusage(RUSAGE_SELF).ru_maxrss / 2**20
            line(what, seconds, f"{page.stat().st_size / 1e6:.2f} MB, peak {peak:.2f} GiB")

        measured("the demo", str(files("karat.demo") / "digits.csv"))
        for what, (name, systems, truth, options) in PAGES.items():
            place = SHARED / name
            if place.exists():
                measured(what, str(place / systems), truth=f"{place}/{truth}", **options)
            else:
                print(f"  {what}: the shared data is not there; nothing measured")


main()
