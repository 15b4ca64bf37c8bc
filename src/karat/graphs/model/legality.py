"""What is illegal in a graph that can be read: merges, objects and trees that contradict themselves."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import NamedTuple

from karat.graphs.model.labelling import NOTHING, STAR, Labelling, by_star
from karat.graphs.model.parents import first_children, lowest_parents, unexplained
from karat.graphs.model.segments import Group, Segments, segments
from karat.graphs.model.shared_primitives import holding_groups
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
    written = segments(labels)
    groups = {frozenset(one.primitives) for one in graph.objects}
    has_levels = len(groups) > 1 and len(frozenset().union(*groups)) < sum(map(len, groups))
    faults = [
        *_merges(labels, written),
        *_classes(labels, written),
        *_shared(graph),
        *_repeated(graph),
    ]
    if not has_levels:
        faults += _relations(labels, written)
    if tree:
        faults += _cycle_of_levels(graph) if has_levels else _tree(written)
    return faults


def _merges(labels: Labelling, written: Segments) -> Iterator[Illegal]:
    """Give merges that go one way only, or are missing between primitives of one object."""
    if not written.unclosed:
        return
    for group in written.objects:
        for a, b in permutations(sorted(group), 2):
            there = _merged(labels, (a, b))
            back = _merged(labels, (b, a))
            if there and not back:
                what = f"{a} is merged with {b}, but not {b} with {a}"
                yield Illegal("one-way merge", what, (a, b))
            elif a < b and not there and not back:
                what = f"{a} and {b} belong to one object through others, but are not merged"
                yield Illegal("unclosed merge", what, (a, b))


def _merged(labels: Labelling, pair: Pair) -> bool:
    return MERGE in labels.edges.get(pair, ())


def _classes(labels: Labelling, written: Segments) -> Iterator[Illegal]:
    """Give the objects whose primitives have no class in common."""
    for group, classes in written.objects.items():
        if classes:
            continue
        named = [f"{name} is {' and '.join(sorted(labels.nodes[name]))}" for name in sorted(group)]
        what = f"the primitives of one object have no class in common: {_some(named)}"
        yield Illegal("mixed object", what, min(group))


def _shared(graph: LabelGraph) -> Iterator[Illegal]:
    """Give the primitives that two objects claim, unless the one is a level above: made of whole other objects."""
    above = holding_groups(graph)
    claims: dict[str, list[tuple[str, Group]]] = {}
    for one in graph.objects:
        for name in one.primitives:
            claims.setdefault(name, []).append((one.id, frozenset(one.primitives)))
    for name, claiming in claims.items():
        for (first, ours), (second, theirs) in combinations(claiming, 2):
            small, large = sorted((ours, theirs), key=len)
            levels = large in above and (small < large or small in above)
            if ours != theirs and not levels:
                what = f"{name} is in two objects, {first} and {second}"
                yield Illegal("shared primitive", what, name)


def _repeated(graph: LabelGraph) -> Iterator[Illegal]:
    """Give the ids that several objects have."""
    for name, number in Counter(one.id for one in graph.objects).items():
        if number > 1:
            about = next(one.primitives[-1] for one in reversed(graph.objects) if one.id == name)
            yield Illegal("repeated id", f"{number} lines O have the id {name}", about)


def _cycle_of_levels(graph: LabelGraph) -> Iterator[Illegal]:
    """Give a cycle of relations between objects of which some are parts of others, so that each is known by its id."""
    children: dict[Group, list[Group]] = {}
    for link in graph.relations:
        children.setdefault(frozenset((link.parent,)), []).append(frozenset((link.child,)))
    cycle = _cycle(children)
    if cycle:
        members = graph.members()
        ends = [members[name][0] for each in cycle[:2] for name in each]
        yield _cycle_fault(cycle, (ends[0], ends[-1]))


def _cycle_fault(cycle: list[Group], about: Pair) -> Illegal:
    path = " > ".join(_joined(group) for group in (*cycle, cycle[0]))
    return Illegal("cycle", f"relations lead back to where they began: {path}", about)


def _relations(labels: Labelling, written: Segments) -> Iterator[Illegal]:
    """Give the objects whose primitives have different edges to or from another object."""
    home = {name: group for group in written.objects for name in group}
    seen = set()
    for (a, b), marks in labels.edges.items():
        parent, child = home[a], home[b]
        related = marks - STAR - NOTHING
        if parent is child or (parent, child) in seen or not related:
            continue
        seen.add((parent, child))
        different = {labels.edges.get((p, q), NOTHING) for p in parent for q in child}
        if len(different) > 1:
            what = (
                f"{_joined(parent)} and {_joined(child)} are not related the same way in all pairs"
            )
            yield Illegal("uneven relation", what, (a, b))


def _tree(written: Segments) -> Iterator[Illegal]:
    """Give several roots, and a cycle, of what should be a tree; inherited relations do no harm."""
    children: dict[Group, list[Group]] = {}
    below: set[Group] = set()
    for parent, child in written.relations:
        children.setdefault(parent, []).append(child)
        below.add(child)
    roots = [group for group in written.objects if group not in below]
    if len(roots) > 1:
        named = _some(sorted(_joined(root) for root in roots))
        what = f"{len(roots):,} objects have no parent: {named}"
        yield Illegal("several roots", what, min(min(roots, key=min)))
    cycle = _cycle(children)
    if cycle:
        yield _cycle_fault(cycle, (min(cycle[0]), min(cycle[1])))
    else:
        yield from _parents(written)


def why_no_tree(written: Segments) -> str:
    """Return why relations do not form a tree or forest, with or without inherited ones."""
    reasons = [one.what for one in _tree(written) if one.kind != "several roots"]
    return _some(reasons, most=1)


def _parents(written: Segments) -> Iterator[Illegal]:
    """Give the relations beside the tree that are not inherited: from a second parent, or of another label."""
    relations = written.relations
    parent_of = lowest_parents(relations)
    if parent_of is None:
        return
    for far, child in unexplained(relations, parent_of):
        first = first_children(child, [far], parent_of).get(far)
        if first is None:
            parents = f"{_joined(parent_of[child])} and {_joined(far)}"
            what = f"{_joined(child)} has two parents, {parents}"
            yield Illegal("two parents", what, (min(far), min(child)))
        else:
            label = " and ".join(sorted(relations[far, child]))
            begun = " and ".join(sorted(relations[far, first]))
            what = (
                f"{_joined(far)} to {_joined(child)} is {label}, but the path between them begins "
                f"with {begun}, to {_joined(first)}; an inherited relation has that label"
            )
            yield Illegal("not inherited", what, (min(far), min(child)))


def _cycle(children: dict[Group, list[Group]]) -> list[Group]:
    """Return objects each of which leads to the next and the last to the first, if there are such."""
    done: set[Group] = set()
    for start in children:
        # The objects on the way from the start, each with what is still to be visited below it.
        path: dict[Group, Iterator[Group]] = {}
        if start not in done:
            path[start] = iter(children.get(start, ()))
        while path:
            here = next(reversed(path))
            child = next(path[here], None)
            if child is None:
                del path[here]
                done.add(here)
            elif child in path:
                way = list(path)
                return way[way.index(child) :]
            elif child not in done:
                path[child] = iter(children.get(child, ()))
    return []


def _some(names: list[str], most: int = SHOWN) -> str:
    """Return names, cut where there are too many for a line."""
    shown = ", ".join(names[:most])
    left = len(names) - most
    return f"{shown} and {left:,} more" if left > 0 else shown


def _joined(group: Group) -> str:
    return "+".join(sorted(group))
