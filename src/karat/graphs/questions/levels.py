"""Several levels of structure over the same primitives: which they are, and what to do where they are not named."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from karat.errors import InputError
from karat.graphs.compare.counts import Graphs
from karat.graphs.compare.rates import total
from karat.graphs.formats.folder import GraphSet
from karat.graphs.model.shared_primitives import by_themselves, holding_labels, matrix_levels
from karat.words import listing

MIXED: Literal["mixed"] = "mixed"
Levels = Mapping[str, Sequence[str]]


def levels_of(truth: GraphSet, systems: Sequence[GraphSet]) -> dict[str, tuple[str, ...]]:
    """Return the levels of the graphs by name, with their labels; nothing where there is one level.

    Levels of matrices are known. For other objects of the truth that hold others, the error explains how to name them.
    """
    every = [graph for one in (truth, *systems) for graph in one.graphs.values()]
    levels = matrix_levels(every)
    for name, graph in truth.graphs.items():
        holding = holding_labels(graph)
        if holding is not None:
            labels = ",".join((*holding.objects, *holding.relations))
            named = [f"--level '{level}={','.join(own)}'" for level, own in levels.items()]
            options = " ".join((*named, f"--level 'upper={labels}'"))
            raise InputError(
                f"{truth.name}, {name}: objects {listing(holding.objects, most=4)} hold other objects, so that these "
                f"are several levels of structure; name them with {options}, "
                f"or compare them as one with --level {MIXED}"
            )
    return levels


def has_levels(truth: GraphSet | None, systems: Sequence[GraphSet]) -> bool:
    """Return whether objects hold others: parts of matrices, or others in the truth.

    In a system's graphs other objects that share primitives are alternatives, of which one may be right.
    """
    sets = systems if truth is None else (truth, *systems)
    if matrix_levels(graph for one in sets for graph in one.graphs.values()):
        return True
    graphs = () if truth is None else truth.graphs.values()
    return any(holding_labels(graph) is not None for graph in graphs)


def mixed_warning(levels: Levels) -> str:
    """Return a warning where levels are compared as one."""
    names = ", ".join(("symbols", *levels))
    return (
        f"the graphs have several levels of structure over the same primitives ({names}), compared as one: objects "
        "and relations of different levels are mixed; by paper semantics each level is counted by itself."
    )


def whole_words(tally: Graphs) -> str:
    """Return in words how many expressions are right on all levels."""
    numbers = []
    for name in tally.systems:
        own = tally.of(name)
        numbers.append(f"{name} {int((total(own) == 0).sum()):,} of {len(own):,}")
    return f"Expressions that are right on all levels: {', '.join(numbers)}."


def without_shared(one: GraphSet) -> GraphSet:
    """Return a set in which every object that holds others has a primitive of its own."""
    graphs = {name: by_themselves(graph) for name, graph in one.graphs.items()}
    return replace(one, graphs=graphs)
