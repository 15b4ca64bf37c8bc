"""The same pages as several recognisers read them: folders of .txt, single files, or columns of a table."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, repeat, zip_longest
from pathlib import Path

from karat.errors import InputError, OptionError
from karat.source.faults import Faults
from karat.source.lines import lines
from karat.source.origin import files, shown
from karat.source.paths import composed, is_a_file, is_folder
from karat.source.text.table_of_texts import is_table, table_of_texts
from karat.source.text.texts import PageFiles, TextPages, Texts
from karat.source.truth_and_systems import TRUTH, Parts, check_same, some, truth_and_systems
from karat.words import counted, listing

Pages = dict[str, Path]
"""The files of a folder by the names of their pages."""


def text_pages(
    paths: Sequence[str],
    faults: Faults,
    *,
    page: str,
    truth: str | None,
    systems: Sequence[str] | None,
    taken: Sequence[str],
    asked: Collection[str],
    keeps_empty_truth: bool,
) -> TextPages:
    """Return the pages behind TRUTH SYSTEM..., or behind a table with a column of texts for each."""
    if page not in {"file", "line"}:
        raise OptionError(
            f"--using page is {page!r}; it takes file, or line where each line is a text of its own"
        )
    if all(is_table(path) for path in paths):
        if page == "line":
            raise OptionError(
                "--using page=line is for files whose lines are texts; in a table a row is a text"
            )
        names = files(paths)
        return table_of_texts(
            names,
            faults,
            origin=shown(names),
            truth=truth,
            systems=systems,
            asked=asked,
            keeps_empty_truth=keeps_empty_truth,
        )
    if page == "file":
        _check_folders(paths)
    parts = truth_and_systems(paths, taken=taken)
    if len(paths) > 1 and systems is not None:
        parts = Parts(parts.truth, {name: parts.systems[name] for name in _chosen(systems, parts)})
    pages: Iterator[Texts] | Iterator[PageFiles] = _files(parts, faults)
    if page == "line":
        pages = _lines(parts, faults)
    return TextPages(parts.origin, tuple(parts.systems), TRUTH if parts.truth else None, pages)


def _chosen(systems: Sequence[str], parts: Parts) -> Sequence[str]:
    if unknown := [name for name in systems if name not in parts.systems]:
        raise InputError(f"no system is called {unknown[0]!r}; there are {listing(parts.systems)}")
    return systems


def _check_folders(paths: Sequence[str]) -> None:
    """Refuse the pages of several folders one by one, as a shell writes truth/*.txt swift/*.txt."""
    inside = Counter(Path(path).parent for path in paths if is_a_file(path))
    if len(inside) > 1 and min(inside.values()) > 1:
        folders = " ".join(map(str, inside))
        raise InputError(
            f"{paths[0]} and {paths[1]} are pages of one folder; name the folders instead: {folders}"
        )


def _files(parts: Parts, faults: Faults) -> Iterator[PageFiles]:
    """Yield the pages of folders; single files are one page."""
    pages_of = {system: _inside(path) for system, path in parts.systems.items()}
    if parts.truth:
        truth_pages = _inside(parts.truth)
        names = list(truth_pages)
    else:
        truth_pages = {}
        pages_of = _single_files_as_one_page(pages_of)
        names = list(dict.fromkeys(chain.from_iterable(pages_of.values())))
    matched = []
    for system, pages in pages_of.items():
        matched.append(_matched(pages, names, parts.systems[system], faults, parts.truth))
    for name in sorted(names):
        answers = [pages.get(name) for pages in matched]
        yield PageFiles(name, truth_pages.get(name), tuple(answers))


def _single_files_as_one_page(pages_of: Mapping[str, Pages]) -> dict[str, Pages]:
    """Return one page under one name if every system has a single file, whatever it is called."""
    if any(len(pages) > 1 for pages in pages_of.values()):
        return dict(pages_of)
    first_system = next(iter(pages_of.values()))
    (name,) = first_system
    one_page = {}
    for system, pages in pages_of.items():
        (path,) = pages.values()
        one_page[system] = {name: path}
    return one_page


def _matched(
    pages: Pages, names: Sequence[str], folder: Path, faults: Faults, truth: Path | None
) -> Pages:
    """Return a system's pages by the names that are expected; what is missing or has no truth is a fault."""
    if len(pages) == len(names) == 1:
        return dict(zip(names, pages.values(), strict=True))  # the files may be called as they like
    pages = _without_common_ending(pages, names)
    missing, extra = check_same(names, list(pages))
    if missing:
        what = f"{counted(len(missing), 'page')} missing, {some(missing)}"
        if len(missing) == len(names):
            what += f" (it has {some(extra)})"
        faults.add(str(folder), what, remedy=_folders_inside(pages, names, folder, truth) or ABSENT)
    if extra:
        faults.add(str(folder), f"{counted(len(extra), 'page')} without truth, {some(extra)}")
    return pages


def _folders_inside(
    pages: Pages, names: Collection[str], folder: Path, truth: Path | None
) -> str | None:
    """Return what to write where the pages are one folder further down: a folder of systems' folders was named."""
    wanted = set(names)
    found: dict[str, None] = {}
    for page in pages:
        inside, _, name = page.partition("/")
        if name in wanted and folder / inside != truth:
            found[inside] = None
    if not found:
        return None
    named = " ".join(str(folder / inside) for inside in found)
    return f"it holds folders with such pages: name those of the systems, as in {named}"


def _without_common_ending(pages: Pages, names: Collection[str]) -> Pages:
    """Return pages without an ending that all have beside .txt, if only so they are the expected ones."""
    endings = {Path(name).suffix for name in pages}
    wanted = set(names)
    if len(endings) > 1 or not wanted or wanted & set(pages):
        return pages
    (ending,) = endings
    shortened = {name.removesuffix(ending): path for name, path in pages.items()}
    return shortened if wanted <= set(shortened) else pages


ABSENT = "add them, or count them as not read with --lenient"


def _inside(path: Path) -> Pages:
    """Return the pages of a folder by name: their paths inside it without the ending."""
    if not is_folder(path):
        return {path.name: path}
    pages: Pages = {}
    for file in sorted(path.rglob("*.[tT][xX][tT]")):
        inside = composed(file.relative_to(path).as_posix())
        name = inside[: -len(".txt")].removesuffix(".gt")
        if name in pages:
            raise InputError(
                f"{path}: {pages[name].name} and {file.name} are one page, {name!r}; keep them in two folders"
            )
        pages[name] = file
    if not pages:
        raise InputError(f"{path} holds no .txt; a folder of pages has one for each")
    return pages


def _lines(parts: Parts, faults: Faults) -> Iterator[Texts]:
    """Yield the lines of files that have the same lines."""
    paths = parts.paths
    for path in paths:
        if is_folder(path):
            raise InputError(
                f"{path} is a folder; --using page=line is for files whose lines are texts"
            )
    line_by_line = zip_longest(*(_every_line(path, faults) for path in paths), fillvalue=ENDED)
    for number, row in enumerate(line_by_line, 1):
        if ENDED in row:
            shorter = paths[row.index(ENDED)]
            what = f"it ends before line {number:,}, which other files have"
            faults.add(str(shorter), what, remedy=ABSENT)
        if parts.truth and row[0] is ENDED:
            return
        texts = [None if text is ENDED else text for text in row]
        if not parts.truth:
            yield Texts(str(number), None, tuple(texts))
        elif texts[0] is not None:
            yield Texts(str(number), texts[0], tuple(texts[1:]))


ENDED = "\n"
"""Stands for the lines after the end of a shorter file; no line looks like it."""


def _every_line(path: Path, faults: Faults) -> Iterator[str | None]:
    """Yield each line, None for one that cannot be read: the next one keeps its number."""
    yielded = 0
    for number, text in lines(path, faults):
        yield from repeat(None, number - yielded - 1)
        yield text
        yielded = number
