"""Results as pictures, SVG or PNG; Matplotlib draws them."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from karat.errors import OptionError
from karat.report.prevalence_pictures import AgainstSkew, against, fields, groups, moved
from karat.result import Result
from karat.verdict.compare.result import BETTER, NO_WORSE, UNDECIDED, WORSE, Comparisons, Field
from karat.verdict.consensus.cutoffs import Cutoffs
from karat.verdict.consensus.parts import OTHERS
from karat.verdict.consensus.result import Standing
from karat.verdict.plan.plans import Figure
from karat.verdict.prevalence.groups_result import GroupedSkew
from karat.verdict.prevalence.published import Moved
from karat.verdict.prevalence.result import Skewed
from karat.verdict.score.scores import Scores
from karat.verdict.stability.result import Stability, WholeStability

MOST_NUMBERS = 15
"""Up to how many systems the ranks bear numbers."""
LINES = 22
"""How many names have room below each other."""
MOST_NAMED = 10
"""So many orders, those that survive least, have a line of their own."""
BLUE, ORANGE, GREEN, GREY, DIM = "#0072b2", "#d55e00", "#009e73", "#e8e8e8", "#b8b8b8"
"""Colours that the colour-blind tell apart; every cell also bears a sign."""


def svg(result: Result) -> bytes:
    """Return a picture that scales."""
    return _drawn(result, "svg")


def png(result: Result) -> bytes:
    """Return a picture of dots."""
    return _drawn(result, "png")


def _drawn(result: Result, form: str) -> bytes:
    draw = _painter(result)
    try:
        import matplotlib as mpl  # noqa: PLC0415 (optional)
        from matplotlib.figure import Figure as Canvas  # noqa: PLC0415
    except ImportError:
        raise OptionError("pictures need Matplotlib: pip install matplotlib") from None
    # The same result gives the same bytes.
    # Names are names: a dollar sign begins no formula.
    style: Any = {
        "svg.hashsalt": "karat",
        "svg.fonttype": "none",
        "font.size": 9,
        "text.parse_math": False,
    }
    with mpl.rc_context(style):
        canvas = Canvas(layout="constrained")
        draw(canvas)
        out = io.BytesIO()
        canvas.savefig(
            out,
            format=form,
            dpi=150,
            metadata={"Date": None} if form == "svg" else {"Software": None},
        )
    return out.getvalue()


def _painter(result: Result) -> Callable[[Any], None]:
    if isinstance(result, Comparisons) and len(result.fields) > 1:
        raise OptionError("a picture shows one measure; name one with --measure")
    own: Callable[[Any], None] | None = getattr(result, "paint", None)
    if own is not None:
        return own
    for kind, drawable, draw in _PAINTERS:
        if isinstance(result, kind) and drawable(result):
            return lambda canvas: draw(result, canvas)
    drawn = "score, compare, stability, consensus, skew, graph and plan --figure"
    raise OptionError(f"there is no picture of this result; there are of {drawn}")


def _curves(figure: Figure, canvas: Any) -> None:
    """Draw one line per number of trials."""
    name = "lower" if figure.number == 1 else "increase"
    title = "Guaranteed lower bound" if figure.number == 1 else "Smallest significant increase"
    canvas.set_size_inches(6, 4.5)
    axes = canvas.add_subplot()
    for trials in dict.fromkeys(row["trials"] for row in figure.found):
        own = [row for row in figure.found if row["trials"] == trials and row[name] is not None]
        estimates, values = ([row[key] for row in own] for key in ("estimate", name))
        axes.plot(
            estimates, values, marker="." if trials <= 50 else "", lw=1, label=f"n = {trials}"
        )
    axes.set(
        xlabel="observed share x/n",
        ylabel=title.lower(),
        title=f"{title}, level {figure.found[0]['level']:g}",
    )
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def _forest(result: Scores, canvas: Any) -> None:
    """Draw each system's value as a dot and its interval as a line, the best on top."""
    rows = [row for row in result.rows() if row["value"] is not None]
    if not rows:
        raise OptionError("every value is undefined, as of nothing; there is nothing to draw")
    if len({(row["measure"], row["label"], row.get("group")) for row in rows}) > 1:
        raise OptionError(
            "a picture shows one measure of one class and group; name one with --measure"
        )
    canvas.set_size_inches(6.5, 0.24 * len(rows) + 1.1)
    axes = canvas.add_subplot()
    for place, row in enumerate(rows):
        axes.plot([row["low"], row["high"]], [place] * 2, color=BLUE, lw=2, solid_capstyle="round")
        axes.plot([row["value"]], [place], marker="o", color=BLUE, ms=5)
    axes.set_yticks(range(len(rows)), [str(row["system"]) for row in rows])
    axes.set(
        ylim=(len(rows) - 0.5, -0.5), xlabel=f"{rows[0]['measure']}, level {rows[0]['level']:g}"
    )
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _standing(result: Standing, canvas: Any) -> None:
    """Draw the ranks by all and by the truth, if there is one, and who agrees with whom, if that is known."""
    truth, observed = result.beside_truth, result.agreement.observed
    parts = (truth is not None) + bool(result.told) + (observed is not None)
    if not parts:
        raise OptionError(
            "without a truth, and with so many classes or systems, there is nothing to draw"
        )
    size = len(result.ranks)
    canvas.set_size_inches(2 + 0.3 * size * parts, 1.6 + 0.24 * size)
    axes = list(canvas.subplots(1, parts, squeeze=False)[0])
    if truth is not None:
        _slopes(axes.pop(0), result.ranks, truth.ranks)
    if result.told:
        _both(axes.pop(0), result)
    if observed is not None:
        order = result.by_family()
        names = [result.agreement.names[place] for place in order]
        axes[0].imshow(observed[order][:, order], cmap="Blues", vmax=1, aspect="auto")
        axes[0].set_yticks(range(size), names)
        axes[0].set_xticks(range(size), range(1, size + 1))
        axes[0].set_title("how often two systems agree\n(families together)", fontsize=9)


