"""The same pages as several engines read them: folders of .txt, single files, or columns of a table."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat, zip_longest
from pathlib import Path

from karat.errors import InputError, OptionError
from karat.source.faults import Faults
from karat.source.files.correct import rows
from karat.source.lines import lines, whole
from karat.source.origin import files, shown
from karat.source.truth_and_systems import TRUTH, Parts, check_same, parted, some
from karat.words import counted, listing

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson")
NAMES = ("page", "item", "id", "item_id", "doc_id", "utterance")
TRUTHS = ("truth", "gold", "ground_truth", "reference", "truth_text", "target")


@dataclass(frozen=True, slots=True)
class Texts:
    """One page: its true text, if there is one, and each system's, None where it has no such page."""

    name: str
    truth: str | None
    answers: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """All pages, read one at a time."""

    origin: str
    systems: tuple[str, ...]
    truth: str | None
    """The name of the truth's column."""
    pages: Iterator[Texts]


def book(
    paths: Sequence[str],
    faults: Faults,
    *,
    page: str,
    truth: str | None,
    systems: Sequence[str] | None,
    taken: Sequence[str],
) -> Book:
    """Return the pages behind TRUTH SYSTEM..., or behind a table with a column of texts for each."""
    if page not in {"file", "line"}:
        raise OptionError(
            f"--using page is {page!r}; it takes file, or line where each line is a text of its own"
        )
    if all(_is_table(path) for path in paths):
        if page == "line":
            raise OptionError(
                "--using page=line is for files whose lines are texts; in a table a row is a text"
            )
        return _table(files(paths), faults, truth, systems)
    if page == "file":
        _check_folders(paths)
    parts = parted(paths, taken=taken)
    if len(paths) > 1 and systems is not None:
        parts = Parts(parts.truth, {name: parts.systems[name] for name in _chosen(systems, parts)})
    pages = _lines(parts, faults) if page == "line" else _files(parts, faults)
    return Book(parts.origin, tuple(parts.systems), TRUTH if parts.truth else None, pages)


def _chosen(systems: Sequence[str], parts: Parts) -> Sequence[str]:
    if unknown := [name for name in systems if name not in parts.systems]:
        raise InputError(f"no system is called {unknown[0]!r}; there are {listing(parts.systems)}")
    return systems


def _check_folders(paths: Sequence[str]) -> None:
    """Refuse the pages of several folders one by one, as a shell writes truth/*.txt swift/*.txt."""
    inside = Counter(Path(path).parent for path in paths if Path(path).is_file())
    if len(inside) > 1 and min(inside.values()) > 1:
        folders = " ".join(map(str, inside))
        raise InputError(
            f"{paths[0]} and {paths[1]} are pages of one folder; name the folders instead: {folders}"
        )


def _is_table(path: str) -> bool:
    return path.lower().removesuffix(".gz").endswith(TABLES)


def _files(parts: Parts, faults: Faults) -> Iterator[Texts]:
    """Yield the pages of folders; single files are one page."""
    places = {name: _inside(path) for name, path in parts.systems.items()}
    whose = parts.truth
    if not whose and all(len(found) == 1 for found in places.values()):
        name = next(iter(next(iter(places.values()))))
        places = {
            system: dict.fromkeys([name], *found.values()) for system, found in places.items()
        }
    inside = (
        _inside(whose) if whose else {name: None for found in places.values() for name in found}
    )
    for name, own in places.items():
        if len(own) == len(inside) == 1:
            places[name] = dict(zip(inside, own.values(), strict=True))  # files called as they like
            continue
        found = places[name] = _without_ending(own, inside)
        lacks, beside = check_same(list(inside), list(found))
        if lacks:
            what = f"{counted(len(lacks), 'page')} missing, {some(lacks)}"
            what += f" (it has {some(beside)})" if len(lacks) == len(inside) else ""
            faults.add(str(parts.systems[name]), what, remedy=ABSENT)
        if beside:
            faults.add(
                str(parts.systems[name]),
                f"{counted(len(beside), 'page')} without truth, {some(beside)}",
            )
    for name in sorted(inside):
        path = inside[name]
        texts = [found.get(name) for found in places.values()]
        truth = whole(path, faults) if path else None
        if truth is not None or not whose:
            yield Texts(name, truth, tuple(whole(one, faults) if one else None for one in texts))


def _without_ending(found: dict[str, Path], wanted: Collection[str]) -> dict[str, Path]:
    """Return pages by name, without an ending that all of them have beside .txt if so they are the wanted ones."""
    endings = {Path(name).suffix for name in found}
    cut = {name.removesuffix(min(endings)): path for name, path in found.items()}
    return (
        cut
        if len(endings) == 1 and wanted and set(wanted) <= set(cut) and not set(wanted) & set(found)
        else found
    )


