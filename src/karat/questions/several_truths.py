"""Do several truths of the same items give the same ranking?"""

from typing import TYPE_CHECKING

from karat.ask.preconditions import option, require_truth
from karat.errors import OptionError
from karat.measure.quantity import choose
from karat.report.signature import about
from karat.tally.votes.patterns import patterns
from karat.verdict.stability.several_truths import SeveralTruthsResult
from karat.verdict.stability.several_truths import compare_truths as compare_two
from karat.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from karat.bench import Bench


def compare_truths(
    benches: "Mapping[tuple[str, str], Bench]",
    *,
    measure: str = "accuracy",
    level: float = 0.95,
    seed: int = 0,
) -> SeveralTruthsResult:
    """Do several truths of the same items give the same ranking?

    A bench for each pair of truths: read with the one as `truth` and the other as `second_truth`.
    """
    facts = [require_truth(bench.facts, "total") for bench in benches.values()]
    first = facts[0]
    unsupported = {"c", "w", "e", "r"} & set(first.keys)
    if unsupported:
        raise OptionError(
            f"truths are compared item by item, each counting once; leave {option(unsupported)} out"
        )
    (quantity,) = choose([measure], positive=first.meaning.positive)
    comparisons = []
    digests = []
    for names, bench in benches.items():
        tally = bench.counter.count(patterns, keys="u")
        comparisons.append(compare_two(tally, names, quantity, level=level, seed=seed))
        digests.append(tally.digest())
    options = dict(first.options) | {"level": str(level), "seed": str(seed)}
    header = about("stability", [str(quantity)], None, options, digests, first)
    items = f"{counted(first.counts.items, 'item')} in all."
    return SeveralTruthsResult(quantity, tuple(comparisons), header, (items,))
