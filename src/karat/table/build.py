"""From opened sources to the table of answers: roles, kinds, checks, and the rows that will be counted."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from karat.engine import Engine, OpenedSource
from karat.errors import OptionError, RoleError
from karat.table import checks, layout, number_checks
from karat.table.choose import Systems, systems_of
from karat.table.counts import count_rows, counts_of_profiles
from karat.table.distinct_rows import Rows
from karat.table.graded import graded
from karat.table.kinds import Profile, distribution, empty, label, profile, score, text, yesno
from karat.table.labels import Labels
from karat.table.layout import Place
from karat.table.not_systems import NotSystems, not_systems
from karat.table.options import CORRECT_OR_TRUTH, TableOptions
from karat.table.parts import (
    answer_parts,
    confidence_parts,
    role_parts,
    share_parts,
    stored_answers,
)
from karat.table.prepare import PreparedTable, parsed_once, prepare_long, prepare_wide
from karat.table.roles import UNUSED, is_long
from karat.table.table import Table
from karat.table.truth_file import TruthFile, read_truth_file, truth_profile
from karat.table.uses import left_out_note, uses_of_table, uses_of_truth
from karat.words import counted, listing

KEYS = "gcwnreud"
"""Group, cluster, weight, count, run, error, second truth, grade: what rows may be counted by, beside answers."""
WHOLE_SCORES = "{}: whole numbers beside a truth of yes and no, read as scores; --kind label if they are labels"
MOST_LINES = 5
"""How many unreadable lines are shown."""


@dataclass(frozen=True, slots=True)
class ConfidenceColumns:
    """Where the confidences beside the answers are, by system, and the join that a file of them needs."""

    places: dict[str, Place]
    join: str


@dataclass(frozen=True, slots=True)
class _CountedAnswers:
    """The systems in the order of their names, and the kind that their answers are counted as."""

    systems: tuple[str, ...]
    kind: str
    shares: tuple[str, ...] | None
    """The labels that every system gives a probability."""
    coded: tuple[str, ...] | None
    """The same, where the answer is the likeliest of these labels; it is then stored as the label's place here."""


def build(
    engine: Engine,
    opened: OpenedSource,
    options: TableOptions,
    *,
    truth: tuple[OpenedSource, str | None] | None = None,
    scores: OpenedSource | None = None,
) -> Table:
    """Return the table of answers behind an opened source and, maybe, a truth file and a file of confidences."""
    if truth and options.correct:
        raise OptionError(CORRECT_OR_TRUTH)
    relation = parsed_once(engine, opened, "kept")
    checks.check_names(relation)
    checks.check_blanks(engine, relation)
    outputs = graded(engine, relation, options)
    relation = outputs.relation
    options = outputs.options
    if truth and options.people:
        raise OptionError(
            f"a judge's grades are corrected by those of people there; --truth names a column of {relation.origin}"
        )
    truth_file = read_truth_file(engine, *truth, options) if truth else None
    elsewhere = truth_file.relation.columns if truth_file else ()
    long = is_long(relation.columns, options)
    prepare = prepare_long if long else prepare_wide
    prepared = prepare(engine, relation, options, elsewhere)
    known_truth = truth_profile(engine, prepared, truth_file, options)
    _check_labels(engine, prepared, known_truth, options)
    if long:
        # The systems of a long table are named in its rows, so no column is to be refused.
        systems_options = replace(options, systems=prepared.roles.rest)
    else:
        systems_options = options
    others = not_systems(engine, prepared, truth_file, known_truth, systems_options)
    chosen = _choose_systems(prepared, others, known_truth, systems_options)
    answers = _answers(prepared, chosen)

    parts = role_parts(engine, prepared, truth_file, options)
    parts |= answer_parts(engine, prepared, answers.systems, chosen.kind, answers.coded)
    parts |= share_parts(prepared, answers.systems, answers.shares or ())
    confidences = _confidences(engine, prepared, answers.systems, scores)
    parts |= confidence_parts(answers.systems, confidences.places)
    rows = _lay_out(engine, prepared, truth_file, parts, options, confidences.join)
    label_columns = _label_columns(prepared, answers, known_truth, options)
    labels = _labels(answers.kind, label_columns, options)

    # The profiles of the columns count each row of the file once. Where nothing else is counted, no scan is needed.
    rows_are_items = not (long or truth_file or answers.coded or options.no_truth or "n" in parts)
    has_truth = "t" in parts
    counts = None
    if rows_are_items:
        counts = counts_of_profiles(prepared, answers.systems, has_truth=has_truth)
    if counts is None:
        counts = count_rows(
            engine, prepared, answers.systems, truth_file, rows, has_truth=has_truth
        )

    notes = [*outputs.notes, *prepared.roles.notes]
    notes += left_out_note(prepared, chosen.left_out)
    notes += others.notes()
    if chosen.scales:
        notes.append(WHOLE_SCORES.format(listing(chosen.scales)))
    if scores:
        notes.append(f"{scores.origin}: confidences, checked, but {UNUSED}")
    notes += _unreadable(engine)
    uses = uses_of_table(prepared, chosen.systems, chosen.left_out, options, scales=chosen.scales)
    return Table(
        engine=engine,
        relation=prepared.source,
        rows=rows,
        origin=relation.origin,
        systems=answers.systems,
        stored=stored_answers(prepared, answers.systems, chosen.kind, answers.coded),
        kind=answers.kind,
        labels=labels,
        keys=tuple(key for key in KEYS if key in parts),
        has_truth=known_truth is not None,
        counts=counts,
        uses=(*uses, *uses_of_truth(truth_file)),
        notes=tuple(notes),
        reading=options,
        coded=answers.coded,
        shares=answers.shares,
    )


