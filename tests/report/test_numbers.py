"""What the page computes in the browser is what Python computes: here both do, side by side."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import special

import karat.report
from karat.doubt.bounds.exact import exact
from karat.doubt.label_noise.critical_error import critical
from karat.doubt.label_noise.pair_order import kept_classes
from karat.doubt.tests.holm import holm
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.tango import tango
from karat.doubt.tests.two_samples import error, significant
from karat.measure.prevalence.pr_curve import areas, joined, normalised_area, rises, roc_of
from karat.planning.items import further_items
from karat.verdict.prevalence.slider import STEPS, PrevalenceSlider
from karat.verdict.whatif import KINDS, State, Tallies, sliders, whatif

FOLDER = Path(karat.report.__file__).parent / "page"
SCRIPTS = ("binomial", "differences", "label_errors", "whatif")
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999)
CLASSES = (2, 3, 4, 10, 1000)


@pytest.fixture(scope="module")
def blank(browser):
    """An empty page with the scripts, as the report has them."""
    with browser.new_context(offline=True) as context:
        page = context.new_page()
        page.evaluate("window.before = [...Object.getOwnPropertyNames(window), 'before']")
        for name in SCRIPTS:
            page.add_script_tag(content=(FOLDER / f"{name}.js").read_text(encoding="utf-8"))
        yield page


@pytest.fixture(scope="module")
def ask(blank):
    """The answers of one function of the page, to many lists of arguments at once."""
    script = (
        "([name, cases]) => JSON.stringify(JSON.parse(cases).map((given) => karat[name](...given)))"
    )
    return lambda name, cases: json.loads(
        blank.evaluate(script, [name, json.dumps(list(cases), default=plain)])
    )


def plain(given):
    """NumPy's arrays and numbers as they travel."""
    return given.tolist()


def same(ours, right, *, rtol=1e-9, atol=0.0):
    """Equal to nine digits; None is NaN."""
    np.testing.assert_allclose(np.array(ours, float), np.array(right, float), rtol=rtol, atol=atol)


