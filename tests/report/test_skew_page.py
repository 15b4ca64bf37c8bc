"""Prevalences on the page and as pictures: the slider moves every number, and all of them are Python's."""

import json
import re

import numpy as np
import pytest

import karat
import karat.questions.published
from karat.errors import OptionError
from karat.measure.prevalence.pr_curve import areas, joined, rises
from karat.questions.plot import Picture
from karat.report import DOCUMENTS
from karat.report.documents import html
from karat.report.panels import PANELS
from karat.report.pictures import png, svg
from karat.verdict.prevalence.slider import HIGH, LOW, STEPS

NAMES = ("low", "high", "flat", "twin of flat", "perfect", "<b>worst</b>")


def table(items=600, *, seed=4, rate=0.2, names=NAMES, groups=0):
    """Scores of systems whose order depends on the class balance, with ties, a perfect one and its opposite."""
    random = np.random.default_rng(seed)
    truth = random.random(items) < rate
    noise = random.normal(size=(3, items))
    flat = np.zeros(items) + np.round(noise[2] + truth, 1)
    columns = (
        np.where(random.random(items) < 0.25, 4 * truth, 0) + noise[0],
        np.round(noise[1] + 1.2 * truth, 1),
        flat,
        flat,
        truth + 0.25,
        0.25 - truth,
    )
    found = {"truth": truth.astype(int), **dict(zip(names, columns, strict=False))}
    return found | ({"group": [f"g{k % groups}" for k in range(items)]} if groups else {})


@pytest.fixture(scope="session")
def bench():
    return karat.read(table())


@pytest.fixture(scope="session")
def findings(bench):
    return bench.findings(draws=100)


def move(page, place):
    page.evaluate(
        """async (place) => {
            const slider = document.getElementById("prevalence");
            slider.value = place;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }""",
        place,
    )
    return page.evaluate("karat.view.numbers.skew.prevalence")


def shown(page):
    script = "[...document.querySelectorAll('[data-live^=skew]')].map((one) => [one.dataset.live, one.dataset.value])"
    return {path: float(value) if value else None for path, value in page.evaluate(script)}


@pytest.mark.parametrize("place", [0, 7, 20, 33, STEPS])
def test_wherever_the_slider_stands_the_page_shows_what_python_computes(opened, findings, place):
    pi = move(opened, place)
    assert pi == findings.prevalence.prevalences[place]
    right = findings.prevalence.at(place)["systems"]
    numbers = shown(opened)
    assert len(numbers) == 16 * len(
        NAMES
    )  # rank, area, its interval, normalised; a threshold and what it does
    for path, value in numbers.items():
        _, _, system, name = path.split(".")
        expected = right[int(system)][name]
        if expected is None:
            assert value is None, path
        else:
            assert value == pytest.approx(expected, rel=1e-9, abs=1e-12), path


def test_the_slider_goes_from_rare_positives_to_rare_negatives(opened, findings):
    assert opened.evaluate("karat.view.numbers.skew.prevalence") == findings.at_prevalences.own
    assert (move(opened, 0), move(opened, STEPS)) == (LOW, HIGH)
    assert opened.inner_text("#prevalence-text") == "99\u00a0%"
    opened.click("#prevalence-reset")
    assert opened.evaluate("karat.view.numbers.skew.prevalence") == findings.at_prevalences.own


