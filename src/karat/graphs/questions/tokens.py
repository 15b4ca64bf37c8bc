"""Formulas as tokens, beside the graphs of the same formulas."""

from collections.abc import Sequence

from karat.graphs.compare.counts import Graphs
from karat.graphs.compare.rates import share, total
from karat.graphs.compare.tokens.token_rates import AT_MOST


def shares_by_graph(tally: Graphs, formulas: Sequence[str]) -> dict[str, dict[int, float | None]]:
    """Return for each system the shares of these expressions with at most so many wrong labels."""
    wanted = set(formulas)
    shares: dict[str, dict[int, float | None]] = {}
    for system in tally.systems:
        own = tally.of(system)
        kept = [place for place, file in enumerate(own.file) if file in wanted]
        wrong = total(own)[kept]
        shares[system] = {most: share(float((wrong <= most).sum()), len(wrong)) for most in AT_MOST}
    return shares
