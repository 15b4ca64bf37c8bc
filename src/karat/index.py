"""What a room offers: names, and the file each lives in, loaded only when it is asked for."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from karat.errors import UnknownNameError


class Index(Mapping[str, Any]):
    """Names and the file each lives in: ``Index("measure", "measure", "measures", recall="recall")``.

    The three words are the room, what one entry is called in messages, and the group of entry points by which other
    packages add theirs: here ``karat.measures``. Each index has a group of its own, so that what is installed for one
    is not offered by another.

    An entry is the object of that name in ``karat.<room>.<file>``, a hyphen read as an underscore. ``file:object``
    names another object of the file; a file of another room is written with its whole path, from ``karat.`` on.

    >>> from karat.measure import MEASURES
    >>> MEASURES["precison"]
    Traceback (most recent call last):
    karat.errors.UnknownNameError: no measure is called 'precison'; did you mean 'precision'?
    """

    def __init__(self, room: str, kind: str, group: str, /, **files: str) -> None:
        self.room = room
        self.kind = kind
        self.group = f"karat.{group}"
        self._files = {name.replace("_", "-"): file for name, file in files.items()}

    def __getitem__(self, name: str) -> Any:
        if name in self._files:
            attribute = self._files[name].partition(":")[2] or name.replace("-", "_")
            return getattr(import_module(self.module(name)), attribute)
        installed = self._installed()
        if name in installed:
            return installed[name].load()
        raise UnknownNameError(self.kind, name, self)

    def __iter__(self) -> Iterator[str]:
        yield from self._files
        yield from sorted(self._installed().keys() - self._files.keys())

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._files or name in self._installed()

    @property
    def built_in(self) -> tuple[str, ...]:
        """Karat's own entries, without a look at what other packages add."""
        return tuple(self._files)

    def module(self, name: str) -> str:
        """Return the module that an entry of karat's own lives in."""
        file = self._files[name].partition(":")[0]
        return file if file.startswith("karat.") else f"karat.{self.room}.{file}"

    def _installed(self) -> dict[str, Any]:
        """Return what other packages add, by name."""
        from importlib.metadata import entry_points  # noqa: PLC0415 (slow to load, and seldom needed)

        return {point.name: point for point in entry_points(group=self.group)}
