"""Distinct rows of (truth, each system's confidence in each label) with their number."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.table.labels import Codes, ordered
from karat.table.table import Table
from karat.tally.codes import encode, gather
from karat.tally.digest import digest, joined
from karat.tally.sql import numbers
from karat.tally.tally import tally

SQL = "select t, {shares}, {n} as n from {rows} where t is not null group by t, {shares}"


@dataclass(frozen=True, slots=True, eq=False)
class Confidences:
    """The confidence of each system in each label, for every item with truth; 0 in labels that it does not name."""

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    truth: Codes
    shares: npt.NDArray[np.float64]
    """shares[system, row, label]; all 0 where the system gave no answer."""
    number: npt.NDArray[np.int64]

    def __add__(self, other: "Confidences") -> "Confidences":
        """Return the rows of both; they must be of the same systems."""
        if self.systems != other.systems:
            raise TallyError(
                f"the tallies are of different systems: {self.systems} and {other.systems}"
            )
        labels = ordered({*self.labels, *other.labels})
        one = _among(self, labels)
        two = _among(other, labels)
        both = Confidences(
            self.systems,
            labels,
            np.concatenate([one.truth, two.truth]),
            np.concatenate([one.shares, two.shares], axis=1),
            np.concatenate([one.number, two.number]),
        )
        return _sorted(both)

    def digest(self) -> str:
        """Return a short hash of the rows."""
        names = [joined(self.systems), joined(self.labels)]
        return digest([*names, self.truth, self.shares, self.number])


def _among(part: Confidences, labels: tuple[str, ...]) -> Confidences:
    """Return the rows with their labels among others."""
    place = _places_in(labels, part.labels)
    shares = np.zeros((len(part.systems), len(part.truth), len(labels)))
    shares[:, :, place] = part.shares
    return Confidences(part.systems, labels, place[part.truth], shares, part.number)


@tally(needs="confidences")
def confidences(table: Table) -> Confidences:
    """Count the distinct rows of truth and confidences."""
    if table.shares is None:
        raise TallyError(
            "these answers have no probability for every label; columns NAME.p.LABEL hold them"
        )
    size = len(table.systems)
    columns = [f"q{system}_{j}" for system in range(size) for j in range(len(table.shares))]
    counted = table.engine.query(
        SQL.format(shares=", ".join(columns), n=table.rows.total, rows=table.rows.name)
    )
    (truth,), truth_labels = encode([counted["t"]], [None], table.labels)
    share_labels = tuple(table.labels.label(text) for text in table.shares)
    labels = ordered({*truth_labels, *share_labels})
    # One block a system of items x labels; labels that only the truth has get the confidence 0.
    values = np.stack([np.ma.filled(counted[name].astype(np.float64), 0.0) for name in columns])
    given = values.reshape(size, len(share_labels), -1).swapaxes(1, 2)
    shares = np.zeros((size, len(truth), len(labels)))
    shares[:, :, _places_in(labels, share_labels)] = np.nan_to_num(given) + 0.0  # 0 for -0
    codes = _places_in(labels, truth_labels)[truth]
    return _sorted(Confidences(table.systems, labels, codes, shares, numbers(counted)))


def _places_in(labels: Sequence[str], some: Sequence[str]) -> npt.NDArray[np.int64]:
    return np.array([labels.index(text) for text in some], np.int64)


def _sorted(part: Confidences) -> Confidences:
    """Return the rows in a fixed order, independent of the engine's; equal rows become one."""
    columns = [part.truth, *np.moveaxis(part.shares, 1, 2).reshape(-1, len(part.truth))]
    (truth, *shares), number = gather(columns, part.number)
    shape = (len(part.systems), len(part.labels), len(truth))
    by_row = np.stack(shares).reshape(shape).swapaxes(1, 2)
    return replace(part, truth=truth, shares=by_row, number=number)