def _choose_systems(
    prepared: PreparedTable, others: NotSystems, truth: Profile | None, options: TableOptions
) -> Systems:
    """Return which columns are the systems, and of what kind their answers are."""
    candidates = [name for name in prepared.roles.rest if name not in others.left_out]
    chosen = systems_of(
        candidates,
        prepared.profiles,
        _truth_kind(truth),
        options,
        origin=prepared.source.origin,
    )
    return replace(chosen, left_out={**others.left_out, **chosen.left_out})


def _answers(prepared: PreparedTable, chosen: Systems) -> _CountedAnswers:
    """Return the systems by name, and what their answers are counted as."""
    # By name: the same answers then give the same tallies and simulated numbers in whatever order the columns are.
    systems = tuple(sorted(chosen.systems))
    shares = _share_labels(prepared, systems)
    if chosen.kind == distribution:
        return _CountedAnswers(systems, label, shares, coded=shares)
    return _CountedAnswers(systems, chosen.kind, shares, coded=None)


def _check_labels(
    engine: Engine, prepared: PreparedTable, truth: Profile | None, options: TableOptions
) -> None:
    """Refuse answers that were probably meant as numbers, where their kind is not given.

    Where the truth is not yes or no, they may be labels or texts, unless there is nothing else.
    """
    if truth is None or options.kinds:
        return
    known = [prepared.profiles[name] for name in prepared.roles.rest if name in prepared.profiles]
    if any(one.kind in {yesno, score} for one in known):
        return
    if truth.pair:
        number_checks.check_no_scores(engine, prepared.relation, known, truth.pair)
    elif all(one.kind in {text, empty} for one in known):
        number_checks.check_no_numbers_as_text(engine, prepared.relation, known)


def _truth_kind(truth: Profile | None) -> str | None:
    if truth is None:
        return None
    if truth.pair:
        return yesno
    return text if truth.kind == text else label


