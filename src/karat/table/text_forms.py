"""Values of options written as text: names with commas, columns of a long table, kinds by system."""

from collections.abc import Iterable

from karat.errors import OptionError


def names(text: str) -> tuple[str, ...]:
    """Return names that are written with commas between.

    >>> names("svm, knn,")
    ('svm', 'knn')
    """
    parts = [part.strip() for part in text.split(",")]
    return tuple(part for part in parts if part)


def long_columns(text: str) -> tuple[str, str, str]:
    """Return the columns of item, system and answer, written ITEM,SYSTEM,ANSWER."""
    columns = [part.strip() for part in text.split(",")]
    if len(columns) != 3:
        raise OptionError(f"--long is {text!r}; it names three columns, as ITEM,SYSTEM,ANSWER")
    return columns[0], columns[1], columns[2]


def kinds_by_system(texts: Iterable[str]) -> dict[str, str]:
    """Return the kind of each system's answers, written [SYSTEM=]KIND; the key "" stands for all systems.

    >>> kinds_by_system(["label", "svm=score"])
    {'': 'label', 'svm': 'score'}
    """
    kinds = {}
    for text in texts:
        system, _, kind = text.rpartition("=")
        kinds[system] = kind
    return kinds


def source_options(texts: Iterable[str]) -> dict[str, str]:
    """Return a format's own options, written OPTION=VALUE.

    >>> source_options(["truth-column=gold"])
    {'truth_column': 'gold'}
    """
    options = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(
                f"--using is {text!r}; write OPTION=VALUE, with an option that karat sources lists"
            )
        options[name.strip().replace("-", "_")] = value
    return options
