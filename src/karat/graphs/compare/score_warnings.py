"""What a reader of the scores of graphs must know of the files: what was scored as absent, or not as written."""

from karat.graphs.compare.counts import Graphs
from karat.graphs.compare.summary import STATES
from karat.graphs.formats.folder import malformed_lines_text
from karat.words import counted, listing


def unscored(tally: Graphs) -> dict[str, list[str]]:
    """Return the files of one system that are not scored as they are, by the reason."""
    (system,) = tally.systems
    files: dict[str, list[str]] = {state: [] for state in (*STATES, "malformed", "extra")}
    for file, state, lines in zip(tally.file, tally.state, tally.malformed, strict=True):
        if state in STATES:
            files[state].append(file)
        if lines:
            files["malformed"].append(file)
    files["extra"] += tally.extra[system]
    return files


def system_warnings(tally: Graphs) -> list[str]:
    """Return what was scored as absent of one system, and what could not be taken as it is written."""
    files = unscored(tally)
    warnings = []
    absent = [
        f"{len(files[state]):,} {state} ({listing(files[state], most=3)})"
        for state in STATES
        if files[state]
    ]
    if absent:
        warnings.append(f"scored as absent: {', '.join(absent)}.")
    if files["extra"]:
        many = counted(len(files["extra"]), "file")
        names = listing(files["extra"], most=3)
        warnings.append(f"{many} without a truth, not scored: {names}.")
    if files["malformed"]:
        lines = malformed_lines_text(sum(tally.malformed))
        names = listing(files["malformed"], most=3)
        warnings.append(f"{lines} left out, in {names}.")
    warnings += _inheritance_warning(tally)
    unclosed = int(tally["unclosed"].sum())
    if unclosed:
        objects = counted(unclosed, "object")
        warnings.append(
            f"{objects} with merges that are one-way or not closed; "
            "objects are taken as connected, dS counts the labels as written."
        )
    return warnings


def _inheritance_warning(tally: Graphs) -> list[str]:
    """Return a warning where relations that follow from others are written in one of two graphs only."""
    if tally.rules.inherit:
        return []
    in_truth = tally["inherited"] > 0
    in_output = tally["found_inherited"] > 0
    present = tally["found_relations"] > 0
    only_truth = int((in_truth & ~in_output & present).sum())
    only_output = int((in_output & ~in_truth).sum())
    if not only_truth and not only_output:
        return []
    what = (
        f"inherited relations, which follow from others, are written only in the truth of {only_truth:,} and only in "
        f"the output of {only_output:,} of {counted(len(tally), 'expression')}; as given they count as wrong, "
        "--inherit closes both graphs."
    )
    return [what]


def tree_warning(tally: Graphs) -> list[str]:
    """Return a warning where the relations of some truths form no tree, over which STRUCT and REL-k are not counted."""
    if tally.rules.undirected or not tally.systems:
        return []
    of_one = tally.of(tally.systems[0])
    others = [name for name, tree in zip(of_one.file, of_one["tree"], strict=True) if not tree]
    if not others:
        return []
    trees = len(of_one) - len(others)
    what = (
        f"STRUCT and REL-k are shares of the {counted(trees, 'expression')} whose truth is a tree, not of all "
        f"{len(of_one):,}: {listing(others, most=3)} left out; `karat check` says why."
    )
    return [what]
