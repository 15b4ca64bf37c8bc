"""`karat audit`: which labels should be checked, and when is a ranking settled?"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.audit_serve import ServeOptions, fields_given, serve
from karat.cli.options import Files, InputOptions, OutputOptions
from karat.cli.printing import show, tell
from karat.cli.spread import Without, spread
from karat.errors import OptionError
from karat.source.paths import exists

if TYPE_CHECKING:
    from karat.ask.checked_lists import CheckedRow
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
    guide: Annotated[
        str | None,
        typer.Option(
            metavar="informed",
            help="Draw items more often whose label may be wrong, by this model; the risk stays. "
            "Takes mostly 0 to 10 % fewer checks.",
            show_default="even draws",
        ),
    ] = None
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
        list[str] | None,
        typer.Option(
            metavar="FILE|FOLDER",
            help="A file of what the checker sees of the items; by default the table's other columns. "
            "With --serve also the folder of the pictures that these name.",
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
    serve: Annotated[
        bool,
        typer.Option(
            "--serve",
            help="Check labels in the browser: a page on this machine that writes the list of -o FILE.",
        ),
    ] = False
    second: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A second checker's list of labels that --apply names; "
            "with --serve it is written, for --budget of them at random.",
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

    Without --apply: the list of the next items to look at. With it: where each claim stands. With --serve both are on
    a page in the browser.

    For example:
      karat audit digits.csv --claim best --seed 1 -o list.csv
      karat audit digits.csv --claim svm,knn --plan 0.05
    """
    _check(tables, options, output)
    shown = fields_given(options.fields or [])
    if shown.folder and not options.serve:
        raise OptionError(
            f"--fields {shown.folder} is a folder of pictures, for the page; say --serve, too"
        )
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
        guide=options.guide,
        new_items=options.new_items,
        fields=shown.file,
        threshold=options.threshold,
    )
    if options.plan is not None:
        show(begun.plan(options.plan), output)
        return
    if options.serve:
        _serve(begun.apply(checked), checked, output, options, shown.folder)
        return
    if not options.apply:
        listed = begun.next(options.budget, blind=options.blind)
        show(listed, output)
        if output.output:
            for note in listed.notes():
                tell(note)
        return
    audited = begun.apply(checked)
    if options.second:
        _show_second(audited, output, options.second)
        return
    _show_standing(audited, output, options)


def _serve(
    audited: "Audit",
    checked: "list[CheckedRow]",
    output: OutputOptions,
    options: AuditCommandOptions,
    pictures: str | None,
) -> None:
    """Serve the page until the command is stopped."""
    serve_options = ServeOptions(
        path=options.second or output.output or "",
        blind=options.blind,
        pictures=pictures,
        budget=options.budget,
        is_second=options.second is not None,
    )
    serve(audited, checked, serve_options)


def _show_second(audited: "Audit", output: OutputOptions, second: str) -> None:
    """Print how far two checkers agree, and what the audit says whoever is right."""
    from karat.ask.checked_lists import read_lists  # noqa: PLC0415

    show(audited.second(read_lists([second])), output)


def _check(tables: list[str], options: AuditCommandOptions, output: OutputOptions) -> None:
    """Refuse options that do not go together, before anything is read."""
    if options.plan is not None and (options.apply or options.corrected):
        raise OptionError(
            "--plan is for the time before the first label; leave --apply and --corrected out"
        )
    if options.corrected:
        _check_corrected(options.corrected, options.apply or [], tables)
    if options.serve:
        _check_serve(options, output)
    if options.second:
        _check_second(options)
        return
    is_list = not output.output or output.output.lower().endswith(".csv")
    if options.apply and not is_list:
        raise OptionError(
            f"with --apply, -o names the next list, a .csv, not {output.output}; "
            "print the result with --json, --csv, --md or --latex, and > FILE"
        )


def _check_corrected(corrected: str, lists: list[str], tables: list[str]) -> None:
    """Refuse to write a corrected table from nothing, or over what is read."""
    if not lists:
        raise OptionError(
            "--corrected writes what was found; name the checked lists with --apply FILE"
        )
    if not exists(corrected):
        return
    for path in [*tables, *lists]:
        if exists(path) and Path(path).samefile(corrected):
            raise OptionError(
                f"{corrected} is among what is read, and would be lost; name another file"
            )


def _check_second(options: AuditCommandOptions) -> None:
    """Refuse a second opinion on nothing."""
    if not options.apply:
        raise OptionError(
            "--second is a second opinion on labels; name the first checker's list with --apply FILE"
        )
    if options.corrected:
        raise OptionError("--corrected takes one checker's labels; leave --second out")


def _check_serve(options: AuditCommandOptions, output: OutputOptions) -> None:
    """Refuse what a page does not take."""
    if options.plan is not None or options.corrected:
        raise OptionError("--plan and --corrected are not for the page; leave --serve out")
    if options.budget < 1:
        raise OptionError(f"--budget is {options.budget}; a list has at least one item")
    if output.json or output.md or output.latex:
        raise OptionError("a page has no other form; leave --json, --md and --latex out")
    if options.second and output.output:
        raise OptionError("the second checker's labels go to --second FILE; leave -o out")
    path = options.second or output.output
    if not path:
        raise OptionError("name the list that the page writes, as -o list.csv")
    if not path.lower().endswith(".csv"):
        raise OptionError(f"the page writes a list, a .csv, not {path}")


def _show_standing(audited: "Audit", output: OutputOptions, options: AuditCommandOptions) -> None:
    """Print the verdict on each claim so far; write the next list and the corrected table where they are requested."""
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