ABSENT = "put them there, or count them as not read with --lenient"


def _inside(path: Path) -> dict[str, Path]:
    """Return the pages of a folder by name: their paths inside it without the ending."""
    if not path.is_dir():
        return {path.name: path}
    found = {one.relative_to(path).as_posix(): one for one in sorted(path.rglob("*.[tT][xX][tT]"))}
    if not found:
        raise InputError(f"{path} holds no .txt; a folder of pages has one for each")
    pages: dict[str, Path] = {}
    for file, one in found.items():
        name = file[: -len(".txt")].removesuffix(".gt")
        if name in pages:
            raise InputError(
                f"{path}: {pages[name].name} and {one.name} are one page, {name!r}; keep them in two folders"
            )
        pages[name] = one
    return pages


def _lines(parts: Parts, faults: Faults) -> Iterator[Texts]:
    """Yield the lines of files that have the same lines."""
    paths = parts.paths
    for path in paths:
        if path.is_dir():
            raise InputError(
                f"{path} is a folder; --using page=line is for files whose lines are texts"
            )
    for number, row in enumerate(
        zip_longest(*(_every_line(path, faults) for path in paths), fillvalue=ENDED), 1
    ):
        if ENDED in row:
            ended = paths[row.index(ENDED)]
            faults.add(
                str(ended), f"it ends before line {number:,}, which other files have", remedy=ABSENT
            )
        if parts.truth and row[0] is ENDED:
            return
        truth, *answers = [None if text is ENDED else text for text in row]
        if not parts.truth:
            yield Texts(str(number), None, (truth, *answers))
        elif truth is not None:
            yield Texts(str(number), truth, tuple(answers))


ENDED = "\n"
"""In place of the lines that a file has no more; no line is so."""


def _every_line(path: Path, faults: Faults) -> Iterator[str | None]:
    """Yield each line, None for one that cannot be read: the next one keeps its number."""
    yielded = 0
    for number, text in lines(path, faults):
        yield from repeat(None, number - yielded - 1)
        yield text
        yielded = number


def _table(
    paths: tuple[str, ...], faults: Faults, truth: str | None, systems: Sequence[str] | None
) -> Book:
    """Return the rows of a table whose cells are texts."""
    (_, first), *_ = [*_first(paths, faults)] or [("", {})]
    if not first:
        raise InputError(f"{shown(paths)} has a header but no rows; karat needs at least one page")
    name = next((column for column in first if column.lower() in NAMES), None)
    gold = truth or next((column for column in first if column.lower() in TRUTHS), None)
    rest = (
        [column for column in first if column not in {name, gold}]
        if systems is None
        else list(systems)
    )
    if lacking := [column for column in (*rest, *([gold] if gold else [])) if column not in first]:
        raise InputError(f"{shown(paths)} has no column {lacking[0]!r}; it has {listing(first)}")
    if not rest:
        raise InputError(
            f"{shown(paths)} has no column of a system's texts; it has {listing(first)}"
        )
    return Book(
        shown(paths),
        tuple(rest),
        gold,
        _cells(paths, faults, name, gold, rest, first if systems is None else None),
    )


def _first(paths: Sequence[str], faults: Faults) -> Iterator[tuple[str, Mapping[str, object]]]:
    for found in rows(paths[0], faults):
        yield found
        return


def _cells(
    paths: Sequence[str],
    faults: Faults,
    name: str | None,
    truth: str | None,
    systems: Sequence[str],
    known: Mapping[str, object] | None,
) -> Iterator[Texts]:
    """Yield the pages of tables; what stands beside the known columns is a fault."""
    for path in paths:
        for number, (place, row) in enumerate(rows(path, faults), 1):
            if known is not None and (new := [column for column in row if column not in known]):
                faults.add(
                    place, f"{new[0]!r} is not in the first row, whose columns count", remedy=CHOSEN
                )
            cells = [_cell(row.get(column), column, place, faults) for column in systems]
            gold = _cell(row.get(truth), truth, place, faults) if truth else None
            if truth and not gold:
                faults.add(place, f"the truth in {truth!r} is empty")
                continue
            yield Texts(str(row.get(name, number)) if name else str(number), gold, tuple(cells))


CHOSEN = "put it there, null if there is none, or name the columns that count with --systems"


def _cell(value: object, column: str, place: str, faults: Faults) -> str | None:
    if isinstance(value, list | dict):
        faults.add(place, f"{column!r} holds a {type(value).__name__}, no text")
        return None
    return None if value is None else str(value)
