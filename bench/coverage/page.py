"""Does every interval and test hold what karat states? Measures all of them and writes docs/coverage.md.

`python bench/coverage/page.py` takes some ten CPU minutes; `--quick` has a tenth of the runs and prints the page only.
`--only NAME` measures one topic and prints it; with `--write` it takes the place of that topic on the page.
"""

import argparse
import platform
import sys
import time
from importlib import import_module
from importlib.metadata import version
from itertools import groupby
from pathlib import Path

sys.path.append(str(Path(__file__).parent))
from topics.row import LEVEL, TOLERATED, Row
from topics.words import WORDS

NOTHING_SAID = "nothing is said at this number yet"
PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
RUNS = 2000
TOPICS = {
    "shares": "Shares, F and means",
    "queries": "Means over queries, and rankings compared",
    "group_means": "Means over groups",
    "tables": "Averages over classes, whole tables, clusters and weights",
    "score_areas": "Areas and average precisions of scores",
    "rare_events": "Thresholds and inversions at the deployment prevalence",
    "clustered_thresholds": "Thresholds at the deployment prevalence, of clusters and with weights",
    "clustered_scores": "What unlabelled scores say, of clusters",
    "bands": "Bands of precision-recall curves at the deployment prevalence",
    "area_orders": "Orders at the deployment prevalence",
    "agreement": "Levels of agreement, by clusters",
    "consensus": "Accuracies without truth",
    "few_labels": "A few checked items",
    "judges": "A few labels and a judge of all items",
    "comparisons": "Comparisons",
    "planned_areas": "Planned numbers of items for areas",
    "curve_comparisons": "Curves compared, of clusters and with weights",
    "boxes": "Boxes, over images",
    "boxes_elsewhere": "Boxes, in worlds drawn at random",
    "ratios": "Error rates of texts, entities of documents, and pass@k",
    "clustered_rates": "Error rates over clusters and groups, and bags of words",
    "weighted_comparisons": "Comparisons with weights, and of losses",
}
HEAD = """# Coverage, setting by setting

An interval of level 0.95 should contain the true value in 95 % of all data sets; a test of that level should call two
equally good systems different in at most 5 %. This page shows how far that is so, by simulation, in easy settings and
in hard ones: few items, rare classes, strong and weak detectors, ties, heavy tails, clusters of skewed sizes. It is
long, and for looking things up; [how far each number holds](how-far-it-holds.md) is the summary.
`python bench/coverage/page.py` measures everything again and writes this page.

*stated* is what karat states, *measured* what was found, over the given number of *runs*; with 2,000 runs a measured
0.95 is accurate to ±0.01, with 250 to ±0.03. A row without runs is an enumeration of all outcomes. *width* is the mean
width of the intervals. Rows that fall short by more than {tolerated:g} are marked **short**; the output itself says so
beside such numbers, in the sentence below the table. No row is left out because it is short.
"""
NOT_HERE = """## What is not on this page

Measured elsewhere: the vote's F in blocks of items (`bench/coverage/consensus_blocks.py`), differences of areas by a
sample of very many items (`bench/coverage/sampled_areas.py`), orders under label noise on re-annotated benchmarks
(`bench/real/`). Not measured yet: label error rates from two annotators, estimators of `consensus` other than
`combined`, and distances of label graphs.
"""


def main() -> None:
    """Measure, and write or print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the runs; prints only")
    parser.add_argument("--only", choices=TOPICS, help="one topic; prints it")
    parser.add_argument("--write", action="store_true", help="with --only: write it to the page")
    asked = parser.parse_args()
    runs = RUNS // 10 if asked.quick else RUNS
    start = time.process_time()
    parts = []
    for name in [asked.only] if asked.only else TOPICS:
        begun = time.process_time()
        rows = list(import_module(f"topics.{name}").rows(runs))
        parts.append(section(TOPICS[name], rows))
        print(f"{name}: {time.process_time() - begun:.0f} s CPU", file=sys.stderr)
    text = "\n".join([HEAD.format(tolerated=TOLERATED), *parts, NOT_HERE, footer(start, runs)])
    if asked.only and asked.write:
        PAGE.write_text(with_topic(asked.only, parts[0]), encoding="utf-8")
    elif asked.quick or asked.only:
        print(text)
    else:
        PAGE.write_text(text, encoding="utf-8")
    if NOTHING_SAID in text:
        sys.exit(f"some number falls short, and {NOTHING_SAID}; see the page")


def with_topic(name: str, measured: str) -> str:
    """Return the page with one topic measured again; a new one comes before the topic that follows it."""
    parts = PAGE.read_text(encoding="utf-8").split("\n## ")
    head = parts[0]
    by_title = {part.split("\n", 1)[0]: part for part in parts[1:]}
    by_title[TOPICS[name]] = measured.removeprefix("## ")
    last = NOT_HERE.split("\n", 1)[0].removeprefix("## ")
    tail = (
        NOT_HERE.removeprefix("## ") + "\n" + by_title[last].rstrip("\n").rsplit("\n", 1)[1] + "\n"
    )
    topics = [by_title[title] for title in TOPICS.values() if title in by_title]
    return "\n## ".join([head, *topics, tail])


def section(title: str, rows: list[Row]) -> str:
    """Return a table per number, each with the sentence that stands at the number where a row is short."""
    parts = [f"## {title}\n"]
    # Rows of one number may come apart, as a setting is measured for several numbers at once.
    order = {row.number: place for place, row in reversed(list(enumerate(rows)))}
    ordered = sorted(rows, key=lambda row: order[row.number])
    for number, group in groupby(ordered, key=lambda row: row.number):
        own = list(group)
        parts.append(f"### {number}\n")
        parts.append(table(own))
        if any(row.short for row in own):
            said = WORDS.get(number, NOTHING_SAID)
            parts.append(f"At the number: \u201c{said}\u201d\n")
    return "\n".join(parts)


def table(rows: list[Row]) -> str:
    """Return rows as a table."""
    lines = [
        "| setting | stated | measured | width | runs | |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        width = "" if row.width is None else f"{row.width:.3f}"
        short = "**short**" if row.short else ""
        said = f"{'at most ' if row.most else ''}{row.said:.2f}"
        runs = f"{row.runs:,}" if row.runs else ""
        cells = (row.setting, said, f"{row.measured:.3f}", width, runs, short)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def footer(start: float, runs: int) -> str:
    """Return with what it was measured."""
    seconds = time.process_time() - start
    packages = ", ".join(f"{name} {version(name)}" for name in ("karat", "numpy", "scipy"))
    return (
        f"Level {LEVEL:g}, up to {runs:,} runs, {seconds:.0f} seconds of CPU time, "
        f"Python {platform.python_version()}, {packages}.\n"
    )


if __name__ == "__main__":
    main()
