"""What is counted of graphs: one row per system and expression; adding is putting rows together."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, TallyError
from karat.graphs.compare.rules import Comparison, Prepared, Rules, compare, prepare
from karat.graphs.formats.folder import GraphSet, extra, paired
from karat.graphs.model.levels import levels
from karat.graphs.model.structure import LabelGraph
from karat.tally.digest import digest

Column = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Census:
    """What a set of graphs holds: the paper's Table 1, and relations and classes."""

    expressions: int
    primitives: int
    objects: Mapping[str, int]
    relations: Mapping[str, int]
    empty: int = 0
    """How many graphs have no primitives."""

    def __add__(self, other: "Census") -> "Census":
        """Return what two sets hold together."""
        return Census(
            self.expressions + other.expressions,
            self.primitives + other.primitives,
            Counter(self.objects) + Counter(other.objects),
            Counter(self.relations) + Counter(other.relations),
            self.empty + other.empty,
        )

    def numbers(self) -> dict[str, int]:
        """Return the number of everything."""
        return {
            "expressions": self.expressions,
            "objects": sum(self.objects.values()),
            "primitives": self.primitives,
            "relations": sum(self.relations.values()),
            "classes": len(self.objects),
            "relation_classes": len(self.relations),
            "empty": self.empty,
        }


def census(graphs: Iterable[Prepared]) -> Census:
    """Count what graphs hold."""
    objects: Counter[str] = Counter()
    relations: Counter[str] = Counter()
    primitives = expressions = empty = 0
    for one in graphs:
        expressions += 1
        primitives += len(one.labels.nodes)
        empty += not one.labels.nodes
        objects.update(map(_text, one.segments.objects.values()))
        relations.update(map(_text, one.segments.relations.values()))
    return Census(expressions, primitives, objects, relations, empty)


def _text(labels: frozenset[str]) -> str:
    return " | ".join(sorted(labels))


@dataclass(frozen=True, slots=True, eq=False)
class Graphs:
    """Differences, objects and relations of every output, and the state of its file."""

    rules: Rules
    systems: tuple[str, ...]
    system: tuple[str, ...]
    """Whose output a row is of."""
    file: tuple[str, ...]
    state: tuple[str, ...]
    """missing, empty, unreadable or duplicate; nothing if the file is there."""
    malformed: tuple[int, ...]
    """How many lines of the file mean nothing."""
    columns: Mapping[str, Column]
    """What `karat.graphs.compare.rules.Comparison` counts."""
    extra: Mapping[str, tuple[str, ...]]
    """Graphs of a system that the truth does not have; they count for nobody."""
    truth: Census
    levels: Mapping[str, Census] = field(default_factory=dict)
    """What the truth has on each level of structure, by the end of the systems' names; nothing if there is one."""

    def __len__(self) -> int:
        return len(self.file)

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def __add__(self, other: "Graphs") -> "Graphs":
        """Return the rows of both."""
        if self.rules != other.rules:
            raise TallyError(
                f"the graphs were compared by different rules: {self.rules} and {other.rules}"
            )
        if twice := {*zip(self.system, self.file, strict=True)} & {
            *zip(other.system, other.file, strict=True)
        }:
            raise TallyError(f"both tallies hold {min(twice)}; an expression counts once")
        return Graphs(
            self.rules,
            tuple(dict.fromkeys((*self.systems, *other.systems))),
            self.system + other.system,
            self.file + other.file,
            self.state + other.state,
            self.malformed + other.malformed,
            {
                name: np.concatenate([column, other.columns[name]])
                for name, column in self.columns.items()
            },
            {
                name: (*self.extra.get(name, ()), *other.extra.get(name, ()))
                for name in {**self.extra, **other.extra}
            },
            self.truth if {*self.file} == {*other.file} else self.truth + other.truth,
        )

    def of(self, system: str) -> "Graphs":
        """Return the rows of one system."""
        keep = [place for place, name in enumerate(self.system) if name == system]
        return Graphs(
            self.rules,
            (system,),
            tuple(self.system[place] for place in keep),
            tuple(self.file[place] for place in keep),
            tuple(self.state[place] for place in keep),
            tuple(self.malformed[place] for place in keep),
            {name: column[keep] for name, column in self.columns.items()},
            {system: self.extra.get(system, ())},
            self.truth,
            self.levels,
        )

    def digest(self) -> str:
        """Return a short hash of the rows, in whatever order they came."""
        order = sorted(range(len(self)), key=lambda place: (self.system[place], self.file[place]))
        names = [
            f"{self.system[place]}\x00{self.file[place]}\x00{self.state[place]}" for place in order
        ]
        return digest(
            ["\x01".join(names), *(column[order] for _, column in sorted(self.columns.items()))]
        )


def graphs(truth: GraphSet, systems: Sequence[GraphSet], rules: Rules) -> Graphs:
    """Count the differences of every system's graphs from those of the truth.

    What a system lacks, or gives in a way that cannot be used, is compared as a graph without primitives.
    """
    names = [one.name for one in systems]
    if len(set(names)) < len(names):
        raise InputError(
            f"two systems are called {max(names, key=names.count)!r}; name them as NAME=DIR"
        )
    wanted = {name: prepare(graph, rules) for name, graph in truth.graphs.items()}
    rows: list[Comparison] = []
    told: list[tuple[str, str, str, int]] = []
    for system in systems:
        lines = system.malformed()
        for name, other in paired(truth, system).items():
            rows.append(compare(prepare(system.graph(other), rules), wanted[name], rules))
            state = system.state(other)
            idle = state == "empty" and not wanted[name].labels.nodes
            told.append((system.name, name, "" if idle else state, lines.get(other, 0)))
    columns = np.array(rows, dtype=np.float64).reshape(len(rows), len(Comparison._fields))
    system_names, files, states, malformed = zip(*told, strict=True)
    return Graphs(
        rules,
        tuple(names),
        system_names,
        files,
        states,
        malformed,
        {name: columns[:, place] for place, name in enumerate(Comparison._fields)},
        {system.name: extra(truth, system) for system in systems},
        census(wanted.values()),
    )


def graphs_by_level(
    truth: GraphSet, systems: Sequence[GraphSet], rules: Rules, named: Mapping[str, Sequence[str]]
) -> Graphs:
    """Count each level of structure by itself; a system stands there once per level, as `NAME: LEVEL`."""
    wanted = {name: frozenset(labels) for name, labels in named.items()}
    parts = [_levels(one, wanted) for one in (truth, *systems)]
    found = [graphs(part[0], part[1:], rules) for part in zip(*parts, strict=True)]
    ends = [part[0].name.removeprefix(truth.name) for part in zip(*parts, strict=True)]
    return replace(
        reduce(add, found), levels={end: one.truth for end, one in zip(ends, found, strict=True)}
    )


def _levels(one: GraphSet, named: Mapping[str, frozenset[str]]) -> list[GraphSet]:
    """Return the set of each level."""
    split = {file: levels(graph, named) for file, graph in one.graphs.items()}
    names = list(levels(LabelGraph(), named))
    return [
        replace(
            one,
            name=f"{one.name}: {name}",
            graphs={file: found[name] for file, found in split.items()},
        )
        for name in names
    ]
