"""The list of what a stage offers, each entry loaded only when it is asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from karat.errors import UnknownNameError


class Index(Mapping[str, Any]):
    """Names and the file of the stage each lives in: ``Index("measure", recall="share")``.

    An entry is the object of that name in ``karat.<stage>.<file>``, a hyphen read as an underscore; where another
    entry has taken the name, ``file:object`` says which object is meant.
    Other packages add theirs by an entry point in the group ``karat.<stage>``.

    >>> from karat.measure import MEASURES
    >>> MEASURES["precison"]
    Traceback (most recent call last):
    karat.errors.UnknownNameError: no measure is called 'precison'; did you mean 'precision'?
    """

    def __init__(self, stage: str, kind: str | None = None, /, **files: str) -> None:
        self.stage = stage
        self.kind = kind or stage
        self._files = {name.replace("_", "-"): file for name, file in files.items()}

    def __getitem__(self, name: str) -> Any:
        if name in self._files:
            file, _, attribute = self._files[name].partition(":")
            return getattr(import_module(f"karat.{self.stage}.{file}"), attribute or name.replace("-", "_"))
        if name in (points := self._elsewhere()):
            return points[name].load()
        raise UnknownNameError(self.kind, name, self)

    def __iter__(self) -> Iterator[str]:
        yield from self._files
        yield from sorted(self._elsewhere().keys() - self._files.keys())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in set(self)

    def _elsewhere(self) -> dict[str, Any]:
        """Return what other packages add, by name."""
        from importlib.metadata import entry_points  # noqa: PLC0415 (slow to load, and seldom needed)

        return {point.name: point for point in entry_points(group=f"karat.{self.stage}")}
