"""How good is a system, if each truth is wrong with a probability of its own: expected counts and their doubt."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.doubt.estimates import Estimates, How
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
"""Numbers drawn in one step; bounds the memory a draw takes."""
MOST_SPREAD = 20
"""Up to how many classes it is drawn to which class a wrong label belongs that the system did not say."""


class UncertainTruth:
    """Estimates of one confusion whose cells are split by e, the probability that the truth of an item is wrong.

    A wrong label is any other of the K classes alike, which are those that occur in the truth. P(true = answer) is
    1 - e where the answer is the given label, and e / (K - 1) where it is another class. Hits, truths and answers of
    each class are expected numbers. A value is made of them; for recall and F, whose denominators are doubtful too,
    that is close to the expected value, and not the same. The interval holds both doubts: the items are drawn anew, and
    of each item whether its truth is wrong. Assumes that truths are wrong independently of each other and of systems.
    """

    def __init__(self, confusion: Confusion, classes: Collection[str], how: How) -> None:
        self._cells = _Cells.of(confusion, classes)
        self._how = how
        only = next(self._cells.totals([self._cells.expected()]))
        self._totals = Totals(
            only.labels, only.hits[0], only.truth[0], only.answered[0], only.total[0]
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
        counts = [measured.successes, measured.trials] if isinstance(measured, Share) else []
        value, low, high, *counts = (
            np.atleast_1d(part)
            for part in (values(quantity, self._totals), interval.low, interval.high, *counts)
        )
        # The value is of expected counts, between those of any draw: quantiles of few items may leave it out.
        low, high = np.fmin(low, value), np.fmax(high, value)
        found = Estimates(
            quantity, names, value, Interval(low, high, interval.level, interval.method), *counts
        )
        return found if quantity.label is None else found.chosen(quantity.label)

    def _trials(self, quantity: Quantity, measured: object) -> npt.ArrayLike | None:
        """Return on how many items a quantity rests, of each class if it is one of classes; None is all of them."""
        if isinstance(measured, Share):
            return measured.trials
        return (
            self._totals.truth + self._totals.answered - self._totals.hits
            if quantity.of_classes
            else None
        )

    def _interval(self, quantity: Quantity, trials: npt.ArrayLike | None) -> Interval:
        how, number = self._how, int(self._cells.number.sum())
        if self._drawn is None:
            self._drawn = _joined(list(self._cells.totals(self._cells.draws(how.draws, how.seed))))
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
    """Resamples, a row each: the items of every cell, the wrong truths of every pair, and what is true instead."""

    items: Numbers
    wrong: Numbers
    hits: Numbers
    """hits[r, p]: wrong truths that are what the system said."""
    others: Numbers
    """others[r, c]: wrong labels that belong to class c, which the system did not say."""


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
    answer: npt.NDArray[np.int64]
    """Of each pair."""
    among: npt.NDArray[np.bool_]
    """Which labels are classes of the truth."""
    unseen: int
    """How many such classes are no label here."""

    @classmethod
    def of(cls, confusion: Confusion, classes: Collection[str]) -> "_Cells":
        pairs, place = np.unique(
            np.stack([confusion.truth, confusion.answer], axis=1), axis=0, return_inverse=True
        )
        real = np.array(
            [k for k, text in enumerate(confusion.labels) if text != confusion.nothing], np.int64
        )
        error = np.asarray(confusion.keys["e"], float)
        among = np.array([text in classes for text in confusion.labels], bool)
        parts = (
            confusion.labels,
            real,
            confusion.number,
            error,
            place.ravel(),
            pairs[:, 0],
            pairs[:, 1],
        )
        return cls(*parts, among, max(2, len(classes)) - int(among.sum()))

    @property
    def _others(self) -> int:
        """How many classes there are besides the given one."""
        return int(self.among.sum()) + self.unseen - 1

    @property
    def _says_other(self) -> npt.NDArray[np.bool_]:
        """Of which pairs the answer is another class than the given one, so that a wrong truth may make it right."""
        return np.asarray(
            (self.answer != MISSING) & (self.answer != self.truth) & self.among[self.answer]
        )

    def _chances(self) -> FloatArray:
        """Return to which label a wrong one belongs that the answer does not say; the last column is of unseen ones."""
        found = np.repeat(
            [np.append(self.among, self.unseen).astype(float)], len(self.truth), axis=0
        )
        rows = np.arange(len(self.truth))
        found[rows, self.truth] = 0.0
        found[rows[self._says_other], self.answer[self._says_other]] = 0.0
        total = found.sum(axis=1, keepdims=True)
        return np.asarray(np.divide(found, total, out=np.zeros_like(found), where=total > 0))

    def _by_pair(self, cells: Numbers) -> Numbers:
        """Return sums over the cells of each pair, a row a resample."""
        order = np.argsort(self.pair, kind="stable")
        starts = np.searchsorted(self.pair[order], np.arange(len(self.truth)))
        return np.asarray(np.add.reduceat(cells[:, order], starts, axis=1))

    def expected(self) -> _Moved:
        """Return the expected numbers, as one resample."""
        wrong = self._by_pair((self.number * self.error)[None])
        hits = wrong * self._says_other / self._others
        return _Moved(
            self.number[None].astype(float), wrong, hits, (wrong - hits) @ self._chances()
        )

    def draws(self, draws: int, seed: int) -> Iterator[_Moved]:
        """Yield resamples of the items and of which truths are wrong."""
        random, size, chances = np.random.default_rng(seed), int(self.number.sum()), self._chances()
        spread = len(self.labels) <= MOST_SPREAD
        width = max(len(self.number), chances.size if spread else 1)
        step = max(1, AT_ONCE // width)
        for start in range(0, draws, step):
            items = random.multinomial(size, self.number / size, size=min(step, draws - start))
            wrong = self._by_pair(random.binomial(items, self.error))
            hits = np.where(self._says_other, random.binomial(wrong, 1 / self._others), 0)
            rest = wrong - hits
            # Where no class is left nothing is, and what multinomial would put into the last column is dropped.
            others = random.multinomial(rest, chances).sum(axis=1) if spread else rest @ chances
            yield _Moved(items, wrong, hits, others)

    def totals(self, parts: "list[_Moved] | Iterator[_Moved]") -> Iterator[Totals]:
        """Yield the margins of each class, as counted with the truths that are right and those that are wrong."""
        size = len(self.labels)
        right_answer = self.answer == self.truth
        for part in parts:
            items = self._by_pair(part.items.astype(float))
            kept = items - part.wrong
            hits, truth, answered = (np.zeros((len(items), size)) for _ in range(3))
            for place in range(len(self.truth)):
                given, said = self.truth[place], self.answer[place]
                truth[:, given] += kept[:, place]
                hits[:, given] += kept[:, place] * right_answer[place]
                if said != MISSING:
                    answered[:, said] += items[:, place]
                    truth[:, said] += part.hits[:, place]
                    hits[:, said] += part.hits[:, place]
            truth += part.others[:, :size]
            names = tuple(self.labels[k] for k in self.real)
            hits, truth, answered = (side[:, self.real] for side in (hits, truth, answered))
            yield Totals(names, hits, truth, answered, items.sum(axis=1))


def _joined(parts: list[Totals]) -> Totals:
    sides = [
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("hits", "truth", "answered", "total")
    ]
    return Totals(parts[0].labels, *sides)
