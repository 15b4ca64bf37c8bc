"""What a reader must know of a ranking without truth, in sentences."""

from typing import TYPE_CHECKING

from karat.ask.voting import ALL, NONE
from karat.words import counted, listing

if TYPE_CHECKING:
    from karat.verdict.consensus.agreement import Agreement
    from karat.verdict.consensus.result import ConsensusResult

LOW_ALPHA = 0.02
"""Below this coefficient systems agree hardly more than by chance: annotators who are right in 60 % have 0.04."""
LOW_TAU = 0.5
"""Below this rank correlation two estimators give different rankings."""
FEW = 10
"""With fewer answers than this little can be said of a system."""
RANKED_BEFORE = (
    "On benchmarks whose truth was hidden, such rankings had a rank correlation (Kendall's tau) of 0.07 to 0.87 with "
    "the true ones."
)
"""Measured by bench/real/consensus.py, on the thirteen benchmarks as a whole."""
SOME = 4
"""So many families, and labels, are named."""


def heading(result: "ConsensusResult") -> str:
    """Return the title of the ranking."""
    text = f"{result.estimator}: {result.ranks_by} by all systems together"
    if result.truth_comparison is not None:
        text += f"; then by the truth ({result.truth_comparison.quantity})"
    return text


def warnings(result: "ConsensusResult") -> tuple[str, ...]:
    """Return why the ranking may be wrong."""
    agreement = result.agreement
    sentences = _of_estimators(result)
    alpha = agreement.alpha
    if alpha is not None and alpha < LOW_ALPHA and not agreement.only_chosen:
        sentences.append(
            f"warning: the systems agree hardly more than by chance (Krippendorff's alpha {alpha:.2f}); "
            "the answers most of them give need not be true, and a ranking by them means little."
        )
    sentences += _correlated(agreement, grouped=result.grouped)
    return tuple(sentences)


def _of_estimators(result: "ConsensusResult") -> list[str]:
    """Return how far the ranking rests on the choice of the estimator."""
    others = result.others
    if others is None:
        return []
    systems = len(result.agreement.names)
    if others.below_chance * 4 >= systems:
        sentence = (
            f"warning: {others.below_chance:,} of {counted(systems, 'system')} are no better than chance by a model of "
            "independent errors; then the answers do not show which side is right: undecided, until a few items are "
            "checked."
        )
        return [sentence]
    least = others.least
    if least is None or least[1] >= LOW_TAU:
        return []
    (one, other), tau = least
    sentence = (
        f"warning: the estimators disagree: {one} and {other} rank the systems differently (Kendall's tau {tau:.2f}); "
        "only a few checked items can show which is right."
    )
    return [sentence]


def _correlated(agreement: "Agreement", *, grouped: bool) -> list[str]:
    """Return which systems have correlated errors, and which may have."""
    families = []
    undecided = []
    for one in agreement.evidence:
        names = _some(agreement.named(one.systems))
        if one.otherwise:
            undecided.append(f"either {names} or {_some(agreement.named(one.otherwise))}")
        else:
            families.append(f"{names} ({one.excess:.2f} [{one.low:.2f}, {one.high:.2f}])")
    sentences = []
    if families:
        by_errors = agreement.evidence[0].by == "errors"
        what = "make the same errors" if by_errors else "agree"
        # Items or labels that mislead most systems look alike by errors; agreement allows for them.
        why = " (or the same items mislead both)" if by_errors else ""
        sentence = (
            f"warning: correlated errors in {counted(len(families), 'cluster')} of systems, which {what} more often "
            f"than skill and difficulty explain, as if one copied this share of the other{why}: "
            f"{listing(families[:SOME])}"
        )
        if len(families) > SOME:
            sentence += f" and {len(families) - SOME:,} more"
        together = " Each cluster has one vote." if grouped else " They confirm each other."
        sentences.append(f"{sentence}.{together}")
    if undecided:
        sentences.append(
            f"warning: correlated errors, but the answers do not show whose: {listing(undecided[:SOME])}. "
            "A few checked items would."
        )
    return sentences


