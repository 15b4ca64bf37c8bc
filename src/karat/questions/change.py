"""What changed since a report that was written before?"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from karat.errors import InputError
from karat.report.findings import Findings, measured
from karat.verdict.change import Change, pair_changes, system_changes

REMEDY = "it takes what `karat report TABLE -o OLD.json` wrote"


def change_since(findings: Findings, old: Mapping[str, Any], path: str | Path) -> Change:
    """Return what is different from an earlier report."""
    measure = old["measure"]
    if measure != findings.measure:
        raise InputError(
            f"{path} ranks by {measure}, and this report by {findings.measure}; name one of them with --measure"
        )
    before = _by_system(old["score"]["rows"], measure)
    now = {str(row["system"]): row for row in findings.ranked}
    if not before or not now:
        raise InputError(f"{path} has no scores by {measure}; {REMEDY}")
    lower = False
    if findings.scores is not None:
        lower = findings.scores.entries[0].estimates.quantity.lower_is_better
    old_pairs = _of_measure(old.get("compare", {}).get("rows", []), measure)
    new_pairs = [one.row() for one in findings.compared]
    pairs = pair_changes(old_pairs, new_pairs)
    return Change(
        origin=Path(path).name,
        old_items=int(old["input"]["items"]),
        new_items=findings.facts.counts.items,
        systems=system_changes(before, now, lower_is_better=lower),
        added=tuple(name for name in now if name not in before),
        removed=tuple(name for name in before if name not in now),
        old_first=next(iter(before)),
        new_first=next(iter(now)),
        reversed=pairs.reversed,
        newly_settled=pairs.newly_settled,
        no_longer_settled=pairs.no_longer_settled,
    )


def earlier_report(path: str | Path) -> dict[str, Any]:
    """Read an earlier report from its JSON; refuse what is none."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}); {REMEDY}") from None
    try:
        old = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON ({error}); {REMEDY}") from None
    if not isinstance(old, dict) or old.get("command") != "report":
        raise InputError(f"{path} is not a report; {REMEDY}")
    try:
        _by_system(old["score"]["rows"], old["measure"])
        int(old["input"]["items"])
        for row in old.get("compare", {}).get("rows", []):
            _ = row["first"], row["second"], row["verdict"], measured(row)
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        raise InputError(f"{path} has no scores by a truth; {REMEDY}") from None
    return old


def _of_measure(rows: Sequence[Mapping[str, Any]], measure: str) -> list[Mapping[str, Any]]:
    return [row for row in rows if measured(row) == measure]


def _by_system(rows: Sequence[Mapping[str, Any]], measure: str) -> dict[str, Mapping[str, Any]]:
    """Return the row of each system by what the ranking is by."""
    found = {}
    for row in _of_measure(rows, measure):
        _ = row["value"], row["low"], row["high"]
        found[str(row["system"])] = row
    return found
