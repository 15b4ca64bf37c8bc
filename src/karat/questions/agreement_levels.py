"""How good are systems by what at least one, two, ... annotators marked?"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from karat.ask.prevalence_options import open_series
from karat.errors import OptionError
from karat.questions.prevalence import prevalences
from karat.report.signature import about
from karat.tally.scores.annotator_marks import marks
from karat.verdict.prevalence.agreement_levels import AgreementLevels, levels


def agreement_levels(
    path: Any, *, annotators: Sequence[str], systems: Sequence[str], **where: Any
) -> AgreementLevels:
    """Return areas and correlations by each level of agreement; `where` as for `Bench.skew`."""
    fields = prevalences("levels are compared", **where)
    columns = {"--annotators": annotators, "--systems": systems}
    for name, given in columns.items():
        if len(set(given)) < len(given):
            raise OptionError(f"{name} names a column twice; name each once")
    tallies = marks(*open_series(path), annotators, systems)
    digests = [tally.digest() for tally in tallies.values()]
    options = {"levels": ",".join(annotators), "systems": ",".join(systems)}
    names = [field.name for field in fields]
    beside = about("skew", names, None, options, digests)
    return replace(levels(annotators, tallies, fields), about=beside)