def _both(axes: Any, result: Standing) -> None:
    """Draw precision against recall: a ring where all put a system, a dot where the truth does."""
    dots: dict[str, tuple[float, float]] = {}
    for one in result.systems:
        told = result.told.get(one.system)
        if (
            told is None
            or told.precision is None
            or told.recall is None
            or None in (one.precision, one.recall)
        ):
            continue
        axes.plot(
            [one.recall, told.recall], [one.precision, told.precision], color=GREY, lw=1, zorder=1
        )
        axes.plot([one.recall], [one.precision], marker="o", mfc="white", color=BLUE, ms=5)
        axes.plot([told.recall], [told.precision], marker="o", color=ORANGE, ms=5)
        dots[one.system] = (told.recall, told.precision)
    axes.margins(x=0.2)
    low, high = axes.get_ylim()
    names = sorted(dots, key=lambda name: -dots[name][1])
    heights = apart([dots[name][1] for name in names], (high - low) / LINES)
    for name, height in zip(names, heights, strict=True):
        axes.annotate(
            name,
            (dots[name][0], height),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
        )
    axes.set(xlabel="recall", ylabel="precision")
    axes.set_title(f"ring: by all; dot: by {result.told_by}", fontsize=9)
    axes.grid(alpha=0.3)


def apart(heights: Sequence[float], gap: float) -> list[float]:
    """Return falling heights, each by at least a gap below the one before.

    >>> apart([0.9, 0.88, 0.5], 0.1)
    [0.9, 0.8, 0.5]
    """
    found: list[float] = []
    for height in heights:
        found.append(min(height, found[-1] - gap) if found else height)
    return found


def _cutoffs(result: Cutoffs, canvas: Any) -> None:
    """Draw precision against recall at each cut-off, by the truth and by all, as the paper's Figures 1 and 2."""
    rows = [row for row in result.rows() if row["system"] not in OTHERS]
    sides = {"truth_": "by the truth", "": "by all, without the truth"}
    shown = {prefix: title for prefix, title in sides.items() if f"{prefix}precision" in rows[0]}
    canvas.set_size_inches(5.2 * len(shown), 4.4)
    for axes, (prefix, title) in zip(
        canvas.subplots(1, len(shown), squeeze=False)[0], shown.items(), strict=True
    ):
        for place, name in enumerate(sorted({row["system"] for row in rows})):
            own = [row for row in rows if row["system"] == name]
            recall, precision = (
                [row[prefix + key] for row in own] for key in ("recall", "precision")
            )
            known = [point for point in zip(recall, precision, strict=True) if None not in point]
            style = ("-", "--", ":", "-.")[place // 10 % 4]
            axes.plot(
                *zip(*known, strict=True), marker=".", lw=1.2, ls=style, label=name
            ) if known else None
        axes.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="recall", ylabel="precision")
        axes.set_title(f"{title}; a dot a cut-off", fontsize=9)
        axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=7)


def _slopes(axes: Any, first: Mapping[str, int], second: Mapping[str, int]) -> None:
    """Draw a line from each system's rank without the truth to its rank with it."""
    for name, rank in first.items():
        moved = rank != second[name]
        axes.plot(
            [0, 1], [rank, second[name]], color=ORANGE if moved else BLUE, lw=1.4, marker="o", ms=3
        )
        axes.text(-0.05, rank, name, ha="right", va="center", fontsize=8)
        axes.text(1.05, second[name], name, ha="left", va="center", fontsize=8)
    axes.set(xlim=(-1.2, 2.2), ylim=(len(first) + 0.5, 0.5))
    axes.set_title("rank by all, and by the truth", fontsize=9)
    axes.axis("off")


