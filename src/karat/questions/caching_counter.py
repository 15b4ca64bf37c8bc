"""A counter with a cache: a page asks many questions, and several of them count the same."""

from typing import Any

from karat.tally.counter import Counted, Counter, Options
from karat.tally.facts import Facts
from karat.tally.tally import Tally


class CachingCounter:
    """Counts every tally once for each set of options."""

    def __init__(self, counter: Counter) -> None:
        self._counter = counter
        self._cache: dict[tuple[Any, ...], Any] = {}

    @property
    def facts(self) -> Facts:
        """What is known of the rows."""
        return self._counter.facts

    def count(
        self, tally: Tally[Options, Counted], /, *args: Options.args, **options: Options.kwargs
    ) -> Counted:
        """Return a tally of the rows; one whose options cannot be hashed is counted again."""
        effective: dict[str, Any] = dict(options)
        # No keys are the default, and a tally has none that the table lacks.
        keys = "".join(key for key in effective.pop("keys", "") if key in self.facts.keys)
        if keys:
            effective["keys"] = keys
        request = (id(tally), args, tuple(sorted(effective.items())))
        try:
            hash(request)
        except TypeError:
            return self._counter.count(tally, *args, **options)
        if request not in self._cache:
            self._cache[request] = self._counter.count(tally, *args, **options)
        counted: Counted = self._cache[request]
        return counted

    def at(self, threshold: float) -> Counter:
        """Return the same rows with scores taken as yes from a threshold on."""
        return self._counter.at(threshold)
