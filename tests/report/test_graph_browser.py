"""The browser of graphs in a real browser: from a confusion to its files, output and truth drawn, offline."""

import pytest

import karat
from karat.graphs.draw.drawing import sketches
from karat.graphs.formats.label_graph import parse
from karat.graphs.formats.label_graph_text import to_lg
from karat.graphs.panels import graph_browser
from karat.report.documents import html, md
from support.perturbed import expression, misread

HURT = '<img src=x onerror="alert(1)">'


def bench(number=40):
    truth = {f"e{seed}": expression(seed) for seed in range(number)}
    truth["hurt"] = parse(f"O, o, {HURT}, 1.0, s1\nO, p, x, 1.0, s2\nR, o, p, {HURT}, 1.0").graph
    systems = {
        name: {file: misread(one, name) for file, one in truth.items()} for name in ("a", "b")
    }
    systems["a"]["hurt"] = parse(f"O, o, {HURT}{HURT}, 1.0, s1\nO, p, y, 1.0, s2").graph
    return karat.read_graphs(truth, systems)


@pytest.fixture(scope="module")
def findings():
    return bench().findings(draws=100)


def test_from_each_confusion_to_its_files(opened, findings):
    opened.select_option("#graphs-size", "1")
    button = opened.locator("#graphs-table .confusion").first
    truth = opened.locator("#graphs-table tbody th").first.inner_text()
    output, number = button.inner_text().rsplit("  ", 1)
    button.click()
    tally = findings.browser.tally
    keys = [
        key
        for key in tally.found
        if key[1] == 1 and (key[2].words(), key[3].words()) == (truth, output)
    ]
    assert int(number) == sum(tally.number(key) for key in keys)
    listed = set(opened.locator("#graphs-file option").all_inner_texts())
    assert listed == {f"{file} ({key[0]})" for key in keys for file in tally.found[key]}


def test_the_page_draws_what_show_draws(opened, findings):
    opened.locator("#graphs-next").click()
    shown = opened.locator("#graphs-file option:checked").inner_text()
    one = next(
        each for each in findings.browser.examples if shown == f"{each.file} ({each.system})"
    )
    drawn = sketches(one.output, one.truth)
    for place, sketch in enumerate(drawn):
        picture = opened.locator("svg.graph").nth(place)
        assert picture.locator(".thing").count() == len(sketch.symbols)
        assert picture.locator(".arrow").count() == len(sketch.arrows)
        for state in ("same", "wrong", "extra", "missing"):
            number = sum(each.state == state for each in sketch.symbols)
            assert picture.locator(f".thing.{state}").count() == number
        assert picture.locator(".badge").count() == sum(
            each.state != "same" for each in sketch.symbols
        )


def test_a_system_alone_can_be_chosen(opened):
    opened.select_option("#graphs-system", "1")
    assert all(
        text.endswith("(b)") for text in opened.locator("#graphs-file option").all_inner_texts()
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out_of_the_browser(browser, barriers, written, scheme):
    with browser.new_context(offline=True, color_scheme=scheme, bypass_csp=True) as context:
        opened = context.new_page()
        opened.goto(written.as_uri())
        opened.locator("#graphs-table .confusion").first.click()
        assert barriers(opened, runOnly=["wcag2a", "wcag2aa"]) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_the_browser_of_graphs_fits_the_screen(browser, written, width):
    with browser.new_context(offline=True, viewport={"width": width, "height": 900}) as context:
        opened = context.new_page()
        opened.goto(written.as_uri())
        assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_labels_cannot_hurt_the_browser(opened, findings):
    for one in findings.browser.examples:
        if one.file == "hurt":
            opened.select_option("#graphs-file", label=f"hurt ({one.system})")
            assert opened.locator("#graph-drawn img").count() == 0


def test_what_is_left_out_is_said(findings, monkeypatch):
    monkeypatch.setattr(graph_browser, "MOST_OBJECTS", 8)
    monkeypatch.setattr(graph_browser, "MOST_CONFUSIONS", 5)
    found = graph_browser.panel(findings)
    assert any("more outputs with errors not drawn here" in text for text in found.text)
    assert any("confusions are left out, the rarest" in text for text in found.text)
    assert len(found.data["confusions"]) == 5


def test_the_same_graphs_give_the_same_page_and_the_other_forms_have_the_tables(findings):
    again = bench().findings(draws=100)
    assert graph_browser.panel(again).data == graph_browser.panel(findings).data
    assert "## Where did it go wrong?" in md(findings)


def test_without_errors_there_is_nothing_to_browse():
    truth = {"e": expression(1)}
    assert "Where did it go wrong?" not in html(
        karat.read_graphs(truth, {"a": truth}).findings(draws=100)
    )


LONG = "averyverylongnamewithoutanyspaceinitatallthatgoesonandonandonandon"


def test_long_names_and_paths_fit_a_phone_and_no_path_of_the_maker_is_on_the_page(page, tmp_path):
    for folder in ("truth", "first", "second"):
        place = tmp_path / LONG / folder
        place.mkdir(parents=True)
        for seed in range(3):
            whole = expression(seed)
            graph = whole if folder == "truth" else misread(whole, folder)
            (place / f"e{seed}.lg").write_text(to_lg(graph))
    root = tmp_path / LONG
    bench = karat.read_graphs(root / "truth", {LONG: root / "first", "second": root / "second"})
    written = html(bench.findings(draws=100))
    assert str(tmp_path) not in written
    (tmp_path / "page.html").write_text(written, encoding="utf-8")
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