def _matrix(result: Comparisons, ranking: Field, canvas: Any) -> None:
    """Draw who is better than whom, in the order of the ranking, and a line for each group not told apart."""
    order, size = ranking.order, len(ranking.order)
    alike = [members for members in ranking.groups if len(members) > 1]
    right = size - 0.3 + 0.5 * len(alike)
    side = 0.24 * size + 2.2
    canvas.set_size_inches(side + 0.12 * len(alike) + 0.6, side)
    axes = canvas.add_subplot()
    for one in result.found:
        if one.quantity == ranking.quantity:
            row, column = order.index(one.first), order.index(one.second)
            _cell(axes, row, column, one.verdict)
            _cell(axes, column, row, {BETTER: WORSE, WORSE: BETTER}.get(one.verdict, UNDECIDED))
    for place, members in enumerate(alike):
        ends = [order.index(members[0]) - 0.3, order.index(members[-1]) + 0.3]
        axes.plot(
            [size - 0.1 + 0.5 * place] * 2, ends, color="black", lw=1.5, solid_capstyle="butt"
        )
    axes.set(xlim=(-0.5, right), ylim=(size - 0.5, -0.5), aspect="equal")
    axes.set_xticks(range(size), order, rotation=90)
    axes.set_yticks(range(size), [f"{name}  {_value(ranking.values[name])}" for name in order])
    question = f"{ranking.quantity}: is the row better (+) or worse (-) than the column?"
    canvas.suptitle(
        f"{question}\nLines join systems that are not told apart.", x=0.01, ha="left", fontsize=9
    )
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _value(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.3f}"


def _survival(result: Stability, canvas: Any) -> None:
    """Draw the probability kept against the share of wrong labels, and the ranks at the first share asked for."""
    wholes = result.wholes[:1]
    canvas.set_size_inches(6 + 5 * len(wholes), 4.5)
    axes = canvas.subplots(1, 1 + len(wholes), squeeze=False)[0]
    weakest = sorted(result.curves, key=lambda curve: sum(curve.kept))
    for curve in weakest[MOST_NAMED:]:
        axes[0].plot(curve.rates, curve.kept, lw=0.8, color=DIM)
    for place, curve in enumerate(weakest[:MOST_NAMED]):
        label = f"{curve.better} before {curve.worse}"
        axes[0].plot(curve.rates, curve.kept, lw=1.2, color=f"C{place}", label=label)
    axes[0].axhline(result.level, color="black", lw=0.6)
    axes[0].set(
        xlabel="share of wrong labels", ylabel="probability that the order is kept", ylim=(0, 1.02)
    )
    rest = len(weakest) - MOST_NAMED
    if rest > 0:
        axes[0].plot([], [], lw=0.8, color=DIM, label=f"{rest:,} orders that survive more")
    axes[0].legend(frameon=False, fontsize=7, loc="lower left")
    for whole in wholes:
        _ranks(axes[1], whole)


def _ranks(axes: Any, whole: WholeStability) -> None:
    """Draw how likely each rank is: darker is likelier, with the number where it is not near 0."""
    chance = whole.found.ranks[[whole.systems.index(name) for name in whole.order]]
    axes.imshow(chance, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    size = len(whole.order)
    if size <= MOST_NUMBERS:
        for row in range(size):
            for column in range(size):
                if chance[row, column] >= 0.005:
                    colour = "white" if chance[row, column] > 0.5 else "black"
                    axes.text(
                        column,
                        row,
                        f"{chance[row, column]:.2f}",
                        ha="center",
                        va="center",
                        color=colour,
                        fontsize=7,
                    )
    axes.set_yticks(range(size), whole.order)
    axes.set_xticks(range(size), range(1, size + 1), fontsize=9 if size <= MOST_NUMBERS else 6)
    rate = whole.label_error
    wrong = f"{100 * rate:.3g} % of the labels" if isinstance(rate, float) else "labels"
    axes.set_title(f"P(rank) if {wrong} are wrong", fontsize=9)


def _cell(axes: Any, row: int, column: int, verdict: str) -> None:
    colour, sign = {BETTER: (BLUE, "+"), WORSE: (ORANGE, "-"), NO_WORSE: (GREEN, "o")}.get(
        verdict, (GREY, "")
    )
    axes.fill_between([column - 0.46, column + 0.46], row - 0.46, row + 0.46, color=colour, lw=0)
    axes.text(column, row, sign, ha="center", va="center", color="white", fontsize=8)


def _always(result: Any) -> bool:
    del result
    return True


_PAINTERS: list[tuple[type[Result], Callable[[Any], Any], Callable[[Any, Any], None]]] = [
    (Figure, _always, _curves),
    (
        Comparisons,
        lambda result: result.fields,
        lambda result, canvas: _matrix(result, result.fields[0], canvas),
    ),
    (Stability, lambda result: result.curves, _survival),
    (Standing, _always, _standing),
    (Cutoffs, _always, _cutoffs),
    (Scores, _always, _forest),
    (Skewed, _always, fields),
    (GroupedSkew, _always, groups),
    (AgainstSkew, _always, lambda result, canvas: against(result.skewed, canvas)),
    (Moved, lambda result: result.fields, moved),
]
"""What kind of result is drawn, when, and by whom."""
