"""What Spark's workers do beside its queries: they call a function for each of some things."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, chdir, nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from karat.errors import InputError, KaratError

TASKS = 16
"""How many things each core of the cluster gets before results are taken home."""
ON_WORKERS = "Spark's workers"


def parts(things: Iterable[Any], cores: int) -> Iterator[list[Any]]:
    """Yield as many things at a time as the workers get in one go."""
    waiting = iter(things)
    while part := list(islice(waiting, TASKS * cores)):
        yield part


def on_workers(context: Any, function: Callable[[Any], Any], things: Sequence[Any]) -> list[Any]:
    """Return what comes of each thing, or what is wrong with it: raised there, it would be one of Spark's errors."""
    tasks = context.parallelize(things, len(things))
    outcomes: list[Any] = tasks.map(partial(_outcome, function, str(Path.cwd()))).collect()
    return outcomes


def _outcome(function: Callable[[Any], Any], folder: str, thing: Any) -> Any:
    """Call the function; names of files may be relative to the folder that karat was started in."""
    try:
        with _inside(folder):
            return function(thing)
    except KaratError as error:
        return error
    except FileNotFoundError as error:
        return InputError(
            f"{error.filename}: {ON_WORKERS} do not find it; they must see files under the same path, "
            "as on a shared file system"
        )


def _inside(folder: str) -> AbstractContextManager[None]:
    """Return what enters a folder for a while, if it is there: where all names are absolute, it need not be."""
    return chdir(folder) if Path(folder).is_dir() else nullcontext()
