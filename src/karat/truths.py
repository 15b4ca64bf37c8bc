"""More than one truth of the same items: labels checked again, levels of agreement, and truths side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from karat.ask.preconditions import judged, option
from karat.ask.prevalence_options import fields_of, open_series
from karat.bench import Bench, read
from karat.engine import ENGINES
from karat.errors import OptionError
from karat.measure.quantity import choose
from karat.report.signature import about
from karat.source.recognise import recognise
from karat.tally.scores.annotator_marks import marks
from karat.tally.votes.patterns import patterns
from karat.verdict.prevalence.agreement_levels import Levels, levels
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
    weights = {"share": {"weight": "share"}, "count": {"count": "count"}}
    options: dict[str, Any] = next(
        (option for name, option in weights.items() if name in columns), {}
    )
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
) -> Levels:
    """How do systems fare by what at least one, two, ... annotators marked? `where` as for `Bench.skew`."""
    fields, files = fields_of(**where)
    if files:
        raise OptionError(f"levels are compared at class balances; {files[0]} is a file")
    for names, what in ((annotators, "--levels"), (systems, "--systems")):
        if len(set(names)) < len(names):
            raise OptionError(f"{what} names a column twice; name each once")
    tallies = marks(*open_series(path), annotators, systems)
    digests = [tally.digest() for tally in tallies.values()]
    options = {"levels": ",".join(annotators), "systems": ",".join(systems)}
    said = about("skew", [each.name for each in fields], None, options, digests)
    return replace(levels(annotators, tallies, fields), about=said)


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
    if unfit := {"c", "w", "e"} & set(facts[0].keys):
        raise OptionError(
            f"truths are compared item by item, each counting once; leave {option(unfit)} out"
        )
    (quantity,) = choose([measure], positive=facts[0].meaning.positive)
    tallies = {names: bench.counter.count(patterns, keys="u") for names, bench in benches.items()}
    found = [
        relate(tally, names, quantity, level=level, seed=seed) for names, tally in tallies.items()
    ]
    options = dict(facts[0].options) | {"level": str(level), "seed": str(seed)}
    digests = [tally.digest() for tally in tallies.values()]
    said = about("stability", [str(quantity)], None, options, digests, facts[0])
    return Truths(
        quantity, tuple(found), said, (f"{counted(facts[0].counts.items, 'item')} in all.",)
    )
