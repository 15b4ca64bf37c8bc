"""Areas at any class balance: a curve of 1e7 scores, 101 skews, intervals, inversions, and 1e8 scores in bins.

Words as arguments: only these parts (curve, skews, interval, inversions, binned).
"""

import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
from sklearn.metrics import average_precision_score

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line, made

from karat.doubt.prevalence import inversions as search
from karat.doubt.prevalence.area_bootstrap import area_interval
from karat.measure.prevalence.packed_area import rises_of
from karat.measure.prevalence.pr_curve import areas, pr_area, roc
from karat.measure.prevalence.step_areas import average_precision_at
from karat.tally.scores.packed_curve import curve_of

MANY = 100_000_000
PEAK = """
def peak():  # of this process alone; getrusage begins with the memory of the one that started it
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
"""
DRAW = """
import sys
import numpy as np
from sklearn.metrics import average_precision_score
from karat.measure.prevalence.packed_area import rises_of
from karat.measure.prevalence.pr_curve import areas, pr_area, roc
from karat.tally.scores.packed_curve import curve_of
random = np.random.default_rng(0)
rate, number, part = float(sys.argv[1]), 10_000_000, 1_000_000
truth, score = np.empty(number, bool), np.empty(number, np.float32)
for left in range(0, number, part):  # in parts, so that making the data does not set the peak
    truth[left : left + part] = random.random(part) < rate
    score[left : left + part] = random.normal(size=part) + truth[left : left + part]
before = peak()
if sys.argv[2] == "curve":
    pr_area(roc(curve_of(truth, score)), pi=rate)
elif sys.argv[2] == "area":
    areas(rises_of(truth, score), rate)
else:
    average_precision_score(truth, score)
print(peak() - before)
"""
BINNED = """
import sys, time
import karat
from karat.tally.scores.binned_curve import binned
from karat.measure.prevalence.binning_limits import area_bounds
start = time.perf_counter()
counter = karat.read(sys.argv[1], duplicate_check=False).counter
read = time.perf_counter() - start
curve = counter.count(binned)["score"]
taken = time.perf_counter() - start - read
pi = curve.positive.sum() / (curve.positive.sum() + curve.negative.sum())
bounds = area_bounds(curve, pi=[0.001, 0.01, float(pi), 0.5])
items = curve.positive.sum() + curve.negative.sum()
size = f"{items:,} items in {len(curve.score):,} bins"
print(f"{peak() / 2**20:.2f} GiB, read {read:.1f} s, binned {taken:.1f} s, {size}")
for share, low, high in zip([0.001, 0.01, float(pi), 0.5], bounds.low, bounds.high):
    print(f"    at pi = {share:.4f} the area lies in [{low:.6f}, {high:.6f}], {high - low:.1e} wide")
"""


def scored(
    number: int, rate: float, *, seed: int = 0, kind: type = np.float32
) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    truth = random.random(number) < rate
    return truth, (random.normal(size=number) + truth).astype(kind)


def ratio(peer: tuple[float, float], ours: tuple[float, float]) -> str:
    return f"{peer[0] / ours[0]:,.1f}x faster, {peer[1] / ours[1]:,.1f}x less CPU"


