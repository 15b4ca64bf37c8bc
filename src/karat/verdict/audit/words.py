"""An audit in words: what may be said, what may be printed, and what is still missing."""

from typing import TYPE_CHECKING

from karat.result.probabilities import SMALL, chance
from karat.verdict.audit.details import new_items_row
from karat.verdict.audit.pair_verdict import CERTAIN, OPEN, REFUTED, SETTLED, TIED
from karat.verdict.audit.progress import progress
from karat.verdict.audit.right_labels import OTHER, UNDECIDABLE
from karat.version import VERSION
from karat.words import counted, listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from karat.doubt.audit.wrong_share import WrongShare
    from karat.verdict.audit.audit import Audit
    from karat.verdict.audit.pair_verdict import PairVerdict

FILL_IN = (
    f"Fill in the column right: the label itself, {OTHER} if it is none of the table's, {UNDECIDABLE} if nobody "
    "can decide. Labels count in the order of the draws, up to the first blank. Then: --apply FILE."
)
SCOPE = "by the right labels of these items"
TO_PRINT = "To print: "
"""How the sentence begins that may be printed."""


def sentences(audit: "Audit") -> tuple[str, ...]:
    """Return what may be said of each claim, and where it may, the sentence to print."""
    said = []
    for claim in range(len(audit.setup.claims)):
        places = audit.places(claim)
        if len(places) == 1:
            said.append(_pair(audit, places[0]))
        else:
            said.append(_several(audit, claim))
        if audit.claim_verdict(claim) != OPEN:
            said.append(_to_print(audit, claim))
    if audit.setup.new_items:
        said += [_new_items(audit, pair) for pair in range(len(audit.setup.disputes.pairs))]
    return tuple(said)


def remarks(audit: "Audit") -> tuple[str, ...]:
    """Return what a reader of the sentences must know."""
    setup = audit.setup
    notes = []
    separate = len(setup.claims) > 1 or any(len(claim.pairs) > 1 for claim in setup.claims)
    if separate:
        notes.append(
            f"Each row by itself has a risk of {_percent(setup.risk)}, two of them together up to twice as much; "
            "a claim that needs all of its rows has it once."
        )
    for claim in setup.claims:
        if claim.tied:
            pairs = [f"{one!r} and {other!r}" for one, other in claim.tied]
            notes.append(
                f"Tied by the given labels, and left out of the order: {', '.join(pairs)}."
            )
    notes += _not_counted(audit)
    undecidable = sum(right.undecidable for right in audit.labels.values())
    if undecidable:
        notes.append(
            f"{counted(undecidable, 'label')} {UNDECIDABLE}: counted as the worst for each side."
        )
    if audit.labels:
        notes += _wrong_labels(audit)
    if setup.by_vote:
        without = int((setup.items.given < 0).sum())
        notes.append(
            f"There is no truth: the given labels are the systems' vote, and {counted(without, 'item')} without a "
            "majority have none. A claim is about the right labels of these items."
        )
    return tuple(notes)


def of_list(audit: "Audit", entries: int) -> tuple[str, ...]:
    """Return how to go on with a list."""
    setup = audit.setup
    if not entries:
        return (
            "Nothing is left to look at: no open claim disputes an item that was not looked at.",
        )
    claims = listing([claim.text for claim in setup.claims])
    guide = f", guide {setup.guide}" if setup.guide else ""
    fixed = f"Fixed before the first label: claim {claims}, risk {_percent(setup.risk)}, seed {setup.seed}{guide}."
    disputed = counted(len(setup.disputes.disputed), "disputed item")
    return FILL_IN, f"{fixed} {disputed} of {len(setup.items.names):,}."


def _pair(audit: "Audit", place: int) -> str:
    """Return where one pair stands."""
    pair = audit.walk.rows[place][1]
    first, second = audit.setup.disputes.pairs[pair]
    found = audit.pair_verdict(place)
    after = f"After {counted(found.count.checked, 'check')}"
    better, worse = (first, second) if found.first_is_better else (second, first)
    if found.verdict == TIED:
        return f"{after}, all that are disputed: {first!r} and {second!r} are tied {SCOPE}."
    if found.verdict == OPEN:
        return f"{after}: open whether {first!r} is better than {second!r}; {progress(audit.walk, pair)}."
    against = "" if found.first_is_better else " The claim is refuted."
    if found.verdict == CERTAIN:
        return f"{after}: {better!r} is better than {worse!r} {SCOPE}, {_certain(audit, pair, worse)}.{against}"
    risk = _percent(audit.setup.risk)
    return f"{after}: {better!r} is better than {worse!r} {SCOPE}; risk at most {risk}.{against}"


def _certain(audit: "Audit", pair: int, worse: str) -> str:
    if audit.walk.capitals.left[pair]:
        return f"even if every label left spoke for {worse!r}: certain"
    return "all that are disputed: certain"


def _several(audit: "Audit", claim: int) -> str:
    """Return where a claim of several pairs stands."""
    said = audit.setup.claims[claim]
    after = f"After {counted(len(audit.walk.counted), 'check')}"
    risk = _percent(audit.setup.risk)
    verdict = audit.claim_verdict(claim)
    if verdict == SETTLED:
        return f"{after}: {said.statement()} {SCOPE}; risk at most {risk}."
    if verdict == REFUTED:
        return f"{after}: it is not so that {said.statement()} {SCOPE}; risk at most {risk}."
    found = [audit.pair_verdict(place) for place in audit.places(claim)]
    still_open = [one for one in found if one.verdict == OPEN]
    done = len(found) - len(still_open)
    return f"{after}: open whether {said.statement()}; {done} of {len(found)} pairs are decided{_least(audit, claim)}."


