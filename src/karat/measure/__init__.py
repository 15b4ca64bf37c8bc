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
    iou="of_answers.iou",
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
    Rprec="of_rankings.r_precision:r_precision",
    RR="of_rankings.reciprocal_rank:reciprocal_rank",
    Success="of_rankings.success:success",
    nDCG="of_rankings.discounted_gain:discounted_gain",
    nDCG_exp="of_rankings.discounted_gain:exponential_gain",
    RBP="of_rankings.rank_biased_precision:rank_biased_precision",
    Bpref="of_rankings.binary_preference:binary_preference",
    infAP="of_rankings.inferred_precision:inferred_precision",
    Judged="of_rankings.judged_share:judged_share",
    mAP="karat.boxes.measures.average_precision_of_boxes:mean_average_precision",
    mAP_small="karat.boxes.measures.average_precision_of_boxes:average_precision_of_small",
    mAP_medium="karat.boxes.measures.average_precision_of_boxes:average_precision_of_medium",
    mAP_large="karat.boxes.measures.average_precision_of_boxes:average_precision_of_large",
    mAR="karat.boxes.measures.average_recall_of_boxes:mean_average_recall",
    mAR_small="karat.boxes.measures.average_recall_of_boxes:average_recall_of_small",
    mAR_medium="karat.boxes.measures.average_recall_of_boxes:average_recall_of_medium",
    mAR_large="karat.boxes.measures.average_recall_of_boxes:average_recall_of_large",
    class_AP="karat.boxes.measures.average_precision_of_boxes:class_average_precision",
    class_AR="karat.boxes.measures.average_recall_of_boxes:class_average_recall",
    CER="of_texts.character_error_rate:character_error_rate",
    WER="of_texts.word_error_rate:word_error_rate",
    bag_WER="of_texts.bag_of_words:bag_word_error_rate",
    bag_precision="of_texts.bag_of_words:bag_precision",
    bag_recall="of_texts.bag_of_words:bag_recall",
    bag_f1="of_texts.bag_of_words:bag_f1",
    strict_precision="of_spans.strict_match:strict_precision",
    strict_recall="of_spans.strict_match:strict_recall",
    strict_f1="of_spans.strict_match:strict_f1",
    exact_precision="of_spans.exact_match:exact_precision",
    exact_recall="of_spans.exact_match:exact_recall",
    exact_f1="of_spans.exact_match:exact_f1",
    partial_precision="of_spans.partial_match:partial_precision",
    partial_recall="of_spans.partial_match:partial_recall",
    partial_f1="of_spans.partial_match:partial_f1",
    type_precision="of_spans.type_match:type_precision",
    type_recall="of_spans.type_match:type_recall",
    type_f1="of_spans.type_match:type_f1",
    pass_at="of_samples.pass_at:pass_at",  # noqa: S106
    share="share",
)


def listed(*rooms: str) -> str:
    """Return karat's own measures in some rooms, for help; nothing is loaded.

    >>> listed("of_scores")
    'roc-area, average-precision, pr-area, brier'
    """
    names = [name for name in MEASURES.built_in if MEASURES.module(name).split(".")[2] in rooms]
    return ", ".join(names)
