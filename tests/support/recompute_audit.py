"""A second program, without karat: the capital of "A is better than B" (accuracy) from a table and its lists."""

import csv
from collections import defaultdict
from pathlib import Path

ASSUMED_CHECKS, ASSUMED_WRONG, BOLDEST = 10, 0.05, 0.8


def read(path):
    with Path(path).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def lead(row, label, a, b):
    return (row[a] == label) - (row[b] == label)


def in_order(lists):
    """Items and right labels of checked lists in the order of the draws, up to the first draw that is not there."""
    checked = {int(row["draw"]): row for path in lists for row in read(path) if row["right"]}
    draws = range(1, max(checked, default=0) + 1)
    first_blank = next((draw for draw in draws if draw not in checked), len(draws) + 1)
    return [(checked[draw]["item"], checked[draw]["right"]) for draw in range(1, first_blank)]


def capital(table, labels, a, b):
    """The capital after each label that the two dispute."""
    rows = {row["item"]: row for row in read(table)}
    left = {item: lead(row, row["truth"], a, b) for item, row in rows.items() if row[a] != row[b]}
    losses, squares, seen = defaultdict(float), defaultdict(float), defaultdict(int)
    most, least = {1: 2, 0: 1, -1: 0}, {1: 0, 0: -1, -1: -2}
    m, money, path = sum(left.values()), 1.0, []
    for item, right in labels:
        if item not in left:
            continue
        guess, spread = {}, {}
        for kind in (1, 0, -1):
            weight = ASSUMED_CHECKS + seen[kind]
            start = ASSUMED_CHECKS * ASSUMED_WRONG / 2
            guess[kind] = (start * (most[kind] + least[kind]) + losses[kind]) / weight
            square = (start * (most[kind] ** 2 + least[kind] ** 2) + squares[kind]) / weight
            spread[kind] = square - guess[kind] ** 2
        n, guesses = len(left), sum(guess[kind] for kind in left.values())
        largest = guesses + n * max(most[kind] - guess[kind] for kind in left.values())
        drift, variance = m - guesses, n * sum(spread[kind] for kind in left.values())
        stake = max(0.0, min(drift / (variance + drift**2), BOLDEST / max(largest - m, 1e-9)))
        kind = left.pop(item)
        loss = most[kind] if right == "(undecidable)" else kind - lead(rows[item], right, a, b)
        money *= 1 + stake * (m - guesses - n * (loss - guess[kind]))
        path.append(money)
        m -= loss
        losses[kind] += loss
        squares[kind] += loss**2
        seen[kind] += 1
    return path
