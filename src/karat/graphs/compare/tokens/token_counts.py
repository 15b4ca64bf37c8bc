"""What is counted of formulas as tokens of LaTeX: how many must be changed, one number per system and formula."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.errors import InputError
from karat.graphs.convert.latex import latex
from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.formulas.latex_normal import Tokens, normal_tokens
from karat.graphs.formats.pairing import paired
from karat.source.text.alignment import library
from karat.tally.digest import digest

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class TokenCounts:
    """Edit distances of formulas, and how long those of the truth are."""

    systems: tuple[str, ...]
    formulas: tuple[str, ...]
    tokens: Ints
    """The number of tokens of each formula of the truth."""
    distances: Ints
    """A row a system, a column a formula."""
    absent: Mapping[str, tuple[str, ...]]
    """The formulas of which a system has no output, by system; all their tokens are wrong."""
    left_out: tuple[str, ...]
    """Graphs of the truth that are not formulas of LaTeX."""

    def digest(self) -> str:
        """Return a short hash of the counts."""
        names = "\x01".join((*self.systems, *self.formulas))
        return digest([names, self.tokens, self.distances])


def token_counts(truth: GraphSet, systems: Sequence[GraphSet]) -> TokenCounts:
    """Count the tokens that must be inserted, deleted or substituted to make each formula that of the truth.

    Formulas are compared in their normal form; a graph is written as LaTeX first.
    """
    true_tokens = {}
    left_out = []
    for name in truth.graphs:
        tokens = formula_tokens(truth, name)
        if tokens is None:
            left_out.append(name)
        else:
            true_tokens[name] = tokens
    if not true_tokens:
        raise InputError(f"{truth.origin} holds no formula that can be written as LaTeX")
    distances = []
    absent = {}
    for system in systems:
        partners = paired(truth, system)
        outputs = []
        without_output = []
        for name in true_tokens:
            tokens = formula_tokens(system, partners[name])
            if tokens is None:
                without_output.append(name)
            outputs.append(tokens or ())
        distances.append(token_distances(list(true_tokens.values()), outputs))
        absent[system.name] = tuple(without_output)
    return TokenCounts(
        systems=tuple(one.name for one in systems),
        formulas=tuple(true_tokens),
        tokens=np.array([len(tokens) for tokens in true_tokens.values()], dtype=np.int64),
        distances=np.array(distances, dtype=np.int64).reshape(len(systems), len(true_tokens)),
        absent=absent,
        left_out=tuple(left_out),
    )


def formula_tokens(one: GraphSet, name: str) -> Tokens | None:
    """Return the tokens of a formula; None where there is none, or its graph cannot be written as LaTeX."""
    if name in one.formulas:
        return normal_tokens(one.formulas[name])
    if name not in one.graphs:
        return None
    try:
        return normal_tokens(latex(one.graphs[name]))
    except InputError:
        return None


def token_distances(first: Sequence[Tokens], second: Sequence[Tokens]) -> list[int]:
    """Return for each two formulas how many tokens must be inserted, deleted or substituted.

    >>> token_distances([("x", "^", "{", "2", "}"), ("y",)], [("x", "2"), ("y",)])
    [3, 0]
    """
    distance = library().distance
    # Most formulas are right, and to see that needs no distance.
    return [0 if one == two else distance(one, two) for one, two in zip(first, second, strict=True)]
