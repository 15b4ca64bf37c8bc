"""The command line's options about wrong labels in the truth."""

import re
from dataclasses import dataclass, fields
from typing import Annotated, Any

import typer

from karat.errors import OptionError

LabelError = float | tuple[float, ...] | dict[str, float] | str
PANEL = "How many labels of the truth are wrong"


def _option(*names: str, **extra: Any) -> Any:
    return typer.Option(*names, rich_help_panel=PANEL, **extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelErrorOptions:
    """How many labels are wrong, and from where that is known."""

    label_error: Annotated[
        str | None,
        _option(
            metavar="E",
            help="The share of wrong labels: E, LOW:HIGH, E+-SD, K/M checked, LABEL=E,LABEL=E.",
        ),
    ] = None
    checked: Annotated[
        str | None,
        _option(
            metavar="COL|FILE",
            help="Labels that were checked: a column of the true ones, a list of karat audit, or a file of "
            "given,true[,count|share].",
        ),
    ] = None
    model: Annotated[
        str | None,
        _option(
            metavar="NAME",
            help="How labels are wrong: uniform (by chance) or informed (where systems contradict them, and by --group "
            "COL); from checked labels also per-class or matrix.",
        ),
    ] = None
    constants: Annotated[
        str | None,
        _option(
            metavar="FILE",
            help="Constants of the model informed, learnt from another re-annotated benchmark.",
            hidden=True,
        ),
    ] = None
    annotators: Annotated[
        str | None, _option(metavar="A,B", help="Two columns of labels for the same items.")
    ] = None
    truths: Annotated[
        str | None, _option(help="What `karat stability truths` takes now.", hidden=True)
    ] = None
    wrong: Annotated[
        int | None, _option(help="The number of wrong labels, in place of a share.")
    ] = None
    at_most: Annotated[bool, _option("--at-most", help="With --wrong N: at most N are wrong.")] = (
        False
    )
    noise: Annotated[
        float | None,
        _option(
            help="With --measure mean-...-error: the standard deviation of the noise in the truth."
        ),
    ] = None
    floor: Annotated[
        float,
        _option(
            help="With --measure divergence: the confidence where a system gives none.", hidden=True
        ),
    ] = 0.0

    def __post_init__(self) -> None:
        """Refuse options that exclude each other, before anything is read."""
        ways = (self.label_error, self.annotators, self.checked, self.truths)
        if sum(bool(way) for way in ways) > 1:
            raise OptionError(
                "--label-error, --checked and --annotators are three ways to say which labels are wrong, "
                "and --truths is a question of its own; give one of them"
            )
        if self.model in {"per-class", "matrix"} and not self.checked:
            raise OptionError(
                f"--model {self.model} needs labels that were checked; name them with --checked COL or FILE"
            )
        if self.constants and self.model not in {None, "informed"}:
            raise OptionError(f"--constants goes with --model informed, not {self.model}")

    def rates(self) -> LabelError | None:
        """Return the share of wrong labels as it was given."""
        return _label_error(self.label_error)

    def refuse_all_but(self, what: str, *allowed: str) -> None:
        """Refuse every option that was given, except some."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value in {None, False} or field.name in allowed:
                continue
            flags = [_flag(name) for name in allowed]
            takes = " and ".join(flags) or "none of these options"
            raise OptionError(f"{what} takes {takes}; leave {_flag(field.name)} out")


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _label_error(text: str | None) -> LabelError | None:
    """Return one share, two, or one for each label; what is checked or has a deviation stays text."""
    if text is None or re.fullmatch(r"\d+/\d+|[0-9.]+\+-[0-9.]+", text):
        return text
    rates: tuple[float, ...] = ()
    try:
        if "=" in text:
            return _rate_by_label(text)
        rates = tuple(_rate(part) for part in text.split(":"))
    except ValueError:
        pass
    if len(rates) not in {1, 2}:
        raise OptionError(
            f"--label-error is {text!r}; it takes 0.03, 3%, 0.01:0.05, 0.03+-0.01, 3/100 or yes=0.01,no=0.05"
        )
    return rates


def _rate_by_label(text: str) -> dict[str, float]:
    rates = {}
    for part in text.split(","):
        label, _, rate = part.rpartition("=")
        rates[label] = _rate(rate)
    return rates


def _rate(text: str) -> float:
    """Return a share written as such or in per cent."""
    number = text.strip()
    if number.endswith("%"):
        return float(number[:-1]) / 100
    return float(number)
