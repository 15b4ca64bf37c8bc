"""Lines of .lg files that can be read but are probably wrong: cut ends, negative weights, two relations of a pair."""

from collections.abc import Iterator

from karat.graphs.formats.label_graph import Fault, lines
from karat.graphs.model.formula import LONG
from karat.graphs.model.structure import MERGE, NONE

LABELS = {"N": 2, "E": 3, "O": 2, "R": 3, "EO": 3}
WEIGHTS = {"N": 3, "E": 4, "O": 3, "R": 4, "EO": 4}
"""Which field of a line of each kind is its label, and which its weight."""
RELATIONS = {"E", "R", "EO"}
Line = tuple[int, list[str]]


def suspicious_lines(file: str, text: str) -> Iterator[Fault]:
    """Give the lines of a file that can be read but are probably wrong."""
    found = [(number, fields) for number, fields in lines(text) if fields[0] in LABELS]
    yield from _cut(file, text, found)
    yield from _negative(file, found)
    yield from _two_relations(file, found)


def _cut(file: str, text: str, found: list[Line]) -> Iterator[Fault]:
    """Give the last line, if it looks cut: no newline ends it, and it lacks its weight or the end of its label."""
    if not found or text.endswith(("\n", "\r")):
        return
    number, fields = found[-1]
    same_kind = [other for _, other in found[:-1] if other[0] == fields[0]]
    if _lacks_weight(fields, same_kind) or _is_beginning(fields, same_kind):
        what = f"the file ends in the middle of this line: {', '.join(fields)}; it seems to be cut"
        yield Fault(file, number, "cut file", what)


def _lacks_weight(fields: list[str], same_kind: list[list[str]]) -> bool:
    """Return whether a line has no weight, where others of its kind have one."""
    place = WEIGHTS[fields[0]]
    return len(fields) <= place and any(len(other) > place for other in same_kind)


def _is_beginning(fields: list[str], same_kind: list[list[str]]) -> bool:
    """Return whether the label of a line is not a known label, but the beginning of one."""
    place = LABELS[fields[0]]
    label = fields[place] if len(fields) > place else ""
    known = {other[place] for other in same_kind if len(other) > place}
    if fields[0] in RELATIONS:
        known |= {*LONG, *LONG.values()}
    return label not in known and any(name.startswith(label) for name in known)


def _negative(file: str, found: list[Line]) -> Iterator[Fault]:
    """Give the lines whose weight is below 0."""
    for number, fields in found:
        place = WEIGHTS[fields[0]]
        if len(fields) > place and fields[place].startswith("-"):
            what = f"the weight {fields[place]} is below 0; weights are confidences, 0 or more"
            yield Fault(file, number, "negative weight", what)


def _two_relations(file: str, found: list[Line]) -> Iterator[Fault]:
    """Give the relations of a pair that already has another one; labels with confidences are alternatives."""
    first_line: dict[tuple[str, str, str], list[str]] = {}
    # An edge with the class of a primitive is a merge, in the form that LgEval writes.
    no_relations = {MERGE, NONE}
    no_relations |= {fields[2] for _, fields in found if fields[0] == "N" and len(fields) > 2}
    for number, fields in found:
        if fields[0] not in RELATIONS or len(fields) < 4:
            continue
        kind, parent, child, label = fields[:4]
        if label in no_relations:
            continue
        # R and EO are two spellings of a relation between objects.
        between = "primitives" if kind == "E" else "objects"
        first = first_line.setdefault((between, parent, child), fields)
        first_label = first[3]
        if label != first_label and _is_sure(fields) and _is_sure(first):
            what = f"{parent} to {child} is {label}, and already {first_label}; a pair has one relation"
            yield Fault(file, number, "two relations", what)


def _is_sure(fields: list[str]) -> bool:
    """Return whether a relation has no confidence, or a confidence of 1."""
    if len(fields) < 5:
        return True
    try:
        return float(fields[4]) == 1.0
    except ValueError:
        return False
