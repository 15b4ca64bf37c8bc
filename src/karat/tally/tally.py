"""What a tally is: how it is counted from a table, and how it follows from patterns counted before."""

from collections.abc import Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypeVar

from karat.table.table import Table

if TYPE_CHECKING:
    from karat.tally.votes.patterns import Patterns

Options = ParamSpec("Options")
Counts = TypeVar("Counts")
OfTable = Callable[Concatenate[Table, Options], Counts]
OfPatterns = Callable[Concatenate["Patterns", Options], Counts]


class Tally(Generic[Options, Counts]):
    """One kind of counts: what `Counter.count` is given.

    Called with a table it counts there. `from_patterns` makes the same counts from patterns, if they hold all it
    takes; if not, `needs` says what they lack.
    """

    def __init__(
        self,
        of_table: OfTable[Options, Counts],
        *,
        from_patterns: OfPatterns[Options, Counts] | None,
        needs: str,
    ) -> None:
        self.of_table = of_table
        self.from_patterns = from_patterns
        self.needs = needs
        update_wrapper(self, of_table)

    def __call__(self, table: Table, *args: Options.args, **options: Options.kwargs) -> Counts:
        """Count the rows of a table."""
        return self.of_table(table, *args, **options)


class tally:  # noqa: N801 (a decorator)
    """Make a tally of the function that counts it in a table; `needs` is what patterns lack for it."""

    def __init__(self, *, needs: str) -> None:
        self.needs = needs

    def __call__(self, of_table: OfTable[Options, Counts]) -> Tally[Options, Counts]:
        """Return the tally."""
        return Tally(of_table, from_patterns=None, needs=self.needs)


def marginal_tally(
    from_patterns: OfPatterns[Options, Counts],
) -> Callable[[OfTable[Options, Counts]], Tally[Options, Counts]]:
    """Make a tally of the function that counts it in a table, and of the one that sums patterns to it."""

    def made(of_table: OfTable[Options, Counts]) -> Tally[Options, Counts]:
        return Tally(of_table, from_patterns=from_patterns, needs="")

    return made
