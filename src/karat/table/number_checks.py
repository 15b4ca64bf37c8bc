"""What can be wrong with columns of numbers (scores, probabilities, weights, counts), and numbers read as labels."""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from karat.engine import Engine, OpenedSource
from karat.errors import InputError, RoleError
from karat.table.checks import cell_of, first_where
from karat.table.kinds import Profile, as_number
from karat.words import counted, listing


@dataclass(frozen=True, slots=True)
class Disguise:
    """How scores look that are read as labels, and how they should be written."""

    form: str
    sign: str
    """The character in such a number that is not part of a number."""
    instead: str
    what: str
    remedy: str


DISGUISES = (
    Disguise(
        form=r"[+-]?\d*,\d+",
        sign=",",
        instead=".",
        what="numbers with a decimal comma",
        remedy="write them with a point: 0.5",
    ),
    Disguise(
        form=r"[+-]?\d+(\.\d+)?\s*%",
        sign="%",
        instead="",
        what="numbers with a per cent sign",
        remedy="write them without it: 0.5 or 50",
    ),
)
EMPTY = "leave the cell empty where there is none"


def check_numbers(engine: Engine, relation: OpenedSource, profile: Profile, *, what: str) -> None:
    """Refuse a score, weight or count that is not a number."""
    if profile.numeric < profile.filled:
        raise _bad_number(engine, relation, profile, what, "is not a number", numeric=False)
    if profile.nan:
        raise _bad_number(engine, relation, profile, what, "is not a number (NaN)", numeric=True)


def _bad_number(
    engine: Engine,
    relation: OpenedSource,
    profile: Profile,
    what: str,
    problem: str,
    *,
    numeric: bool,
) -> InputError:
    cell = cell_of(relation, profile.name)
    number = as_number(cell, profile.stored)
    bad = f"isnan({number})" if numeric else f"{cell} is not null and {number} is null"
    row, value = first_where(engine, relation, cell, bad)
    remedy = EMPTY
    disguise = _disguise_of(str(value))
    if disguise:
        remedy = f"the column may hold {disguise.what}; {disguise.remedy}"
    elif what == "score" and not profile.numeric:
        remedy = _instead(relation, profile)
    return InputError(
        f"{relation.origin}, row {row:,}: the {what} {value!r} in {profile.name!r} {problem}; {remedy}"
    )


def _disguise_of(value: str) -> Disguise | None:
    """Return as what a number is disguised, if it is."""
    for disguise in DISGUISES:
        if re.fullmatch(disguise.form, value):
            return disguise
    return None


def _instead(relation: OpenedSource, profile: Profile) -> str:
    """Return where scores may be had, if a column holds none at all."""
    beginnings = (f"{profile.name}.p.", f"{profile.name}.score")
    of_scores = [name for name in relation.columns if name.startswith(beginnings)]
    remedy = "the column holds labels; name columns of scores with --systems"
    if of_scores:
        remedy += f", such as {listing(of_scores, most=3)}"
    return remedy


def check_no_scores(
    engine: Engine, relation: OpenedSource, profiles: Sequence[Profile], pair: tuple[str, str]
) -> None:
    """Refuse labels that are scores in disguise where the truth is yes or no: decimal commas, per cent, 2 and 3."""
    check_no_numbers_as_text(engine, relation, profiles)
    columns = [known for known in profiles if known.filled]
    if all(known.whole for known in profiles):
        what = f"whole numbers but neither 0 nor 1, while the truth is {pair[0]} or {pair[1]}"
        remedy = "if they are scores, use --kind score"
        for known in columns:
            if known.is_scale:
                continue
            fits = f"cast({cell_of(relation, known.name)} as double) not in (0, 1)"
            _check_disguise(engine, relation, known, fits, what, remedy)


