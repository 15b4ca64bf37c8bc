"""What the command line says about errors in the truth."""

import re
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from karat.cli.options import ReadingOptions
from karat.errors import OptionError

if TYPE_CHECKING:
    from karat.ask.label_errors import SaidErrors
    from karat.bench import Bench

Errors = float | tuple[float, ...] | dict[str, float] | str
PANEL = "What is said of the truth"


def _in(*names: str, **extra: Any) -> Any:
    return typer.Option(*names, rich_help_panel=PANEL, **extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class SayingOptions:
    """How many labels are wrong, and from where that is known."""

    label_error: Annotated[
        str | None,
        _in(help="The share of wrong labels: E, LOW:HIGH, E+-SD, K/M checked, LABEL=E,LABEL=E."),
    ] = None
    checked: Annotated[
        str | None,
        _in(
            help="Labels checked again: a column of true ones, or a FILE given,true[,count|share]."
        ),
    ] = None
    model: Annotated[
        str | None,
        _in(help="What a check is to say: uniform, per-class or matrix (to which labels)."),
    ] = None
    annotators: Annotated[str | None, _in(help="Two columns A,B that label the same items.")] = None
    truths: Annotated[
        str | None, _in(help="Several truths A,B,...: do they give the same ranking?")
    ] = None
    wrong: Annotated[int | None, _in(help="A number of wrong labels, in place of a share.")] = None
    at_most: Annotated[bool, _in("--at-most", help="With --wrong M: at most so many.")] = False
    noise: Annotated[
        float | None, _in(help="The standard deviation of truths that are numbers.")
    ] = None
    floor: Annotated[float, _in(help="The confidence that stands for none, in a divergence.")] = 0.0

    def __post_init__(self) -> None:
        """Refuse what cannot be meant together, before anything is read."""
        if sum(map(bool, (self.label_error, self.annotators, self.checked, self.truths))) > 1:
            raise OptionError(
                "--label-error, --checked, --annotators and --truths each say how the labels err; say one"
            )
        if self.model and not self.checked:
            raise OptionError(
                "--model says what is made of labels that were checked; name them with --checked"
            )

    def errors(self) -> Errors | None:
        """Return the share of wrong labels as it was said."""
        return _errors(self.label_error)

    def refuse(self, what: str, *allowed: str) -> None:
        """Refuse everything that was said but some options."""
        said = {name: getattr(self, name) for name in self.__dataclass_fields__}
        if other := [
            name
            for name, value in said.items()
            if value not in {None, False} and name not in allowed
        ]:
            remedy = (
                " and ".join(f"--{name.replace('_', '-')}" for name in allowed)
                or "nothing of the kind"
            )
            raise OptionError(f"{what} takes {remedy}; leave --{other[0].replace('_', '-')} out")


def said_by_others(
    saying: SayingOptions, tables: list[str], reading: ReadingOptions, *, level: float
) -> "tuple[SaidErrors | None, ReadingOptions]":
    """Return what annotators or checked labels say, and the options with their columns left out of the systems."""
    from karat.cli.reading import bench  # noqa: PLC0415 (loads the stages)
    from karat.source.recognise import is_file  # noqa: PLC0415
    from karat.truths import read_checked  # noqa: PLC0415

    if saying.annotators:
        pair = bench(tables, replace(reading, systems=saying.annotators, missing="wrong"))
        return pair.disagreement(level=level), without(saying.annotators, tables, reading)
    if not saying.checked:
        return None, reading
    if is_file(saying.checked):
        return read_checked(saying.checked).mistakes(model=saying.model, level=level), reading
    again = bench(tables, replace(reading, systems=saying.checked, missing="wrong"))
    return again.mistakes(model=saying.model, level=level), without(saying.checked, tables, reading)


def two_by_two(
    truths: str, tables: list[str], reading: ReadingOptions
) -> "dict[tuple[str, str], Bench]":
    """Return a bench for each pair of truths, the second beside the first."""
    from karat.cli.reading import bench  # noqa: PLC0415 (loads the stages)

    names = list(dict.fromkeys(name.strip() for name in truths.split(",")))
    if len(names) < 2:
        raise OptionError(f"--truths is {truths!r}; it names two columns or more, as A,B")
    if reading.truth:
        raise OptionError("--truths names every truth; leave --truth out")
    files = {name.rpartition(":")[0] for name in names if _in_file(name)}
    if len(files) > 1:
        raise OptionError(
            f"--truths names columns of {len(files)} files; put the truths of the same items into one"
        )
    # Those of a file first: it is joined to the table, whose own columns are there already.
    names.sort(key=lambda name: not _in_file(name))
    columns = [name.rpartition(":")[2] if _in_file(name) else name for name in names]
    if len(set(columns)) < len(columns):
        raise OptionError(f"--truths is {truths!r}; two of them are called alike, rename one")
    reading = without(",".join(columns), tables, replace(reading, truth=names[0]))
    return {
        (columns[one], columns[two]): bench(
            tables, replace(reading, truth=names[one]), second_truth=columns[two]
        )
        for one, two in combinations(range(len(names)), 2)
    }


def _in_file(truth: str) -> bool:
    from karat.source.recognise import is_file  # noqa: PLC0415 (loads the readers)

    file, colon, _ = truth.rpartition(":")
    return bool(colon) and is_file(file) and not Path(truth).is_file()


def without(others: str, tables: list[str], reading: ReadingOptions) -> ReadingOptions:
    """Return the options with columns that are no systems left out of them."""
    from karat.cli.reading import bench  # noqa: PLC0415 (loads the stages)

    if reading.systems:
        return reading
    names = [name.strip() for name in others.split(",")]
    systems = [name for name in bench(tables, reading).facts.systems if name not in names]
    return replace(reading, systems=",".join(systems))


def _errors(text: str | None) -> Errors | None:
    if text is None or re.fullmatch(r"\d+/\d+|[0-9.]+\+-[0-9.]+", text):
        return text
    try:
        if "=" in text:
            return {
                name: _rate(rate)
                for name, _, rate in (part.rpartition("=") for part in text.split(","))
            }
        rates = tuple(_rate(part) for part in text.split(":"))
    except ValueError:
        rates = ()
    if not 0 < len(rates) <= 2:
        raise OptionError(
            f"--label-error is {text!r}; it takes 0.03, 3%, 0.01:0.05, 0.03+-0.01, 3/100 or yes=0.01,no=0.05"
        )
    return rates


def _rate(text: str) -> float:
    """Return a share written as such or in per cent."""
    return float(text.strip()[:-1]) / 100 if text.strip().endswith("%") else float(text)