def shares(seed, *, most=1e7, number=200):
    """Successes and trials of all sizes: anywhere, near both ends, and at them."""
    rng = np.random.default_rng(seed)
    n = np.floor(most ** rng.uniform(0, 1, number))
    anywhere, near = np.floor(rng.uniform(0, 1, number) * (n + 1)), rng.integers(0, 4, number)
    x = np.choose(rng.integers(0, 4, number), [anywhere, near, n - near, anywhere // 50])
    edges = [(k, m) for m in (1, 2, 20, 1e6, 1e7) for k in (0, 1, m - 1, m)]
    return np.array([*zip(np.clip(x, 0, n), n, strict=True), *edges])


def pair(rng, classes, *, most=50_000):
    """Counts of a pair whose better one leads by much or by little; often of a few kinds only."""
    size = most ** rng.uniform(0, 1) / 4
    kinds = KINDS[: int(rng.choice([2, 3, 7], p=[0.5, 0.2, 0.3]))]
    counts = dict.fromkeys(KINDS, 0) | {kind: int(rng.uniform(0, size)) for kind in kinds}
    if classes == 2:
        counts["neither_differ"] = 0
    lead = max(1, int(rng.choice([1, 2, rng.uniform(0, 3) * size**0.5, rng.uniform(0, size)])))
    worse = counts["only_worse"] + counts["only_worse_silent"]
    counts["only_better"] = max(0, worse + lead - counts["only_better_silent"])
    counts["only_worse"] += counts["only_better"] + counts["only_better_silent"] - worse - lead
    return counts


def pairs(seed, *, number):
    rng = np.random.default_rng(seed)
    return [(pair(rng, classes), classes) for classes in rng.choice(CLASSES, number).tolist()]


def travelling(counts):
    """The counts of a pair as the page has them."""
    return [counts[kind] for kind in KINDS]


def kept_as_python_says(ask, cases):
    """All three probabilities, to twelve places."""
    ours = ask("keptOrder", [(travelling(counts), *rest) for counts, *rest in cases])
    right = [kept_classes(**counts, error=rate, classes=classes) for counts, rate, classes in cases]
    for part in ("kept", "tie", "reversed"):
        same([one[part] for one in ours], [getattr(one, part) for one in right], rtol=0, atol=1e-12)


def test_the_scripts_add_one_name_to_the_page(blank):
    assert blank.evaluate(
        "Object.getOwnPropertyNames(window).filter((name) => !before.includes(name))"
    ) == ["karat"]


def test_a_share_has_the_same_interval_in_the_browser(ask):
    counted = shares(1)
    for level in LEVELS:
        ours = ask("exact", [(x, n, level) for x, n in counted])
        right = exact(*counted.T, level=level)
        same([one["low"] for one in ours], right.low)
        same([one["high"] for one in ours], right.high)


def test_a_binomial_tail_keeps_its_digits(ask):
    rng = np.random.default_rng(2)
    n = np.floor(10 ** rng.uniform(0, 6, 2000))
    p = 10 ** rng.uniform(-6, -1e-6, n.size)
    spread = np.sqrt(n * p * (1 - p)) + 1
    k = np.clip(np.round(n * p + rng.normal(0, 6, n.size) * spread), 0, n - 1)
    right = special.betainc(n - k, k + 1, 1 - p)
    seen = right > 1e-250
    cases = np.stack([k, n, p, 1 - p], 1)[seen]
    ours = [np.exp(one["log"]) for one in ask("lowerTail", cases)]
    same(ours, right[seen])


def test_a_pair_has_the_same_p_value_in_the_browser(ask):
    b, n = shares(4).T
    c = np.concatenate([n - b, np.maximum(0, b - 3 * np.ceil(np.sqrt(b)))])
    b = np.tile(b, 2)
    same(ask("mcnemar", np.stack([b, c], 1)), mcnemar(b, c))
    same(ask("mcnemar", np.stack([c, b], 1)), mcnemar(b, c))


def test_a_difference_has_the_same_interval_in_the_browser(ask):
    b, rest = shares(5, most=1e6).T
    n = b + rest
    counted = np.concatenate(
        [np.stack([b, np.floor(rest * part), n], 1) for part in (0, 0.01, 0.5, 1)]
    )
    for level in (0.5, 0.95, 0.9999):
        z = -special.ndtri((1 - level) / 2)
        ours = ask("tango", [(*one, z) for one in counted])
        right = tango(*counted.T, level=level)
        # A difference of nothing is found to the last bit of 1, not to nine digits of its own.
        same([one["low"] for one in ours], right.low, atol=1e-15)
        same([one["high"] for one in ours], right.high, atol=1e-15)


def test_several_p_values_are_worth_the_same_in_the_browser(ask):
    rng = np.random.default_rng(8)
    lists = [
        rng.choice([0.0, 0.01, 0.04, 1.0, rng.uniform()], size).tolist()
        for size in (0, 1, 2, 5, 33, 200)
    ]
    for ours, given in zip(ask("holm", [(one,) for one in lists]), lists, strict=True):
        same(ours, holm(given))


def test_a_p_value_of_exactly_the_level_is_significant_in_the_browser_too(ask):
    cases = [
        (1 - level + off, level)
        for level in LEVELS
        for off in (0, 1e-17, -1e-17, 1e-14, -1e-14, 1e-11, -1e-11)
    ]
    ours = ask("significant", [(p, error(level)) for p, level in cases])
    assert ours == [bool(significant(p, level=level)) for p, level in cases]
    assert ask("significant", [(0.1 * (1 + 1e-13), 0.1), (0.1 * (1 + 1e-11), 0.1)]) == [True, False]


def test_an_order_is_kept_with_the_same_probability_in_the_browser(ask):
    rng = np.random.default_rng(11)
    rates = [0, 0.5, 0.05, *10 ** rng.uniform(-8, -0.3, 3), *rng.uniform(0, 0.5, 3)]
    kept_as_python_says(
        ask, [(counts, rng.choice(rates), classes) for counts, classes in pairs(12, number=800)]
    )


@pytest.mark.parametrize("classes", CLASSES)
def test_few_items_keep_their_order_with_the_same_probability_in_the_browser(ask, classes):
    none = dict.fromkeys(KINDS, 0)
    counts = [
        none | {"only_worse": n1, "only_better": n1 + lead}
        for n1, lead in product(range(4), range(1, 5))
    ]
    kept_as_python_says(
        ask, list(product(counts, (0, 1e-6, 0.03, 0.3, 0.5, 0.9, 1 - 1e-8, 1), [classes]))
    )


def test_a_hundred_thousand_items_cost_no_digits(ask):
    # Fourier inversion with 40 digits, by mpmath; rounding per item would show in the twelfth place.
    counts = [35_022, 39_688, 40_514, 37_801, 33_135, 0, 0]
    swapped = [counts[1], counts[0], counts[2], counts[4], counts[3], 0, 0]
    rate, tie, reversed_ = 0.28982815574963094, 0.002301153462710739, 0.5019644611491906
    lead = counts[1] + counts[4] - counts[0] - counts[3]
    (ours,) = ask("keptOrder", [(counts if lead >= 0 else swapped, rate, 1000)])
    same([ours["tie"], ours["reversed"]], [tie, reversed_], rtol=0, atol=1e-12)


def test_an_order_is_robust_up_to_the_same_share_in_the_browser(ask):
    rng = np.random.default_rng(13)
    cases = [
        (counts, rng.choice(LEVELS), classes)
        for counts, classes in pairs(14, number=150)
        if counts["only_better"] + counts["only_better_silent"] > 0
    ]
    right = [
        critical(
            lambda rate, counts=counts, classes=classes: (
                kept_classes(**counts, error=rate, classes=classes).kept
            ),
            items=sum(counts.values()),
            classes=classes,
            level=level,
        )
        for counts, level, classes in cases
    ]
    ours = ask("criticalError", [(travelling(counts), *rest) for counts, *rest in cases])
    same(ours, right)


def made_up(systems=4, *, items=300, classes=3, seed=1):
    """The counts of systems with made-up answers."""
    random = np.random.default_rng(seed)
    right = random.random((systems, items)) < np.linspace(0.9, 0.7, systems)[:, None]
    right = right[np.argsort(-right.sum(1))]
    only = np.array([[(one & ~other).sum() for other in right] for one in right])
    kinds = [
        dict.fromkeys(KINDS, 0) | {"only_worse": only[k + 1, k], "only_better": only[k, k + 1]}
        for k in range(systems - 1)
    ]
    kinds = [{name: int(count) for name, count in kind.items()} for kind in kinds]
    names = tuple(f"s{k}" for k in range(systems))
    hits = tuple(right.sum(1).tolist())
    return Tallies(names, hits, items, only, tuple(kinds), classes)


def test_everything_is_the_same_in_the_browser_at_every_level(ask):
    tally = made_up()
    finished = sliders(tally, State(items=300, level=0.97))
    assert 0.97 in [one.level for one in finished.levels]
    for one, items in product(finished.levels, (30, 300, 4000)):
        state = {"level": one.level, "error": 0.04, "items": items}
        (ours,) = ask("whatif", [(finished.plain(), state)])
        right = whatif(tally, State(**state))
        for part in ("systems", "pairs"):
            for mine, theirs in zip(ours[part], right[part], strict=True):
                assert mine == {
                    key: value
                    if value is None or isinstance(value, str)
                    else pytest.approx(value, rel=1e-9, abs=1e-12)
                    for key, value in theirs.items()
                }
        assert ours["different"] == right["different"]


def test_the_items_that_settle_a_pair_are_those_of_the_plan():
    tally = made_up()
    for one in sliders(tally, State(items=300)).levels:
        for place, needed in enumerate(one.needed):
            counts = int(tally.only[place, place + 1]), int(tally.only[place + 1, place])
            more = further_items(*counts, 300, pairs=6, level=one.level, now=7)
            assert more == (None if needed is None else max(1, needed - 7))


def slider_of(curves, prevalences):
    found = np.array([areas(one, prevalences) for one in curves]).round(12)
    worst = joined(rises(roc_of([0.0], [1.0])))
    least = areas(worst, prevalences)
    return PrevalenceSlider(
        systems=tuple(str(k) for k in range(len(curves))),
        prevalences=np.array(prevalences),
        areas=found,
        least=least,
        room=1 - least,
        curves=tuple(curves),
        turns=(),
    )


def test_the_share_won_is_that_of_python():
    curve = roc_of([0.8], [0.2])
    part = joined(rises(curve))
    numbers = slider_of([part, part], [1e-4, 0.99, 0.3]).at(-1)
    first, second = numbers["systems"]
    same(first["normalised"], normalised_area(curve, pi=0.3))
    assert first["rank"] == second["rank"] == 1
    assert numbers["random"] == 0.3


def test_the_slider_of_prevalences_begins_where_the_data_is():
    part = joined(rises(roc_of([0.8], [0.2])))
    assert slider_of([part], [0.1, 0.5, 0.9, 0.5]).position == pytest.approx(STEPS / 2)
    assert slider_of([part], [0.1, 0.5, 0.9, 0.9]).position == STEPS
