"""Distinct rows of (truth, each system's confidence in each label) with their number."""

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
    """What each system held possible of each item with truth. A label that a system does not name has confidence 0."""

    systems: tuple[str, ...]
    labels: tuple[str, ...]
    truth: Codes
    shares: npt.NDArray[np.float64]
    """shares[system, row, label]; all 0 where the system gave no answer."""
    number: npt.NDArray[np.int64]

    def __add__(self, other: "Confidences") -> "Confidences":
        """Return the rows of both; they must speak of the same systems."""
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
        return _arranged(both)

    def digest(self) -> str:
        """Return a short hash of the rows."""
        names = [joined(self.systems), joined(self.labels)]
        return digest([*names, self.truth, self.shares, self.number])


def _among(part: Confidences, labels: tuple[str, ...]) -> Confidences:
    """Return the rows with their labels among others."""
    place = np.array([labels.index(text) for text in part.labels], np.int64)
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
    names = [f"q{system}_{j}" for system in range(size) for j in range(len(table.shares))]
    counted = table.engine.query(
        SQL.format(shares=", ".join(names), n=table.rows.total, rows=table.rows.name)
    )
    (truth,), truth_labels = encode([counted["t"]], [None], table.labels)
    named = tuple(table.labels.label(text) for text in table.shares)
    values = np.stack([np.ma.filled(counted[name].astype(np.float64), 0.0) for name in names])
    shares = values.reshape(size, len(named), -1).swapaxes(1, 2)
    labels = ordered({*truth_labels, *named})
    place = np.array([labels.index(text) for text in named], np.int64)
    full = np.zeros((size, len(truth), len(labels)))
    full[:, :, place] = np.nan_to_num(shares) + 0.0  # 0 for -0
    codes = np.array([labels.index(text) for text in truth_labels], np.int64)[truth]
    return _arranged(Confidences(table.systems, labels, codes, full, numbers(counted)))


def _arranged(part: Confidences) -> Confidences:
    """Return the rows in one order, whatever that of the engine was; equal ones become one."""
    columns = [part.truth, *np.moveaxis(part.shares, 1, 2).reshape(-1, len(part.truth))]
    (truth, *shares), number = gather(columns, part.number)
    shape = (len(part.systems), len(part.labels), len(truth))
    by_row = np.stack(shares).reshape(shape).swapaxes(1, 2)
    return replace(part, truth=truth, shares=by_row, number=number)
