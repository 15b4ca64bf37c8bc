"""`karat audit`: which labels should be checked, and when is a ranking settled?"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.options import Files, InputOptions, OutputOptions
from karat.cli.printing import show, tell
from karat.cli.spread import Without, spread
from karat.errors import OptionError

if TYPE_CHECKING:
    from karat.verdict.audit.audit import Audit


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCommandOptions:
    """What is claimed, how surely it is to be known, and what comes back from a checker."""

    claim: Annotated[
        list[str] | None,
        typer.Option(
            metavar="best|order|A,B",
            help="What is to be settled: who is best, the whole order, or that A is better than B; may be repeated.",
        ),
    ] = None
    risk: Annotated[
        float, typer.Option(help="The largest probability with which a verdict may be false.")
    ] = 0.05
    budget: Annotated[int, typer.Option(help="The length of this list, not of the audit.")] = 60
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help="A number or word that fixes every draw; choose it before the first label.",
            show_default="a hash of the table",
        ),
    ] = None
    random: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            help="The share of the draws that goes to all items, for the share of wrong labels in the whole table.",
        ),
    ] = 0.0
    measure: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="The measure: accuracy, error-rate, recall[cat], precision[cat], ...",
        ),
    ] = "accuracy"
    threshold: Annotated[
        float | None, typer.Option(help="The score from which an answer is yes.")
    ] = None
    apply: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A list with its column right filled in; may be repeated. With -o FILE the next list is written.",
        ),
    ] = None
    blind: Annotated[
        bool, typer.Option("--blind", help="Leave the given labels out of the list.")
    ] = False
    fields: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A file of what the checker sees of the items; by default the table's other columns.",
        ),
    ] = None
    plan: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="How many labels will have to be looked up, if this share of the disputed ones is wrong.",
        ),
    ] = None
    new_items: Annotated[
        bool,
        typer.Option(
            "--new-items",
            help="Go on until the claim holds for new items, too; half of the risk for each step.",
        ),
    ] = False
    corrected: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the table with the labels that were found to be right, as CSV.",
        ),
    ] = None


@spread
def audit(
    tables: Files,
    inputs: Annotated[InputOptions, Without("judge")],
    output: OutputOptions,
    options: AuditCommandOptions,
) -> None:
    """Which labels should be checked, and when is the ranking settled?

    Without --apply: the list of the next items to look at. With it: where each claim stands.

    For example:
      karat audit digits.csv --claim best --seed 1 -o list.csv
      karat audit digits.csv --claim svm,knn --plan 0.05
    """
    _check(tables, options, output)
    from karat.ask.checked_lists import read_lists  # noqa: PLC0415 (loads the stages)
    from karat.cli.reading import read_inputs  # noqa: PLC0415

    checked = read_lists(options.apply or [])
    bench = read_inputs(tables, inputs)
    begun = bench.audit(
        claim=options.claim or [],
        risk=options.risk,
        seed=options.seed,
        measure=options.measure,
        random=options.random,
        new_items=options.new_items,
        fields=options.fields,
        threshold=options.threshold,
    )
    if options.plan is not None:
        show(begun.plan(options.plan), output)
        return
    if not options.apply:
        listed = begun.next(options.budget, blind=options.blind)
        show(listed, output)
        if output.output:
            for note in listed.notes():
                tell(note)
        return
    audited = begun.apply(checked)
    _show_standing(audited, output, options)


def _check(tables: list[str], options: AuditCommandOptions, output: OutputOptions) -> None:
    """Refuse options that do not go together, before anything is read."""
    if options.plan is not None and (options.apply or options.corrected):
        raise OptionError(
            "--plan is for the time before the first label; leave --apply and --corrected out"
        )
    if options.corrected and not options.apply:
        raise OptionError(
            "--corrected writes what was found; name the checked lists with --apply FILE"
        )
    corrected = options.corrected
    for path in [*tables, *(options.apply or [])]:
        if (
            corrected
            and Path(path).exists()
            and Path(corrected).exists()
            and Path(path).samefile(corrected)
        ):
            raise OptionError(
                f"{corrected} is among what is read, and would be lost; name another file"
            )
    is_list = not output.output or output.output.lower().endswith(".csv")
    if options.apply and not is_list:
        raise OptionError(
            f"with --apply, -o names the next list, a .csv, not {output.output}; "
            "print the result with --json, --csv, --md or --latex, and > FILE"
        )


def _show_standing(audited: "Audit", output: OutputOptions, options: AuditCommandOptions) -> None:
    """Print where each claim stands; write the next list, and the corrected table, where they are wanted."""
    from karat.report.writing import write  # noqa: PLC0415

    show(audited, replace(output, output=None))
    if output.output:
        listed = audited.next(options.budget, blind=options.blind)
        write(output.output, listed.to_csv())
        tell(f"wrote {output.output}: {len(listed.entries):,} items")
    if options.corrected:
        corrected = audited.corrected()
        write(options.corrected, corrected.to_csv())
        tell(f"wrote {options.corrected}")
        for note in corrected.notes():
            tell(note)