def measured(code: str, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", PEAK + code, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def curve() -> None:
    header(
        "Exact curve and area of 1e7 float32 scores (claim: 8x at 5 % positives, 4x at 50 %)",
        "scikit-learn",
    )
    for rate in (0.05, 0.5):
        truth, score = scored(10_000_000, rate)
        peer = clock(lambda t=truth, s=score: average_precision_score(t, s))
        line(f"scikit-learn average_precision_score, {rate:.0%} positives", peer)
        ours = clock(lambda t=truth, s=score, r=rate: areas(rises_of(t, s), r), times=5)
        line("karat areas(rises_of(truth, score), pi)", ours, ratio(peer, ours))
        whole = clock(lambda t=truth, s=score, r=rate: pr_area(roc(curve_of(t, s)), pi=r))
        line("karat pr_area(roc(curve_of(truth, score)), pi)", whole, ratio(peer, whole))
        found = roc(curve_of(truth, score))
        gap = float(average_precision_at(found, pi=truth.mean())) - average_precision_score(
            truth, score
        )
        print(f"  average precision of the curve less scikit-learn's: {gap:.1e}")
        peaks = {
            what: int(measured(DRAW, str(rate), what)) / 1024
            for what in ("scikit-learn", "area", "curve")
        }
        print(
            "  peak memory above the data: "
            + ", ".join(f"{what} {peak:,.0f} MiB" for what, peak in peaks.items())
        )


def skews() -> None:
    header("The area at 101 skews, 1e6 scores, 1 % positives (claim: 100x)", "scikit-learn")
    truth, score = scored(1_000_000, 0.01)
    pis = np.linspace(0.001, 0.999, 101)

    def weighted(pi: float) -> float:
        weight = np.where(truth, pi / truth.mean(), (1 - pi) / (1 - truth.mean()))
        return float(average_precision_score(truth, score, sample_weight=weight))

    some = pis[::20]
    drawn = clock(lambda: [weighted(pi) for pi in some], times=2)
    peer = (drawn[0] * 101 / len(some), drawn[1] * 101 / len(some))
    line(f"scikit-learn with sample_weight (of {len(some)}, scaled up)", peer)
    ours = clock(lambda: areas(rises_of(truth, score), pis), times=5)
    line("karat areas(rises_of(truth, score), 101 skews)", ours, ratio(peer, ours))
    step = average_precision_at(roc(curve_of(truth, score)), pi=some)
    gap = max(abs(float(value) - weighted(pi)) for value, pi in zip(step, some, strict=True))
    print(f"  average precision by the curve, largest difference from scikit-learn's: {gap:.1e}")


def resampled(truth: np.ndarray, score: np.ndarray, draws: int) -> None:
    random = np.random.default_rng(1)
    for _ in range(draws):
        chosen = random.integers(0, len(truth), len(truth))
        average_precision_score(truth[chosen], score[chosen])


def interval() -> None:
    header("A 1,000-draw interval of the area at 1e5 scores (claim: 10x)", "scikit-learn")
    for rate in (0.05, 0.5):
        truth, score = scored(100_000, rate)
        drawn = clock(lambda t=truth, s=score: resampled(t, s, 25), times=2)
        peer = (drawn[0] * 40, drawn[1] * 40)
        line(f"scikit-learn in a bootstrap loop, {rate:.0%} positives (of 25, scaled up)", peer)
        ours = clock(
            lambda t=truth, s=score, r=rate: area_interval(curve_of(t, s), [r], draws=1000), times=2
        )
        line("karat area_interval(curve_of(truth, score), [pi])", ours, ratio(peer, ours))


def inverted() -> None:
    header("All inversions among 8 systems x 1e6 scores, 1 % positives", "scikit-learn")
    truth, _ = scored(1_000_000, 0.01)
    random = np.random.default_rng(2)
    shapes = [(0.8 + 0.1 * k, 2.2 - 0.22 * k) for k in range(8)]
    scores = {
        f"system{k}": (
            random.normal(size=len(truth))
            + np.where(truth, random.normal(mean, wide, len(truth)), 0)
        )
        for k, (mean, wide) in enumerate(shapes)
    }
    evaluated = [0]
    plain = search.heights

    def counting(parts: object, place: np.ndarray) -> np.ndarray:
        evaluated[0] += len(place)
        return plain(parts, place)

    counted = clock(
        lambda: {name: roc(curve_of(truth, score)) for name, score in scores.items()}, times=1
    )
    curves = {name: roc(curve_of(truth, score)) for name, score in scores.items()}
    line("karat curves of 8 systems", counted)
    search.heights = counting
    found = search.rankings(curves)
    search.heights = plain
    ours = clock(lambda: search.rankings(curves), times=1)
    first = next(iter(scores.values()))
    once = clock(
        lambda: average_precision_score(truth, first, sample_weight=np.where(truth, 2.0, 1.0))
    )
    peer = (once[0] * evaluated[0], once[1] * evaluated[0])
    line(f"scikit-learn's areas for the same search ({evaluated[0]:,} areas, scaled up)", peer)
    both = (ours[0] + counted[0], ours[1] + counted[1])
    line("karat curves and rankings: 28 pairs", both, ratio(peer, both))
    print(f"  {len(found.changes)} inversions, {len(found.orders)} orders")


def write(path: Path) -> None:
    yes = f"select cast(random() < 0.05 as tinyint) as truth, random() as u from range({MANY})"
    rows = f"select truth, cast(case when truth = 1 then sqrt(u) else u * u end as real) as score from ({yes})"
    duckdb.connect().execute(f"copy ({rows}) to '{path}' (format parquet)")


def binned() -> None:
    header(
        f"{MANY:.0e} scores in [0, 1] from Parquet in bins (claim: under 2 GiB, bounds within 1e-4)"
    )
    print(f"  {measured(BINNED, str(made('scores1e8.parquet', write)))}")


PARTS = {
    "curve": curve,
    "skews": skews,
    "interval": interval,
    "inversions": inverted,
    "binned": binned,
}
for name in sys.argv[1:] or PARTS:
    PARTS[name]()
