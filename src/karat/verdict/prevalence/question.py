"""What is asked about the curves of systems at other prevalences, and how surely."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.ask.prevalence import DeploymentPrevalence
from karat.errors import OptionError


@dataclass(frozen=True, slots=True, eq=False)
class UnlabelledScores:
    """Scores from the deployment, without labels."""

    by_system: Mapping[str, npt.NDArray[np.float64]]
    cluster: npt.NDArray[np.int64] | None = None
    """The cluster of each item, from 0 up; None where items are taken as independent."""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrevalenceQuestion:
    """What is to be computed from the curves, and how surely."""

    deployments: tuple[DeploymentPrevalence, ...] = ()
    scores: UnlabelledScores | None = None
    threshold: float | None = None
    check: tuple[float, float] | None = None
    choose: str | None = None
    """What the best threshold is to serve, as `karat.ask.threshold_goal` names it."""
    level: float = 0.95
    draws: int | None = None
    """None: as many as are quickly made."""
    seed: int = 0
    bands: bool = False
    """Whether the curves have confidence bands."""
    label_error: tuple[float, float] = (0.0, 0.0)
    """P(truly positive | given negative) and P(truly negative | given positive)."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense, before anything is computed."""
        self._check_label_error()
        if self.draws == 0 and self.bands:
            raise OptionError("--bands needs resamples; leave --draws 0 out")
        if self.threshold is not None and not np.isfinite(self.threshold):
            raise OptionError(f"--threshold is {self.threshold}; it must be a score")
        if not 0 < self.level < 1:
            raise OptionError(
                f"--level is {self.level:g}; a confidence level lies between 0 and 1, as 0.95 does"
            )
        if self.seed < 0:
            raise OptionError(f"--seed is {self.seed}; it is a whole number from 0 up")
        if self.check is not None and len(self.check) != 2:
            raise OptionError("a point to check is a precision and a recall, as (0.2, 0.9)")

    def _check_label_error(self) -> None:
        for rate in self.label_error:
            if not 0 <= rate < 0.5:
                raise OptionError(
                    f"--label-error is {rate:g}; it is a share of wrong labels, below one half"
                )
        if self.draws == 0 and self.labels_may_be_wrong:
            raise OptionError("--label-error needs resamples; leave --draws 0 out")

    @property
    def labels_may_be_wrong(self) -> bool:
        """Whether labels are to be flipped in the resamples."""
        return any(self.label_error)

    def signed(self) -> dict[str, str]:
        """Return what the signature says of it."""
        options: dict[str, Any] = {
            "threshold": self.threshold,
            "check": self.check,
            "choose": self.choose,
            "level": self.level,
            "seed": self.seed,
            "label_error": self.label_error if self.labels_may_be_wrong else None,
        }
        return {name: str(value) for name, value in options.items() if value is not None}
