"""The order of 34 ImageNet classifiers under errors in the labels: CPU seconds and memory; needs the shared data."""

import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line

SET = Path(__file__).parents[3] / "shared" / "data" / "imagenet_val_34"
LEFT_OUT = "cleanlab.resnet50_cv"
ERRORS = 0.01, 0.058, 0.2
"""5.8 %: the 2,916 of 50,000 images whose given label the reviewers' majority refused (README of the data)."""


def peak() -> str:
    return f"peak {getrusage(RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB"


def main() -> None:
    import karat
    from karat.doubt.label_noise.ranking_order import ranking_under_label_noise
    from karat.doubt.label_noise.simulated_scores import (
        order_under_label_noise,
        scores_under_label_noise,
        scores_under_noise_and_sampling,
    )
    from karat.measure.quantity import Quantity
    from karat.tally.votes.patterns import patterns
    from karat.tally.votes.right_answers import right

    header(
        "joint ranking of imagenet_val_34, 34 systems x 50,000 items, 10,000 draws: under 10 s of CPU and 1 GiB"
    )
    if not SET.exists():
        print("  the shared data is not there; nothing measured")
        return
    bench = karat.read(
        str(SET / "systems_label.csv.gz"), truth=f"{SET / 'items.csv.gz'}:truth_original"
    )
    every = bench.counter.count(patterns)
    kept = [place for place, name in enumerate(every.systems) if name != LEFT_OUT]
    names = tuple(every.systems[place] for place in kept)
    patterns = replace(every, systems=names, answers=every.answers[:, kept])
    side = right(patterns.truth, patterns.answers, patterns.labels, patterns.meaning)
    accuracy = Quantity("accuracy")
    print(
        f"  {len(names)} systems, {patterns.number.sum():,} items, {len(patterns.number):,} patterns; read: {peak()}"
    )
    ways = {
        "right/wrong, as if two classes": lambda error: ranking_under_label_noise(
            side, patterns.number, error
        ),
        "labels, 1,000 classes": lambda error: order_under_label_noise(
            patterns, accuracy, scores_under_label_noise(patterns, accuracy, error)
        ),
    }
    for error, (what, way) in product(ERRORS, ways.items()):
        found = []
        seconds = clock(lambda way=way, error=error, found=found: found.append(way(error)), times=1)
        line(
            f"{what}, e = {error}",
            seconds,
            f"{peak()}; order kept {found[0].kept:.3f}, {found[0].method}",
        )
    seconds = clock(
        lambda: scores_under_noise_and_sampling(patterns, accuracy, 0.058, draws=1000), times=1
    )
    line("both doubts, 1,000 draws, e = 0.058", seconds, peak())
    three = clock(lambda: ranking_under_label_noise(side[:, :3], patterns.number, 0.058))
    line(
        "three systems, exact",
        three,
        ranking_under_label_noise(side[:, :3], patterns.number, 0.058).method,
    )


main()
