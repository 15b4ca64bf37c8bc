"""The page in a real browser: labels by keyboard, by mouse and by typing, in two windows, and with hostile texts."""

import json
import struct
import zlib

import pytest

import karat
from karat.ask.checked_lists import read_lists
from karat.serve.session import LabelRequest
from support.served import opened, opened_second, rows_of, running

PAUSE = 230
"""Milliseconds after which a key is meant for the item that is shown."""
HOSTILE = (
    "<img src=x onerror=pwn()>",
    "<script>pwn()</script>",
    '"><svg onload=pwn()>',
    "javascript:pwn()",
    "</script><script>pwn()</script>",
    "{{constructor.constructor('pwn()')()}}",
    "' onmouseover='pwn()",
    "\u202egnirts\u2066",
    "${pwn()}",
    "&lt;b&gt; & \u2028 line",
)


@pytest.fixture
def window(browser):
    """Open addresses in windows of their own; the test fails if one logs an error or asks elsewhere."""
    contexts = []
    wrong = []

    def go(server, *, width=1200, height=800, scheme="light", expected=(), **options):
        viewport = {"width": width, "height": height}
        context = browser.new_context(viewport=viewport, color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        origin = server.address.rsplit("/", 2)[0]

        def logged(message):
            known = any(text in message.text for text in expected)
            if message.type == "error" and not known:
                wrong.append(message.text)

        def asked(request):
            if not request.url.startswith(origin):
                wrong.append(f"asked for {request.url}")

        page.on("console", logged)
        page.on("pageerror", lambda error: wrong.append(f"threw: {error}"))
        page.on("request", asked)
        page.on("dialog", lambda dialog: wrong.append(f"opened {dialog.message}"))
        page.add_init_script("window.pwned = 0; window.pwn = () => { window.pwned += 1; }")
        page.goto(server.address)
        ready(page)
        return page

    yield go
    for context in contexts:
        for page in context.pages:
            if not page.is_closed() and page.url.startswith("http"):
                assert not page.evaluate("window.pwned")
        context.close()
    assert wrong == []


def until(page, is_so):
    """Wait until something is so; the page's policy forbids Playwright's own way of waiting, which evaluates texts."""
    for _ in range(500):
        if is_so():
            return
        page.wait_for_timeout(20)
    raise AssertionError(page.inner_text("body"))


def ready(page):
    """Wait until an item, or the end, is shown and may be labelled."""
    until(
        page,
        lambda: (
            page.inner_text("#title") != "Loading" and not page.get_attribute("#work", "aria-busy")
        ),
    )
    page.wait_for_timeout(PAUSE)


def until_said(page, text, place="#sentences"):
    until(page, lambda: text in page.inner_text(place))


def item(page):
    return page.inner_text("#title")


def press(page, key):
    """Press a key, and wait until what follows is shown."""
    page.keyboard.press(key)
    ready(page)


def drawn(page):
    return page.inner_text("#where").split(" · ")[0]


@pytest.fixture
def served(audit, tmp_path):
    with running(opened(audit, tmp_path / "list.csv")) as server:
        yield server


def test_a_label_a_key_and_it_is_on_disk_before_the_next_item(served, window, tmp_path):
    page = window(served)
    seen = []
    for _ in range(5):
        before = item(page)
        page.keyboard.press("3")
        until(page, lambda before=before: item(page) != before)
        seen.append(before)
        # At the moment at which the next item is there: no waiting for the disk.
        assert [row["item"] for row in rows_of(tmp_path / "list.csv")] == seen
        ready(page)
    assert page.inner_text("#said") == "Draw 5: 3 saved."


def test_until_the_verdict_without_a_mouse(served, window, audit, tmp_path):
    page = window(served)
    while page.is_visible("#question"):
        right = "9" if item(page) == "digit-0439" else page.inner_text("#given-label")
        press(page, right)
    until_said(page, "Settled", "#title")
    audited = audit.apply(read_lists([tmp_path / "list.csv"]))
    said = audited.beside()["sentences"]
    assert page.inner_text("#print blockquote") == said[1].removeprefix('To print: "')[:-1]
    assert page.inner_text("#done-sentences") == said[0]
    press(page, "ArrowLeft")
    assert page.is_visible("#question")
    assert "this one as" in page.inner_text("#where")


def test_the_numbers_are_those_of_python(served, window, audit, tmp_path):
    page = window(served)
    for key in "307":
        press(page, key)
    until_said(page, "After 3 check")
    audited = audit.apply(read_lists([tmp_path / "list.csv"]))
    assert page.inner_text("#sentences") == audited.beside()["sentences"][0]
    capital = audited.rows()[0]["capital"]
    shown = page.inner_text("#tiles dd >> nth=0").split()[0]
    assert float(shown) == pytest.approx(capital, rel=0.05)
    line = served.session.standing()["lines"][0]["points"]
    draws = audited.beside()["pairs"][0]["draws"]
    assert [capital for _, capital in line] == [1.0, *[draw["capital"] for draw in draws]]
    path = page.get_attribute("#drawing path.line-0", "d")
    assert path.count("L") == 3


def test_back_note_other_undecidable_and_answers_by_keyboard(served, window, tmp_path):
    page = window(served)
    press(page, "u")
    press(page, "o")
    press(page, "ArrowLeft")
    assert drawn(page) == "Draw 2"
    assert page.get_attribute("#other", "aria-pressed") == "true"
    press(page, "ArrowLeft")
    page.keyboard.press("n")
    page.keyboard.type("too dark: 3 or 8?")
    page.keyboard.press("Escape")
    press(page, "8")
    assert drawn(page) == "Draw 3"
    assert page.is_hidden("#answers")
    press(page, "s")
    assert "logistic" in page.inner_text("#answers")
    press(page, "s")
    assert page.is_hidden("#answers")
    press(page, "4")
    rows = rows_of(tmp_path / "list.csv")
    assert [row["right"] for row in rows] == ["8", "(other)", "4"]
    assert [row["note"] for row in rows] == ["too dark: 3 or 8?", "", ""]
    assert [row["answers_seen"] for row in rows] == ["no", "no", "yes"]


def test_a_note_can_be_added_later(served, window, tmp_path):
    page = window(served)
    press(page, "5")
    press(page, "ArrowLeft")
    page.click("#show-note")
    page.fill("#note", "see page 7")
    page.click("#save-note")
    ready(page)
    assert [(row["right"], row["note"]) for row in rows_of(tmp_path / "list.csv")] == [
        ("5", "see page 7")
    ]


def test_slips_do_not_label_the_next_item(served, window, tmp_path):
    page = window(served)
    page.keyboard.press("3")
    page.keyboard.press("3")
    ready(page)
    page.dblclick("[data-right='4']")
    ready(page)
    page.keyboard.down("5")
    for _ in range(5):
        page.keyboard.down("5")  # held down: repeated by the keyboard
    page.keyboard.up("5")
    ready(page)
    for chord in ("Control+6", "Alt+6", "Meta+6"):
        page.keyboard.press(chord)
    ready(page)
    assert [row["right"] for row in rows_of(tmp_path / "list.csv")] == ["3", "4", "5"]


def test_single_keys_can_be_switched_off(served, window, tmp_path):
    page = window(served)
    page.click("#help summary")
    page.uncheck("#single-keys")
    page.keyboard.press("3")
    ready(page)
    assert rows_of(tmp_path / "list.csv") == []


def test_two_windows_do_not_fight(served, window, tmp_path):
    one = window(served)
    two = window(served, expected=["409"])
    first = item(one)
    press(one, "3")
    press(one, "4")
    assert item(two) == first
    press(two, "5")
    assert "another window has gone on" in two.inner_text("#problem")
    assert drawn(two) == drawn(one) == "Draw 3"
    press(two, "6")
    until(two, lambda: not two.inner_text("#problem"))
    one.evaluate("window.dispatchEvent(new Event('focus'))")
    ready(one)
    assert drawn(one) == "Draw 4"
    assert [row["right"] for row in rows_of(tmp_path / "list.csv")] == ["3", "4", "6"]


def test_two_windows_that_say_the_same_count_once(served, window, tmp_path):
    one, two = window(served), window(served)
    press(one, "3")
    press(two, "3")
    assert drawn(two) == "Draw 2"
    assert len(rows_of(tmp_path / "list.csv")) == 1


def test_a_server_that_is_gone_is_told_and_nothing_is_shown_as_saved(audit, window, tmp_path):
    with running(opened(audit, tmp_path / "list.csv")) as server:
        page = window(server, expected=["ERR_CONNECTION_REFUSED"])
        press(page, "3")
        before = item(page)
    press(page, "4")
    assert "does not answer" in page.inner_text("#problem")
    assert item(page) == before
    assert len(rows_of(tmp_path / "list.csv")) == 1


def test_blind_shows_neither_the_given_label_nor_the_capital(audit, window, tmp_path):
    with running(opened(audit, tmp_path / "list.csv", blind=True)) as server:
        page = window(server)
        assert page.is_hidden("#given")
        press(page, "3")
        assert page.is_hidden("#numbers")
        assert page.is_hidden("#strip")
        page.click("#reveal")
        until_said(page, "After 1 check")
        assert page.is_visible("#drawing svg")


def test_many_labels_are_typed(window, tmp_path):
    names = [f"label {k}" for k in range(40)] + ["cat", "cathedral", "n", "u"]
    size = len(names)
    table = {
        "item": [f"i{k:02}" for k in range(size)],
        "truth": names,
        "a": names,
        "b": names[::-1],
    }
    audit = karat.read(table).audit(claim=("a", "b"), seed=1)
    with running(opened(audit, tmp_path / "list.csv")) as server:
        page = window(server, expected=["422"])
        page.keyboard.type("cat")
        assert page.locator("#matches li").all_inner_texts() == ["cat", "cathedral"]
        press(page, "Enter")
        page.keyboard.type("cat")
        page.keyboard.press("ArrowDown")
        press(page, "Enter")
        page.keyboard.type("n")
        press(page, "Enter")
        page.keyboard.type("(und")
        press(page, "Enter")
        page.keyboard.type("no such label")
        page.keyboard.press("Enter")
        ready(page)
        assert "no label of the table is 'no such label'" in page.inner_text("#problem")
        page.keyboard.press("Escape")
        press(page, "o")
        page.fill("#typed", "label 3")
        page.click("#matches li >> nth=1")
        ready(page)
        press(page, "ArrowLeft")
        assert "this one as label 30" in page.inner_text("#where")
    rights = [row["right"] for row in rows_of(tmp_path / "list.csv")]
    assert rights == ["cat", "cathedral", "n", "(undecidable)", "(other)", "label 30"]


def test_sets_of_labels_are_typed_whole(window, tmp_path):
    table = {
        "item": [f"i{k}" for k in range(8)],
        "truth": ["cat dog", "cat", "dog", "cat dog"] * 2,
        "a": ["cat"] * 8,
        "b": ["dog"] * 8,
    }
    audit = karat.read(table, truth_sep=" ").audit(claim=("a", "b"), seed=1)
    with running(opened(audit, tmp_path / "list.csv")) as server:
        page = window(server)
        page.keyboard.type("cat dog")
        press(page, "Enter")
    assert [row["right"] for row in rows_of(tmp_path / "list.csv")] == ["cat dog"]


def png(width, height, value=80):
    def chunk(kind, content):
        return (
            struct.pack(">I", len(content))
            + kind
            + content
            + struct.pack(">I", zlib.crc32(kind + content))
        )

    size = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + bytes([value]) * width for _ in range(height)))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="60" onload="top.pwn()">'
    "<script>top.pwn(); window.pwned = 7</script><rect width='90' height='60'/></svg>"
)


