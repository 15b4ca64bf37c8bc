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
from karat.doubt.label_noise.pair_order import kept_classes, safe_errors
from karat.doubt.tests.holm import holm
from karat.doubt.tests.mcnemar import mcnemar
from karat.doubt.tests.tango import tango
from karat.doubt.tests.two_samples import error, significant
from karat.measure.prevalence.pr_curve import (
    WORST,
    areas,
    fall_out_along,
    joined,
    normalised_area,
    rises,
    roc_of,
)
from karat.measure.prevalence.precision_at import precision_at
from karat.planning.items import items_for_pair
from karat.report.page.prevalence import at_balance

FOLDER = Path(karat.report.__file__).parent / "page"
SCRIPTS = ("bounds", "differences", "label_errors", "planning", "skew", "special", "tilted")
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999)
SIDES = ("both", "lower", "upper")
COUNTS = {
    "onlyWorse": "only_worse",
    "onlyBetter": "only_better",
    "neitherDiffer": "neither_differ",
    "onlyWorseSilent": "only_worse_silent",
    "onlyBetterSilent": "only_better_silent",
    "neitherWorseAnswers": "neither_worse_answers",
    "neitherBetterAnswers": "neither_better_answers",
}
"""What the page calls the counts of a pair, and what Python calls them."""
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


def same(found, right, *, rtol=1e-9, atol=0.0):
    """Equal to nine digits; None is NaN."""
    np.testing.assert_allclose(np.array(found, float), np.array(right, float), rtol=rtol, atol=atol)


