"""A counter that remembers: a page asks many questions, and several of them count the same."""

from typing import Any

from karat.tally.counter import Counted, Counter, Options
from karat.tally.facts import Facts
from karat.tally.tally import Tally


class RememberingCounter:
    """Counts every tally once; what is asked with the same options again is handed out again."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._known: dict[tuple[Any, ...], Any] = {}

    @property
    def facts(self) -> Facts:
        """What is known of the rows."""
        return self._counter.facts

    def count(
        self, tally: Tally[Options, Counted], /, *args: Options.args, **options: Options.kwargs
    ) -> Counted:
        """Return a tally of the rows; one whose options cannot be remembered is counted anew."""
        asked: dict[str, Any] = dict(options)
        # No keys are the default, and a tally has none that the table lacks.
        keys = "".join(key for key in asked.pop("keys", "") if key in self.facts.keys)
        if keys:
            asked["keys"] = keys
        key = (id(tally), args, tuple(sorted(asked.items())))
        try:
            hash(key)
        except TypeError:
            return self._counter.count(tally, *args, **options)
        if key not in self._known:
            self._known[key] = self._counter.count(tally, *args, **options)
        found: Counted = self._known[key]
        return found

    def at(self, threshold: float) -> Counter:
        """Return the same rows with scores taken as yes from a threshold on."""
        return self._counter.at(threshold)
