"""The page in a real browser: what it shows is what Python computes, whatever the sliders say."""

import json
import re
from itertools import pairwise

import numpy as np
import pytest

import karat
from karat.report.page.number_forms import FORMS
from karat.report.panels.groups import panel
from karat.tally.votes.patterns import patterns
from karat.verdict.whatif import KINDS, State, Tallies, tallies, whatif

LABELS = ("a", "b", "c", "d")
WIDTHS = (390, 1280, 2560)


def table(items=400, systems=5, *, seed=1, names=None, missing=0.02, groups=0):
    """A made-up table of answers, some of them missing."""
    random = np.random.default_rng(seed)
    truth = random.integers(len(LABELS), size=items)
    found = {"item": [f"i{k}" for k in range(items)], "truth": [LABELS[code] for code in truth]}
    if groups:
        found["group"] = [f"group {k % groups}" for k in range(items)]
    for place in range(systems):
        right = random.random(items) < 0.85 - 0.04 * place
        other = random.integers(len(LABELS), size=items)
        answers = [LABELS[code] for code in np.where(right, truth, other)]
        absent = random.random(items) < missing
        name = names[place] if names else f"system {place}"
        found[name] = [
            None if gone else answer for gone, answer in zip(absent, answers, strict=True)
        ]
    return found


@pytest.fixture(scope="session")
def findings():
    return karat.read(table(groups=3), group="group").findings()


def shown(page):
    """Every number that follows the sliders: its path, and its exact value."""
    found = page.evaluate(
        "[...document.querySelectorAll('[data-live]')].map((one) => [one.dataset.live, one.dataset.value])"
    )
    return [(path, value) for path, value in found]


def at(found, path):
    for key in path.split("."):
        found = found[int(key)] if isinstance(found, list) else found[key]
    return found


def move(page, **sliders):
    """Move sliders and wait for the frame in which everything follows."""
    page.evaluate(
        """async (sliders) => {
            for (const [name, value] of Object.entries(sliders)) {
                const slider = document.getElementById(name);
                slider.value = value;
                slider.dispatchEvent(new Event("input", { bubbles: true }));
            }
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }""",
        sliders,
    )
    return State(**page.evaluate("karat.view.state"))


def agree(page, tally, state):
    right = whatif(tally, state)
    numbers = shown(page)
    assert len(numbers) > 50
    for path, value in numbers:
        expected = at(right, path)
        if isinstance(expected, str) or expected is None:
            assert value == (expected or ""), path
        else:
            assert float(value) == pytest.approx(expected, rel=1e-9, abs=1e-12), path
    found = page.evaluate("karat.view.numbers.adjusted")
    for ours, theirs in zip(found, right["adjusted"], strict=True):
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    "sliders",
    [
        {},
        {"error": 0},
        {"error": 10},
        {"error": 63.5},
        {"error": 100},
        {"level": 0},
        {"level": 5},
        {"level": 7},
        {"items": -100},
        {"items": -37},
        {"items": 60},
        {"items": 200},
        {"error": 40, "level": 2, "items": 113},
    ],
    ids=str,
)
def test_wherever_the_sliders_stand_the_page_shows_what_python_computes(opened, findings, sliders):
    agree(opened, findings.sliders.tallies, move(opened, **sliders))


def test_each_slider_moves_with_the_keyboard(opened, findings):
    before = shown(opened)
    for name in ("error", "level", "items"):
        opened.focus(f"#{name}")
        opened.keyboard.press("ArrowRight")
        move(opened)
        now = shown(opened)
        assert now != before, name
        agree(opened, findings.sliders.tallies, State(**opened.evaluate("karat.view.state")))
        before = now


def test_a_slider_that_is_not_moved_keeps_what_it_said(page, tmp_path):
    karat.read(table()).report(tmp_path / "page.html", label_error=0.01, level=0.9512345)
    page.goto((tmp_path / "page.html").as_uri())
    before = State(**page.evaluate("karat.view.state"))
    after = move(page, items=50)
    assert (after.error, after.level) == (before.error, before.level) == (0.01, 0.9512345)
    assert after.items > before.items


