"""The command line's options about the prevalences where systems will be used."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from karat.cli.printing import tell
from karat.errors import OptionError
from karat.measure.prevalence import DEFAULT_PRIOR

PANEL = "Where the systems will be used"


def _option(**extra: Any) -> Any:
    return typer.Option(rich_help_panel=PANEL, **extra)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentOptions:
    """Which prevalences are expected in deployment, and how likely each is."""

    to: Annotated[
        list[str] | None,
        _option(
            metavar="P|FILE",
            help="A prevalence: 0.01, 1%, 1:99 or 0.01..0.1; or a file of scores from deployment.",
        ),
    ] = None
    low: Annotated[str | None, _option(metavar="P", help="The lowest prevalence.")] = None
    high: Annotated[str | None, _option(metavar="P", help="The highest prevalence.")] = None
    prior: Annotated[
        str,
        _option(
            metavar="PRIOR",
            help="How likely each prevalence is: {prior_forms}, or a file of skew, weight.",
        ),
    ] = DEFAULT_PRIOR
    limits: Annotated[
        str | None,
        _option(
            metavar="P,P,...",
            help="Prevalences of known data sets: the range is their mean ± 3 sd.",
        ),
    ] = None
    trajectory: Annotated[
        str | None,
        _option(
            metavar="COURSE",
            help="How the prevalence changes with time: {trajectory_forms}; or a file of time, skew.",
        ),
    ] = None
    time: Annotated[
        str | None, _option(metavar="T[,T...]", help="How long the trajectory lasts.")
    ] = None

    def prevalences(self) -> dict[str, Any]:
        """Return what was given, as the questions take it."""
        low = self.low
        high = self.high
        if self.limits is not None:
            if low is not None or high is not None:
                raise OptionError("--limits finds the range; leave --low and --high out")
            low, high = _range(self.limits)
        times = None
        if self.time is not None:
            times = [number("--time", part) for part in self.time.split(",")]
        return {
            "to": self.to or (),
            "low": low,
            "high": high,
            "prior": self.prior,
            "trajectory": self.trajectory,
            "time": times,
        }


def _range(text: str) -> tuple[str, str]:
    """Return the range that the prevalences of known data sets suggest, and report it."""
    from karat.questions.published import limits_of  # noqa: PLC0415 (loads the stages)

    limits = limits_of(text.split(","))
    derivation = f"mean {limits.mean:.4g} ± 3 x {limits.deviation:.4g}, within [0, 1]"
    tell(f"limits {limits.low:.4g} to {limits.high:.4g}: {derivation}")
    return str(limits.low), str(limits.high)


def number(option: str, text: str) -> float:
    """Return a number, or refuse the option."""
    try:
        return float(text)
    except ValueError:
        raise OptionError(f"{option} has {text!r} where a number should stand") from None


def point_of(check: str | None) -> tuple[float, float] | None:
    """Return the precision and recall of --check."""
    if check is None:
        return None
    parts = check.split(",")
    if len(parts) != 2:
        raise OptionError(f"--check is {check!r}; it takes PRECISION,RECALL, as 0.2,0.9")
    return number("--check", parts[0]), number("--check", parts[1])
