"""Columns and files that hold other labels of the same items: annotators, checked labels, several truths."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from karat.ask.checked_lists import is_checked_list, read_lists
from karat.bench import read_checked
from karat.cli.label_error_options import LabelErrorOptions
from karat.cli.options import InputOptions
from karat.cli.reading import read_quietly
from karat.errors import OptionError
from karat.source.origin import file_and_column
from karat.source.recognise import is_file
from karat.table.text_forms import names

if TYPE_CHECKING:
    from karat.ask.label_errors import LabelErrorRates
    from karat.bench import Bench


INFORMED = "informed"


@dataclass(frozen=True, slots=True)
class EstimatedErrors:
    """How many labels are wrong by other labels, and the options without their columns."""

    errors: "LabelErrorRates | None"
    inputs: InputOptions
    by_item: dict[str, str] | None = None
    """The right labels of items that were looked up, where a list names them."""


def estimated_errors(
    labels: LabelErrorOptions, tables: list[str], inputs: InputOptions, *, level: float
) -> EstimatedErrors:
    """Return how many labels are wrong by annotators or checked labels, if either is named."""
    if labels.annotators:
        pair = _as_systems(labels.annotators, tables, inputs)
        errors = pair.disagreement(level=level)
        return EstimatedErrors(errors, without(names(labels.annotators), tables, inputs))
    if not labels.checked:
        return EstimatedErrors(None, inputs)
    if is_file(labels.checked):
        return _from_file(labels, inputs, level)
    informed = labels.model == INFORMED
    checked = _as_systems(labels.checked, tables, inputs)
    errors = checked.mistakes(model=None if informed else labels.model, level=level)
    inputs = without(names(labels.checked), tables, inputs)
    if labels.model in {None, INFORMED}:
        inputs = replace(inputs, second_truth=labels.checked.strip())
    return EstimatedErrors(errors, inputs)


def _from_file(labels: LabelErrorOptions, inputs: InputOptions, level: float) -> EstimatedErrors:
    """Return how many labels are wrong by a file: of counts, or of items as karat audit lists them."""
    path = labels.checked or ""
    if is_checked_list(path):
        if labels.model not in {None, INFORMED}:
            raise OptionError(
                f"{path} is a list of karat audit, whose items were not drawn at random from all; "
                "only --model informed takes it"
            )
        found = {row.item: row.right for row in read_lists([path]) if row.right}
        if not found:
            raise OptionError(f"{path} has no label in its column right yet")
        return EstimatedErrors(None, inputs, found)
    if labels.model == INFORMED:
        raise OptionError(
            f"{path} does not say which items were checked; --model informed takes a column of the table, or a list "
            "with item and right as karat audit writes it"
        )
    return EstimatedErrors(read_checked(path).mistakes(model=labels.model, level=level), inputs)


def _as_systems(columns: str, tables: list[str], inputs: InputOptions) -> "Bench":
    return read_quietly(tables, replace(inputs, systems=names(columns), missing="wrong"))


def truths_by_pair(
    text: str, tables: list[str], inputs: InputOptions
) -> "dict[tuple[str, str], Bench]":
    """Return a bench for each pair of truths, with the second as the second truth."""
    truths = list(dict.fromkeys(part.strip() for part in text.split(",")))
    if len(truths) < 2:
        raise OptionError(f"--truths is {text!r}; it names two columns or more, as A,B")
    if inputs.truth:
        raise OptionError("--truths names every truth; leave --truth out")
    files = {file_and_column(truth)[0] for truth in truths if _in_file(truth)}
    if len(files) > 1:
        raise OptionError(
            f"--truths names columns of {len(files)} files; put the truths of the same items into one"
        )
    # Those of a file first: it is joined to the table, whose own columns are there already.
    truths.sort(key=lambda truth: not _in_file(truth))
    columns = [_column(truth) for truth in truths]
    if len(set(columns)) < len(columns):
        raise OptionError(f"--truths is {text!r}; two columns have the same name: rename one")
    inputs = without(columns, tables, replace(inputs, truth=truths[0]))
    benches = {}
    for first, second in combinations(range(len(truths)), 2):
        pair = replace(inputs, truth=truths[first], second_truth=columns[second])
        benches[columns[first], columns[second]] = read_quietly(tables, pair)
    return benches


def _in_file(truth: str) -> bool:
    file, column = file_and_column(truth)
    return column is not None and is_file(file)


def _column(truth: str) -> str:
    column = file_and_column(truth)[1]
    return column if column is not None and _in_file(truth) else truth


def without(
    columns: "list[str] | tuple[str, ...]", tables: list[str], inputs: InputOptions
) -> InputOptions:
    """Return the options with these columns left out of the systems."""
    if inputs.systems:
        return inputs
    systems = read_quietly(tables, inputs).facts.systems
    return replace(inputs, systems=[name for name in systems if name not in columns])