def shares(seed, *, most=1e7, number=200):
    """Successes and trials of all sizes: anywhere, near both ends, and at them."""
    rng = np.random.default_rng(seed)
    n = np.floor(most ** rng.uniform(0, 1, number))
    anywhere, near = np.floor(rng.uniform(0, 1, number) * (n + 1)), rng.integers(0, 4, number)
    x = np.choose(rng.integers(0, 4, number), [anywhere, near, n - near, anywhere // 50])
    edges = [(0, 0), *((k, m) for m in (1, 2, 20, 1e6, 1e7) for k in (0, 1, m - 1, m))]
    return np.array([*zip(np.clip(x, 0, n), n, strict=True), *edges])


def pair(rng, classes, *, most=50_000):
    """Counts of a pair whose better one leads by much, by little or not at all; often of a few kinds only."""
    size, kinds = (
        most ** rng.uniform(0, 1) / 4,
        list(COUNTS)[: int(rng.choice([2, 3, 7], p=[0.5, 0.2, 0.3]))],
    )
    counts = {kind: int(rng.uniform(0, size)) for kind in kinds}
    if classes == 2:
        counts.pop("neitherDiffer", None)
    lead = int(rng.choice([0, 1, rng.uniform(0, 3) * size**0.5, rng.uniform(0, size)]))
    worse = counts["onlyWorse"] + counts.get("onlyWorseSilent", 0)
    counts["onlyBetter"] = max(0, worse + lead - counts.get("onlyBetterSilent", 0))
    counts["onlyWorse"] += counts["onlyBetter"] + counts.get("onlyBetterSilent", 0) - worse - lead
    return counts


def pairs(seed, *, number):
    rng = np.random.default_rng(seed)
    return [(pair(rng, classes), classes) for classes in rng.choice(CLASSES, number).tolist()]


def kept(counts, rate, classes):
    named = {COUNTS[name]: count for name, count in counts.items()}
    return kept_classes(**{"only_worse": 0, "only_better": 0, **named}, error=rate, classes=classes)


def kept_as_python_says(ask, cases):
    """All three parts: to twelve places always, and to nine digits from 1e-12 on."""
    found, right = ask("keptClasses", cases), [kept(*case) for case in cases]
    for part in ("kept", "tie", "reversed"):
        ours, theirs = np.array(
            [[one[part] for one in found], [getattr(one, part) for one in right]], float
        )
        same(ours, theirs, rtol=0, atol=1e-12)
        seen = theirs > 1e-12
        same(ours[seen], theirs[seen])


def test_the_scripts_add_one_name_to_the_page(blank):
    assert blank.evaluate(
        "Object.getOwnPropertyNames(window).filter((name) => !before.includes(name))"
    ) == ["karat"]


@pytest.mark.parametrize("side", SIDES)
def test_a_share_has_the_same_interval_in_the_browser(ask, side):
    counted = shares(1)
    for level in LEVELS:
        found = ask("exact", [(x, n, {"level": level, "side": side}) for x, n in counted])
        right = exact(*counted.T, level=level, side=side)
        same([one["low"] for one in found], right.low)
        same([one["high"] for one in found], right.high)


def test_an_interval_is_two_sided_at_95_percent_unless_told_otherwise(ask):
    assert ask("exact", [(7, 10)]) == ask("exact", [(7, 10, {"level": 0.95, "side": "both"})])
    assert ask("tango", [(1, 7, 21)]) == ask("tango", [(1, 7, 21, {"level": 0.95})])


def test_normal_quantiles_keep_their_digits_far_out(ask):
    p = np.append(10.0 ** -np.arange(1, 300, 7), np.linspace(0.001, 0.999, 301))
    same(ask("ndtri", p[:, None]), special.ndtri(p), rtol=1e-14, atol=1e-15)


def test_a_tail_of_the_beta_law_keeps_its_digits(ask):
    rng = np.random.default_rng(2)
    a, b = 10 ** rng.uniform(-0.3, 5, (2, 2000))
    mean = a / (a + b)
    x = np.clip(
        mean + rng.normal(0, 6, a.size) * np.sqrt(mean * (1 - mean) / (a + b + 1)), 1e-9, 1 - 1e-9
    )
    same(ask("betainc", np.stack([a, b, x], 1)), special.betainc(a, b, x))


def test_quantiles_of_the_beta_law_keep_their_digits_at_both_ends(ask):
    rng = np.random.default_rng(3)
    (a, b), p = (
        10 ** rng.uniform(-0.3, 5, (2, 1000)),
        rng.choice([1e-9, 1e-4, 0.3, 0.9, 0.9999], 1000),
    )
    same(ask("betaincinv", np.stack([a, b, p], 1)), special.betaincinv(a, b, p))
    same(ask("betainccinv", np.stack([a, b, p], 1)), special.betainccinv(a, b, p))


def test_a_pair_has_the_same_p_value_in_the_browser(ask):
    b, n = shares(4).T
    c = np.concatenate([n - b, np.maximum(0, b - 3 * np.ceil(np.sqrt(b)))])
    b = np.tile(b, 2)
    same(ask("mcnemar", np.stack([b, c], 1)), mcnemar(b, c))
    same(ask("mcnemar", np.stack([c, b], 1)), mcnemar(b, c))


@pytest.mark.parametrize("side", SIDES)
def test_a_difference_has_the_same_interval_in_the_browser(ask, side):
    b, rest = shares(5, most=1e6).T
    n = b + rest
    counted = np.concatenate(
        [np.stack([b, np.floor(rest * part), n], 1) for part in (0, 0.01, 0.5, 1)]
    )
    for level in (0.5, 0.95, 0.9999):
        found = ask("tango", [(*one, {"level": level, "side": side}) for one in counted])
        right = tango(*counted.T, level=level, side=side)
        # A difference of nothing is found to the last bit of 1, not to nine digits of its own.
        same([one["low"] for one in found], right.low, atol=1e-15)
        same([one["high"] for one in found], right.high, atol=1e-15)


def test_several_p_values_are_worth_the_same_in_the_browser(ask):
    rng = np.random.default_rng(8)
    lists = [
        rng.choice([0.0, 0.01, 0.04, 1.0, rng.uniform(), None], size).tolist()
        for size in (0, 1, 2, 5, 33, 200)
    ]
    for found, given in zip(ask("holm", [(one,) for one in lists]), lists, strict=True):
        same(found, holm(given))


def test_a_level_leaves_the_same_decimal_to_chance_in_the_browser(ask):
    rng = np.random.default_rng(9)
    levels = [
        0.9,
        0.95,
        0.30000000000000004,
        1e-7,
        1 - 2**-53,
        *rng.uniform(0, 1, 200),
        *np.arange(1, 1000) / 1000,
    ]
    assert ask("error", [(level,) for level in levels]) == [error(float(level)) for level in levels]


def test_a_p_value_of_exactly_the_level_is_significant_in_the_browser_too(ask):
    cases = [
        (1 - level + off, level)
        for level in LEVELS
        for off in (0, 1e-17, -1e-17, 1e-14, -1e-14, 1e-11, -1e-11)
    ]
    assert ask("significant", cases) == [bool(significant(p, level=level)) for p, level in cases]
    assert ask("significant", [(0.1 * (1 + 1e-13), 0.9), (0.1 * (1 + 1e-11), 0.9)]) == [True, False]


def test_a_difference_takes_the_same_number_of_items_in_the_browser(ask):
    rng = np.random.default_rng(10)
    rounded = [(one / 100, other / 100) for one, other in rng.integers(0, 51, (60, 2))]
    more = 10 ** rng.uniform(-5, -0.31, 60)
    anyhow = zip(more, more * rng.choice([0, 0.3, 0.9, 0.99, 1], 60), strict=True)
    cases = [
        (*two, {"level": level})
        for two, level in product([*rounded, *anyhow, (1, 0), (0, 0)], LEVELS)
    ]
    right = [items_for_pair(float(one), float(other), **named).items for one, other, named in cases]
    assert ask("itemsForPair", cases) == right
    assert None in right
    assert any(number and number > 100_000 for number in right)


def test_an_order_is_kept_with_the_same_probability_in_the_browser(ask):
    rng = np.random.default_rng(11)
    rates = [0, 1, 0.5, 0.05, *10 ** rng.uniform(-8, 0, 2), *rng.uniform(0, 0.6, 2)]
    kept_as_python_says(
        ask, [(counts, rng.choice(rates), classes) for counts, classes in pairs(12, number=800)]
    )


@pytest.mark.parametrize("classes", CLASSES)
def test_few_items_keep_their_order_with_the_same_probability_in_the_browser(ask, classes):
    counts = [
        {"onlyWorse": n1, "onlyBetter": n1 + lead} for n1, lead in product(range(4), range(5))
    ]
    kept_as_python_says(
        ask, list(product(counts, (0, 1e-6, 0.03, 0.3, 0.5, 0.9, 1 - 1e-8, 1), [classes]))
    )


def test_rare_reversals_keep_their_digits_in_the_browser(ask):
    counts = [{"onlyWorse": 2000, "onlyBetter": 2000 + lead} for lead in (3, 100, 101, 400)]
    cases = list(product(counts, (1e-4, 1e-3, 0.01, 0.1), (2, 3, 1000)))
    for found, right in zip(
        ask("keptClasses", cases), (kept(*case) for case in cases), strict=True
    ):
        same([found["tie"], found["reversed"]], [right.tie, right.reversed], atol=1e-300)


def test_a_hundred_thousand_items_cost_no_digits(ask):
    # Fourier inversion with 40 digits, by mpmath; rounding per item would show in the twelfth place.
    counts = dict(zip(COUNTS, (35_022, 39_688, 40_514, 37_801, 33_135), strict=False))
    (found,) = ask("keptClasses", [(counts, 0.28982815574963094, 1000)])
    same([found["tie"], found["reversed"]], [0.002301153462710739, 0.5019644611491906], rtol=1e-13)


def test_a_tied_pair_has_no_order_to_keep(ask):
    tied = {"onlyWorse": 3, "onlyBetterSilent": 3}
    assert [one["kept"] for one in ask("keptClasses", [(tied, 0.1, 2), ({}, 0.1, 2)])] == [
        None,
        None,
    ]
    assert ask("criticalError", [(tied,), ({},)]) == [None, None]


def test_a_pair_the_wrong_way_round_is_refused(ask):
    with pytest.raises(Exception, match="swap the two"):
        ask("keptClasses", [({"onlyWorse": 3, "onlyBetter": 2}, 0.1, 2)])


def test_an_order_bears_as_many_wrong_labels_in_the_browser(ask):
    rng = np.random.default_rng(13)
    cases = [
        (counts, {"classes": classes, "level": rng.choice(LEVELS)})
        for counts, classes in pairs(14, number=150)
    ]
    right = [
        critical(
            lambda rate, counts=counts, named=named: kept(counts, rate, named["classes"]).kept,
            items=sum(counts.values()),
            **named,
        )
        for counts, named in cases
    ]
    same(ask("criticalError", cases), [np.nan if one is None else one for one in right])


def test_as_many_wrong_labels_are_harmless_in_the_browser(ask):
    cases = list(product(range(8), range(8)))
    assert ask("safeErrors", cases) == [safe_errors(*case) for case in cases]


SKEWS = [0, 1e-12, 1e-6, 1e-4, 0.003, 0.0969, 0.3, 0.5, 0.77, 0.99, 0.9999, 1 - 1e-9, 1]
EXTREME = {
    "perfect": ([1.0], [0.0]),
    "worst": ([0.0], [1.0]),
    "all equal": ([], []),
    "free, then all at once": ([0.4], [0.0]),
    "a tie from the origin": ([0.3, 0.9], [1e-9, 0.2]),
    "negatives first": ([0.0, 0.5], [1e-12, 1e-12]),
    "nearly a straight line": ([0.5, 0.7], [0.5 - 1e-12, 0.7 + 1e-13]),
    "steep": ([1e-9, 1 - 1e-9], [0.5, 0.5]),
}


def curves():
    """Stretches of random ROC curves with and without ties, and extreme ones."""
    random = np.random.default_rng(15)
    found = [rises(roc_of(*rates)) for rates in EXTREME.values()]
    for size in (1, 2, 5, 40, 300):
        for scale in (1, 6):
            tpr, fpr = np.sort(random.random((2, size)) ** np.array([[1], [scale]]))
            found.append(rises(roc_of(tpr, fpr)))
            found.append(rises(roc_of(np.repeat(tpr, 2)[1:], np.repeat(fpr, 2)[:-1])))
    return [joined(one) for one in found]


def travelling(parts):
    return {"r": [0.0, *parts.r1.tolist()], "f0": parts.f0.tolist(), "f1": parts.f1.tolist()}


def test_an_area_is_the_same_in_the_browser_at_every_class_balance(ask):
    for parts in curves():
        same(
            ask("prArea", [(travelling(parts), pi) for pi in SKEWS]),
            areas(parts, SKEWS),
            atol=1e-15,
        )


def test_precision_is_the_same_in_the_browser(ask):
    rates = [0, 1e-30, 1e-9, 0.2, 0.5, 1]
    cases = list(product(rates, rates, (1e-4, 0.3, 0.99)))
    same(ask("precisionAt", cases), [precision_at(tpr, fpr, pi=pi) for tpr, fpr, pi in cases])


def test_a_curve_runs_through_the_same_points_in_the_browser(ask):
    recall = np.linspace(0.005, 1, 200)
    for parts in curves():
        (found,) = ask("fallOut", [(travelling(parts), recall)])
        same(found, fall_out_along(parts, recall), atol=1e-15)


def test_ranks_and_shares_won_are_the_same_in_the_browser(ask):
    given = {str(place): parts for place, parts in enumerate(curves())} | {
        "twin": curves()[-1],
        "worst": WORST,
    }
    sent = [travelling(parts) for parts in given.values()]
    for pi, found in zip(
        SKEWS[3:-3], ask("atBalance", [(sent, pi) for pi in SKEWS[3:-3]]), strict=True
    ):
        right = at_balance(given, pi)
        assert [one["rank"] for one in found["systems"]] == [
            one["rank"] for one in right["systems"]
        ]
        assert right["systems"][-2]["rank"] == right["systems"][-3]["rank"]
        for part in ("area", "normalised"):
            ours, theirs = ([one[part] for one in each["systems"]] for each in (found, right))
            same(ours, theirs, atol=1e-13)
        same([found["random"], found["least"]], [right["random"], right["least"]])


def test_the_share_won_is_that_of_python():
    curve = roc_of([0.8], [0.2])
    found = at_balance({"a": joined(rises(curve))}, 0.3)
    same(found["systems"][0]["normalised"], normalised_area(curve, pi=0.3))
