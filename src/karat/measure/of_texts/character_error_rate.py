"""CER: the edits of characters that make what was read of the true text, per true character."""

import numpy as np

from karat.measure.measure import measure
from karat.measure.ratios import Ratios
from karat.tally.votes.edits import Edits


@measure(
    "texts",
    name="CER",
    unit="character",
    lower_is_better=True,
    high=np.inf,
    aliases=("character-error-rate",),
)
def character_error_rate(edits: Edits) -> Ratios:
    """How many characters must be edited, per character of the true text?

    CER = (S + D + I) / N: substitutions, deletions and insertions of an alignment with the fewest of them, summed over
    all texts, by their true characters; macro-CER is the mean of the rates of the texts. More than 1 where more is
    inserted than is true. A missing text is deleted wholly.
    Reference: Levenshtein, Binary codes capable of correcting deletions, insertions, and reversals, Soviet Physics
    Doklady 10, 1966.
    """
    return Ratios(edits.errors.astype(float), edits.length.astype(float))
