"""What measures of judged documents have in common: their places and grades, query by query."""

from karat.errors import TallyError
from karat.tally.scores.rankings import JudgedDocuments, Rankings


def judged_of(rankings: Rankings) -> JudgedDocuments:
    """Return the judged documents; refuse a tally without them."""
    if rankings.judged is None:
        raise TallyError("only relevant documents were counted; count the judged ones, too")
    return rankings.judged
