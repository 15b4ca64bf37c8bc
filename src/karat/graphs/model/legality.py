"""What is illegal in a graph that can be read: merges, objects and trees that contradict themselves."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from karat.graphs.model.labelling import NOTHING, STAR, Labelling, by_star
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.structure import MERGE, LabelGraph, Pair

SHOWN = 4
"""So many objects or primitives of a fault are named."""


class Illegal(NamedTuple):
    """Something that no graph of objects can be, and what it is about."""

    kind: str
    what: str
    about: Pair | str
    """The pair or primitive at which a line of the file is to blame."""


def illegal(graph: LabelGraph, *, tree: bool = True) -> list[Illegal]:
    """Return all that is illegal: merges, classes and relations of objects; and, in a `tree`, roots and cycles."""
    labels = by_star(graph)
    found = segments(labels)
    groups = {frozenset(one.primitives) for one in graph.objects}
    levels = len(groups) > 1 and len(frozenset().union(*groups)) < sum(map(len, groups))
    return [
        *_merges(labels, found),
        *_classes(labels, found),
        *_shared(graph),
        *_repeated(graph),
        *([] if levels else _relations(labels, found)),
        *((_levels(graph) if levels else _tree(found)) if tree else []),
    ]


def _merges(labels: Labelling, found: Segments) -> Iterator[Illegal]:
    for group in found.objects if found.unclosed else ():
        for a in sorted(group):
            for b in sorted(group):
                there, back = _merged(labels, (a, b)), _merged(labels, (b, a))
                if there and not back:
                    yield Illegal(
                        "one-way merge", f"{a} is merged with {b}, but not {b} with {a}", (a, b)
                    )
                elif a < b and not there and not back:
                    what = f"{a} and {b} belong to one object through others, but are not merged"
                    yield Illegal("unclosed merge", what, (a, b))


def _merged(labels: Labelling, pair: Pair) -> bool:
    return MERGE in labels.edges.get(pair, ())


def _classes(labels: Labelling, found: Segments) -> Iterator[Illegal]:
    for group, classes in found.objects.items():
        if not classes:
            named = _some(
                [f"{name} is {' and '.join(sorted(labels.nodes[name]))}" for name in sorted(group)]
            )
            yield Illegal(
                "mixed object",
                f"the primitives of one object have no class in common: {named}",
                min(group),
            )


def _shared(graph: LabelGraph) -> Iterator[Illegal]:
    """Give the primitives that two objects claim, unless the one is a level above: made of whole other objects."""
    groups = [frozenset(one.primitives) for one in graph.objects]
    above = {
        group
        for group in groups
        if group == frozenset().union(*(other for other in groups if other < group))
    }
    homes: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for one in graph.objects:
        for name in one.primitives:
            homes.setdefault(name, []).append((one.id, frozenset(one.primitives)))
    for name, claims in homes.items():
        for place, (first, ours) in enumerate(claims):
            for second, theirs in claims[place + 1 :]:
                small, large = sorted((ours, theirs), key=len)
                levels = large in above and (small < large or small in above)
                if ours != theirs and not levels:
                    yield Illegal(
                        "shared primitive", f"{name} is in two objects, {first} and {second}", name
                    )


def _repeated(graph: LabelGraph) -> Iterator[Illegal]:
    """Give the ids that several objects have."""
    for name, number in Counter(one.id for one in graph.objects).items():
        if number > 1:
            about = next(one.primitives[-1] for one in reversed(graph.objects) if one.id == name)
            yield Illegal("repeated id", f"{number} lines O have the id {name}", about)


def _levels(graph: LabelGraph) -> Iterator[Illegal]:
    """Give a cycle of relations between objects of which some lie in others, so that primitives do not tell them."""
    children: dict[Group, list[Group]] = {}
    for link in graph.relations:
        children.setdefault(frozenset((link.parent,)), []).append(frozenset((link.child,)))
    cycle = _cycle(children)
    if cycle:
        members = graph.members()
        path = " > ".join(_said(each) for each in (*cycle, cycle[0]))
        ends = [members[name][0] for each in cycle[:2] for name in each]
        yield Illegal(
            "cycle", f"relations lead back to where they began: {path}", (ends[0], ends[-1])
        )


def _relations(labels: Labelling, found: Segments) -> Iterator[Illegal]:
    """Give the objects whose primitives have different edges to or from another object."""
    home = {name: group for group in found.objects for name in group}
    seen = set()
    for (a, b), marks in labels.edges.items():
        ends = home[a], home[b]
        if ends[0] is ends[1] or ends in seen or not marks - STAR - NOTHING:
            continue
        seen.add(ends)
        if len({labels.edges.get((p, q), NOTHING) for p in ends[0] for q in ends[1]}) > 1:
            yield Illegal(
                "uneven relation",
                f"{_said(ends[0])} and {_said(ends[1])} are not related alike",
                (a, b),
            )


def _tree(found: Segments) -> Iterator[Illegal]:
    """Give several roots, and a cycle, of what should be a tree; inherited relations do no harm."""
    children: dict[Group, list[Group]] = {}
    below: set[Group] = set()
    for parent, child in found.relations:
        children.setdefault(parent, []).append(child)
        below.add(child)
    roots = [group for group in found.objects if group not in below]
    if len(roots) > 1:
        named = _some(sorted(_said(root) for root in roots))
        yield Illegal(
            "several roots",
            f"{len(roots):,} objects have no parent: {named}",
            min(min(roots, key=min)),
        )
    cycle = _cycle(children)
    if cycle:
        path = " > ".join(_said(group) for group in (*cycle, cycle[0]))
        yield Illegal(
            "cycle",
            f"relations lead back to where they began: {path}",
            (min(cycle[0]), min(cycle[1])),
        )
    else:
        yield from _parents(found, children)


def _parents(found: Segments, children: dict[Group, list[Group]]) -> Iterator[Illegal]:
    """Give the objects with two parents neither of which is above the other: one relation is not inherited."""
    above: dict[Group, list[Group]] = {}
    for parent, child in found.relations:
        above.setdefault(child, []).append(parent)
    below: dict[Group, set[Group]] = {}
    for child, parents in above.items():
        for place, one in enumerate(parents):
            for two in parents[place + 1 :]:
                if two not in _reached(one, children, below) and one not in _reached(
                    two, children, below
                ):
                    what = f"{_said(child)} has two parents, {_said(one)} and {_said(two)}"
                    yield Illegal("two parents", what, (min(two), min(child)))


def _reached(
    start: Group, children: dict[Group, list[Group]], known: dict[Group, set[Group]]
) -> set[Group]:
    """Return all that relations lead to from an object."""
    if start not in known:
        seen: set[Group] = set()
        rest = list(children.get(start, ()))
        while rest:
            each = rest.pop()
            if each not in seen:
                seen.add(each)
                rest += children.get(each, ())
        known[start] = seen
    return known[start]


def _cycle(children: dict[Group, list[Group]]) -> list[Group]:
    """Return objects each of which leads to the next and the last to the first, if there are such."""
    done: set[Group] = set()
    for start in children:
        path: list[Group] = []
        on_path: set[Group] = set()
        rest = [(start, iter(children.get(start, ())))] if start not in done else []
        if rest:
            path, on_path = [start], {start}
        while rest:
            each, others = rest[-1]
            far = next(others, None)
            if far is None:
                rest.pop()
                path.pop()
                on_path.discard(each)
                done.add(each)
            elif far in on_path:
                return path[path.index(far) :]
            elif far not in done:
                rest.append((far, iter(children.get(far, ()))))
                path.append(far)
                on_path.add(far)
    return []


def _some(names: list[str]) -> str:
    """Return names, cut where there are too many for a line."""
    return ", ".join(names[:SHOWN]) + (
        f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    )


def _said(group: Group) -> str:
    return "+".join(sorted(group))