def check_no_numbers_as_text(
    engine: Engine, relation: OpenedSource, profiles: Sequence[Profile]
) -> None:
    """Refuse texts that are numbers in disguise; the first rows show which columns to look at."""
    columns = [known for known in profiles if known.filled and known.stored == "text"]
    if not columns:
        return
    cells = [cell_of(relation, known.name) for known in columns]
    preview = engine.query(f"select {', '.join(cells)} from {relation.name} limit 20")
    for known, cell in zip(columns, cells, strict=True):
        values = [str(value) for value in np.ma.getdata(preview[cell])]
        _check_written_as_text(engine, relation, known, values)


def _check_written_as_text(
    engine: Engine, relation: OpenedSource, known: Profile, values: Sequence[str]
) -> None:
    """Refuse a column of texts that are all numbers in one of the disguises, of which one is among the values."""
    cell = cell_of(relation, known.name)
    for disguise in dict.fromkeys(map(_disguise_of, values)):
        if disguise is None:
            continue
        written = f"replace({cell}, '{disguise.sign}', '{disguise.instead}')"
        fits = f"{as_number(written, 'text')} is not null"
        _check_disguise(engine, relation, known, fits, disguise.what, disguise.remedy)


def _check_disguise(
    engine: Engine, relation: OpenedSource, known: Profile, fits: str, what: str, remedy: str
) -> None:
    """Refuse a column all of whose cells fit."""
    cell = cell_of(relation, known.name)
    row = engine.query(
        f"select min(cast({cell} as string)) as one, sum(case when {fits} then 1 else 0 end) as n from {relation.name}"
    )
    if int(row["n"][0]) == known.filled:
        example = str(row["one"][0])
        raise InputError(
            f"{relation.origin}: {known.name!r} holds {what}, such as {example!r}; {remedy}"
        )


def check_chances(
    engine: Engine, relation: OpenedSource, profile: Profile, truth: str | None
) -> None:
    """Refuse a probability of a wrong truth that is not from 0 to 1, or is missing where its relation has a truth."""
    check_numbers(engine, relation, profile, what="error")
    stored = cell_of(relation, profile.name)
    cell = f"cast({stored} as double)"
    has_truth = "true" if truth is None else f"{cell_of(relation, truth)} is not null"
    wrong = f"{cell} < 0 or {cell} > 1 or ({cell} is null and {has_truth})"
    sums = engine.query(
        f"select sum(case when {wrong} then 1 else 0 end) as n from {relation.name}"
    )
    bad = int(sums["n"][0])
    if not bad:
        return
    row, value = first_where(engine, relation, stored, wrong)
    problem = f"is {value}, which is not a probability from 0 to 1"
    if value is None:
        problem = "is empty, where there is a truth; write 0 where it is sure"
    if bad > 1:
        problem += f"; {counted(bad - 1, 'more row')} cannot be used either"
    raise InputError(f"{relation.origin}, row {row:,}: the error in {profile.name!r} {problem}")


def check_weights(engine: Engine, relation: OpenedSource, profile: Profile, *, role: str) -> None:
    """Refuse a weight or count that is missing, negative, infinite or, for a count, not whole."""
    check_numbers(engine, relation, profile, what=role)
    cell = f"cast({cell_of(relation, profile.name)} as double)"
    sums = engine.query(
        f"select sum(case when {cell} < 0 then 1 else 0 end) as negative, "
        f"sum(case when {cell} > {sys.float_info.max!r} then 1 else 0 end) as infinite from {relation.name}"
    )
    faults = {
        "negative": int(sums["negative"][0]),
        "infinite": int(sums["infinite"][0]),
        "empty": profile.rows - profile.filled,
    }
    for fault, number in faults.items():
        if number:
            cells = counted(number, f"{fault} {role}")
            raise InputError(
                f"{relation.origin}: {profile.name!r} has {cells}; every row needs one of 0 or more"
            )
    if role == "count" and profile.fractional:
        raise RoleError(
            f"{relation.origin}: {profile.name!r} has {profile.fractional:,} fractions; --count holds frequencies, "
            "--weight holds importance"
        )
