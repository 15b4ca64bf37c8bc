"""The ranks of systems by one measure."""

from collections.abc import Mapping

from karat.measure.quantity import Quantity


def ranking(
    values: Mapping[str, float | None],
    *,
    lower_is_better: bool = False,
    undefined: float | None = None,
) -> dict[str, int]:
    """Return the rank of each system, the best first.

    Rank 1 is the best; equal values share a rank. An undefined value counts as `undefined`, which is 0, or 1 where
    lower is better, if it is not given; only here, for ranking.

    >>> ranking({"a": 0.5, "b": None, "c": 0.7, "d": 0.5})
    {'c': 1, 'a': 2, 'd': 2, 'b': 4}
    """
    if undefined is None:
        undefined = 1.0 if lower_is_better else 0.0
    keys = {}
    for name, value in values.items():
        known = undefined if value is None else value
        keys[name] = known if lower_is_better else -known
    first_place: dict[float, int] = {}
    ranks = {}
    for place, name in enumerate(sorted(keys, key=lambda name: keys[name]), 1):
        ranks[name] = first_place.setdefault(keys[name], place)
    return ranks


def ranking_by(quantity: Quantity, values: Mapping[str, float | None]) -> dict[str, int]:
    """Return the rank of each system by this quantity; an undefined value counts as the worst end of its range.

    >>> ranking_by(Quantity("kappa"), {"a": -0.2, "b": None, "c": 0.7})
    {'c': 1, 'a': 2, 'b': 3}
    """
    return ranking(values, lower_is_better=quantity.lower_is_better, undefined=quantity.worst)
