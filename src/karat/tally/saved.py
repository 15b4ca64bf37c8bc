"""Tallies as small files: written whole or not at all, versioned, checked, and added where they fit together."""

import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np

from karat.errors import TallyError
from karat.table.labels import Labels
from karat.tally.votes.patterns import Patterns, check_alike

FORMAT = 1
STAMP = (1980, 1, 1, 0, 0, 0)
"""The date of every part, so that equal tallies are equal files."""


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
        raise TallyError(f"{path} does not fit {first}: {error}") from None


def _load(path: Path) -> Saved:
    try:
        with zipfile.ZipFile(path) as archive:
            header = json.loads(archive.read("header.json"))
            if header["format"] != FORMAT:
                raise TallyError(
                    f"{path} is a tally of format {header['format']}; this karat reads {FORMAT}: count it anew"
                )
            arrays = [
                np.load(io.BytesIO(archive.read(f"{name}.npy")), allow_pickle=False)
                for name in ("truth", "answers", "number")
            ]
            patterns = _patterns(header, *arrays)
    except OSError as error:
        raise TallyError(f"{path} cannot be read: {error.strerror}") from None
    except (
        zipfile.BadZipFile,
        zlib.error,
        LookupError,
        ValueError,
        TypeError,
        RuntimeError,
        EOFError,
        # What a damaged header of an array makes NumPy raise: sizes that no machine has, text that is no dictionary.
        MemoryError,
        OverflowError,
        SyntaxError,
        TokenError,
    ) as error:
        raise TallyError(
            f"{path} is no tally, or it is damaged ({error}); count the table anew with karat tally"
        ) from None
    if patterns.digest() != header["digest"]:
        raise TallyError(
            f"{path} is damaged: its counts do not match its checksum; count the table anew with karat tally"
        )
    return Saved(patterns, header["kind"], header["unanswered"], header["options"])


def _patterns(header: Mapping[str, Any], truth: Any, answers: Any, number: Any) -> Patterns:
    meaning = dict(header["meaning"])
    pair = meaning.pop("pair")
    labels = Labels(pair=tuple(pair) if pair else None, **meaning)
    keys = {name: np.array(values, dtype=object) for name, values in header["keys"].items()}
    return Patterns(
        tuple(header["systems"]),
        tuple(header["labels"]),
        truth.astype(np.int64),
        answers,
        number,
        labels,
        keys,
    )
