"""A label graph as it is written: labels of primitives and of ordered pairs of them, by themselves or as objects."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

Pair = tuple[str, str]
Weights = Mapping[str, float]

MERGE = "*"
"""The label of a pair whose primitives belong to one object."""
NONE = "_"
"""The label of a pair without a relation, and of a primitive without a class."""


class Object(NamedTuple):
    """An object as it is written: a class for some primitives, which it holds together."""

    id: str
    label: str
    weight: float
    primitives: tuple[str, ...]


class Relation(NamedTuple):
    """A relation between two objects as it is written."""

    parent: str
    child: str
    label: str
    weight: float


@dataclass(frozen=True, slots=True)
class LabelGraph:
    """Labels with weights, in the two ways a file may give them.

    `nodes` and `edges` label primitives and ordered pairs (lines N and E); `objects` and `relations` label many of them
    at once (lines O and R): an object's label stands on each of its primitives and holds every pair of them together,
    a relation stands on every pair of a primitive of the parent and one of the child. A graph may use both ways.

    >>> plus = LabelGraph(objects=(Object("o1", "+", 1.0, ("s2", "s3")), Object("o2", "2", 1.0, ("s4",))))
    >>> plus.primitives()
    ('s2', 's3', 's4')
    """

    name: str = ""
    nodes: Mapping[str, Weights] = field(default_factory=dict)
    edges: Mapping[Pair, Weights] = field(default_factory=dict)
    objects: tuple[Object, ...] = ()
    relations: tuple[Relation, ...] = ()
    comments: tuple[str, ...] = ()

    def primitives(self) -> tuple[str, ...]:
        """Return every primitive once, in the order of the file's lines of each kind: N, O, E."""
        return tuple(self.node_weights())

    def members(self) -> dict[str, tuple[str, ...]]:
        """Return the primitives of each object that has an id."""
        members: dict[str, tuple[str, ...]] = {}
        for one in self.objects:
            known = members.get(one.id)
            if known is None:
                members[one.id] = one.primitives
            else:
                members[one.id] = known + tuple(
                    each for each in one.primitives if each not in known
                )
        return members

    def node_weights(self) -> dict[str, dict[str, float]]:
        """Return the labels of every primitive; one that occurs only in edges has the label `_`."""
        weights = {name: dict(labels) for name, labels in self.nodes.items()}
        for one in self.objects:
            for each in one.primitives:
                weights.setdefault(each, {})[one.label] = one.weight
        for pair in self.edges:
            for each in pair:
                weights.setdefault(each, {NONE: 1.0})
        return weights

    def named(self, name: str) -> "LabelGraph":
        """Return the same graph under another name."""
        return replace(self, name=name)
