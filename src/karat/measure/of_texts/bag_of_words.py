"""Bag of words: what was read, whatever the order of the words."""

import numpy as np

from karat.measure.measure import measure
from karat.measure.ratios import Ratios
from karat.tally.votes.edits import Edits


@measure(
    "texts",
    name="bag-WER",
    unit="bag",
    lower_is_better=True,
    high=np.inf,
    aliases=("position-independent-error-rate",),
)
def bag_word_error_rate(edits: Edits) -> Ratios:
    """How many words must be edited, per word of the true text, if their order does not count?

    Σ max(missed, added) / N over the texts: of each word a text has too few or too many of, a missed and an added one
    are one substitution. Known as position-independent error rate.
    Reference: Tillmann et al., Accelerated DP based search for statistical translation, Eurospeech 1997.
    https://www.isca-speech.org/archive/eurospeech_1997/e97_2667.html
    """
    return Ratios(edits.errors.astype(float), edits.length.astype(float))


@measure("texts", name="bag-precision", unit="bag")
def bag_precision(edits: Edits) -> Ratios:
    """How many of the words that were read stand in the true text, whatever their order?

    Σ min(true, read) / (words read), each word of a text counted as often as it is there.
    Reference: Pletschacher, Clausner, Antonacopoulos, Europeana Newspapers OCR workflow evaluation, HIP 2015.
    doi:10.1145/2809544.2809554
    """
    return Ratios(edits.right.astype(float), edits.answered.astype(float))


@measure("texts", name="bag-recall", unit="bag")
def bag_recall(edits: Edits) -> Ratios:
    """How many words of the true text were read, whatever their order?

    Σ min(true, read) / (true words), each word of a text counted as often as it is there.
    """
    return Ratios(edits.right.astype(float), edits.length.astype(float))


@measure("texts", name="bag-f1", unit="bag")
def bag_f1(edits: Edits) -> Ratios:
    """How good are precision and recall of words together, whatever their order?

    2 Σ min(true, read) / (true words + words read), each word of a text counted as often as it is there.
    Reference: van Rijsbergen, Information Retrieval, 2nd edition, Butterworths 1979, chapter 7.
    """
    both = edits.length + edits.answered
    return Ratios(2 * edits.right.astype(float), both.astype(float))
