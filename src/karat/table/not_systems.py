"""Columns that hold no answers, judging by their values: no label of the truth, or the numbers of the rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from karat.engine import Engine, OpenedSource
from karat.table.checks import cell_of
from karat.table.kinds import Profile, as_number, label, yesno
from karat.table.layout import Place
from karat.table.options import TableOptions
from karat.table.prepare import PreparedTable
from karat.table.truth_file import TruthFile
from karat.words import listing

NO_LABEL = "none of its values is a label of the truth"
NUMBERS_ROWS = "numbers the rows"
FEWEST = 10
"""Of fewer answers none may be right by chance, and rows may be numbered so by chance."""
FIRST = 1_000
"""In so many rows most systems have given a label of the truth; only the others are looked at as a whole."""
MOST_TRUTHS = 100_000
"""So many truths are looked at first."""


@dataclass(frozen=True, slots=True)
class NotSystems:
    """Columns that are no systems, and why."""

    left_out: Mapping[str, str] = field(default_factory=dict)

    def notes(self) -> tuple[str, ...]:
        """Return which columns hold no label of the truth: one of them may be a system after all."""
        columns = [name for name, why in self.left_out.items() if why == NO_LABEL]
        if not columns:
            return ()
        whose = "its" if len(columns) == 1 else "their"
        note = (
            f"left out: {listing(columns)}, as none of {whose} values is a label of the truth; "
            "name every system with --systems if this is wrong"
        )
        return (note,)


def not_systems(
    engine: Engine,
    prepared: PreparedTable,
    truth_file: TruthFile | None,
    truth: Profile | None,
    options: TableOptions,
) -> NotSystems:
    """Return the columns of a wide table that cannot be systems; none if no column would remain.

    A column that the user names, or whose own kind is given, is believed. A kind for all columns, as scores are for
    some questions, is not said of row numbers.
    """
    if options.systems is not None or options.correct:
        return NotSystems()
    candidates = []
    for name in prepared.roles.rest:
        known = prepared.profiles.get(name)
        if known and known.filled >= FEWEST and name not in options.kind_by_system:
            candidates.append(known)
    left_out = dict.fromkeys(_row_numbers(engine, prepared, truth, candidates), NUMBERS_ROWS)
    others = [known for known in candidates if known.name not in left_out]
    left = [known for known in others if options.kind_of(known.name) is None]
    left_out |= dict.fromkeys(
        _without_labels(engine, prepared, truth_file, truth, left, options), NO_LABEL
    )
    if left_out.keys() >= set(prepared.roles.rest):
        return NotSystems()
    return NotSystems(left_out)


def _row_numbers(
    engine: Engine, prepared: PreparedTable, truth: Profile | None, candidates: Sequence[Profile]
) -> list[str]:
    """Return the columns that hold each of some consecutive whole numbers once, as 1, 2, 3, ..."""
    if truth and _nearly_all_differ(truth):
        return []
    filled = [known for known in candidates if known.whole and known.filled == known.rows]
    numbers = [known for known in filled if _nearly_all_differ(known)]
    sums = []
    for place, known in enumerate(numbers):
        cell = as_number(cell_of(prepared.relation, known.name), known.stored)
        sums.append(f"count(distinct {cell}) as distinct_{place}")
        sums.append(f"max({cell}) - min({cell}) + 1 as span_{place}")
    if not sums:
        return []
    found = engine.query(f"select {', '.join(sums)} from {prepared.relation.name}")
    columns = []
    for place, known in enumerate(numbers):
        distinct = int(found[f"distinct_{place}"][0])
        if distinct == known.rows == int(found[f"span_{place}"][0]):
            columns.append(known.name)
    return columns


def _nearly_all_differ(known: Profile) -> bool:
    """Return whether hardly any value occurs twice; different values are counted roughly."""
    return (known.distinct or 0) > 0.8 * known.filled


def _without_labels(
    engine: Engine,
    prepared: PreparedTable,
    truth_file: TruthFile | None,
    truth: Profile | None,
    candidates: Sequence[Profile],
    options: TableOptions,
) -> list[str]:
    """Return the columns of labels of which none is a label of the truth, whatever its case and spaces."""
    if truth is None or options.truth_sep or not _is_of_classes(truth):
        return []
    suspects = [known for known in candidates if _may_lack_labels(known, truth)]
    place = _place_of_truth(prepared, truth_file)
    for rows, truths in ((FIRST, MOST_TRUTHS), (None, None)):
        if suspects:
            found = _with_labels(
                engine, prepared.relation, place, suspects, rows=rows, truths=truths
            )
            suspects = [known for known in suspects if known.name not in found]
    columns = [known.name for known in suspects]
    if columns and _several_words(engine, place.relation, [place.column]):
        texts = _several_words(engine, prepared.relation, columns)
        columns = [name for name in columns if name not in texts]
    return columns


def _is_of_classes(truth: Profile) -> bool:
    """Return whether a truth is one of some labels that occur again and again.

    Texts are judged by their words, and where all items are of one class a system may miss every one.
    """
    classes = truth.distinct or 0
    return truth.kind in {label, yesno} and 2 <= classes <= truth.filled / 2


def _place_of_truth(prepared: PreparedTable, truth_file: TruthFile | None) -> Place:
    if truth_file:
        return Place("b", truth_file.relation, truth_file.named["truth"])
    return Place("a", prepared.relation, prepared.roles.named["truth"])


def _may_lack_labels(known: Profile, truth: Profile) -> bool:
    """Return whether a column holds labels, and is no scale of scores beside a truth of yes and no."""
    if known.kind not in {label, yesno}:
        return False
    if truth.kind == label:
        return True
    return known.kind == label and not known.is_scale


def _with_labels(
    engine: Engine,
    relation: OpenedSource,
    place: Place,
    suspects: Sequence[Profile],
    *,
    rows: int | None,
    truths: int | None,
) -> set[str]:
    """Return the columns that hold a label of the truth, in the first rows or in all of them."""
    truth = f"select {cell_of(place.relation, place.column)} as truth from {_first(place.relation, truths)}"
    labels = f"select distinct {_comparable('truth')} as label from ({truth}) as truths"
    columns = [cell_of(relation, known.name) for known in suspects]
    answers = f"select {', '.join(columns)} from {_first(relation, rows)}"
    cells = engine.cells(
        f"({answers}) as answered", [f"cast({column} as string)" for column in columns]
    )
    found = engine.query(
        f"select k from (select distinct k, {_comparable('v')} as answer from ({cells}) as cells) as answers "
        f"join ({labels}) as labels on answers.answer = labels.label group by k"
    )
    return {suspects[int(k)].name for k in found["k"]}


def _several_words(engine: Engine, relation: OpenedSource, columns: Sequence[str]) -> set[str]:
    """Return the columns in which a value is of several words: they may be texts, of which hardly any is right."""
    sums = []
    for place, name in enumerate(columns):
        text = f"trim(cast({cell_of(relation, name)} as string))"
        sums.append(f"max(case when {text} like '% %' then 1 else 0 end) as several_{place}")
    found = engine.query(f"select {', '.join(sums)} from {relation.name}")
    return {name for place, name in enumerate(columns) if int(found[f"several_{place}"][0])}


def _first(relation: OpenedSource, rows: int | None) -> str:
    if rows is None:
        return relation.name
    return f"(select * from {relation.name} limit {rows}) as first_rows"


def _comparable(cell: str) -> str:
    """Return SQL for a label as one would read it: 3 and 3.0 are the same, and so are Cat and cat."""
    text = f"lower(trim(cast({cell} as string)))"
    number = f"try_cast({text} as double)"
    return f"coalesce(cast({number} as string), {text})"
