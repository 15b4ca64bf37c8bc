"""Exact matches of entities: both ends, whatever the type."""

from karat.measure.measure import measure
from karat.measure.ratios import Ratios
from karat.tally.votes.span_matches import SpanMatches


@measure("spans", name="exact-precision")
def exact_precision(spans: SpanMatches) -> Ratios:
    """How many of the entities that a system gives are right, matched by their ends?

    COR / (all answers), each summed over all documents; macro-exact-precision is the mean over documents. COR are
    answers with both ends of a true entity, whatever its type. Answers match one to one, those with the same ends
    first, then each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(spans.exact_credit, spans.answered)


@measure("spans", name="exact-recall")
def exact_recall(spans: SpanMatches) -> Ratios:
    """How many of the true entities are found, matched by their ends?

    COR / (all true entities), each summed over all documents; macro-exact-recall is the mean over documents. COR
    are answers with both ends of a true entity, whatever its type. Answers match one to one, those with the same
    ends first, then each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(spans.exact_credit, spans.truth)


@measure("spans", name="exact-f1")
def exact_f1(spans: SpanMatches) -> Ratios:
    """How good are precision and recall of entities together, matched by their ends?

    2 COR / (all true entities + all answers), each summed over all documents; macro-exact-f1 is the mean over
    documents. COR are answers with both ends of a true entity, whatever its type. Answers match one to one, those
    with the same ends first, then each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(2 * spans.exact_credit, spans.truth + spans.answered)
