"""How often labels are wrong and what is true instead, and what that does to the order of two systems."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from karat.doubt.label_noise.few_kinds import FewKinds, differing, with_rest
from karat.doubt.label_noise.pair_order import OrderKept, kept_kinds, kept_kinds_at
from karat.errors import OptionError, UnknownNameError
from karat.numeric.arrays import FloatArray
from karat.tally.codes import MISSING
from karat.tally.votes.pairs import Pairs
from karat.tally.votes.patterns import Patterns

Answers = npt.NDArray[np.int64]
Chances = Callable[[Answers], FloatArray]
"""P(an answer is the true label | the given one), for each row of a pair's tally."""


@dataclass(frozen=True, slots=True)
class ErrorModel:
    """How often a given label is wrong: one rate for all, or one by label.

    The true label is then any other class with equal probability, unless `moves` gives the probabilities.
    """

    rate: float | Mapping[str, float]
    classes: int
    moves: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """P(true | given): given label to true label to probability, where it is known what is true instead.

    What a row lacks to 1 belongs to labels that nobody answers.
    """
    rest: float = 0.0
    """How often a label that is not named is wrong."""

    @property
    def name(self) -> str:
        """The name of the model."""
        if self.moves:
            return "matrix"
        if isinstance(self.rate, Mapping):
            return "per-class"
        return "uniform"

    def rates(self, labels: tuple[str, ...]) -> FloatArray:
        """Return P(the label is wrong | it is given) for each label."""
        if not isinstance(self.rate, Mapping):
            return np.full(len(labels), float(self.rate))
        return np.array([float(self.rate.get(text, self.rest)) for text in labels])

    def matrix(self, labels: tuple[str, ...]) -> FloatArray:
        """Return P(true | given), a row a given label, and in a last column what belongs to none of these labels.

        >>> ErrorModel({"a": 0.2}, 2, {"a": {"a": 0.8, "b": 0.15}}).matrix(("a", "b")).round(2).tolist()
        [[0.8, 0.15, 0.05], [0.0, 1.0, 0.0]]
        """
        size = len(labels)
        rates = self.rates(labels)
        to_each_other = rates / (self.classes - 1)
        matrix = np.repeat(to_each_other[:, None], size + 1, axis=1)
        np.fill_diagonal(matrix, 1 - rates)
        for place, text in enumerate(labels):
            if text in self.moves:
                row = self.moves[text]
                matrix[place, :size] = [row.get(other, 0.0) for other in labels]
        matrix[:, size] = np.maximum(0.0, 1 - matrix[:, :size].sum(axis=1))
        return matrix


def check_model(model: ErrorModel, labels: tuple[str, ...], known: int) -> None:
    """Refuse rates that are not probabilities or are of labels that do not occur, and fewer classes than there are."""
    if isinstance(model.rate, Mapping):
        for name in model.rate:
            if name not in labels:
                raise UnknownNameError("class", name, labels)
        rates = list(model.rate.values())
    else:
        rates = [model.rate]
    for rate in rates:
        if not 0 <= rate <= 1:
            raise OptionError(
                f"--label-error is {rate:g}; it is a probability, from 0 to 1: 3 % is 0.03"
            )
    if model.classes < max(2, known):
        raise OptionError(
            f"--classes is {model.classes}, but {known} labels occur; there are at least so many"
        )


def kept_pair(pairs: Pairs, model: ErrorModel) -> OrderKept:
    """How likely does the first system of a pair stay better than the second, under a model of wrong labels?

    The pair's counts of (truth, answer, answer) become kinds of items, and the distribution of their sum is exact.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    counts, now, chances = kinds(pairs, model)
    return kept_kinds(counts, now, chances)


def kept_by_item(patterns: Patterns, better: str, worse: str, classes: int) -> OrderKept:
    """How likely is the order of two systems kept, if each label is wrong with a probability of its own?

    As `kept_pair`, with the probabilities of the key e.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    pairs = pair_rows(patterns, better, worse)
    wrong = np.asarray(patterns.keys["e"][patterns.truth >= 0], float)
    counts, now, chances = _kinds(pairs, _any_other_class(pairs, wrong, classes))
    return kept_kinds(counts, now, chances)


def pair_rows(patterns: Patterns, better: str, worse: str) -> Pairs:
    """Return two systems' columns of the patterns as they are: equal rows are not gathered, which would cost more."""
    has_truth = patterns.truth >= 0
    rows: slice | npt.NDArray[np.intp] = slice(None)
    if not has_truth.all():
        rows = np.flatnonzero(has_truth)
    columns = [patterns.answers[rows, patterns.systems.index(system)] for system in (better, worse)]
    return Pairs(
        better,
        worse,
        patterns.labels,
        patterns.truth[rows],
        np.stack(columns).astype(np.int64).T,
        patterns.number[rows],
        patterns.meaning,
    )


def kinds(pairs: Pairs, model: ErrorModel) -> tuple[FloatArray, Answers, FloatArray]:
    """Return the kinds of items: how many, who has them right by the given label, and how likely by the true one.

    As `kept_kinds` takes them; the first system of the pair is the better one.
    """
    if not isinstance(model.rate, Mapping):
        few = FewKinds.of(pairs)
        return few.counts, few.now, few.chances(np.array([model.rate]), model.classes)[0]
    if not model.moves:
        # A missing truth is -1: the last entry.
        by_label = np.append(model.rates(pairs.labels), 0.0)
        return _kinds(pairs, _any_other_class(pairs, by_label[pairs.truth], model.classes))
    matrix = model.matrix(pairs.labels)

    def true(answer: Answers) -> FloatArray:
        return np.asarray(matrix[pairs.truth, np.maximum(answer, MISSING)])

    return _kinds(pairs, true)


def kept_pair_at(pairs: Pairs, classes: int) -> Callable[[FloatArray], FloatArray]:
    """How likely does the first system of a pair stay better, tie, or fall behind at each of many rates for all labels?

    As `kept_pair`, as a function of the rates, a row a rate; the pair's counts are looked at once.
    Reference: Lamiroy & Pierrot, GREC 2015. doi:10.1007/978-3-319-52159-6_3
    """
    few = FewKinds.of(pairs)

    def kept(rates: FloatArray) -> FloatArray:
        return kept_kinds_at(few.counts, few.now, few.chances(rates, classes))

    return kept


def _any_other_class(pairs: Pairs, wrong: FloatArray, classes: int) -> Chances:
    """Return the chances of answers where the true label of a wrong one is any other class, equally likely."""
    return lambda answer: np.where(answer == pairs.truth, 1 - wrong, wrong / (classes - 1))


def _kinds(pairs: Pairs, true: Chances) -> tuple[FloatArray, Answers, FloatArray]:
    """Return the kinds, given how likely an answer is the true label."""
    first = pairs.answers[:, 0]
    second = pairs.answers[:, 1]
    differ = differing(pairs)
    first_right = np.where(first < 0, 0.0, true(first))
    second_right = np.where(second < 0, 0.0, true(second))
    now = (first == pairs.truth).astype(np.int64) - (second == pairs.truth).astype(np.int64)
    table = np.stack([now[differ], second_right[differ], first_right[differ]], axis=1)
    distinct, place = np.unique(table, axis=0, return_inverse=True)
    number = pairs.number[differ]
    counts = np.bincount(place.ravel(), weights=number, minlength=len(distinct)).astype(float)
    chances = with_rest(distinct[:, 1], distinct[:, 2])
    return counts, distinct[:, 0].astype(np.int64), chances
