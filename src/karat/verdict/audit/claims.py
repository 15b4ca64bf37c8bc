"""What is claimed: that a system is the best, that the whole order holds, or that one is better than another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from karat.errors import OptionError, UnknownNameError
from karat.measure.quantity import Quantity
from karat.verdict.audit.disputes import Disputes, Pair, Scoring, disputes, leads
from karat.verdict.audit.right_labels import LabelReader
from karat.verdict.ranking import ranking_by
from karat.words import listing


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: the pairs that must all hold, the better system first."""

    text: str
    pairs: tuple[Pair, ...]
    tied: tuple[Pair, ...] = ()
    """Neighbours that are tied by the given labels, and so have no order to claim."""

    @property
    def is_order(self) -> bool:
        """Whether the claim is the whole order."""
        return self.text == "order"

    def statement(self) -> str:
        """Return what is claimed, in words."""
        better, worse = self.pairs[0]
        if self.text == "best" and len(self.pairs) > 1:
            return f"{better!r} is better than all {len(self.pairs)} others"
        if self.is_order:
            return self._order()
        return f"{better!r} is better than {worse!r}"

    def _order(self) -> str:
        """Return the order in words: as one list where no two neighbours are tied, else pair by pair."""
        systems = [self.pairs[0][0]]
        for better, worse in self.pairs:
            if better != systems[-1]:
                return " and ".join(f"{one!r} before {other!r}" for one, other in self.pairs)
            systems.append(worse)
        return "the order is " + ", ".join(repr(name) for name in systems)


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """The systems by the given labels: their values, and their ranks, the best first."""

    values: Mapping[str, float | None]
    ranks: Mapping[str, int]


def ranked(score: Scoring, quantity: Quantity, reader: LabelReader) -> Ranked:
    """Return the ranking by the given labels; a system that never gives the class of its precision has none."""
    adds = score.weight @ score.successes(reader)
    trials = score.trials
    values: dict[str, float | None] = {}
    for place, system in enumerate(score.items.systems):
        values[system] = None
        if trials[place] > 0:
            values[system] = float(adds[place] / trials[place])
    return Ranked(values, ranking_by(quantity, values))


def claims_of(
    texts: Sequence[str | Pair], score: Scoring, order: Ranked, reader: LabelReader
) -> tuple[Claim, ...]:
    """Return the claims that texts make: best, order, or A,B."""
    claims = []
    for text in texts:
        if text == "best":
            claims.append(_best(order))
        elif text == "order":
            claims.append(_order(score, order, reader))
        else:
            pair = text if isinstance(text, tuple) else parse_pair(text, score.items.systems)
            claims.append(_pair(pair, score.items.systems))
    if len({claim.text for claim in claims}) < len(claims):
        raise OptionError("--claim names the same claim twice; name each once")
    _check_defined(claims, order)
    return tuple(claims)


def parse_pair(text: str, systems: Sequence[str]) -> Pair:
    """Return the two systems of A,B; names may hold commas.

    >>> parse_pair("a,b,c", ["a,b", "c"])
    ('a,b', 'c')
    """
    parts = text.split(",")
    for cut in range(1, len(parts)):
        one = ",".join(parts[:cut]).strip()
        other = ",".join(parts[cut:]).strip()
        if one in systems and other in systems:
            return one, other
    if len(parts) != 2:
        raise OptionError(f"--claim is {text!r}; it takes best, order or two systems, as A,B")
    return parts[0].strip(), parts[1].strip()


def _pair(pair: Pair, systems: Sequence[str]) -> Claim:
    for name in pair:
        if name not in systems:
            raise UnknownNameError("system", name, systems)
    if pair[0] == pair[1]:
        raise OptionError(f"--claim names {pair[0]!r} twice; a claim is about two systems")
    return Claim(",".join(pair), (pair,))


def _best(order: Ranked) -> Claim:
    best, *others = order.ranks
    if not others:
        raise OptionError(f"there is only {best!r}; a claim is about two systems")
    top = [name for name, rank in order.ranks.items() if rank == 1]
    if len(top) > 1:
        raise OptionError(
            f"{listing(top)} share the first place by the given labels, so that none is the best; "
            f"claim that one of them is better than another, as --claim {top[0]},{top[1]}"
        )
    return Claim("best", tuple((best, other) for other in others))


def _order(score: Scoring, order: Ranked, reader: LabelReader) -> Claim:
    neighbours = tuple(pairwise(order.ranks))
    if not neighbours:
        raise OptionError(f"there is only {next(iter(order.ranks))!r}; an order is of two systems")
    by_given = leads(score, neighbours, reader)
    tied = tuple(pair for pair, lead in zip(neighbours, by_given, strict=True) if not lead)
    pairs = tuple(pair for pair in neighbours if pair not in tied)
    if not pairs:
        raise OptionError("all systems are tied by the given labels; there is no order to claim")
    return Claim("order", pairs, tied)


def _check_defined(claims: Sequence[Claim], order: Ranked) -> None:
    """Refuse a system whose value is undefined: no right label gives it one."""
    for claim in claims:
        for name in {name for pair in claim.pairs for name in pair}:
            if order.values[name] is None:
                raise OptionError(
                    f"{name!r} never gives this label, so that its value is undefined; leave it out with --systems"
                )


def pairs_of(claims: Sequence[Claim]) -> tuple[Pair, ...]:
    """Return every pair of the claims once."""
    return tuple(dict.fromkeys(pair for claim in claims for pair in claim.pairs))


def disputes_of(claims: Sequence[Claim], score: Scoring, reader: LabelReader) -> Disputes:
    """Return what the claims dispute."""
    return disputes(score, pairs_of(claims), reader)
