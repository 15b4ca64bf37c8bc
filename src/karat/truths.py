"""More than one truth of the same items: labels checked again, levels of agreement, and truths side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from karat.ask.preconditions import judged, option
from karat.ask.prevalence_options import deployment_prevalences, open_series
from karat.bench import Bench, read
from karat.engine import ENGINES
from karat.errors import OptionError
from karat.measure.quantity import choose
from karat.report.signature import about
from karat.source.recognise import recognise
from karat.tally.scores.annotator_marks import marks
from karat.tally.votes.patterns import patterns
from karat.verdict.prevalence.agreement_levels import AgreementLevels, levels
from karat.verdict.stability.several_truths import Truths
from karat.verdict.stability.several_truths import compare_truths as relate
from karat.words import counted


def read_checked(path: str | Path) -> Bench:
    """Read a file of labels that were checked again: given, true, and maybe count, or share for P(true | given)."""
    source = recognise(path)
    columns = ENGINES["duckdb"](paths=source.paths).open(source).columns
    if lacking := {"given", "true"} - set(columns):
        raise OptionError(
            f"{path} has no column {min(lacking)!r}; labels checked again are in given and true"
        )
    options: dict[str, Any] = {}
    if "share" in columns:
        options = {"weight": "share"}
    elif "count" in columns:
        options = {"count": "count"}
    return read(
        path,
        truth="given",
        systems=("true",),
        duplicate_check=False,
        kinds={"": "label"},
        **options,
    )


def agreement_levels(
    path: Any, *, annotators: Sequence[str], systems: Sequence[str], **where: Any
) -> AgreementLevels:
    """How good are systems by what at least one, two, ... annotators marked? `where` as for `Bench.skew`."""
    fields, files = deployment_prevalences(**where)
    if files:
        raise OptionError(f"levels are compared at given prevalences; {files[0]} is a file")
    columns = {"--levels": annotators, "--systems": systems}
    for name, given in columns.items():
        if len(set(given)) < len(given):
            raise OptionError(f"{name} names a column twice; name each once")
    tallies = marks(*open_series(path), annotators, systems)
    digests = [tally.digest() for tally in tallies.values()]
    options = {"levels": ",".join(annotators), "systems": ",".join(systems)}
    names = [field.name for field in fields]
    beside = about("skew", names, None, options, digests)
    return replace(levels(annotators, tallies, fields), about=beside)


def compare_truths(
    benches: Mapping[tuple[str, str], Bench],
    *,
    measure: str = "accuracy",
    level: float = 0.95,
    seed: int = 0,
) -> Truths:
    """Do several truths of the same items give the same ranking?

    A bench for each pair of truths: read with the one as `truth` and the other as `second_truth`.
    """
    facts = [judged(bench.facts, "total") for bench in benches.values()]
    first = facts[0]
    unsupported = {"c", "w", "e"} & set(first.keys)
    if unsupported:
        raise OptionError(
            f"truths are compared item by item, each counting once; leave {option(unsupported)} out"
        )
    (quantity,) = choose([measure], positive=first.meaning.positive)
    comparisons = []
    digests = []
    for names, bench in benches.items():
        tally = bench.counter.count(patterns, keys="u")
        comparisons.append(relate(tally, names, quantity, level=level, seed=seed))
        digests.append(tally.digest())
    options = dict(first.options) | {"level": str(level), "seed": str(seed)}
    beside = about("stability", [str(quantity)], None, options, digests, first)
    items = f"{counted(first.counts.items, 'item')} in all."
    return Truths(quantity, tuple(comparisons), beside, (items,))
