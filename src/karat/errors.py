"""What went wrong, where, what was found, and what to do about it."""

from collections.abc import Iterable
from difflib import get_close_matches

from karat.option_names import in_python
from karat.words import any_of, listing


class KaratError(Exception):
    """Something the user can correct; shown as one message, never as a traceback.

    What it says may have several lines, each given by itself: a line end inside of one is part of a name.

    >>> str(OptionError("--draws is 0; leave --draws out"))
    'draws= is 0; leave draws= out'
    """

    @property
    def message(self) -> str:
        """What is wrong, with options named as on the command line."""
        return "\n  ".join(self.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """The message line by line."""
        return tuple(str(line) for line in self.args)

    def __str__(self) -> str:
        """Return the message with options named as Python's keywords."""
        return in_python(self.message)


class InputError(KaratError):
    """A file or frame that cannot be read as it stands."""


class NoFileError(InputError):
    """A file, or a folder, that does not exist.

    >>> raise NoFileError("run.csv")
    Traceback (most recent call last):
    karat.errors.NoFileError: there is no file run.csv; check its name and the folder you are in
    """

    def __init__(self, path: object, what: str = "file") -> None:
        super().__init__(f"there is no {what} {path}; check its name and the folder you are in")


class RoleError(KaratError):
    """It is unclear which column plays which part."""


class OptionError(KaratError):
    """An option that cannot be honoured."""


class ChoiceError(OptionError):
    """A value that an option does not take, with those that it does and the nearest of them.

    >>> raise ChoiceError("--repeats", "frist", ["first", "majority", "keep"])
    Traceback (most recent call last):
    karat.errors.ChoiceError: repeats= is 'frist'; it takes first, majority or keep: did you mean 'first'?
    """

    def __init__(self, option: str, value: str, choices: Iterable[str]) -> None:
        names = list(choices)
        near = get_close_matches(value, names, n=1)
        hint = f": did you mean {near[0]!r}?" if near else ""
        super().__init__(f"{option} is {value!r}; it takes {any_of(names)}{hint}")


class TallyError(KaratError):
    """Counts that are damaged or do not fit together."""


class NotEnoughMemoryError(KaratError):
    """There is less memory than the question takes."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"there is not enough memory to {what}; ask about fewer systems with --systems, count file by file "
            "with karat tally, or count on a cluster with --engine spark"
        )


class UnknownNameError(KaratError):
    """A name nobody knows, with the nearest ones that exist."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {listing(names)}"
        super().__init__(f"no {kind} is called {name!r}; {hint}")
