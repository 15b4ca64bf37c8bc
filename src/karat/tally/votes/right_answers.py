"""Which answers are right: equal to the truth, or among the right labels where the truth is a set of them."""

import numpy as np
import numpy.typing as npt

from karat.table.labels import Codes, Labels


def right(
    truth: Codes, answers: Codes, labels: tuple[str, ...], meaning: Labels
) -> npt.NDArray[np.bool_]:
    """Return for each row and system whether the answer is right; a missing answer is not."""
    if meaning.truth_sep is None:
        return np.asarray((answers == truth[:, None]) & (answers >= 0))
    code_of = {text: code for code, text in enumerate(labels)}
    is_right = np.zeros(answers.shape, bool)
    for code in np.unique(truth).tolist():
        members = [code_of[text] for text in meaning.members(labels[code]) if text in code_of]
        here = truth == code
        is_right[here] = np.isin(answers[here], members)
    return is_right
