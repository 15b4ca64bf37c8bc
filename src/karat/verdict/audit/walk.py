"""Labels counted in the order of the draws, up to the first that is missing, and what each claim's capital became."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from karat.doubt.audit.capital import Capitals
from karat.doubt.audit.new_items import LeadBound, worst_p_value
from karat.numeric.arrays import BoolArray
from karat.verdict.audit.pair_verdict import (
    CERTAIN,
    REFUTED,
    SETTLED,
    TIED,
    CheckCounts,
    CountedLabel,
    PairVerdict,
)
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.setup import AuditSetup


@dataclass(slots=True, eq=False)
class Walk:
    """An audit on its way: it counts labels until one is missing."""

    setup: AuditSetup
    labels: Mapping[int, RightLabel]
    record: bool = True
    most: int | None = None
    """After how many labels to stop; None: never."""
    capitals: Capitals = field(init=False)
    opposite: Capitals = field(init=False)
    counts: list[CheckCounts] = field(init=False)
    bounds: list[LeadBound] = field(init=False)
    p_values: npt.NDArray[np.float64] = field(init=False)
    """Of new items: McNemar's, of the worst table by pair."""
    rows: list[tuple[int, int]] = field(init=False)
    """Claim and pair of each row."""
    verdicts: list[PairVerdict | None] = field(init=False)
    """One a row; None while it is open."""
    refuted: list[bool] = field(init=False)
    """By claim: whether it is refuted as a whole."""
    drawn: list[CountedLabel] = field(default_factory=list)
    counted: dict[int, int] = field(default_factory=dict)
    """Item to the draw that counted it."""
    position: int = 0
    """The draw that is next."""
    forecasts: dict[tuple[int, int], int | None] = field(default_factory=dict)
    """By pair and position: how many checks are likely still needed, where that was simulated."""

    def __post_init__(self) -> None:
        """Begin with what the given labels say."""
        disputes = self.setup.disputes
        self.capitals, self.opposite = disputes.capitals(self.setup.pulls)
        self.counts = [CheckCounts() for _ in disputes.pairs]
        self.rows = self.setup.rows()
        self.verdicts = [None for _ in self.rows]
        self.refuted = [False for _ in self.setup.claims]
        self.bounds = []
        self.p_values = np.ones(len(disputes.pairs))
        if self.setup.new_items:
            half = self.setup.risk / 2
            numbers = disputes.numbers()
            sums = disputes.sums(self.setup.pulls)
            for place, lead in enumerate(disputes.leads.tolist()):
                of_pair = {name: values[place] for name, values in sums.items()}
                bound = LeadBound(disputes.kinds, numbers[place], lead, risk=half, sums=of_pair)
                self.bounds.append(bound)
                self._test_new_items(place)
        self._judge(range(len(disputes.pairs)))

    def go(self) -> "Walk":
        """Count labels up to the first that is missing, or to the end."""
        order = self.setup.draws
        items = order.item.tolist()
        needed = self.needed_items()
        while self.position < len(items) and self.most != len(self.counted) and needed.any():
            item = items[self.position]
            from_all = bool(order.from_all[self.position])
            if item not in self.counted:
                if not from_all and not needed[item]:
                    self.position += 1
                    continue
                if item not in self.labels:
                    break
                if self._count(item, self.labels[item]):
                    needed = self.needed_items()
            self.position += 1
        return self

    def open_pairs(self) -> BoolArray:
        """Return which pairs need further labels."""
        is_open = np.zeros(len(self.setup.disputes.pairs), bool)
        for place, (claim, pair) in enumerate(self.rows):
            if self.refuted[claim]:
                continue
            found = self.verdicts[place]
            if found is None or self._goes_on(found, pair):
                is_open[pair] = True
        return is_open & (self.capitals.left > 0)

    def needed_items(self) -> BoolArray:
        """Return which items some open pair disputes."""
        kind = self.setup.disputes.kind
        return np.asarray((kind[self.open_pairs()] >= 0).any(axis=0))

    def waiting(self) -> int:
        """Return how many labels of open claims stand behind a blank one."""
        needed = self.needed_items()
        if not needed.any():
            return 0
        order = self.setup.draws
        behind = set()
        for place in range(self.position, len(order.item)):
            item = int(order.item[place])
            is_needed = bool(order.from_all[place]) or bool(needed[item])
            if is_needed and item in self.labels and item not in self.counted:
                behind.add(item)
        return len(behind)

    def _goes_on(self, found: PairVerdict, pair: int) -> bool:
        """Return whether a pair that is decided for these items is still open for new ones."""
        if not self.setup.new_items or not found.holds:
            return False
        return bool(self.p_values[pair] > self.setup.risk / 2)

    def _count(self, item: int, right: RightLabel) -> bool:
        """Count one label; return whether a pair needs no further ones since."""
        disputes = self.setup.disputes
        before = self.open_pairs()
        pairs = np.flatnonzero((disputes.kind[:, item] >= 0) & before)
        self.counted[item] = self.position
        given = self.setup.reader.given(item)
        if not len(pairs):
            return False
        kind = disputes.kind[pairs, item].astype(np.intp)
        weight = np.full(len(pairs), disputes.weight[item])
        if right.undecidable:
            losses, gains = disputes.kinds.most[kind], -disputes.kinds.least[kind]
        else:
            losses = disputes.losses(item, right)[pairs]
            gains = -losses
        pull = 1.0 if self.setup.pulls is None else float(self.setup.pulls[item])
        pulls = np.full(len(pairs), pull)
        bet = self.capitals.draw(pairs, kind, losses, weight=weight, pull=pulls)
        opposite = self.opposite.draw(pairs, kind, gains, weight=weight, pull=pulls)
        for place, pair in enumerate(pairs.tolist()):
            self.counts[pair] = self.counts[pair].plus(given, right)
            if self.bounds:
                self.bounds[pair].draw(int(kind[place]), float(losses[place]), pull=pull)
                self._test_new_items(pair)
        if self.record:
            self.drawn.append(CountedLabel(self.position + 1, item, right, pairs, bet, opposite))
        self._judge(pairs.tolist())
        return bool((self.open_pairs() != before).any())

    def _test_new_items(self, pair: int) -> None:
        """Test the worst table that the lower bound of a pair's lead leaves."""
        disputed = int((self.setup.disputes.kind[pair] >= 0).sum())
        self.p_values[pair] = worst_p_value(self.bounds[pair].low, disputed)

    def _judge(self, pairs: Sequence[int]) -> None:
        """Decide the rows of some pairs, and the claims they belong to."""
        touched = set(pairs)
        for row, (claim, pair) in enumerate(self.rows):
            is_open = self.verdicts[row] is None and not self.refuted[claim]
            if is_open and pair in touched:
                self.verdicts[row] = self._verdict(claim, pair)
        for claim in range(len(self.setup.claims)):
            if not self.refuted[claim]:
                self.refuted[claim] = self._is_refuted(claim)

    def _verdict(self, claim: int, pair: int) -> PairVerdict | None:
        """Return what may be said of a pair now; None where nothing may."""
        needed = self.setup.needed
        # One of several rivals may be the better one by chance: to refute takes as many times more as there are pairs.
        to_refute = needed * len(self.setup.claims[claim].pairs)
        capital = float(self.capitals.capital[pair])
        opposite = float(self.opposite.capital[pair])
        count = self.counts[pair]
        if self.capitals.worst_lead[pair] > 0:
            return PairVerdict(CERTAIN, True, count, capital, needed)
        if self.opposite.worst_lead[pair] > 0:
            return PairVerdict(CERTAIN, False, count, opposite, to_refute)
        if capital >= needed:
            return PairVerdict(SETTLED, True, count, capital, needed)
        if opposite >= to_refute:
            return PairVerdict(REFUTED, False, count, opposite, to_refute)
        is_tied = self.capitals.left[pair] == 0 and not count.undecidable
        if is_tied and self.capitals.lead[pair] == 0:
            return PairVerdict(TIED, True, count, capital, needed)
        return None

    def _is_refuted(self, claim: int) -> bool:
        """Return whether a claim is false as a whole: the mean of the opposite capitals of its pairs decides."""
        pairs = []
        is_settled = True
        for (claim_of_row, pair), verdict in zip(self.rows, self.verdicts, strict=True):
            if claim_of_row != claim:
                continue
            pairs.append(pair)
            if verdict is None:
                is_settled = False
            elif not verdict.holds:
                return True
        if is_settled:
            # It stays so, though bets may go on for new items or for another claim.
            return False
        return bool(self.opposite.capital[pairs].mean() >= self.setup.needed)
