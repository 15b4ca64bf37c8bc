"""Formulas as rows of a table: each is right if its tokens are those of the truth, or all but a few."""

from collections.abc import Iterator, Sequence

from karat.graphs.compare.tokens.token_counts import formula_tokens, token_distances
from karat.graphs.compare.unit_rows import UnitRow
from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.formulas.latex_normal import Tokens
from karat.graphs.formats.pairing import paired


def formula_rows(
    truth: GraphSet | None, systems: Sequence[GraphSet], *, within: int = 0
) -> Iterator[UnitRow]:
    """Give a row for each formula; formulas of the same tokens have the same label.

    One that differs from the truth in at most `within` tokens has the truth's label. What has no formula has none.
    """
    if truth is None:
        names = sorted({name for one in systems for name in (*one.graphs, *one.formulas)})
        for name in names:
            yield _row(name, [formula_tokens(one, name) for one in systems])
        return
    partners = [paired(truth, one) for one in systems]
    for name in truth.graphs:
        true_tokens = formula_tokens(truth, name)
        if true_tokens is None:
            continue
        readings: list[Tokens | None] = [true_tokens]
        for one, partner in zip(systems, partners, strict=True):
            tokens = formula_tokens(one, partner[name])
            if within and tokens is not None:
                (distance,) = token_distances([true_tokens], [tokens])
                if distance <= within:
                    tokens = true_tokens
            readings.append(tokens)
        yield _row(name, readings)


def _row(name: str, readings: Sequence[Tokens | None]) -> UnitRow:
    distinct = sorted({tokens for tokens in readings if tokens is not None})
    labels = {tokens: f"reading {number}" for number, tokens in enumerate(distinct, 1)}
    return UnitRow(name, [None if one is None else labels[one] for one in readings], 1, ())
