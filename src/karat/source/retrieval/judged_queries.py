"""The queries of a run beside those that were judged."""

import numpy as np

from karat.errors import InputError
from karat.source.retrieval.trec_files import PairValues
from karat.words import listing


def of_judged_queries(run: PairValues, judged: PairValues, notes: list[str]) -> PairValues:
    """Return the run without queries that have no judgement, which trec_eval leaves out too.

    These are noted, and so are the judged queries that the run lacks.
    """
    queries = dict.fromkeys(judged.query)
    answered = dict.fromkeys(run.query)
    unknown = [query for query in answered if query not in queries]
    if len(unknown) == len(answered):
        raise InputError(
            f"{run.place}: none of its queries, {listing(unknown, most=3)}, is in {judged.place}; "
            "name the judgements that belong to it"
        )
    lacking = [query for query in queries if query not in answered]
    if lacking:
        share = f"{len(lacking):,} of {len(queries):,} judged queries"
        names = listing(lacking, most=3)
        notes.append(f"{run.place}: {share} missing, {names}; it counts as finding nothing there")
    if not unknown:
        return run
    queries_left_out = f"{len(unknown):,} queries" if len(unknown) > 1 else "1 query"
    names = listing(unknown, most=3)
    notes.append(f"{run.place}: {queries_left_out} without judgements left out, {names}")
    return run.where(np.array([query in queries for query in run.query]))