def _share_labels(prepared: PreparedTable, systems: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the labels that the systems' distributions are over, if every system gives one."""
    labels: dict[str, None] = {}
    for name in systems:
        if name not in prepared.roles.shares:
            return None
        labels |= dict.fromkeys(prepared.roles.shares[name])
    return tuple(labels)


def _confidences(
    engine: Engine, prepared: PreparedTable, systems: tuple[str, ...], scores: OpenedSource | None
) -> ConfidenceColumns:
    """Return where the confidences beside the answers are: in the table, or in a file of them."""
    relation = prepared.relation
    places = {name: Place("a", relation, column) for name, column in prepared.roles.beside.items()}
    if scores is None:
        return ConfidenceColumns(places, "")
    scores = parsed_once(engine, scores, "kept_scores")
    item = prepared.roles.named.get("item")
    scored = [name for name in systems if name in scores.columns]
    if item is None or item not in scores.columns or not scored:
        raise RoleError(
            f"{scores.origin} does not fit {relation.origin}: a file of --scores has the item column {item!r} and "
            f"columns called like the systems, {listing(systems)}; it has {listing(scores.columns)}"
        )
    known = profile(engine, scores, [scores.columns.index(name) for name in scored])
    for name in scored:
        number_checks.check_numbers(engine, scores, known[name], what="score")
        places[name] = Place("d", scores, name)
    checks.check_items(
        engine, scores, item, remedy="an item has one confidence a system; remove the copies"
    )
    join = layout.join(Place("a", relation, item), Place("d", scores, item))
    return ConfidenceColumns(places, join)


def _lay_out(
    engine: Engine,
    prepared: PreparedTable,
    truth_file: TruthFile | None,
    parts: dict[str, str],
    options: TableOptions,
    joins: str,
) -> Rows:
    """Give the rows the name `answers` and return those that are counted; joined rows are kept, to be joined once."""
    relation = prepared.relation
    parts = dict(parts)
    if truth_file:
        item = prepared.roles.named.get("item")
        if item is None:
            raise RoleError(
                f"{relation.origin} has no item column to find the truth by; name it with --item COL"
            )
        item_of_truth = Place("b", truth_file.relation, truth_file.named["item"])
        joins += layout.join(Place("a", relation, item), item_of_truth)
    if options.no_truth:
        for truth in {"t", "u"} & set(parts):
            table = f"no_{truth}"
            joins += (
                f" left join no_truth as {table} on cast({parts[truth]} as string) = {table}.value"
            )
            parts[truth] = f"case when {table}.value is null then {parts[truth]} end"
    columns = layout.columns(parts)
    if joins:
        engine.keep("answers", layout.joined(columns, relation.name, joins, engine))
    else:
        engine.view("answers", f"select {columns} from {relation.name} as a")
    gathered = prepared.rows.name != relation.name
    if not gathered or joins or _use_item_names(parts):
        return Rows("answers", "n" if "n" in parts else "1")
    number = "a.number"
    if "n" in parts:
        number = f"{parts['n']} * {number}"
    counted_parts = {**parts, "n": number}
    counted_parts.pop("item", None)
    engine.view(
        "counted_answers",
        f"select {layout.columns(counted_parts)} from {prepared.rows.name} as a",
    )
    return Rows("counted_answers", "n")


def _use_item_names(parts: Mapping[str, str]) -> bool:
    """Return whether another column of the rows is made of the items' names."""
    item = parts.get("item")
    if item is None:
        return False
    names = re.compile(rf"{re.escape(item)}\b")
    return any(names.search(sql) for role, sql in parts.items() if role != "item")


def _unreadable(engine: Engine) -> list[str]:
    """Return what lenient reading left out: how many lines, and the first of them with their places."""
    lines = engine.rejected()
    if not lines:
        return []
    shown = "; ".join(lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        shown += "; ..."
    return [f"{counted(len(lines), 'unreadable line')} left out: {shown}"]


def _label_columns(
    prepared: PreparedTable, answers: _CountedAnswers, truth: Profile | None, options: TableOptions
) -> list[Profile]:
    """Return what is known of the columns that hold labels: those of answers, and of the truth."""
    columns = []
    if answers.coded is None:
        columns = [prepared.profiles[name] for name in answers.systems if name in prepared.profiles]
    if truth and not options.correct:
        columns.append(truth)
    return columns


def _labels(kind: str, columns: Sequence[Profile], options: TableOptions) -> Labels:
    """Return what the values mean: the words for yes and no, the positive label, whole numbers."""
    filled = [known for known in columns if known.filled]
    pair = _pair(kind, filled, options)
    positive = options.positive or None
    if pair and not positive:
        positive = pair[0]
    if pair and positive not in pair:
        raise OptionError(
            f"--positive is {positive!r}, but the answers are {pair[0]!r} and {pair[1]!r}"
        )
    all_whole = bool(filled) and all(known.whole for known in filled)
    return Labels(
        pair=pair,
        whole=all_whole and not pair,
        positive=positive,
        nothing=options.nothing,
        truth_sep=options.truth_sep,
        missing=options.missing,
    )


def _pair(kind: str, filled: Sequence[Profile], options: TableOptions) -> tuple[str, str] | None:
    """Return the words for yes and no, if the answers or the truth beside scores are such."""
    pairs = {known.pair for known in filled if known.pair}
    truth_of_scores = kind == score and pairs and options.positive is None
    if kind != yesno and not truth_of_scores:
        return None
    # Words of two kinds, such as 1 and yes, mean the same; they are shown as 1 and 0.
    return pairs.pop() if len(pairs) == 1 else ("1", "0")
