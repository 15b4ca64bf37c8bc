"""Distinct rows of (truth, each system's confidence in each label) with their number."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.table.labels import Codes, ordered
from karat.table.table import Table
from karat.tally.codes import digest, encode, frequency, gather
from karat.tally.tally import tally

SQL = "select t, {shares}, {n} as n from answers where t is not null group by t, {shares}"


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
        one, two = _among(self, labels), _among(other, labels)
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
        names = ["\x00".join(self.systems), "\x00".join(self.labels)]
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
        raise TallyError("these answers say no confidence in every label; columns NAME.p.LABEL do")
    names = [f"q{k}_{j}" for k in range(len(table.systems)) for j in range(len(table.shares))]
    counted = table.engine.query(SQL.format(shares=", ".join(names), n=frequency(table)))
    (truth,), labels = encode([counted["t"]], [None], table.labels)
    named = tuple(table.labels.label(text) for text in table.shares)
    values = np.stack([np.ma.filled(counted[name].astype(np.float64), 0.0) for name in names])
    shares = values.reshape(len(table.systems), len(named), -1).swapaxes(1, 2)
    every = ordered({*labels, *named})
    place = np.array([every.index(text) for text in named], np.int64)
    full = np.zeros((len(table.systems), len(truth), len(every)))
    full[:, :, place] = np.nan_to_num(shares) + 0.0  # 0 for -0
    true = np.array([every.index(text) for text in labels], np.int64)[truth]
    return _arranged(
        Confidences(table.systems, every, true, full, np.ma.getdata(counted["n"]).astype(np.int64))
    )


def _arranged(part: Confidences) -> Confidences:
    """Return the rows in one order, whatever that of the engine was; equal ones become one."""
    columns = [part.truth, *np.moveaxis(part.shares, 1, 2).reshape(-1, len(part.truth))]
    (truth, *shares), number = gather(columns, part.number)
    shape = len(part.systems), len(part.labels), len(truth)
    return replace(
        part, truth=truth, shares=np.stack(shares).reshape(shape).swapaxes(1, 2), number=number
    )
