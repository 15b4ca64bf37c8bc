"""Would the ranking be the same by the right labels, if some of the given ones are wrong?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from karat.ask.label_errors import LabelErrorRates
from karat.ask.preconditions import option, refuse_pixels, refuse_scores, require_truth
from karat.errors import OptionError
from karat.measure.losses import Loss, is_loss, losses
from karat.measure.outcomes import of_right_answers
from karat.measure.quantity import Quantity, choose
from karat.questions.known_labels import NOTHING, Knowledge
from karat.questions.remarks import unusual_labels
from karat.report.signature import about
from karat.tally.counter import Counter
from karat.tally.facts import Facts
from karat.tally.votes.confidences import Confidences, confidences
from karat.tally.votes.patterns import Patterns, patterns
from karat.verdict.score.scores import check_labels, labels_of
from karat.verdict.stability.informed import InformedQuestion, informed_stability
from karat.verdict.stability.informed_result import InformedStability
from karat.verdict.stability.losses import (
    assumptions_about_confidences,
    assumptions_about_numbers,
    left_out,
)
from karat.verdict.stability.losses import loss_stability as stability_of_losses
from karat.verdict.stability.orders import INFORMED, PairStability, RankingStability
from karat.verdict.stability.result import KeptCurve, StabilityResult
from karat.verdict.stability.stability import NoiseOptions, classes_of, kept_curves
from karat.verdict.stability.stability import stability as stability_of_shares
from karat.words import any_of


def stability_by_measure(
    counter: Counter,
    measure: str,
    noise_options: NoiseOptions,
    *,
    given: Any = None,
    noise: float | None = None,
    floor: float = 0.0,
    curves: bool = False,
    knowledge: Knowledge = NOTHING,
) -> StabilityResult:
    """Return the stability of a ranking by labels; or by a loss, where answers are numbers or distributions."""
    if not is_loss(measure):
        quantity = Quantity.parse(measure)  # an unknown measure is reported first
        if quantity.traits.over_units:
            raise OptionError(
                f"{quantity} is of {quantity.counted_from}, and wrong labels are of single answers; ask for "
                "--measure accuracy, or take the measure to karat score and karat compare"
            )
        if noise is not None or floor:
            raise OptionError(
                f"--noise and --floor go with --measure {any_of(losses())}; {measure} is none of them"
            )
        return stability(
            counter, measure, noise_options, given=given, curves=curves, knowledge=knowledge
        )
    if noise_options.model is not None or knowledge is not NOTHING:
        raise OptionError(f"{measure} is not a measure of labels; leave --model and --checked out")
    if (
        noise_options.classes
        or noise_options.few
        or noise_options.wrong
        or noise_options.at_most
        or curves
    ):
        raise OptionError(
            f"{measure} is not a measure of labels; leave --classes, --few, --wrong, --at-most and curves out"
        )
    options = LossOptions(loss=Loss(name=measure, floor=floor), noise=noise, given=given)
    return loss_stability(counter, options, noise_options)


def stability(
    counter: Counter,
    measure: str,
    noise_options: NoiseOptions,
    *,
    given: Any = None,
    curves: bool = False,
    knowledge: Knowledge = NOTHING,
    by_chance: Sequence[PairStability] = (),
) -> StabilityResult:
    """Return how likely each order and the whole ranking stay as they are.

    `given` is the share of wrong labels as the user wrote it, for the signature; `curves` adds what a picture draws;
    `knowledge` is what the model informed knows beside the share, and `by_chance` how robust its pairs are to errors
    by chance, where that is known already.
    """
    facts, quantity, noise_options = prepared(counter, measure, noise_options)
    rows = counter.count(patterns, keys="e")
    check_labels([quantity], labels_of(rows))
    pairs = list(by_chance)
    rankings: list[RankingStability] = []
    if not pairs and noise_options.model == INFORMED:
        # What is known of a pair whatever the errors are, and by chance; the probabilities are the model's own.
        pairs, _ = stability_of_shares(rows, quantity, replace(noise_options, few=False))
    elif not pairs:
        pairs, rankings = stability_of_shares(rows, quantity, noise_options)
    informed = _informed(counter, quantity, noise_options, pairs, knowledge, rows)
    if noise_options.model == INFORMED:
        pairs = [pair for one in informed for pair in one.pairs]
        rankings = [one.ranking for one in informed if noise_options.pair is None]
    options = with_given(facts, given) | knowledge.signed()
    header = about("stability", [str(quantity)], noise_options, options, [rows.digest()], facts)
    drawn: tuple[KeptCurve, ...] = ()
    if curves:
        if not of_right_answers(quantity):
            raise OptionError(
                "the curves of a picture are those of accuracy; leave --measure out, or ask for numbers"
            )
        drawn = kept_curves(rows, pairs, noise_options.classes or classes_of(rows))
    remarks = (*noise_options.label_errors.words, *facts.remarks(), *unusual_labels(facts, rows))
    return StabilityResult(
        quantity,
        tuple(pairs),
        tuple(rankings),
        header,
        remarks,
        noise_options.level,
        drawn,
        few=noise_options.few,
        informed=informed,
    )


def prepared(
    counter: Counter, measure: str, noise_options: NoiseOptions
) -> tuple[Facts, Quantity, NoiseOptions]:
    """Return what is known of the table, the measure and the errors, or refuse what has no distribution."""
    facts = require_truth(counter.facts, "total")
    refuse_pixels(facts)
    refuse_scores(facts, measure)
    if {"c", "w"} & set(facts.keys):
        raise OptionError(
            "clusters, runs and weights have no distribution of wrong labels here; "
            "leave --cluster, --run and --weight out"
        )
    (quantity,) = choose([measure], positive=facts.meaning.positive)
    noise_options = replace(
        noise_options, label_errors=noise_options.label_errors.among(facts.meaning.label)
    )
    if noise_options.model == INFORMED and not has_informed(counter, quantity, noise_options):
        raise OptionError(
            f"--model informed is for accuracy and one share of wrong labels; {quantity} or --error is not"
        )
    return facts, quantity, noise_options


def _informed(
    counter: Counter,
    quantity: Quantity,
    noise_options: NoiseOptions,
    pairs: Sequence[PairStability],
    knowledge: Knowledge,
    rows: Patterns,
) -> tuple[InformedStability, ...]:
    """Return the answer of the model informed, where it was requested or can be added to the rows."""
    question = informed_question(counter, quantity, noise_options, knowledge, rows)
    return () if question is None else informed_stability(question, pairs)


def informed_question(
    counter: Counter,
    quantity: Quantity,
    noise_options: NoiseOptions,
    knowledge: Knowledge,
    rows: Patterns | None = None,
) -> InformedQuestion | None:
    """Return the input of the model informed; None where the model does not apply and was not requested."""
    if not has_informed(counter, quantity, noise_options):
        return None
    try:
        items = knowledge.items(counter, rows)
    except OptionError:
        if noise_options.model == INFORMED:
            raise
        return None
    return InformedQuestion(
        items=items,
        label_errors=noise_options.label_errors,
        noise_options=noise_options,
        constants=knowledge.constants,
    )


def has_informed(counter: Counter, quantity: Quantity, noise_options: NoiseOptions) -> bool:
    """Return whether the model informed applies: to accuracy, with one share of wrong labels for all items."""
    if noise_options.model == "uniform":
        return False
    by_share = not (noise_options.label_errors.by_label or noise_options.wrong is not None)
    return of_right_answers(quantity) and by_share and "e" not in counter.facts.keys


def with_given(facts: Facts, given: Any) -> dict[str, str]:
    """Return the options of the table and the share of wrong labels, as a signature has them."""
    options = dict(facts.options)
    if isinstance(given, LabelErrorRates):
        options["label_error"] = given.signed()
    elif given is not None:
        options["label_error"] = str(given)
    return options


@dataclass(frozen=True, slots=True, kw_only=True)
class LossOptions:
    """Options of a question about a ranking by a loss, besides how often labels are wrong."""

    loss: Loss
    noise: float | None = None
    """The standard deviation of truths that are numbers."""
    given: Any = None
    """The share of wrong labels as the user wrote it, for the signature."""

    def signed(self) -> Mapping[str, str]:
        """Return the options as a signature has them."""
        options = {
            "label_error": self.given,
            "noise": self.noise,
            "floor": self.loss.floor or None,
        }
        return {name: str(value) for name, value in options.items() if value is not None}


def loss_stability(
    counter: Counter, options: LossOptions, noise_options: NoiseOptions
) -> StabilityResult:
    """Return how likely a ranking by mean error or divergence stays as it is."""
    facts = require_truth(counter.facts, None)
    if unfit := {"c", "w", "e", "r"} & set(facts.keys):
        raise OptionError(
            f"clusters, weights and errors by item have no distribution here; leave {option(unfit)} out"
        )
    if facts.meaning.truth_sep is not None:
        raise OptionError(
            "a truth that is a set of labels has no single label that could be wrong; name one truth"
        )
    tally: Patterns | Confidences
    if options.loss.of_numbers:
        tally = counter.count(patterns)
        doubts = assumptions_about_numbers(tally, options.loss, noise_options, options.noise)
    else:
        tally = counter.count(confidences)
        if facts.meaning.missing != "wrong":
            raise OptionError(
                "a system that gives no distribution is taken to have confidence 0; leave --missing out"
            )
        doubts = assumptions_about_confidences(tally, options.loss, noise_options, options.noise)
    pairs, rankings = stability_of_losses(facts.systems, doubts, noise_options)
    name = options.loss.name
    signed = {**facts.options, **options.signed()}
    header = about("stability", [name], noise_options, signed, [tally.digest()], facts)
    remarks = (*left_out(tally), *facts.remarks())
    return StabilityResult(
        Quantity(name), tuple(pairs), tuple(rankings), header, remarks, noise_options.level
    )
