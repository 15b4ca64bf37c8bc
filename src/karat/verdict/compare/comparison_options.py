"""Options of a comparison: the test, the level, the margin."""

from dataclasses import dataclass

from karat.doubt.interval import check_chance, check_level
from karat.doubt.tests import TESTS
from karat.errors import OptionError

FEWEST_DRAWS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonOptions:
    """Options of a comparison."""

    test: str = "auto"
    baseline: str | None = None
    margin: float | None = None
    level: float = 0.95
    draws: int = 2000
    seed: int = 0
    ranks: bool | None = None
    plan_neighbours_only: bool = False
    """Whether the number of further items is computed for neighbours only; for many pairs it is slow."""

    def __post_init__(self) -> None:
        """Refuse options out of range."""
        check_level(self.level)
        check_chance(draws=self.draws, seed=self.seed)
        if self.test != "auto":
            TESTS[self.test]
        if self.draws < FEWEST_DRAWS:
            raise OptionError(
                f"--draws is {self.draws}; fewer than {FEWEST_DRAWS} resamples are too few"
            )
        if self.margin is not None and not 0 < self.margin < 1:
            raise OptionError(
                f"--margin is {self.margin}; it must be between 0 and 1, as 0.02 does"
            )