def test_equal_systems_share_the_first_place(page, tmp_path):
    data = table(systems=2, missing=0)
    data["twin"] = data["system 0"]
    karat.read(data).report(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    assert "system 0 and twin share the first place" in page.inner_text("#summary").replace(
        "\u2068", ""
    ).replace("\u2069", "")
    assert page.locator(".ladder .rank").all_text_contents() == ["1 to 3"] * 3


def test_a_lead_that_rounds_to_nothing_is_called_so(page, tmp_path):
    number = 30_000
    data = {
        "truth": ["x", "y"] * (number // 2),
        "a": ["x"] * number,
        "b": ["y"] + ["x"] * (number - 1),
    }
    karat.read(data).report(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    said = "by next to nothing: both are right on"
    assert said in page.inner_text("#summary")
    move(page, level=1)
    assert said in page.inner_text("#summary")


def test_another_number_of_items_does_not_make_systems_level():
    kinds = dict.fromkeys(KINDS, 0) | {"only_worse": 24, "only_better": 29}
    tally = Tallies(("a", "b"), (1426, 1421), 1497, np.array([[0, 29], [24, 0]]), (kinds,), 10)
    assert whatif(tally, State(items=157))["pairs"][0]["more"] > 0


def test_the_page_goes_back_to_what_was_counted(opened, findings, settle):
    before = opened.inner_text("main")
    move(opened, error=80, level=1, items=150)
    assert opened.inner_text("main") != before
    opened.click("#reset")
    settle(opened)
    assert opened.inner_text("main") == before
    assert State(**opened.evaluate("karat.view.state")) == findings.sliders.state


def test_python_and_the_page_write_the_same_words(browser, written, opened):
    places = "[data-live], .words, output"
    with browser.new_context(offline=True, java_script_enabled=False) as context:
        plain = context.new_page()
        plain.goto(written.as_uri())
        without = plain.locator(places).all_text_contents()
    assert opened.locator(places).all_text_contents() == without
    move(opened, items=50)
    assert opened.locator(places).all_text_contents() != without
    move(opened, items=0)  # now the page has recomputed what Python wrote
    assert opened.locator(places).all_text_contents() == without


@pytest.mark.parametrize("form", [form for form in FORMS if form != "text"])
def test_a_number_reads_the_same_in_python_and_in_the_page(opened, form):
    values = [
        0,
        1e-9,
        9.99e-5,
        1e-4,
        0.00304,
        0.0315,
        0.0951,
        0.5,
        0.787934,
        0.99949,
        0.9991,
        0.9999999,
        1,
        None,
    ]
    if form in {"about", "count", "further"}:
        values = [0, 7, 999, 1000, 43_494_320, None]
    found = opened.evaluate("([form, values]) => values.map(karat.forms[form])", [form, values])
    assert found == [FORMS[form](value) for value in values]


def test_the_page_begins_with_what_the_commands_say(findings):
    bench = karat.read(table(groups=3), group="group")
    by_pair = {(one.first, one.second): one for one in bench.compare().comparisons}
    survives = {(one.better, one.worse): one for one in bench.stability(label_error=0.03).pairs}
    for pair, live in zip(pairwise(findings.order), findings.numbers["pairs"], strict=True):
        compared, stable = by_pair[pair], survives[pair]
        assert (live["only_first"], live["only_second"]) == (
            compared.only_first,
            compared.only_second,
        )
        assert (live["p"], live["adjusted"], live["more"]) == (
            compared.p_value,
            compared.p_adjusted,
            compared.more_items,
        )
        assert (live["low"], live["high"], live["verdict"]) == (
            compared.low,
            compared.high,
            compared.verdict,
        )
        assert live["kept"] == pytest.approx(stable.kept, rel=1e-12)
        assert live["critical"] == pytest.approx(stable.critical_label_error, rel=1e-9)
        assert live["tolerated"] == stable.safe_errors


def test_another_number_of_items_has_the_same_shares():
    kinds = dict.fromkeys(KINDS, 0) | {"only_worse": 10, "only_better": 20}
    tally = Tallies(("a", "b"), (80, 70), 100, np.array([[0, 20], [10, 0]]), (kinds,), 2)
    small, large = (whatif(tally, State(items=items)) for items in (100, 10_000))
    assert (
        [one["value"] for one in small["systems"]]
        == [one["value"] for one in large["systems"]]
        == [0.8, 0.7]
    )
    assert small["pairs"][0]["verdict"] == "undecided"
    assert large["pairs"][0]["verdict"] == "better"
    assert large["pairs"][0]["critical"] > small["pairs"][0]["critical"]


@pytest.mark.parametrize(
    "options",
    [{"truth_sep": " "}, {"missing": "skip"}, {"missing": "as:a"}, {"cluster": "group"}],
    ids=lambda options: next(iter(options)),
)
def test_what_has_no_closed_form_does_not_follow_sliders(page, tmp_path, options):
    bench = karat.read(table(groups=40), group="group", **options)
    assert tallies(bench.counter.count(patterns, keys="cwe")) is None
    bench.report(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("input[type=range]").count() == 0
    assert "system 0 is ahead of system 1" in page.inner_text("#summary").replace(
        "\u2068", ""
    ).replace("\u2069", "")


def test_every_panel_appears_with_its_pictures(opened):
    names = [section.get_attribute("id") for section in opened.locator("main > section").all()]
    first = ["summary", "controls", "ranking", "scores", "comparisons", "stability", "audit"]
    assert names == [*first, "consensus", "groups", "errors", "disputed", "repeat"]
    for chart in opened.locator(".drawing:visible").all():
        assert chart.locator("svg").count() == 1, chart.get_attribute("data-chart")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_page_is_as_wide_as_the_screen(browser, written, width):
    with browser.new_context(offline=True, viewport={"width": width, "height": 900}) as context:
        opened = context.new_page()
        opened.goto(written.as_uri())
        opened.evaluate(
            "document.querySelectorAll('details').forEach((part) => (part.open = true))"
        )
        assert opened.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out(browser, barriers, written, scheme):
    with browser.new_context(offline=True, color_scheme=scheme, bypass_csp=True) as context:
        opened = context.new_page()
        opened.goto(written.as_uri())
        opened.evaluate(
            "document.querySelectorAll('details').forEach((part) => (part.open = true))"
        )
        assert barriers(opened) == []


def test_a_table_is_saved_with_its_exact_numbers(opened, findings):
    with opened.expect_download() as waiting:
        opened.click("button[data-table=table-scores]")
    lines = waiting.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0] == "system,right,of,accuracy,at least,at most"
    first = findings.numbers["systems"][0]
    assert lines[1].split(",") == [
        findings.order[0],
        *(str(first[key]) for key in ("hits", "trials", "value", "low", "high")),
    ]
    assert len(lines) == 1 + len(findings.order)


def test_the_policy_lets_no_foreign_script_in(browser, written, tmp_path):
    text = written.read_text(encoding="utf-8")
    foreign = "<script>globalThis.foreign = true</script><b onclick='globalThis.foreign = true'>intruder</b></main>"
    (tmp_path / "page.html").write_text(text.replace("</main>", foreign), encoding="utf-8")
    with browser.new_context(offline=True) as context:
        opened = context.new_page()
        opened.goto((tmp_path / "page.html").as_uri())
        opened.click("text=intruder")
        assert opened.evaluate("globalThis.foreign") is None
        assert opened.evaluate("karat.view.numbers.systems.length") == 5
    assert "unsafe" not in re.search(r'Content-Security-Policy" content="([^"]+)"', text)[1]


HOSTILE = (
    "<script>globalThis.hurt = 1</script>",
    "</script><script>globalThis.hurt = 2</script>",
    '"><img src=x onerror="globalThis.hurt = 3">',
    "\u202egnp.exe",
    "n" * 10_000,
    "{first} & <b>'quoted'</b> `code` \u2028 %s",
)


def test_names_cannot_hurt_the_page(page, tmp_path):
    data = table(systems=len(HOSTILE), names=HOSTILE, groups=2)
    data["group"] = [f"</td><script>globalThis.hurt = 4</script>{name}" for name in data["group"]]
    bench = karat.read(data, group="group", systems=HOSTILE)
    bench.report(tmp_path / "page.html")
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto((tmp_path / "page.html").as_uri())
    assert page.evaluate("globalThis.hurt") is None
    assert page.locator("img").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert set(page.evaluate("karat.data.systems")) == set(HOSTILE)
    move(page, error=50)
    assert "{first} & <b>" in page.inner_text("#ranking")


def test_names_cannot_hurt_the_other_forms(tmp_path):
    bench = karat.read(table(systems=len(HOSTILE), names=HOSTILE), systems=HOSTILE)
    for form in ("md", "json"):
        bench.report(tmp_path / f"report.{form}")
    assert "<script>" not in (tmp_path / "report.md").read_text(encoding="utf-8")
    assert set(json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["order"]) == set(
        HOSTILE
    )


def test_without_a_truth_the_page_says_who_is_best_by_what_all_say_together(page, tmp_path):
    data = {name: column for name, column in table().items() if name != "truth"}
    karat.read(data).report(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    assert "There is no truth here" in page.inner_text("#summary")
    assert page.locator("#consensus svg").count() == 1
    assert page.locator("#scores").count() == 0


def test_one_system_has_a_page_too(page, tmp_path):
    karat.read(table(systems=1)).report(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    assert "There is one system" in page.inner_text("#summary")


def test_scores_have_a_page_of_areas(page, tmp_path):
    random = np.random.default_rng(3)
    truth = random.integers(2, size=200)
    data = {
        "truth": truth,
        **{name: np.round(truth * 0.4 + random.random(200), 3) for name in ("one", "two")},
    }
    karat.read(data).report(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    assert "roc-area" in page.inner_text("main")
    assert [one.get_attribute("id") for one in page.locator("input[type=range]").all()] == [
        "prevalence"
    ]


def test_in_groups_the_best_system_is_that_with_the_fewest_errors():
    table = {
        "truth": list("xyxyxyxy"),
        "good": list("xyxyxyxx"),
        "bad": list("yxyxxyxy"),
        "group": list("aaaabbbb"),
    }
    findings = karat.read(table).findings(measure="error-rate")
    shown = panel(findings)
    assert "is the best, or one of the best, in 1 of 2 groups" in shown.text[0]
    assert shown.data["best"] == [[True, False], [False, True]]
    assert shown.data["lower_is_better"]
    assert shown.data["measure"] == "error-rate"


def test_a_table_that_was_perhaps_misread_is_the_gravest_doubt(tmp_path):
    data = {
        "truth": ["cat", "dog", "cat", "dog"] * 5,
        "a": ["Cat", "dog", "cat", "dog"] * 5,
        "b": ["cat", "dog", "NA", "dog"] * 5,
    }
    path = tmp_path / "page.md"
    karat.read(data).report(path)
    said = path.read_text(encoding="utf-8")
    assert "The doubt that matters most: how the table was read." in said
    assert "? How the table was read: 'NA' counts as a label (5 answers)" in said
    assert "? How the table was read: Labels differ only in case or spaces, and 5 answers" in said
    data |= {"a": data["truth"], "b": data["truth"][::-1]}
    karat.read(data).report(path)
    assert "How the table was read" not in path.read_text(encoding="utf-8")


def test_few_clusters_are_no_matter_of_reading(tmp_path):
    data = {
        "truth": ["x", "y"] * 10,
        "a": ["x", "y"] * 10,
        "b": ["x"] * 20,
        "page": ["p", "q"] * 10,
    }
    path = tmp_path / "page.md"
    karat.read(data, cluster="page").report(path)
    said = path.read_text(encoding="utf-8")
    assert "an interval from so few is not reliable" in said
    assert "How the table was read" not in said
