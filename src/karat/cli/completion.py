"""What a shell offers after Tab: names from the indexes, and the second word of commands that have one.

Typer's `--install-completion` sets a shell up; commands and options are completed by Typer itself.
"""

import re
from collections.abc import Callable
from inspect import signature
from typing import Any

import typer
from typer.models import ArgumentInfo, OptionInfo

from karat.cli import COMMANDS
from karat.cli.help import entries
from karat.measure import listed

ANY_INDEX = re.compile(r"\{(\w+)\}")
ANY_WORDS = re.compile(r": ((?:[\w-]+, )*[\w-]+ or [\w-]+)[.;(]")
"""Words to choose from, as help lists them: the sides: both, lower or upper."""
Offer = Callable[[str], list[str]]
WRITTEN = {"f": "f1", "top-k-accuracy": "top-5-accuracy", "pr-area": "pr-area@0.01"}
"""How measures with a number are usually written."""
MEANS = ("precision", "recall", "f1")
"""Measures of a class whose mean over classes is often needed."""
TABLE_ROOMS = (
    "of_answers",
    "of_scores",
    "of_distributions",
    "of_rankings",
    "of_texts",
    "of_spans",
    "of_samples",
)
"""The rooms of the measures that a table may be scored and compared by."""


def names_from(index: str) -> Offer:
    """Return what offers the names of an index; after a comma or an equals sign the next name begins.

    >>> names_from("bounds")("w"), names_from("bounds")("exact,j")
    (['wilson'], ['exact,jeffreys'])
    """
    return _offering(lambda: entries(index))


def measures_of(*rooms: str) -> Offer:
    """Return what offers the measures of some rooms, as they are usually written; nothing is loaded.

    >>> measures_of("of_answers")("accuracy,macro")
    ['accuracy,macro-precision', 'accuracy,macro-recall', 'accuracy,macro-f1']
    """
    return _offering(lambda: _written_measures(rooms))


def _written_measures(rooms: tuple[str, ...]) -> list[str]:
    names = [WRITTEN.get(name, name) for name in listed(*rooms).split(", ")]
    macros = [f"macro-{name}" for name in MEANS if name in names]
    return names + macros


def _offering(names: Callable[[], list[str]]) -> Offer:
    """Return what offers names that go on as the last part of a text begins, each behind what stands before it."""

    def offer(incomplete: str) -> list[str]:
        end = max(incomplete.rfind(","), incomplete.rfind("=")) + 1
        before, begun = incomplete[:end], incomplete[end:]
        return [before + name for name in names() if name.startswith(begun)]

    return offer


def offering_names(name: str, command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose options offer what their help lists, from an index or in words."""
    infos = _infos(command)
    for info in infos:
        if info.autocompletion is None:
            info.autocompletion = _offer_of(info.help or "")
    words = second_words(name)
    arguments = [info for info in infos if isinstance(info, ArgumentInfo)]
    if words and arguments:
        arguments[0].autocompletion = _offering_first(words)
    return command


def _offer_of(text: str) -> Offer | None:
    """Return what offers the words that a help text lists.

    >>> _offer_of("The sides of the interval: both, lower or upper.")("l")
    ['lower']
    """
    if index := ANY_INDEX.search(text):
        return names_from(index[1])
    if listed_words := ANY_WORDS.search(text):
        words = re.split(", | or ", listed_words[1])
        return _offering(lambda: words)
    return None


def second_words(name: str) -> list[str]:
    """Return the words that may follow a command's name as a part of it.

    >>> second_words("graph")
    ['merge', 'find']
    """
    beginning = f"{name}-"
    return [one.removeprefix(beginning) for one in COMMANDS.built_in if one.startswith(beginning)]


def _offering_first(words: list[str]) -> Callable[..., list[str]]:
    """Return what offers a second word once it is begun; before that the shell offers files."""

    def offer(ctx: typer.Context, incomplete: str) -> list[str]:
        given = ctx.params.values()
        is_first = not any(isinstance(value, list | tuple) and value for value in given)
        if not incomplete or not is_first:
            return []
        return [word for word in words if word.startswith(incomplete)]

    return offer


def _infos(command: Callable[..., None]) -> list[Any]:
    """Return what Typer is told of each parameter."""
    infos: list[Any] = []
    for parameter in signature(command).parameters.values():
        notes = getattr(parameter.annotation, "__metadata__", ())
        infos += [note for note in notes if isinstance(note, ArgumentInfo | OptionInfo)]
    return infos
