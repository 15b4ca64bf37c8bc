"""What the short words of printed comparisons mean."""

from collections.abc import Sequence

from karat.verdict.compare.comparison import Comparison
from karat.verdict.compare.measure_ranking import MeasureRanking

DISCORDANT = "discordant: items that only the first has right : only the second."
DISCORDANT_WRONG = "discordant: items that only the first has wrong : only the second."
FIRST = (
    "first in: the share of resamples in which it came first, alone or tied; not the probability that it is the best: "
    "in simulations of four systems that differ little, on 200 items, those first in 0.98 of the resamples were the "
    "best in 0.86 of the cases."
)
RANKS = "ranks: the range that it took in at least {level:.3g} of the resamples."
LEFT_OUT = (
    "How often each system comes first in resamples takes long to compute here; --ranks adds it."
)
MORE_ITEMS = (
    "+N/M: about N more such items decide it if they turn out exactly as these did; about M more do so with a "
    "probability of 80 %, if the two go on disagreeing as often as here."
)
TEST_DECIDES = (
    "interval: for each pair by itself. The verdict goes by p, adjusted for all pairs (Holm); the two may differ where "
    "an interval ends near 0."
)
QUERIES = "queries: those on which the first has the better value : the second, of all."
UNITS = "{things}: those on which the first has the better value : the second, of all."
IF_SAME_ITEMS = (
    "if same items: the verdict if both were asked the same items, over all ways in which their right answers may "
    "overlap (McNemar's test); depends: on these."
)
MORE_LABELS = (
    "+N/M: about N more labels of items on which the two differ decide it if they turn out exactly as these did; about "
    "M more do so with a probability of 80 %."
)
DIFFER = "differ: items on which the two answer differently, and how many of them have a truth; only these decide."
GRADED = "graded: items of which people graded the outputs of both systems; only these decide."
MORE_GRADES = (
    "+N/M: about N more items of which people grade both outputs decide it if they turn out exactly as these did; "
    "about M more do so with a probability of 80 %."
)
LESS_IS_BETTER = (
    "gain: first less second; of errors less is better, so below 0 the first is better."
)
OF_SHARED = (
    "gain: on the items that both answered; the values of a ranking are of all that one answered."
)
NEIGHBOURS = (
    "Shown are neighbours in the ranking; --json and --csv have every pair, -o FILE.svg draws them."
)
BY_STRATA = "gain: by strata of the two answers and the judge's, not the difference of two values."
ALL_PAIRS = 8
"""Up to so many systems a terminal shows every pair; if there are more, neighbours in the ranking."""


def legend(found: Sequence[Comparison], rankings: Sequence[MeasureRanking]) -> list[str]:
    """Return what the short words of the tables mean, if they occur."""
    return [
        *_of_pairs(found, rankings),
        *_of_units(found),
        *_of_labels(found),
        *_of_shown(rankings),
    ]


def _of_pairs(found: Sequence[Comparison], rankings: Sequence[MeasureRanking]) -> list[str]:
    """Return what the columns of counts, ranks, gains and verdicts mean."""
    legend = []
    if any(one.only_first is not None for one in found):
        by_errors = any(one.quantity.lower_is_better for one in found)
        legend.append(DISCORDANT_WRONG if by_errors else DISCORDANT)
    resampled = [one for one in rankings if one.ranks]
    if resampled:
        legend += [FIRST, RANKS.format(level=resampled[0].level)]
    if any(one.quantity.lower_is_better for one in found):
        legend.append(LESS_IS_BETTER)
    if any(one.of_shared for one in found):
        legend.append(OF_SHARED)
    if any(one.is_at_odds for one in found):
        legend.append(TEST_DECIDES)
    if any(one.more_items for one in found):
        legend.append(MORE_ITEMS)
    return legend


def _of_units(found: Sequence[Comparison]) -> list[str]:
    """Return what the column of queries, texts or items means, if there is one."""
    if any(one.queries for one in found):
        return [QUERIES]
    things = dict.fromkeys(one.units.things for one in found if one.units)
    return [UNITS.format(things=name) for name in things]


def _of_labels(found: Sequence[Comparison]) -> list[str]:
    """Return what holds of same items, and of items without truth that a judge looked at."""
    legend = []
    if any(one.same_items for one in found):
        legend.append(IF_SAME_ITEMS)
    if any(one.labelled is not None for one in found):
        by_labels = any(one.differ is not None for one in found)
        legend += [BY_STRATA, DIFFER if by_labels else GRADED]
        if any(one.more_labels for one in found):
            legend.append(MORE_LABELS if by_labels else MORE_GRADES)
    return legend


def _of_shown(rankings: Sequence[MeasureRanking]) -> list[str]:
    """Say where ranks or pairs are left out of the printed tables."""
    legend = []
    if any(one.ranks_take_long for one in rankings):
        legend.append(LEFT_OUT)
    if any(len(one.order) > ALL_PAIRS and one.groups for one in rankings):
        legend.append(NEIGHBOURS)
    return legend
