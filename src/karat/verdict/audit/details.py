"""The details of an audit besides its rows: shares of wrong labels, new items, and every bet, draw by draw."""

from typing import Any

from karat.doubt.audit.capital import Bet
from karat.doubt.audit.wrong_share import WrongShare
from karat.verdict.audit.pair_verdict import OPEN, SETTLED
from karat.verdict.audit.walk import Walk


def share_row(share: WrongShare, of: str) -> dict[str, Any]:
    """Return a share of wrong labels as plain values."""
    return {
        "value": share.value,
        "low": share.low,
        "high": share.high,
        "of": of,
        "items": share.items,
    }


def new_items_row(walk: Walk, pair: int) -> dict[str, Any]:
    """Return what may be said of new items: the two risks, of the bound and of the test, are added."""
    better, worse = walk.setup.disputes.pairs[pair]
    risk = walk.setup.risk
    p_value = float(walk.p_values[pair])
    return {
        "better": better,
        "worse": worse,
        "lead_at_least": walk.bounds[pair].low,
        "disputed": _disputed(walk, pair),
        "p_value": p_value,
        "verdict": SETTLED if p_value <= risk / 2 else OPEN,
        "risk": risk,
    }


def pair_details(walk: Walk, pair: int, share: WrongShare) -> dict[str, Any]:
    """Return what recomputes the capitals of one pair, draw by draw."""
    setup = walk.setup
    better, worse = setup.disputes.pairs[pair]
    draws = []
    for drawn in walk.drawn:
        places = drawn.pairs.tolist()
        if pair not in places:
            continue
        at = places.index(pair)
        draws.append(
            {
                "draw": drawn.draw,
                "item": setup.items.names[drawn.item],
                "given": setup.reader.given(drawn.item).text,
                "right": drawn.right.text,
                **_numbers(drawn.bet, at),
                "opposite": _numbers(drawn.opposite, at),
            }
        )
    return {
        "better": better,
        "worse": worse,
        "disputed": _disputed(walk, pair),
        "lead": float(setup.disputes.leads[pair]),
        "label_error": share_row(share, "disputed by the two"),
        "draws": draws,
    }


def _disputed(walk: Walk, pair: int) -> int:
    return int((walk.setup.disputes.kind[pair] >= 0).sum())


def _numbers(bet: Bet, at: int) -> dict[str, float]:
    return {
        "q": float(bet.chance[at]),
        "guess": float(bet.guess[at]),
        "guesses": float(bet.guesses[at]),
        "lead": float(bet.lead[at]),
        "stake": float(bet.stake[at]),
        "capital": float(bet.capital[at]),
    }
