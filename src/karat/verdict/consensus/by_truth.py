"""Precision, recall and F as the truth tells them, or an oracle in its place, and what the counts leave open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.voting import TRUTH, Poll, Polling
from karat.doubt.bounds.exact import exact
from karat.doubt.bounds.goutte_gaussier import goutte_gaussier
from karat.measure.cells import Cells
from karat.tally.codes import MISSING
from karat.tally.votes.patterns import Patterns

Range = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One system by a truth: its counts, and where precision, recall and F lie by Goutte and Gaussier's posterior."""

    system: str
    by: str
    """(truth), or the oracle."""
    hits: int
    missed: int
    false: int
    precision: float | None
    recall: float | None
    f: float | None
    ranges: tuple[Range, Range, Range]
    exact: tuple[Range, Range]
    """Where precision and recall lie by the exact bounds, as `score` gives them."""
    method: str

    def row(self, f_name: str, level: float) -> dict[str, Any]:
        """Return it as one row."""
        found: dict[str, Any] = {"system": self.system, "by": self.by}
        found |= {"hits": self.hits, "missed": self.missed, "false": self.false}
        values = (self.precision, self.recall, self.f)
        for name, value, (low, high) in zip(
            ("precision", "recall", f_name), values, self.ranges, strict=True
        ):
            found |= {name: value, f"{name}_low": low, f"{name}_high": high}
        for name, (low, high) in zip(("precision", "recall"), self.exact, strict=True):
            found |= {f"{name}_exact_low": low, f"{name}_exact_high": high}
        return {**found, "level": level, "method": self.method}


def told(patterns: Patterns, poll: Poll, polling: Polling) -> Mapping[str, Told]:
    """Return how each system does by the truth, or by an oracle of confidence 1 where there is none.

    Of labels the documents are all pairs of an item and a label, so that a right answer is a hit and a wrong one is
    both missed and false. A missing answer retrieves nothing, as `score` has it.
    """
    found = _reference(patterns, poll, polling)
    if found is None or (poll.votes is None and polling.estimator != "vote"):
        return {}
    by, reference, number = found
    names = [name for name in patterns.systems if name != by]
    return {
        name: _told(name, by, _counts(poll, name, reference, number), polling) for name in names
    }


def _reference(
    patterns: Patterns, poll: Poll, polling: Polling
) -> tuple[str, npt.NDArray[np.int64], npt.NDArray[np.int64]] | None:
    """Return who tells, what is true of each pattern by it, and how many items it tells of."""
    known = patterns.truth != MISSING
    if known.any() and patterns.meaning.truth_sep is None:
        return TRUTH, poll.truth, patterns.number * known
    sure = [name for name, trust in polling.oracles.items() if trust == 1 and name != TRUTH]
    if not sure:
        return None
    own = poll.codes[poll.rows, poll.voters.index(sure[0])]
    return sure[0], own, patterns.number * (own >= 0)


def _counts(
    poll: Poll, name: str, reference: npt.NDArray[np.int64], number: npt.NDArray[np.int64]
) -> tuple[int, int, int]:
    own = poll.codes[poll.rows, poll.voters.index(name)]
    if poll.votes is not None:
        own, reference = own == 1, reference == 1
        return tuple(
            int(number @ part) for part in (own & reference, ~own & reference, own & ~reference)
        )  # type: ignore[return-value]
    same, answered = own == reference, own >= 0
    return int(number @ same), int(number @ ~same), int(number @ (answered & ~same))


def _told(name: str, by: str, counts: tuple[int, int, int], polling: Polling) -> Told:
    hits, missed, false = counts
    cells = Cells(
        np.array(float(hits)), np.array(float(missed)), np.array(float(false)), polling.beta
    )
    law, f = goutte_gaussier(cells, level=polling.level), float(cells.values)
    return Told(
        system=name,
        by=by,
        hits=hits,
        missed=missed,
        false=false,
        precision=hits / (hits + false) if hits + false else None,
        recall=hits / (hits + missed) if hits + missed else None,
        f=None if np.isnan(f) else f,
        ranges=tuple(
            (float(part.low), float(part.high)) for part in (law.precision, law.recall, law.f)
        ),  # type: ignore[arg-type]
        exact=(
            _exact(hits, hits + false, polling.level),
            _exact(hits, hits + missed, polling.level),
        ),
        method=law.f.method,
    )


def _exact(hits: int, trials: int, level: float) -> Range:
    found = exact(hits, trials, level=level)
    return float(found.low), float(found.high)
