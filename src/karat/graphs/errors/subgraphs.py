"""Small parts of a graph, and what an output has in their place."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

from karat.graphs.compare.comparison import PreparedGraph
from karat.graphs.model.labelling import Labelling, Labels
from karat.graphs.model.layout import layout
from karat.graphs.model.segments import Group, Segments, segments

NOTHING = "∅"
"""The labels where primitives are absent, and where the truth has no object."""
Edges = Mapping[tuple[int, int], str]


class Shape(NamedTuple):
    """Some objects and relations in an order that depends on nothing but themselves."""

    labels: tuple[str, ...]
    edges: tuple[tuple[int, int, str], ...] = ()

    def words(self) -> str:
        """Return the shape on one line, chain by chain; related objects of the same class are numbered."""
        chains = self._chains()
        order = dict.fromkeys(place for chain in chains for place in chain)
        alone = [place for place in range(len(self.labels)) if place not in order]
        names = self._names((*order, *alone))
        marks = {(a, b): label for a, b, label in self.edges}
        words = []
        for chain in chains:
            text = names[chain[0]]
            for a, b in pairwise(chain):
                text += f" {marks[a, b]}→ {names[b]}"
            words.append(text)
        words += (names[place] for place in alone)
        return ", ".join(words)

    def _chains(self) -> list[list[int]]:
        """Return the relations as chains, each relation once; a chain begins where no relation leads to."""
        rest = [(a, b) for a, b, _ in self.edges]
        chains = []
        while rest:
            children = {b for _, b in rest}
            link: tuple[int, int] | None = rest[0]
            for a, b in rest:
                if a not in children:
                    link = a, b
                    break
            chain = [link[0]] if link else []
            while link is not None:
                rest.remove(link)
                chain.append(link[1])
                link = next((each for each in rest if each[0] == chain[-1]), None)
            chains.append(chain)
        return chains

    def _names(self, order: Iterable[int]) -> dict[int, str]:
        """Return what objects are called: their class, with a number where there are relations and several of it."""
        number: Counter[str] = Counter()
        names = {}
        for place in order:
            label = self.labels[place]
            number[label] += 1
            numbered = self.edges and self.labels.count(label) > 1
            names[place] = f"{label}#{number[label]}" if numbered else label
        return names


def confused(
    output: PreparedGraph, truth: PreparedGraph, size: int
) -> Iterator[tuple[Shape, Shape]]:
    """Give every connected part of the truth with so many objects that is wrong, and what the output has instead.

    Instead is what the output says of the same primitives: more objects where it splits, `…` after the class of an
    object that holds others as well, and nothing where primitives are absent.
    """
    ours = output.segments
    theirs = truth.segments
    for part in parts(theirs, size):
        if _wrong(ours, theirs, part):
            yield _shape(theirs, part), _instead(output, part)
    if size == 1:
        for group, labels in ours.objects.items():
            if not group & truth.labels.nodes.keys():
                yield Shape((NOTHING,)), Shape((_label(labels),))


def parts(written: Segments, size: int) -> list[tuple[Group, ...]]:
    """Return the sets of so many objects that are connected by relations, inherited ones left out, each once."""
    near = _neighbours(written)
    grown = {frozenset((group,)) for group in written.objects}
    for _ in range(size - 1):
        larger = set()
        for some in grown:
            for one in some:
                for far in near.get(one, ()):
                    if far not in some:
                        larger.add(some | {far})
        grown = larger
    place = {group: number for number, group in enumerate(written.objects)}
    ordered = sorted(sorted(place[one] for one in some) for some in grown)
    groups = list(written.objects)
    return [tuple(groups[number] for number in some) for some in ordered]


def _neighbours(written: Segments) -> dict[Group, list[Group]]:
    """Return the objects that each is related to, without inherited relations where these can be known."""
    links = list(written.relations)
    tree = layout(written)
    if tree is not None:
        links = []
        for parent, children in tree.children.items():
            if parent is not None:
                links += ((parent, child) for child in children)
    near: dict[Group, list[Group]] = {}
    for a, b in links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    return near


def _wrong(ours: Segments, theirs: Segments, part: Sequence[Group]) -> bool:
    for group in part:
        if ours.objects.get(group) != theirs.objects[group]:
            return True
    return any(
        ours.relations.get(ends) != theirs.relations.get(ends) for ends in permutations(part, 2)
    )


def _shape(written: Segments, part: Sequence[Group]) -> Shape:
    edges = {}
    for a, b in permutations(range(len(part)), 2):
        labels = written.relations.get((part[a], part[b]))
        if labels is not None:
            edges[a, b] = _label(labels)
    return canonical([_label(written.objects[group]) for group in part], edges)


def _instead(output: PreparedGraph, part: Sequence[Group]) -> Shape:
    """Return the labels of an output for the primitives of a part."""
    inside = frozenset().union(*part)
    nodes = {name: labels for name, labels in output.labels.nodes.items() if name in inside}
    edges = {
        (a, b): labels
        for (a, b), labels in output.labels.edges.items()
        if a in nodes and b in nodes
    }
    written = segments(Labelling(nodes, edges))
    labels = []
    for group, classes in written.objects.items():
        whole = group in output.segments.objects
        labels.append(_label(classes) if whole else f"{_label(classes)}…")
    labels += (NOTHING for group in part if not group <= nodes.keys())
    place = {group: number for number, group in enumerate(written.objects)}
    marks = {}
    for (parent, child), classes in written.relations.items():
        marks[place[parent], place[child]] = _label(classes)
    return canonical(labels, marks)


def _label(labels: Labels) -> str:
    return "|".join(sorted(labels)) or "?"


def canonical(labels: Sequence[str], edges: Edges) -> Shape:
    """Return the same shape for the same objects and relations, in whatever order they come.

    Objects are distinguished by their class and their neighbours' as far as that goes (colour refinement); those that
    are still the same are tried in every order, and the smallest shape is taken.

    >>> canonical(["x", "2"], {(0, 1): "Sup"}) == canonical(["2", "x"], {(1, 0): "Sup"})
    True
    """
    ranks = {label: rank for rank, label in enumerate(sorted(set(labels)))}
    colours = _refined([ranks[label] for label in labels], edges)
    return min(_orders(labels, edges, colours))


def _refined(colours: list[int], edges: Edges) -> list[int]:
    """Return finer colours: objects of one colour whose neighbours differ get different ones, until nothing changes."""
    while True:
        keys = [_neighbourhood(place, colours, edges) for place in range(len(colours))]
        ordered = sorted({repr(key): key for key in keys}.values())
        finer = [ordered.index(key) for key in keys]
        if len(set(finer)) == len(set(colours)):
            return finer
        colours = finer


def _neighbourhood(
    place: int, colours: Sequence[int], edges: Edges
) -> tuple[int, list[tuple[str, int]], list[tuple[str, int]]]:
    """Return the colour of an object, and the labels and colours of what it leads to and what leads to it."""
    to = sorted((label, colours[b]) for (a, b), label in edges.items() if a == place)
    back = sorted((label, colours[a]) for (a, b), label in edges.items() if b == place)
    return colours[place], to, back


def _orders(labels: Sequence[str], edges: Edges, colours: list[int]) -> Iterator[Shape]:
    """Give a shape for every order that colours leave open."""
    number = Counter(colours)
    tied = [colour for colour in sorted(number) if number[colour] > 1]
    if not tied:
        yield _ordered_shape(labels, edges, colours)
        return
    members = [place for place, colour in enumerate(colours) if colour == tied[0]]
    # Objects that can change places unseen give the same shape, so that one of them is enough.
    if all(_exchangeable(a, b, edges) for a, b in pairwise(members)):
        members = members[:1]
    for one in members:
        split = [2 * colour + 1 for colour in colours]
        split[one] -= 1
        yield from _orders(labels, edges, _refined(split, edges))


def _ordered_shape(labels: Sequence[str], edges: Edges, colours: list[int]) -> Shape:
    """Return the shape with its objects in the order of their colours, which all differ."""
    order = sorted(range(len(labels)), key=colours.__getitem__)
    place = {one: number for number, one in enumerate(order)}
    links = [(place[a], place[b], label) for (a, b), label in edges.items()]
    return Shape(tuple(labels[one] for one in order), tuple(sorted(links)))


def _exchangeable(a: int, b: int, edges: Edges) -> bool:
    """Return whether two objects of one class can change places and nothing is seen of it."""
    swapped = {a: b, b: a}
    after = {}
    for (x, y), label in edges.items():
        after[swapped.get(x, x), swapped.get(y, y)] = label
    return after == edges
