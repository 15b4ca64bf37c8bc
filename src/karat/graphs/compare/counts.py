"""What is counted of graphs: one row per system and expression; adding is putting rows together."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add

import numpy as np
import numpy.typing as npt

from karat.errors import InputError, TallyError
from karat.graphs.compare.comparison import GraphComparison, PreparedGraph, compare, prepare
from karat.graphs.compare.rules import Rules
from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.pairing import extra, paired
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


def census(graphs: Iterable[PreparedGraph]) -> Census:
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
    """What `karat.graphs.compare.comparison.GraphComparison` counts."""
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
        mine = set(zip(self.system, self.file, strict=True))
        twice = mine.intersection(zip(other.system, other.file, strict=True))
        if twice:
            raise TallyError(f"both tallies hold {min(twice)}; an expression counts once")
        columns = {}
        for name, column in self.columns.items():
            columns[name] = np.concatenate([column, other.columns[name]])
        extra_files = {}
        for name in {**self.extra, **other.extra}:
            extra_files[name] = (*self.extra.get(name, ()), *other.extra.get(name, ()))
        same_files = set(self.file) == set(other.file)
        return Graphs(
            rules=self.rules,
            systems=tuple(dict.fromkeys((*self.systems, *other.systems))),
            system=self.system + other.system,
            file=self.file + other.file,
            state=self.state + other.state,
            malformed=self.malformed + other.malformed,
            columns=columns,
            extra=extra_files,
            truth=self.truth if same_files else self.truth + other.truth,
        )

    def of(self, system: str) -> "Graphs":
        """Return the rows of one system."""
        keep = [place for place, name in enumerate(self.system) if name == system]
        return Graphs(
            rules=self.rules,
            systems=(system,),
            system=(system,) * len(keep),
            file=tuple(self.file[place] for place in keep),
            state=tuple(self.state[place] for place in keep),
            malformed=tuple(self.malformed[place] for place in keep),
            columns={name: column[keep] for name, column in self.columns.items()},
            extra={system: self.extra.get(system, ())},
            truth=self.truth,
            levels=self.levels,
        )

    def digest(self) -> str:
        """Return a short hash of the rows, independent of their order."""
        order = sorted(range(len(self)), key=lambda place: (self.system[place], self.file[place]))
        names = [
            f"{self.system[place]}\x00{self.file[place]}\x00{self.state[place]}" for place in order
        ]
        columns = [self.columns[name][order] for name in sorted(self.columns)]
        return digest(["\x01".join(names), *columns])


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
    rows: list[GraphComparison] = []
    owners: list[str] = []
    files: list[str] = []
    states: list[str] = []
    malformed: list[int] = []
    for system in systems:
        bad_lines = system.malformed()
        for name, own_name in paired(truth, system).items():
            rows.append(compare(prepare(system.graph(own_name), rules), wanted[name], rules))
            state = system.state(own_name)
            # An empty file is right where the truth is empty too.
            if state == "empty" and not wanted[name].labels.nodes:
                state = ""
            owners.append(system.name)
            files.append(name)
            states.append(state)
            malformed.append(bad_lines.get(own_name, 0))
    counts = np.array(rows, dtype=np.float64).reshape(len(rows), len(GraphComparison._fields))
    return Graphs(
        rules=rules,
        systems=tuple(names),
        system=tuple(owners),
        file=tuple(files),
        state=tuple(states),
        malformed=tuple(malformed),
        columns={name: counts[:, place] for place, name in enumerate(GraphComparison._fields)},
        extra={system.name: extra(truth, system) for system in systems},
        truth=census(wanted.values()),
    )


def graphs_by_level(
    truth: GraphSet, systems: Sequence[GraphSet], rules: Rules, named: Mapping[str, Sequence[str]]
) -> Graphs:
    """Count each level of structure by itself; a system occurs once per level, as `NAME: LEVEL`."""
    wanted = {name: frozenset(labels) for name, labels in named.items()}
    sets = [_levels(one, wanted) for one in (truth, *systems)]
    tallies = []
    censuses = {}
    for level_truth, *level_systems in zip(*sets, strict=True):
        tally = graphs(level_truth, level_systems, rules)
        tallies.append(tally)
        censuses[level_truth.name.removeprefix(truth.name)] = tally.truth
    return replace(reduce(add, tallies), levels=censuses)


def _levels(one: GraphSet, named: Mapping[str, frozenset[str]]) -> list[GraphSet]:
    """Return the set of each level."""
    split = {file: levels(graph, named) for file, graph in one.graphs.items()}
    sets = []
    for name in levels(LabelGraph(), named):
        graphs_of_level = {file: by_level[name] for file, by_level in split.items()}
        sets.append(replace(one, name=f"{one.name}: {name}", graphs=graphs_of_level))
    return sets