def _some(names: list[str]) -> str:
    more = " ..." if len(names) > SOME else ""
    return " + ".join(names[:SOME]) + more


def by_truth(result: "ConsensusResult") -> list[str]:
    """Return how well the ranking agrees with the truth."""
    truth = result.truth_comparison
    if truth is None:
        return []
    tau = "undefined" if truth.tau is None else f"{truth.tau:.2f}"
    if truth.tau_range is not None:
        low, high = truth.tau_range
        tau += f" [{low:.2f}, {high:.2f}]"
    over = ", over what each answered" if result.sparse else ""
    first = (
        f"By the truth of {counted(truth.items, 'item')} ({truth.quantity}{over}) the rank correlation "
        f"(Kendall's tau) is {tau}"
    )
    if truth.tiers:
        shares = [f"{name} {100 * share:.0f} %" for name, share in truth.tiers.items()]
        first += f"; in the same third: {', '.join(shares)}"
    second = f"The majority is right on {100 * truth.majority:.1f} % of them"
    if truth.majority_range is not None:
        low, high = truth.majority_range
        second += (
            "; given how often each system is right, it could be anything from "
            f"{100 * low:.1f} to {100 * high:.1f} %"
        )
    sentences = [f"{first}.", f"{second}."]
    if truth.tied:
        pairs = counted(len(truth.tied), "pair")
        sentences.append(f"{pairs} tied without the truth, different with it.")
    return sentences


def limits(result: "ConsensusResult") -> list[str]:
    """Return what cannot be seen from the answers alone."""
    first = "Errors that most systems share cannot be seen from their answers."
    if result.truth_comparison is None and result.needed is not None:
        first = (
            "Errors that most systems share cannot be seen from their answers, only from checked items: if the "
            f"majority is as good as it seems, {result.needed:,} drawn at random show that it is better than chance. "
            "Whether the ranking is right takes more of them (--truth)."
        )
    sentences = [first]
    if result.truth_comparison is None and result.estimator == "combined":
        sentences.append(RANKED_BEFORE)
    agreement = result.agreement
    if agreement.only_chosen:
        sentences.append(
            "Items that no system chose are not in the table, so agreement beyond chance cannot be computed."
        )
    elif agreement.alpha is not None:
        sentences.append(_coefficients(agreement, agreement.alpha))
    if len(result.labels) > 1 and result.ranks_by == result.f_name:
        sentences.append(_voted_labels(result.labels))
    if result.hardly_known:
        few = len(result.hardly_known)
        systems = counted(len(result.agreement.names), "system")
        sentences.append(
            f"{few:,} of {systems} gave fewer than {FEW} answers: hardly anything is known of them."
        )
    if any(one.system == ALL for one in result.systems):
        sentences.append(
            f"{ALL} and {NONE} are virtual systems: they say yes to everything and to nothing, and vote with the "
            "others, so that no item is certain."
        )
    if result.left_out:
        items = counted(result.left_out, "item")
        sentences.append(f"{items} left out: nobody whose vote counts answered.")
    return sentences


def _coefficients(agreement: "Agreement", alpha: float) -> str:
    sentence = f"Krippendorff's alpha {alpha:.3f}"
    kappa = agreement.mean_cohen
    if kappa is not None:
        sentence += f"; Cohen's kappa {kappa:.3f}"
        if len(agreement.cohen) != 1:
            sentence += ", mean over the pairs of systems"
    return f"{sentence}."


def _voted_labels(labels: tuple[str, ...]) -> str:
    shown = listing(labels[:SOME])
    if len(labels) > SOME:
        shown += f" and {len(labels) - SOME:,} more"
    return f"The vote is on all pairs of an item and one of {len(labels):,} labels: {shown}."
