"""Images on a page: which are shown, and that what is drawn is what was counted."""

import base64
import io
import re

import numpy as np
import pytest

import karat
from karat.report.png_files import grey_png

Image = pytest.importorskip("PIL.Image")
SHAPE = (24, 30)
COLOURS = {(0, 0, 0): "hits", (213, 94, 0): "misses", (0, 114, 178): "alarms"}


@pytest.fixture
def images(tmp_path):
    random = np.random.default_rng(8)
    for number in range(5):
        truth = random.random(SHAPE) < 0.2
        seen = np.zeros(SHAPE, bool)
        seen[2:-2, 3:-3] = True
        score = (truth * (40 + 10 * number) + 100 * random.random(SHAPE)).astype(np.uint8)
        save(tmp_path / "truth", number, np.where(truth, 255, 0))
        save(tmp_path / "twice" / "ann", number, np.where(truth, 255, 0))
        save(tmp_path / "twice" / "bob", number, np.where(truth & (score > 60), 255, 0))
        save(tmp_path / "seen", number, np.where(seen, 255, 0))
        save(tmp_path / "net", number, score)
        save(tmp_path / "mask", number, np.where(score > 75, 255, 0))
        save(tmp_path / "other", number, np.where(score > 110, 255, 0))
    return tmp_path


def save(folder, number, values):
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(values.astype(np.uint8)).save(folder / f"{number}.png")


def pixels(images, folder, name):
    with Image.open(images / folder / f"{name}.png") as image:
        return np.asarray(image).astype(int)


def found(images, truth, *systems, **using):
    using["within"] = str(images / "seen")
    return karat.read([str(images / name) for name in (truth, *systems)], using=using).findings()


def test_the_worst_the_middling_and_the_best_image_are_shown(images):
    shown = found(images, "truth", "mask", "other").images
    first = shown[0].system
    assert {picture.system for picture in shown} == {"mask", "other"}
    assert all(picture.system == first for picture in shown[::2])
    iou = {}
    for name in "01234":
        seen = pixels(images, "seen", name) > 0
        truth, marks = (pixels(images, folder, name)[seen] > 0 for folder in ("truth", first))
        iou[name] = (truth & marks).sum() / (truth | marks).sum()
    ranked = sorted(iou, key=iou.get)
    assert [picture.name for picture in shown[::2]] == [ranked[0], ranked[2], ranked[4]]
    for picture in shown[::2]:
        assert picture.iou == pytest.approx(iou[picture.name])


def test_scores_are_cut_where_f1_over_all_images_is_best(images):
    shown = found(images, "truth", "net").images
    truth, score = [], []
    for name in "01234":
        seen = pixels(images, "seen", name) > 0
        truth.append(pixels(images, "truth", name)[seen] > 0)
        score.append(pixels(images, "net", name)[seen])
    truth, score = np.concatenate(truth), np.concatenate(score)
    f1 = {}
    for cut in np.unique(score):
        marks = score >= cut
        f1[cut] = 2 * (truth & marks).sum() / (truth.sum() + marks.sum())
    assert {picture.threshold for picture in shown} == {max(f1, key=f1.get)}
    assert "over all images" in shown[0].chosen


def test_the_page_holds_the_pixels_that_were_counted(images):
    using = {"within": str(images / "seen"), "at_least": "2", "threshold": "70"}
    bench = karat.read([str(images / name) for name in ("twice", "net")], using=using)
    findings = bench.findings()
    bench.report(images / "page.html")
    page = (images / "page.html").read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert "img-src data:;" in policy
    drawn = re.findall(r'src="data:image/png;base64,([^"]+)" alt="([^"]*)"', page)
    outcomes = [one for one, text in drawn if "false alarms" in text]
    assert len(drawn) == 9
    for code, picture in zip(outcomes, findings.images, strict=True):
        with Image.open(io.BytesIO(base64.b64decode(code))) as image:
            colours = np.asarray(image.convert("RGB")).reshape(-1, 3)
        for colour, name in COLOURS.items():
            assert (colours == colour).all(axis=1).sum() == getattr(picture, name)
    assert "agreement of 2 annotators" in page


def test_a_table_has_no_images(tmp_path):
    bench = karat.read({"truth": [1, 0, 1], "a": [1, 0, 0], "b": [0, 0, 1]})
    assert bench.findings().images == ()
    bench.report(tmp_path / "page.html")
    assert "img-src" not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_grey_picture_is_dark_where_values_are_high():
    values = np.array([[0.0, 5.0, 10.0], [10.0, 0.0, 0.0]])
    with Image.open(io.BytesIO(grey_png(values, low=0, high=10))) as image:
        assert np.asarray(image).tolist() == [[255, 119, 0], [0, 255, 255]]


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_nobody_is_kept_out_and_images_fit(images, browser, barriers, scheme, width):
    using = {"within": str(images / "seen"), "at_least": "1"}
    paths = [str(images / name) for name in ("twice", "net", "other")]
    karat.read(paths, using=using).report(images / "page.html")
    context = browser.new_context(
        offline=True, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto((images / "page.html").as_uri())
    shown = page.locator("#images img")
    assert shown.count() == 15
    assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert barriers(page) == []
    assert said == []
    context.close()
