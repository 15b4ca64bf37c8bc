"""How good a system is, if each label is wrong with a probability of its own: expected counts and their intervals."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.estimates import Estimates, IntervalOptions
from karat.doubt.interval import Interval
from karat.doubt.resampling.bootstrap import bootstrap
from karat.measure.quantity import Quantity, evaluate, values
from karat.measure.share import Share
from karat.measure.totals import Totals
from karat.numeric.arrays import FloatArray
from karat.tally.codes import MISSING
from karat.tally.votes.confusion import Confusion

Numbers = npt.NDArray[Any]
AT_ONCE = 4_000_000
"""Numbers drawn in one step; limits the memory that draws take."""
MOST_SPREAD = 20
"""Up to how many classes the true class of a wrong label is drawn where the system did not answer it.

With more, the expected numbers are used instead: the table of draws would be too large.
"""


class UncertainTruth:
    """Estimates of one confusion whose cells are split by e, the probability that the truth of an item is wrong.

    The true label of a wrong one is any other of the K classes that occur in the truth, equally likely. P(true =
    answer) is 1 - e where the answer is the given label, and e / (K - 1) where it is another class. Hits, truths and
    answers of each class are expected numbers, and a value is computed from them; for recall and F, whose denominators
    are uncertain too, that is close to the expected value but not the same. The interval covers both uncertainties: the
    items are resampled, and for each it is drawn whether its label is wrong. Assumes that labels are wrong
    independently of each other and of the systems.
    """

    def __init__(
        self, confusion: Confusion, classes: Collection[str], how: IntervalOptions
    ) -> None:
        self._cells = _Cells.of(confusion, classes)
        self._how = how
        rows = self._cells.totals(self._cells.expected())
        self._totals = Totals(
            rows.labels, rows.hits[0], rows.truth[0], rows.answered[0], rows.total[0]
        )
        self._drawn: Totals | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes there are."""
        return self._totals.labels

    def estimate(self, quantity: Quantity) -> Estimates:
        """Return a quantity of the expected counts, with its interval; all classes at once if it is one of classes."""
        measured = evaluate(quantity, self._totals)
        interval = self._interval(quantity, self._trials(quantity, measured))
        names: tuple[str | None, ...] = self.labels if quantity.of_classes else (None,)
        value = np.atleast_1d(values(quantity, self._totals))
        # The value is of expected counts, between those of any draw: quantiles of few items may leave it out.
        low = np.fmin(np.atleast_1d(interval.low), value)
        high = np.fmax(np.atleast_1d(interval.high), value)
        wider = Interval(low, high, interval.level, interval.method)
        counts = []
        if isinstance(measured, Share):
            counts = [np.atleast_1d(measured.successes), np.atleast_1d(measured.trials)]
        estimates = Estimates(quantity, names, value, wider, *counts)
        if quantity.label is None:
            return estimates
        return estimates.chosen(quantity.label)

    def _trials(self, quantity: Quantity, measured: object) -> npt.ArrayLike | None:
        """Return from how many items a quantity is counted, of each class if it is one of classes; None is all."""
        if isinstance(measured, Share):
            return measured.trials
        if quantity.of_classes:
            return self._totals.truth + self._totals.answered - self._totals.hits
        return None

    def _interval(self, quantity: Quantity, trials: npt.ArrayLike | None) -> Interval:
        how = self._how
        number = int(self._cells.number.sum())
        if self._drawn is None:
            parts = self._cells.draws(how.draws, how.seed)
            self._drawn = _joined([self._cells.totals(part) for part in parts])
        return bootstrap(
            quantity,
            self._drawn,
            what=f"{number:,} items and their wrong labels",
            number=number,
            trials=trials,
            level=how.level,
            side=how.side,
            draws=how.draws,
            seed=how.seed,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Moved:
    """Resamples, a row each: the items of every cell, the wrong labels of every pair, and what is true instead."""

    items: Numbers
    wrong: Numbers
    hits: Numbers
    """hits[r, p]: wrong labels whose true label is what the system answered."""
    others: Numbers
    """others[r, c]: wrong labels whose true label is class c, which the system did not answer."""


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Truth, answer and error of every cell, and the distinct pairs of truth and answer."""

    labels: tuple[str, ...]
    real: npt.NDArray[np.int64]
    """The places of the labels that are classes: all but nothing."""
    number: npt.NDArray[np.int64]
    error: FloatArray
    pair: npt.NDArray[np.int64]
    """The pair of each cell."""
    truth: npt.NDArray[np.int64]
    """The given label of each pair."""
    answer: npt.NDArray[np.int64]
    """The answer of each pair."""
    among: npt.NDArray[np.bool_]
    """Which labels are classes of the truth."""
    unseen: int
    """How many such classes do not occur as labels here."""

    @classmethod
    def of(cls, confusion: Confusion, classes: Collection[str]) -> "_Cells":
        both = np.stack([confusion.truth, confusion.answer], axis=1)
        pairs, place = np.unique(both, axis=0, return_inverse=True)
        real = [k for k, text in enumerate(confusion.labels) if text != confusion.nothing]
        among = np.array([text in classes for text in confusion.labels], bool)
        return cls(
            labels=confusion.labels,
            real=np.array(real, np.int64),
            number=confusion.number,
            error=np.asarray(confusion.keys["e"], float),
            pair=place.ravel(),
            truth=pairs[:, 0],
            answer=pairs[:, 1],
            among=among,
            unseen=max(2, len(classes)) - int(among.sum()),
        )

    @property
    def _others(self) -> int:
        """How many classes there are besides the given one."""
        return int(self.among.sum()) + self.unseen - 1

    @property
    def _answers_other(self) -> npt.NDArray[np.bool_]:
        """For which pairs the answer is another class than the given one, so that a wrong label may make it right."""
        answered = self.answer != MISSING
        differs = self.answer != self.truth
        return np.asarray(answered & differs & self.among[self.answer])

    def _chances(self) -> FloatArray:
        """Return the chances of each true label that is neither given nor answered; the last column is unseen ones."""
        classes = np.append(self.among, self.unseen).astype(float)
        weights = np.repeat([classes], len(self.truth), axis=0)
        rows = np.arange(len(self.truth))
        other = self._answers_other
        weights[rows, self.truth] = 0.0
        weights[rows[other], self.answer[other]] = 0.0
        total = weights.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(weights, total, out=np.zeros_like(weights), where=total > 0))

    def _by_pair(self, cells: Numbers) -> Numbers:
        """Return sums over the cells of each pair, a row a resample."""
        order = np.argsort(self.pair, kind="stable")
        starts = np.searchsorted(self.pair[order], np.arange(len(self.truth)))
        return np.asarray(np.add.reduceat(cells[:, order], starts, axis=1))

    def expected(self) -> _Moved:
        """Return the expected numbers, as one resample."""
        wrong = self._by_pair((self.number * self.error)[None])
        hits = wrong * self._answers_other / self._others
        others = (wrong - hits) @ self._chances()
        return _Moved(self.number[None].astype(float), wrong, hits, others)

    def draws(self, draws: int, seed: int) -> Iterator[_Moved]:
        """Yield resamples of the items and of which labels are wrong."""
        random = np.random.default_rng(seed)
        size = int(self.number.sum())
        chances = self._chances()
        spread = len(self.labels) <= MOST_SPREAD
        width = len(self.number)
        if spread:
            width = max(width, chances.size)
        step = max(1, AT_ONCE // width)
        for start in range(0, draws, step):
            items = random.multinomial(size, self.number / size, size=min(step, draws - start))
            wrong = self._by_pair(random.binomial(items, self.error))
            may_hit = random.binomial(wrong, 1 / self._others)
            hits = np.where(self._answers_other, may_hit, 0)
            rest = wrong - hits
            if spread:
                # Where no class is left all chances are 0: what multinomial puts into the last column is not counted.
                others = random.multinomial(rest, chances).sum(axis=1)
            else:
                others = rest @ chances
            yield _Moved(items, wrong, hits, others)

    def totals(self, part: _Moved) -> Totals:
        """Return the margins of each class by the true labels, a row a resample."""
        items = self._by_pair(part.items.astype(float))
        correct = items - part.wrong
        shape = (len(items), len(self.labels))
        hits = np.zeros(shape)
        truth = np.zeros(shape)
        answered = np.zeros(shape)
        for place, (given, answer) in enumerate(zip(self.truth, self.answer, strict=True)):
            truth[:, given] += correct[:, place]
            if answer == given:
                hits[:, given] += correct[:, place]
            if answer != MISSING:
                answered[:, answer] += items[:, place]
                truth[:, answer] += part.hits[:, place]
                hits[:, answer] += part.hits[:, place]
        truth += part.others[:, : len(self.labels)]
        names = tuple(self.labels[k] for k in self.real)
        return Totals(
            names,
            hits[:, self.real],
            truth[:, self.real],
            answered[:, self.real],
            items.sum(axis=1),
        )


def _joined(parts: list[Totals]) -> Totals:
    """Return all resamples as one."""
    return Totals(
        parts[0].labels,
        np.concatenate([part.hits for part in parts]),
        np.concatenate([part.truth for part in parts]),
        np.concatenate([part.answered for part in parts]),
        np.concatenate([part.total for part in parts]),
    )