def _least(audit: "Audit", claim: int) -> str:
    """Return the open pair that is farthest from an end."""
    waiting: list[tuple[PairVerdict, int]] = []
    for place in audit.places(claim):
        found = audit.pair_verdict(place)
        if found.verdict == OPEN and found.count.checked:
            waiting.append((found, audit.walk.rows[place][1]))
    if not waiting:
        return ""
    _, pair = min(waiting, key=lambda one: one[0].capital)
    first, second = audit.setup.disputes.pairs[pair]
    return f"; {first!r} and {second!r}: {progress(audit.walk, pair)}"


def _to_print(audit: "Audit", claim: int) -> str:
    """Return the sentence that may be printed, with all that it rests on."""
    setup = audit.setup
    found = [audit.pair_verdict(place) for place in audit.places(claim)]
    pairs = [audit.walk.rows[place][1] for place in audit.places(claim)]
    items = len(setup.items.names)
    disputed = int((setup.disputes.kind[pairs] >= 0).any(axis=0).sum())
    risk = f"at a risk of at most {_percent(setup.risk)}"
    if all(one.verdict in {CERTAIN, TIED} for one in found):
        risk = "with certainty"
    given = "the systems' vote" if setup.by_vote else "the given labels"
    text = setup.claims[claim].text
    return (
        f'{TO_PRINT}"By the right labels of these {items:,} items ({setup.quantity}), '
        f"{_statement(audit, claim)}, {risk}: an audit of {given} (karat {VERSION}; claim {text} and seed {setup.seed} "
        f'fixed before the first label; {disputed:,} items disputed, {_checked(audit, found)})."'
    )


def _checked(audit: "Audit", found: "Sequence[PairVerdict]") -> str:
    """Return how many labels were looked up; of a single pair, how many of them were wrong."""
    guide = audit.setup.guide
    by_model = f", guided by the model {guide}," if guide else ""
    if len(found) == 1:
        count = found[0].count
        return f"{count.checked:,} of them drawn at random{by_model} and looked up, {count.wrong:,} wrong"
    labels = counted(len(audit.walk.counted), "label")
    return f"{labels} drawn at random{by_model} and looked up"


def _statement(audit: "Audit", claim: int) -> str:
    """Return what was found about a claim."""
    said = audit.setup.claims[claim]
    if audit.claim_verdict(claim) != REFUTED:
        return said.statement()
    if len(said.pairs) > 1:
        return f"it is not so that {said.statement()}"
    first, second = said.pairs[0]
    if audit.pair_verdict(audit.places(claim)[0]).verdict == TIED:
        return f"{first!r} and {second!r} are tied"
    return f"{second!r} is better than {first!r}"


def _new_items(audit: "Audit", pair: int) -> str:
    found = new_items_row(audit.walk, pair)
    table = (
        f"a lead of at least {found['lead_at_least']:,} with {found['disputed']:,} disputed items"
    )
    better, worse = found["better"], found["worse"]
    p_value = f"McNemar's p at most {chance(max(found['p_value'], SMALL))}"
    if found["verdict"] == SETTLED:
        risk = f"risk at most {_percent(found['risk'])}"
        return f"Also on new items {better!r} is better than {worse!r}: {table}, {p_value}; {risk}."
    return (
        f"On new items it is open whether {better!r} is better than {worse!r}: {table}, {p_value}."
    )


def _not_counted(audit: "Audit") -> list[str]:
    """Return which labels wait for a blank one."""
    if not audit.waiting:
        return []
    setup = audit.setup
    position = audit.walk.position
    name = setup.items.names[int(setup.draws.item[position])]
    labels = counted(audit.waiting, "label")
    blank = f"draw {position + 1:,}, item {name!r}, is blank"
    return [f"{labels} not counted yet: {blank}, and labels count in the order of the draws."]


def _wrong_labels(audit: "Audit") -> list[str]:
    """Return the share of wrong labels among the disputed items, and where it is known, of the table."""
    if audit.setup.guide:
        return [
            "Guided draws prefer labels that may be wrong, so their share of wrong ones is not that of all labels."
        ]
    notes = []
    count = audit.samples.of_disputed
    if count.compared:
        share = audit.of_disputed()
        notes.append(
            f"Wrong labels among the {share.items:,} disputed items: {_share(share, count.compared)}."
        )
    if audit.setup.random and audit.samples.of_all.compared:
        share = audit.of_table()
        notes.append(
            f"Wrong labels among all {share.items:,} items: {_share(share, audit.samples.of_all.compared)}."
        )
    elif count.compared:
        notes.append(
            "The share in the whole table differs, and is mostly smaller: --random estimates it."
        )
    return notes


def _share(share: "WrongShare", checked: int) -> str:
    value = "unknown" if share.value is None else f"{100 * share.value:.3g} %"
    ends = f"{100 * share.low:.3g} to {100 * share.high:.3g} %"
    return f"{value} of {checked:,} drawn, {ends} whenever you stop"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
