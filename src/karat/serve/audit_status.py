"""The status of an audit as plain values for the page: sentences, rows, and the capital as a line."""

from collections.abc import Mapping, Sequence
from typing import Any

from karat.verdict.audit import words
from karat.verdict.audit.audit import Audit
from karat.verdict.audit.pair_verdict import OPEN
from karat.verdict.audit.progress import FORECAST, checks_to_come
from karat.verdict.audit.right_labels import RightLabel
from karat.verdict.audit.second_opinion import second_opinion


def audit_status(audit: Audit) -> dict[str, Any]:
    """Return the verdict on the claims so far: in words, in rows, as a picture, and how far the open one is."""
    said = words.sentences(audit)
    return {
        "verdict": _verdict(audit),
        "sentences": [one for one in said if not one.startswith(words.TO_PRINT)],
        "print": _to_print(said),
        "remarks": list(words.remarks(audit)),
        "rows": audit.rows(),
        "needed": audit.setup.needed,
        "lines": _lines(audit),
        "ahead": _ahead(audit),
    }


def second_opinion_status(first: Audit, labels: Mapping[int, RightLabel]) -> dict[str, Any]:
    """Return how far two checkers agree, and what the audit says by each of them and by whoever is right."""
    found = second_opinion(first, labels)
    lines = []
    if len(first.setup.disputes.pairs) == 1:
        for name, audit in found.audits().items():
            (line,) = _lines(audit)
            lines.append({**line, "name": name})
    caution = found.agreement.caution
    return {
        "verdict": "",
        "sentences": [found.agreement.sentence(), *found.said()],
        "print": [],
        "remarks": [f"The interval of kappa is by the method {caution}"] if caution else [],
        "rows": found.rows(),
        "needed": first.setup.needed,
        "lines": lines,
        "ahead": None,
    }


def _verdict(audit: Audit) -> str:
    """Return the verdict of the claims, if all of them have one: settled, refuted, or, with several, each in turn."""
    verdicts = [audit.claim_verdict(claim) for claim in range(len(audit.setup.claims))]
    if OPEN in verdicts:
        return OPEN
    return " and ".join(dict.fromkeys(verdicts))


def _to_print(said: Sequence[str]) -> list[str]:
    """Return the sentences that may be printed, without the words before them and the quotation marks."""
    found = [one.removeprefix(words.TO_PRINT) for one in said if one.startswith(words.TO_PRINT)]
    return [one.removeprefix('"').removesuffix('"') for one in found]


def _lines(audit: Audit) -> list[dict[str, Any]]:
    """Return the capital of each pair, label by label, from 1 at the start."""
    pairs = audit.setup.disputes.pairs
    points: list[list[list[float]]] = [[[0, 1.0]] for _ in pairs]
    for number, drawn in enumerate(audit.walk.drawn, 1):
        for at, pair in enumerate(drawn.pairs.tolist()):
            points[pair].append([number, float(drawn.bet.capital[at])])
    is_open = audit.walk.open_pairs().tolist()
    lines = []
    for place, (better, worse) in enumerate(pairs):
        lines.append(
            {"name": f"{better} before {worse}", "points": points[place], "open": is_open[place]}
        )
    return lines


def _ahead(audit: Audit) -> dict[str, Any] | None:
    """Return how far the open pair with the least capital is, and how many checks it may still take."""
    waiting = []
    for place, (_, pair) in enumerate(audit.walk.rows):
        found = audit.pair_verdict(place)
        if found.verdict == OPEN:
            waiting.append((found.capital, pair))
    if not waiting:
        return None
    capital, pair = min(waiting)
    better, worse = audit.setup.disputes.pairs[pair]
    left = int(audit.walk.capitals.left[pair])
    more = None
    if left and audit.walk.counts[pair].checked:
        more = checks_to_come(audit.walk, pair)
        more = FORECAST if more is None else more
    return {
        "better": better,
        "worse": worse,
        "capital": capital,
        "left": left,
        "more": more,
        "far": more == FORECAST,
    }
