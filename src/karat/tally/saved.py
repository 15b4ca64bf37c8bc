"""Tallies as small files: written whole or not at all, versioned, checked, and added where they fit together."""

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt

from karat.errors import TallyError
from karat.source.unpacking import DAMAGE, in_words, most_unpacked
from karat.table.labels import Labels
from karat.tally.votes.patterns import Patterns, check_alike

FORMAT = 1
STAMP = (1980, 1, 1, 0, 0, 0)
"""The date of every part, so that equal tallies are equal files."""
ARRAYS = ("truth", "answers", "number")
DAMAGED = (
    *DAMAGE,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
    # NumPy's exceptions for a damaged header of an array: sizes that no machine has, text that is not a dictionary.
    MemoryError,
    OverflowError,
    SyntaxError,
    TokenError,
    Warning,
    struct.error,
)
"""The exceptions that Python raises for a file that is not a tally."""


@dataclass(frozen=True, slots=True)
class Saved:
    """Patterns, and what their table was like."""

    patterns: Patterns
    kind: str
    unanswered: int | None
    options: Mapping[str, str]


def to_bytes(saved: Saved) -> bytes:
    """Return a tally as the bytes of its file: a header and plain arrays, nothing that could run."""
    patterns = saved.patterns
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "truth": patterns.truth.astype(np.int32),
        "answers": patterns.answers,
        "number": patterns.number,
    }
    keys = {name: [_plain(value) for value in column] for name, column in patterns.keys.items()}
    header = {
        "format": FORMAT,
        "kind": saved.kind,
        "unanswered": saved.unanswered,
        "options": dict(saved.options),
        "systems": patterns.systems,
        "labels": patterns.labels,
        "meaning": asdict(patterns.meaning),
        "keys": keys,
        "digest": patterns.digest(),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, "header.json", json.dumps(header, ensure_ascii=False).encode())
        for name, array in arrays.items():
            part = io.BytesIO()
            np.save(part, array, allow_pickle=False)
            _add(archive, f"{name}.npy", part.getvalue())
    return out.getvalue()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, STAMP), data, zipfile.ZIP_DEFLATED)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def load(paths: Sequence[str | Path]) -> Saved:
    """Return the sum of the tallies in several files."""
    first, *others = paths
    one = _load(Path(first))
    total = one.patterns
    unanswered = one.unanswered
    for path in others:
        other = _load(Path(path))
        _check_fits(first, one, path, other)
        total = total + other.patterns
        # What one table lacks another may have: of several tallies only none is known to be none.
        if unanswered != 0 or other.unanswered != 0:
            unanswered = None
    return Saved(total, one.kind, unanswered, one.options)


def _check_fits(first: str | Path, one: Saved, path: str | Path, other: Saved) -> None:
    """Refuse to add tallies that were counted in different ways."""
    if (one.kind, one.options) != (other.kind, other.options):
        raise TallyError(
            f"{path} does not fit {first}: it counts {other.kind} with {dict(other.options)}, the first "
            f"{one.kind} with {dict(one.options)}; count both with the same options"
        )
    try:
        check_alike(one.patterns, other.patterns)
    except TallyError as error:
        raise TallyError(f"{path} does not fit {first}: {error.message}") from None


def _load(path: Path) -> Saved:
    try:
        saved, digest = _read(path)
        is_whole = saved.patterns.digest() == digest
    except OSError as error:
        raise TallyError(f"{path} cannot be read: {error.strerror or error}") from None
    except DAMAGED as error:
        raise TallyError(
            f"{path} is not a tally, or it is damaged ({error}); count the table again with karat tally"
        ) from None
    if not is_whole:
        raise TallyError(
            f"{path} is damaged: its counts do not match its checksum; count the table again with karat tally"
        )
    return saved


def _read(path: Path) -> tuple[Saved, str]:
    """Return what a file holds, and what its digest should be."""
    with zipfile.ZipFile(path) as archive:
        _check_size(path, archive)
        header = json.loads(archive.read("header.json"))
        if header["format"] != FORMAT:
            raise TallyError(
                f"{path} is a tally of format {header['format']}; this karat reads {FORMAT}: count the table again"
            )
        patterns = _patterns(header, *(_array(archive, name) for name in ARRAYS))
    kind, unanswered, options = header["kind"], header["unanswered"], header["options"]
    _check(_are_texts([kind]), "its kind of answers is not text")
    _check(
        unanswered is None or type(unanswered) is int,
        "its number of missing answers is not a number",
    )
    _check(_are_texts([*options, *options.values()]), "its options are not texts")
    return Saved(patterns, kind, unanswered, options), header["digest"]


def _check_size(path: Path, archive: zipfile.ZipFile) -> None:
    """Refuse what unpacks to far more than a table of counts does; no more than the stated sizes is unpacked."""
    size = sum(part.file_size for part in archive.infolist())
    most = most_unpacked(path.stat().st_size)
    if size > most:
        raise TallyError(
            f"{path} unpacks to {in_words(size)}; from a file of its size karat unpacks at most {in_words(most)}: "
            "count the table again with karat tally"
        )


def _array(archive: zipfile.ZipFile, name: str) -> npt.NDArray[np.integer[Any]]:
    """Return an array of whole numbers."""
    data = io.BytesIO(archive.read(f"{name}.npy"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy's, of a header that karat did not write
        array: npt.NDArray[np.integer[Any]] = np.load(data, allow_pickle=False)
    _check(
        isinstance(array, np.ndarray) and array.dtype.kind in "iu",
        f"{name} is not an array of whole numbers",
    )
    return array


def _patterns(header: Mapping[str, Any], truth: Any, answers: Any, number: Any) -> Patterns:
    systems, names = tuple(header["systems"]), tuple(header["labels"])
    _check(_are_texts(systems) and _are_texts(names), "its systems or labels are not texts")
    _check(truth.ndim == 1 and number.shape == truth.shape, "its counts do not fit its truth")
    _check(answers.shape == (len(truth), len(systems)), "its answers do not fit its systems")
    for codes in (truth, answers):
        _check(
            not codes.size or (codes.min() >= -1 and codes.max() < len(names)),
            "a label has no name",
        )
    keys = {name: np.array(values, dtype=object) for name, values in header["keys"].items()}
    _check(all(key.shape == truth.shape for key in keys.values()), "its keys do not fit its counts")
    return Patterns(
        systems, names, truth.astype(np.int64), answers, number, _labels(header["meaning"]), keys
    )


def _labels(meaning: Mapping[str, Any]) -> Labels:
    fields = dict(meaning)
    pair = fields.pop("pair")
    whole = fields.pop("whole")
    _check(
        type(whole) is bool, "whether its labels are whole numbers is not given as true or false"
    )
    texts = [text for text in (*fields.values(), *(pair or ())) if text is not None]
    _check(_are_texts(texts) and len(pair or "ab") == 2, "what its labels mean is not text")
    return Labels(pair=tuple(pair) if pair else None, whole=whole, **fields)


def _are_texts(values: Iterable[Any]) -> bool:
    texts = list(values)
    if not all(isinstance(text, str) for text in texts):
        return False
    "".join(texts).encode()  # an error where there is half a character
    return True


def _check(is_so: Any, fault: str) -> None:
    if not is_so:
        raise ValueError(fault)
