"""From counts to a number: one file per measure, in rooms by what it is counted from."""

from karat.index import Index

MEASURES = Index(
    "measure",
    "measure",
    "measures",
    accuracy="of_answers.accuracy",
    error_rate="of_answers.error_rate",
    precision="of_answers.precision",
    recall="of_answers.recall",
    specificity="of_answers.specificity",
    npv="of_answers.npv",
    false_discovery_rate="of_answers.false_discovery_rate",
    f="of_answers.f",
    balanced_accuracy="of_answers.balanced_accuracy",
    matthews="of_answers.matthews",
    kappa="of_answers.kappa",
    roc_area="of_scores.roc_area",
    average_precision="of_scores.average_precision",
    pr_area="of_scores.pr_area",
    brier="of_scores.brier",
    mean_absolute_error="of_numbers.mean_absolute_error",
    mean_squared_error="of_numbers.mean_squared_error",
    top_k_accuracy="of_distributions.top_k_accuracy",
    cross_entropy="of_distributions.cross_entropy",
    divergence="of_distributions.divergence",
    P="of_rankings.precision_of_list:precision_of_list",
    R="of_rankings.recall_of_list:recall_of_list",
    AP="of_rankings.average_precision_of_list:average_precision_of_list",
    RR="of_rankings.reciprocal_rank:reciprocal_rank",
    Success="of_rankings.success:success",
    nDCG="of_rankings.discounted_gain:discounted_gain",
    nDCG_exp="of_rankings.discounted_gain:exponential_gain",
    RBP="of_rankings.rank_biased_precision:rank_biased_precision",
    Bpref="of_rankings.binary_preference:binary_preference",
    infAP="of_rankings.inferred_precision:inferred_precision",
    Judged="of_rankings.judged_share:judged_share",
    share="share",
)


def listed(*rooms: str) -> str:
    """Return karat's own measures in some rooms, for help; nothing is loaded.

    >>> listed("of_scores")
    'roc-area, average-precision, pr-area, brier'
    """
    names = [name for name in MEASURES.built_in if MEASURES.module(name).split(".")[2] in rooms]
    return ", ".join(names)
