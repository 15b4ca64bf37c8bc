"""Small parts of a graph, and what an output has in their place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

from karat.graphs.compare.rules import Prepared
from karat.graphs.model.labelling import Labelling, Labels
from karat.graphs.model.layout import layout
from karat.graphs.model.segments import Group, Segments, segments

NOTHING = "∅"
"""What stands where primitives are absent, and where the truth has no object."""
Edges = Mapping[tuple[int, int], str]


class Shape(NamedTuple):
    """Some objects and relations in an order that depends on nothing but themselves."""

    labels: tuple[str, ...]
    edges: tuple[tuple[int, int, str], ...] = ()

    def words(self) -> str:
        """Return the shape on one line, chain by chain; related objects of the same class are numbered."""
        chains = self._chains()
        order = dict.fromkeys(
            (*(place for chain in chains for place in chain), *range(len(self.labels)))
        )
        names = self._names(order)
        marks = {(a, b): label for a, b, label in self.edges}
        said = [
            names[chain[0]]
            + "".join(f" {marks[ends]}→ {names[ends[1]]}" for ends in pairwise(chain))
            for chain in chains
        ]
        held = {place for chain in chains for place in chain}
        return ", ".join([*said, *(names[place] for place in order if place not in held)])

    def _chains(self) -> list[list[int]]:
        """Return the relations as chains, each once."""
        rest = [(a, b) for a, b, _ in self.edges]
        found = []
        while rest:
            first = next((ends for ends in rest if all(ends[0] != b for _, b in rest)), rest[0])
            chain, link = [first[0]], first
            while link in rest:
                rest.remove(link)
                chain.append(link[1])
                link = next((ends for ends in rest if ends[0] == chain[-1]), link)
            found.append(chain)
        return found

    def _names(self, order: Iterable[int]) -> dict[int, str]:
        number: Counter[str] = Counter()
        found = {}
        for place in order:
            label = self.labels[place]
            number[label] += 1
            twice = self.edges and self.labels.count(label) > 1
            found[place] = f"{label}#{number[label]}" if twice else label
        return found


def confused(output: Prepared, truth: Prepared, size: int) -> Iterator[tuple[Shape, Shape]]:
    """Give every connected part of the truth with so many objects that is wrong, and what the output has instead.

    Instead is what the output says of the same primitives: more objects where it splits, `…` after the class of an
    object that holds others as well, and nothing where primitives are absent.
    """
    ours, theirs = output.segments, truth.segments
    for part in parts(theirs, size):
        if _wrong(ours, theirs, part):
            yield _shape(theirs, part), _instead(output, part)
    if size == 1:
        for group, labels in ours.objects.items():
            if not group & truth.labels.nodes.keys():
                yield Shape((NOTHING,)), Shape((_said(labels),))


def parts(found: Segments, size: int) -> list[tuple[Group, ...]]:
    """Return the sets of so many objects that relations hold together, inherited ones left out, each once."""
    near = _neighbours(found)
    place = {group: number for number, group in enumerate(found.objects)}
    grown = {frozenset((group,)) for group in found.objects}
    for _ in range(size - 1):
        grown = {
            some | {far}
            for some in grown
            for one in some
            for far in near.get(one, ())
            if far not in some
        }
    return sorted(
        (tuple(sorted(some, key=place.__getitem__)) for some in grown),
        key=lambda some: [place[one] for one in some],
    )


def _neighbours(found: Segments) -> dict[Group, list[Group]]:
    tree = layout(found)
    links = [*found.relations]
    if tree is not None:
        links = [
            (parent, child)
            for parent, below in tree.children.items()
            if parent is not None
            for child in below
        ]
    near: dict[Group, list[Group]] = {}
    for a, b in links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return near


def _wrong(ours: Segments, theirs: Segments, part: Sequence[Group]) -> bool:
    if any(ours.objects.get(group) != theirs.objects[group] for group in part):
        return True
    return any(
        ours.relations.get(ends) != theirs.relations.get(ends) for ends in permutations(part, 2)
    )


def _shape(found: Segments, part: Sequence[Group]) -> Shape:
    edges = {
        (a, b): _said(found.relations[part[a], part[b]])
        for a, b in permutations(range(len(part)), 2)
        if (part[a], part[b]) in found.relations
    }
    return canonical([_said(found.objects[group]) for group in part], edges)


def _instead(output: Prepared, part: Sequence[Group]) -> Shape:
    """Return what an output says of the primitives of a part."""
    inside = frozenset().union(*part)
    there = {name: labels for name, labels in output.labels.nodes.items() if name in inside}
    pairs = {
        pair: labels
        for pair, labels in output.labels.edges.items()
        if pair[0] in there and pair[1] in there
    }
    found = segments(Labelling(there, pairs))
    whole = output.segments.objects
    groups = list(found.objects)
    labels = [_said(found.objects[group]) + ("" if group in whole else "…") for group in groups]
    labels += [NOTHING for group in part if not group <= there.keys()]
    place = {group: number for number, group in enumerate(groups)}
    return canonical(
        labels, {(place[a], place[b]): _said(marks) for (a, b), marks in found.relations.items()}
    )


def _said(labels: Labels) -> str:
    return "|".join(sorted(labels)) or "?"


def canonical(labels: Sequence[str], edges: Edges) -> Shape:
    """Return the same shape for the same objects and relations, in whatever order they come.

    Objects are told apart by their class and their neighbours' as far as that goes; what is still alike is tried in
    every order, and the smallest shape is taken.

    >>> canonical(["x", "2"], {(0, 1): "Sup"}) == canonical(["2", "x"], {(1, 0): "Sup"})
    True
    """
    ranks = {label: rank for rank, label in enumerate(sorted(set(labels)))}
    return min(_orders(labels, edges, _refined([ranks[label] for label in labels], edges)))


def _refined(colours: list[int], edges: Edges) -> list[int]:
    """Return finer colours: those of objects with other neighbours differ."""
    while True:
        keys = [
            (
                colours[place],
                sorted((label, colours[b]) for (a, b), label in edges.items() if a == place),
                sorted((label, colours[a]) for (a, b), label in edges.items() if b == place),
            )
            for place in range(len(colours))
        ]
        ordered = sorted({repr(key): key for key in keys}.values())
        finer = [ordered.index(key) for key in keys]
        if len(set(finer)) == len(set(colours)):
            return finer
        colours = finer


def _orders(labels: Sequence[str], edges: Edges, colours: list[int]) -> Iterator[Shape]:
    tied = next((each for each in sorted(set(colours)) if colours.count(each) > 1), None)
    if tied is None:
        place = {
            one: number
            for number, one in enumerate(sorted(range(len(labels)), key=colours.__getitem__))
        }
        named = tuple(labels[one] for one in place)
        yield Shape(
            named, tuple(sorted((place[a], place[b], label) for (a, b), label in edges.items()))
        )
        return
    members = [place for place, colour in enumerate(colours) if colour == tied]
    alike = all(_exchangeable(a, b, edges) for a, b in pairwise(members))
    for one in members[:1] if alike else members:
        split = [2 * colour + (place != one) for place, colour in enumerate(colours)]
        yield from _orders(labels, edges, _refined(split, edges))


def _exchangeable(a: int, b: int, edges: Edges) -> bool:
    """Return whether two objects of one class can change places and nothing is seen of it."""
    other = {a: b, b: a}
    return all(
        edges.get((other.get(x, x), other.get(y, y))) == label for (x, y), label in edges.items()
    )
