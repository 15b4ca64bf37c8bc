"""Priors and trajectories as users write them: a name, and the numbers it takes, as `normal:MEAN,SD`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from karat.errors import OptionError
from karat.index import Index
from karat.measure.prevalence import PRIORS, TRAJECTORIES
from karat.words import counted


@dataclass(frozen=True, slots=True)
class WrittenForm:
    """The name of a prior or a trajectory, and the numbers after it."""

    text: str
    name: str
    numbers: tuple[float, ...]

    def checked(self, parameters: Sequence[str]) -> tuple[float, ...]:
        """Return the numbers, if there is one for each parameter."""
        if len(self.numbers) != len(parameters):
            expected = form(self.name, parameters) if parameters else "none"
            numbers = counted(len(self.numbers), "number")
            raise OptionError(f"{self.text!r} has {numbers} where {expected} is meant")
        return self.numbers


def form(name: str, parameters: Sequence[str]) -> str:
    """Return how a prior or a trajectory is written.

    >>> form("normal", ("MEAN", "SD")), form("uniform", ())
    ('normal:MEAN,SD', 'uniform')
    """
    if not parameters:
        return name
    return f"{name}:{','.join(parameters)}"


def parsed(text: str) -> WrittenForm:
    """Return the name and the numbers of what was written.

    >>> parsed("normal:0.1,0.02").numbers
    (0.1, 0.02)
    """
    name, _, rest = text.partition(":")
    parts = rest.split(",") if rest else []
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        raise OptionError(
            f"{text!r} has {rest!r} where numbers should stand; write them as 0.1,0.4"
        ) from None
    if not all(map(math.isfinite, numbers)):
        raise OptionError(f"{text!r} has a number that is not finite; write them as 0.1,0.4")
    return WrittenForm(text, name, tuple(numbers))


def prior_forms() -> str:
    """Return how every prior is written, installed ones too: what help shows.

    >>> prior_forms()
    'uniform, normal:MEAN,SD, landgrebe'
    """
    return _forms(PRIORS)


def trajectory_forms() -> str:
    """Return how every trajectory is written, installed ones too: what help shows.

    >>> trajectory_forms()
    'constant:P, linear:A,B, exponential:P0,BASE, sine:MEAN,AMPLITUDE, logistic:K,RATE,T0'
    """
    return _forms(TRAJECTORIES)


def _forms(index: Index) -> str:
    return ", ".join(form(name, entry.parameters) for name, entry in index.items())
