"""Strict matches of entities: both ends and the type."""

from karat.measure.measure import measure
from karat.measure.ratios import Ratios
from karat.tally.votes.span_matches import SpanMatches


@measure("spans", name="strict-precision")
def strict_precision(spans: SpanMatches) -> Ratios:
    """How many of the entities that a system gives are right, matched strictly?

    COR / (all answers), each summed over all documents; macro-strict-precision is the mean over documents. COR are
    answers with both ends and the type of a true entity. Answers match one to one, those with the same ends first,
    then each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(spans.strict_credit, spans.answered)


@measure("spans", name="strict-recall")
def strict_recall(spans: SpanMatches) -> Ratios:
    """How many of the true entities are found, matched strictly?

    COR / (all true entities), each summed over all documents; macro-strict-recall is the mean over documents. COR
    are answers with both ends and the type of a true entity. Answers match one to one, those with the same ends
    first, then each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(spans.strict_credit, spans.truth)


@measure("spans", name="strict-f1")
def strict_f1(spans: SpanMatches) -> Ratios:
    """How good are precision and recall of entities together, matched strictly?

    2 COR / (all true entities + all answers), each summed over all documents; macro-strict-f1 is the mean over
    documents. COR are answers with both ends and the type of a true entity. Answers match one to one, those with
    the same ends first, then each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(2 * spans.strict_credit, spans.truth + spans.answered)
