"""Partial matches of entities: half a point for an overlap, whatever the type."""

from karat.measure.measure import measure
from karat.measure.ratios import Ratios
from karat.tally.votes.span_matches import SpanMatches


@measure("spans", name="partial-precision")
def partial_precision(spans: SpanMatches) -> Ratios:
    """How many of the entities that a system gives are right, matched at least in part?

    (COR + PAR / 2) / (all answers), each summed over all documents; macro-partial-precision is the mean over
    documents. COR are answers with both ends of a true entity, PAR those that overlap one, whatever its type.
    Answers match one to one, those with the same ends first, then each from left to right the first that it
    overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(spans.partial_credit, spans.answered)


@measure("spans", name="partial-recall")
def partial_recall(spans: SpanMatches) -> Ratios:
    """How many of the true entities are found, matched at least in part?

    (COR + PAR / 2) / (all true entities), each summed over all documents; macro-partial-recall is the mean over
    documents. COR are answers with both ends of a true entity, PAR those that overlap one, whatever its type.
    Answers match one to one, those with the same ends first, then each from left to right the first that it
    overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(spans.partial_credit, spans.truth)


@measure("spans", name="partial-f1")
def partial_f1(spans: SpanMatches) -> Ratios:
    """How good are precision and recall of entities together, matched at least in part?

    2 (COR + PAR / 2) / (all true entities + all answers), each summed over all documents; macro-partial-f1 is the
    mean over documents. COR are answers with both ends of a true entity, PAR those that overlap one, whatever its
    type. Answers match one to one, those with the same ends first, then each from left to right the first that it
    overlaps.
    Reference: Segura-Bedmar, Martínez, Herrero-Zazo, SemEval-2013 task 9: Extraction of drug-drug interactions from
    biomedical texts, SemEval 2013. https://aclanthology.org/S13-2056
    """
    return Ratios(2 * spans.partial_credit, spans.truth + spans.answered)
