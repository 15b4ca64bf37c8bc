"""The order of systems by one number."""

from collections.abc import Mapping


def ranking(values: Mapping[str, float | None], *, lower_is_better: bool = False) -> dict[str, int]:
    """Who comes first?

    Rank 1 is the best; equal values share a rank; an undefined value counts as 0, or as 1 where lower is better, here
    and nowhere else.

    >>> ranking({"a": 0.5, "b": None, "c": 0.7, "d": 0.5})
    {'c': 1, 'a': 2, 'd': 2, 'b': 4}
    """
    sign = 1 if lower_is_better else -1
    keyed = {
        name: sign * (float(lower_is_better) if value is None else value)
        for name, value in values.items()
    }
    order = sorted(keyed, key=lambda name: keyed[name])
    return {name: 1 + sum(other < keyed[name] for other in keyed.values()) for name in order}