def test_the_slider_moves_with_the_keyboard(opened):
    before = shown(opened)
    opened.focus("#prevalence")
    opened.keyboard.press("ArrowRight")
    opened.evaluate(
        "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    assert shown(opened) != before


def test_sentence_and_pictures_follow_the_slider(opened, settle):
    settle(opened)
    charts = [
        opened.locator(f"[data-chart={name}]") for name in ("prevalence-curves", "prevalence-areas")
    ]
    before = [opened.inner_text("#skew .headline"), *(chart.inner_html() for chart in charts)]
    move(opened, 8)
    settle(opened)
    after = [opened.inner_text("#skew .headline"), *(chart.inner_html() for chart in charts)]
    assert all(one != other for one, other in zip(before, after, strict=True))
    assert "perfect\u2069 is first with an area of 1.0000" in after[0]


def test_the_page_has_every_area_to_six_places(findings):
    slider = findings.prevalence
    for name, row in zip(slider.systems, slider.areas, strict=True):
        whole = joined(rises(findings.at_prevalences.curves[name]))
        assert np.abs(row - areas(whole, slider.prevalences)).max() <= 1e-6


def test_a_drawn_curve_has_the_area_of_the_whole(findings):
    slider = findings.prevalence
    for name, drawn in zip(slider.systems, slider.curves, strict=True):
        whole = joined(rises(findings.at_prevalences.curves[name]))
        apart = areas(drawn, slider.prevalences) - areas(whole, slider.prevalences)
        assert np.abs(apart).max() <= 2e-4


def test_python_and_the_page_write_the_same_words(browser, written, opened):
    places = "[data-live], .words, output"
    with browser.new_context(offline=True, java_script_enabled=False) as context:
        plain = context.new_page()
        plain.goto(written.as_uri())
        without = plain.locator(places).all_text_contents()
    assert opened.locator(places).all_text_contents() == without


def test_every_change_of_order_on_the_slider_is_marked(opened, findings):
    skews = [
        skew
        for turn in findings.at_prevalences.pair_orders
        for skew in turn.skews
        if LOW <= skew <= HIGH
    ]
    assert skews
    assert opened.locator("#skew circle.turn").count() == len(skews)


def test_equal_systems_share_a_rank(opened):
    names = opened.evaluate("karat.data.panels.skew.systems")
    ranks = {
        names[int(path.split(".")[2])]: value
        for path, value in shown(opened).items()
        if path.endswith("rank")
    }
    assert ranks["flat"] == ranks["twin of flat"]
    assert (ranks["perfect"], ranks["<b>worst</b>"]) == (1, len(NAMES))


def test_judged_scores_keep_their_panel_beside_the_other_sliders(page, tmp_path):
    karat.read(table(groups=3), group="group").report(
        tmp_path / "page.html", threshold=0.5, draws=100
    )
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("input[type=range]").count() == 4
    before = page.evaluate("karat.view.numbers.pairs[0].adjusted")
    move(page, 10)
    assert page.evaluate("karat.view.numbers.pairs[0].adjusted") == before
    page.focus("#level")
    page.keyboard.press("ArrowRight")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    prevalence = page.evaluate("karat.view.numbers.skew.prevalence")
    assert prevalence == page.evaluate("karat.data.panels.skew.prevalences[10]")


@pytest.mark.parametrize("answers", [["a", "b", "a"], [1, 0, 1]], ids=["labels", "yes and no"])
def test_only_scores_have_the_panel(answers):
    findings = karat.read({"truth": answers, "one": answers, "two": answers[::-1]}).findings()
    assert findings.at_prevalences is None
    assert 'id="prevalence"' not in html(findings)


def test_what_cannot_be_asked_is_named():
    findings = karat.read(table(groups=20), missing="skip").findings(threshold=0.5)
    assert findings.at_prevalences is None
    assert any("another prevalence" in one for one in findings.unasked)


def test_one_system_has_no_one_to_change_places_with(page, tmp_path):
    data = {name: column for name, column in table().items() if name in {"truth", "low"}}
    karat.read(data).report(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    move(page, 5)
    assert "Prevalence" not in page.inner_text("#summary")
    assert page.locator("#skew svg.swatch").count() == 3  # the legend, areas, thresholds


def test_a_balance_beyond_the_slider_widens_it(page, tmp_path):
    items = 12_000
    scores = np.random.default_rng(2).random((2, items))
    truth = np.zeros(items, int)
    truth[0] = 1
    karat.read({"truth": truth, "a": scores[0], "b": scores[1]}).report(
        tmp_path / "page.html", draws=100
    )
    page.goto((tmp_path / "page.html").as_uri())
    assert page.evaluate("karat.view.numbers.skew.prevalence") == 1 / items
    assert move(page, 0) == 1 / items


@pytest.mark.parametrize("form", ["md", "json"])
def test_the_other_forms_have_it_too(findings, form):
    text = DOCUMENTS[form](findings)
    if form == "json":
        assert {row["system"] for row in json.loads(text)["skew"]["rows"]} == set(NAMES)
    else:
        assert "## What happens at another prevalence?" in text
        assert "<b>" not in text


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_nobody_is_kept_out(browser, barriers, written, scheme, width):
    sized = {"width": width, "height": 900}
    with browser.new_context(
        offline=True, color_scheme=scheme, bypass_csp=True, viewport=sized
    ) as context:
        opened = context.new_page()
        opened.goto(written.as_uri())
        opened.evaluate(
            "document.querySelectorAll('details').forEach((part) => (part.open = true))"
        )
        assert barriers(opened) == []
        assert opened.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("systems", [1, 2, 10])
def test_the_summary_says_whether_the_balance_matters(systems):
    names = [f"s{k}" for k in range(systems)]
    random = np.random.default_rng(systems)
    truth = random.random(100) < 0.3
    columns = {
        name: np.round(random.normal(size=100) + random.uniform(0, 2) * truth, 2) for name in names
    }
    text = html(karat.read({"truth": truth.astype(int), **columns}).findings(draws=100))
    assert ("<strong>Prevalence" in text) == (systems > 1)
    assert len(set(re.findall(r'class="line line-(\d)"', text))) == min(8, systems)


def words(picture):
    return re.findall(r">([^<>]+)</text>", picture.decode())


def test_curves_in_every_field_are_drawn_with_their_areas(bench):
    result = bench.skew(to=["0.2", "1%", "0..0.5"], draws=0)
    text = words(svg(result))
    for one in result.areas:
        assert any(f"{one.integrated.area:.4f}" in line for line in text)
    assert {"1 % positive", "0 to 50 % positive"} <= set(text)
    assert png(result).startswith(b"\x89PNG")


def test_areas_and_ranks_are_drawn_against_the_balance(bench):
    picture = bench.plot("skew")
    assert isinstance(picture, Picture)
    text = words(svg(picture.result))
    assert text.count("low") == 2
    assert "rank by area" in text


def test_the_least_areas_are_those_of_figure_9():
    # Lampert, Gancarski 2014, figure 9: the minimum areas for three ranges of skew
    moved = karat.questions.published.skew_of_precision(0.5, old=0.5, to="0..0.5,0.3..0.5,0.6..0.9")
    text = " ".join(words(svg(moved)))
    assert all(f"least area {area}" in text for area in ("0.1424", "0.2349", "0.5471"))


def test_figure_4_is_drawn_from_published_values():
    moved = karat.questions.published.skew_of_precision(0.5, old=0.5, to=[0.4, 0.25, 0.1, 0.01])
    assert {"40 % positive", "1 % positive", "precision where 50 % are positive"} <= set(
        words(svg(moved))
    )


@pytest.mark.parametrize("word", ["0.5..0.3", "0.1..x", ".."])
def test_a_range_in_words_is_checked(bench, word):
    with pytest.raises(OptionError, match=r"lower|prevalence"):
        bench.skew(to=word, draws=0)


def test_a_requested_prevalence_is_in_the_head_with_its_warning():
    random = np.random.default_rng(3)
    truth = np.arange(600) < 60
    scores = {name: random.normal(truth * gain) for name, gain in (("one", 2.5), ("two", 1.0))}
    bench = karat.read({"truth": truth.astype(int), **scores})
    assert "Where" not in html_of_summary(bench.findings(draws=100))
    head = html_of_summary(bench.findings(draws=100, to=0.001))
    assert "Where 0.1\xa0% of the items are positive" in head
    assert "precision depends on the few highest of the 540 negatives here" in head
    assert "The doubt that matters most: prevalence." in head


def html_of_summary(findings):
    return PANELS["summary"](findings).html


def test_clusters_have_intervals_on_the_slider_and_no_thresholds():
    columns = table(120, names=NAMES[:2])
    columns["page"] = [f"p{k // 10}" for k in range(120)]
    findings = karat.read(columns, cluster="page").findings(draws=100)
    assert not findings.prevalence.known.thresholds
    for place in (0, STEPS // 2, STEPS):
        for system in findings.prevalence.at(place)["systems"]:
            assert system["low"] <= system["area"] <= system["high"]
    assert "data-chart" in html(findings)
