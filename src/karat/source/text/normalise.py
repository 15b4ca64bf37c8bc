"""What in a text is to make no difference: case, white space, punctuation, the Unicode form."""

import unicodedata
from collections.abc import Callable
from functools import partial

from karat.errors import OptionError
from karat.words import listing

FORMS = ("nfc", "nfd", "nfkc", "nfkd")
STEPS = ("case", "punctuation", "space")
NOTHING_DONE = "none"


class _Unpunctuated(dict[int, int | None]):
    """A table for str.translate that drops punctuation."""

    def __missing__(self, code: int) -> int | None:
        self[code] = None if unicodedata.category(chr(code)).startswith("P") else code
        return self[code]


def normaliser(text: str) -> tuple[Callable[[str], str], str]:
    """Return the function that makes texts comparable, and how it is written.

    The steps go in one order, however they are listed: Unicode form, case, punctuation, space.

    >>> normaliser("space,case")[0](" Ab   c."), normaliser("space,case")[1]
    ('ab c.', 'case+space')
    """
    wanted = _parts(text)
    known = [*FORMS, *STEPS, NOTHING_DONE]
    for part in wanted:
        if part not in known:
            raise OptionError(
                f"--using normalise={part} is unknown; it takes {listing(known)}, several with commas"
            )
    names = [name for name in (*FORMS, *STEPS) if name in wanted]
    steps = [_step(name) for name in names]
    return partial(_applied, steps), "+".join(names) or NOTHING_DONE


def _parts(text: str) -> list[str]:
    parts = [part.strip().lower() for part in text.replace("+", ",").split(",")]
    return [part for part in parts if part]


def _applied(steps: list[Callable[[str], str]], text: str) -> str:
    for step in steps:
        text = step(text)
    return text


def _step(name: str) -> Callable[[str], str]:
    match name:
        case "case":
            return str.casefold
        case "punctuation":
            table = _Unpunctuated()
            return lambda text: text.translate(table)
        case "space":
            return lambda text: " ".join(text.split())
    return partial(_in_form, name.upper())


def _in_form(form: str, text: str) -> str:
    return unicodedata.normalize(form, text)  # type: ignore[arg-type]
