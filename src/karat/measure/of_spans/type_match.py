"""Matches of entities by type: an overlap with one of the same type."""

from karat.measure.measure import measure
from karat.measure.ratios import Ratios
from karat.tally.votes.span_matches import SpanMatches


@measure("spans", name="type-precision")
def type_precision(spans: SpanMatches) -> Ratios:
    """How many of the entities that a system gives are right, matched by their types?

    COR / (all answers), each summed over all documents; macro-type-precision is the mean over documents. COR are
    answers that overlap a true entity of their type. Answers match one to one, those with the same ends first, then
    each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(spans.type_credit, spans.answered)


@measure("spans", name="type-recall")
def type_recall(spans: SpanMatches) -> Ratios:
    """How many of the true entities are found, matched by their types?

    COR / (all true entities), each summed over all documents; macro-type-recall is the mean over documents. COR are
    answers that overlap a true entity of their type. Answers match one to one, those with the same ends first, then
    each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(spans.type_credit, spans.truth)


@measure("spans", name="type-f1")
def type_f1(spans: SpanMatches) -> Ratios:
    """How good are precision and recall of entities together, matched by their types?

    2 COR / (all true entities + all answers), each summed over all documents; macro-type-f1 is the mean over
    documents. COR are answers that overlap a true entity of their type. Answers match one to one, those with the
    same ends first, then each from left to right the first that it overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(2 * spans.type_credit, spans.truth + spans.answered)
