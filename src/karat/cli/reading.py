"""From the command line's words to a bench."""

from karat.cli.options import ReadingOptions
from karat.cli.printing import tell
from karat.cli.progress import watch
from karat.errors import OptionError
from karat.flow import Bench, read


def bench(tables: list[str], options: ReadingOptions, *, second_truth: str | None = None) -> Bench:
    """Read the tables."""
    return read(
        tables,
        truth=options.truth,
        scores=options.scores,
        format=options.format,
        using=_using(options.using or []),
        engine=options.engine,
        master=options.master,
        lenient=options.lenient,
        watch=watch,
        systems=_names(options.systems),
        item=options.item,
        group=options.group,
        cluster=options.cluster,
        weight=options.weight,
        count=options.count,
        run=options.run,
        error=options.error,
        second_truth=second_truth,
        long=_three(options.long),
        repeats=options.repeats,
        positive=options.positive,
        kinds=_kinds(options.kind or []),
        missing=options.missing,
        nothing=options.nothing,
        truth_sep=options.truth_sep,
        no_truth=tuple(options.no_truth or ()),
        duplicate_check=options.duplicate_check,
    )


def told(found: Bench) -> Bench:
    """Say on standard error what was inferred."""
    for note in found.facts.notes:
        tell(note)
    return found


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def _three(text: str | None) -> tuple[str, str, str] | None:
    if text is None:
        return None
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 3:
        raise OptionError(f"--long is {text!r}; it names three columns, as ITEM,SYSTEM,ANSWER")
    return names


def _using(texts: list[str]) -> dict[str, str]:
    for text in texts:
        if "=" not in text:
            raise OptionError(f"--using is {text!r}; write OPTION=VALUE, with an option that karat sources lists")
    return {name.strip().replace("-", "_"): value for name, _, value in (text.partition("=") for text in texts)}


def _kinds(texts: list[str]) -> dict[str, str]:
    return {name: kind for text in texts for name, _, kind in [text.rpartition("=")]}
