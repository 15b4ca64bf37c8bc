"""WER: the edits of words that make what was read or heard of the true text, per true word."""

import numpy as np

from karat.measure.measure import measure
from karat.measure.ratios import Ratios
from karat.tally.votes.edits import Edits


@measure(
    "texts",
    name="WER",
    unit="word",
    lower_is_better=True,
    high=np.inf,
    aliases=("word-error-rate",),
)
def word_error_rate(edits: Edits) -> Ratios:
    """How many words must be edited, per word of the true text?

    WER = (S + D + I) / N: substitutions, deletions and insertions of an alignment with the fewest of them, summed over
    all texts, by their true words; macro-WER is the mean of the rates of the texts. Words stand between white space.
    More than 1 where more is inserted than is true. A missing text is deleted wholly.
    Reference: Hunt, Figures of merit for assessing connected-word recognisers, Speech Communication 9, 1990.
    """
    return Ratios(edits.errors.astype(float), edits.length.astype(float))