@pytest.fixture
def hostile(tmp_path):
    """A table whose items, labels, systems and texts are hostile, with pictures of which one has a script."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "a.png").write_bytes(png(8, 8))
    (pictures / "b.svg").write_text(SVG)
    (tmp_path / "secret.png").write_bytes(png(8, 8))
    names = [f"{text} {k}" for k, text in enumerate(HOSTILE)]
    rows = ["item,text,picture"]
    files = ["a.png", "b.svg", "../secret.png"]
    for place, name in enumerate(names):
        cells = [name, HOSTILE[-place], files[place % 3]]
        rows.append(",".join('"' + cell.replace('"', '""') + '"' for cell in cells))
    fields = tmp_path / "fields.csv"
    fields.write_text("\n".join(rows) + "\n", encoding="utf-8")
    labels = list(HOSTILE[:4])
    first, second = HOSTILE[0], HOSTILE[1]
    table = {
        "item": names,
        "truth": [labels[k % 4] for k in range(len(names))],
        first: [labels[k % 4] for k in range(len(names))],
        second: [labels[(k + 1) % 4] for k in range(len(names))],
    }
    bench = karat.read(table, item="item", truth="truth", systems=[first, second])
    return bench.audit(claim=(first, second), seed="<b>seed</b>", fields=fields, risk=0.001)


def test_hostile_texts_are_shown_and_never_run(hostile, window, tmp_path):
    session = opened(
        hostile, tmp_path / "<img src=x onerror=pwn()>.csv", images=tmp_path / "pictures"
    )
    with running(session) as server:
        page = window(server)
        shown = set()
        while page.is_visible("#question"):
            state = server.session.state()
            assert page.inner_text("#title") == state["entry"]["item"].replace("\u2028", "\u2028")
            shown.add(state["entry"]["item"])
            labels = page.locator("#labels bdi").all_inner_texts()
            assert sorted(labels) == sorted(HOSTILE[:4])
            for image in page.locator("#fields img").all():
                image.evaluate("one => one.decode()")
            press(page, "s")
            press(page, "n")
            page.keyboard.type("<img src=x onerror=pwn()>")
            page.keyboard.press("Escape")
            press(page, "1")
        assert len(shown) == len(HOSTILE)
        assert HOSTILE[0] in page.inner_text("#claim")
        assert page.locator("main script, main iframe, main object, #work img[src=x]").count() == 0
        assert not page.evaluate("window.pwned")


def test_a_picture_opened_by_itself_runs_nothing(hostile, browser, tmp_path):
    session = opened(hostile, tmp_path / "list.csv", images=tmp_path / "pictures")
    with running(session) as server, browser.new_context() as context:
        page = context.new_page()
        page.add_init_script("window.pwned = 0; window.pwn = () => { window.pwned += 1; }")
        found = None
        while found is None:
            state = session.state()
            for field in state["entry"]["fields"]:
                if field["text"] == "b.svg":
                    found = f"{server.address}picture?draw={state['entry']['draw']}&field={field['number']}"
            if found is None:
                session.label(
                    LabelRequest(
                        sequence=state["sequence"] + 1,
                        draw=state["entry"]["draw"],
                        right="(undecidable)",
                        note="",
                    )
                )
        response = page.goto(found)
        assert response.headers["content-type"] == "image/svg+xml"
        page.wait_for_timeout(200)
        assert not page.evaluate("window.pwned")


def test_another_page_cannot_read_or_write(served, browser, tmp_path):
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    with browser.new_context() as context:
        page = context.new_page()
        page.route(
            "http://evil.example/**",
            lambda route: route.fulfill(body="<h1>evil</h1>", content_type="text/html"),
        )
        page.goto("http://evil.example/")
        found = page.evaluate(
            """async (address) => {
                const tried = {};
                const body = JSON.stringify({ sequence: 1, draw: 1, right: "3", note: "" });
                const ways = {
                    json: { method: "POST", headers: { "Content-Type": "application/json" }, body },
                    text: { method: "POST", headers: { "Content-Type": "text/plain" }, body },
                    silent: { method: "POST", mode: "no-cors", body },
                };
                for (const [name, way] of Object.entries(ways)) {
                    try { tried[name] = (await fetch(address + "label", way)).type; } catch { tried[name] = "refused"; }
                }
                try { tried.read = (await fetch(address + "state")).type; } catch { tried.read = "refused"; }
                return tried;
            }""",
            served.address,
        )
        assert found["json"] == found["text"] == found["read"] == "refused"
        page.set_content(
            f'<iframe src="{served.address}"></iframe><img src="{served.address}icon">'
        )
        page.wait_for_timeout(300)
        frame = page.frames[-1]
        assert "Which label" not in frame.content()
    assert served.session.checked == 0
    assert rows_of(tmp_path / "list.csv") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_keeps_anybody_out(audit, window, barriers, tmp_path, width, scheme):
    with running(opened(audit, tmp_path / "list.csv")) as server:
        page = window(server, width=width, height=844, scheme=scheme, bypass_csp=True)
        assert barriers(page) == []
        press(page, "3")
        press(page, "ArrowLeft")
        page.click("#help summary")
        press(page, "s")
        press(page, "n")
        until_said(page, "After 1 check")
        assert barriers(page) == []
        wide = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0
        page.keyboard.press("Escape")
        press(page, "ArrowRight")
        while page.is_visible("#question"):
            press(page, page.inner_text("#given-label"))
        until_said(page, "Settled", "#title")
        assert barriers(page) == []


@pytest.mark.parametrize("width", [390, 1280])
def test_long_words_and_hostile_texts_fit(hostile, window, barriers, tmp_path, width):
    session = opened(hostile, tmp_path / "list.csv", images=tmp_path / "pictures")
    with running(session) as server:
        page = window(server, width=width, height=844, bypass_csp=True)
        for _ in range(3):
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
            assert barriers(page) == []
            press(page, "2")


def test_a_second_checker_is_told_at_the_end(audit, window, tmp_path):
    with running(opened(audit, tmp_path / "list.csv")) as server:
        page = window(server)
        for _ in range(6):
            press(page, page.inner_text("#given-label"))
    second = opened_second(audit, tmp_path / "list.csv", tmp_path / "second.csv")
    with running(second) as server:
        page = window(server)
        assert "Second opinion" in page.inner_text("#claim")
        assert page.is_hidden("#numbers")
        press(page, "u")
        for _ in range(5):
            assert page.is_hidden("#numbers")
            press(page, page.inner_text("#given-label"))
        until_said(page, "Your part is done", "#title")
        assert "agree on 5 of 6 items" in page.inner_text("#done-sentences")
        assert page.locator("#drawing path.line").count() == 3
        assert page.locator("#rows-body tr").count() == 3


def test_a_hundred_items_by_keyboard(digits, window, tmp_path):
    audit = digits.audit(claim="order", seed=5)
    with running(opened(audit, tmp_path / "list.csv")) as server:
        page = window(server)
        expected = []
        for place in range(100):
            state = json.loads(page.evaluate("fetch('state').then((one) => one.text())"))
            assert item(page) == state["entry"]["item"]
            right = "u" if place % 10 == 9 else page.inner_text("#given-label")
            expected.append((item(page), "(undecidable)" if right == "u" else right))
            press(page, right)
        until_said(page, "After 100 checks")
    found = [(row["item"], row["right"]) for row in rows_of(tmp_path / "list.csv")]
    assert found == expected
    audited = audit.apply(read_lists([tmp_path / "list.csv"]))
    assert len(audited.walk.counted) == 100
