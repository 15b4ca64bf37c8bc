"""A real browser for the report page, which asks for nothing and complains about nothing."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from karat.report.documents import html

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ARGUMENTS = ("--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else []))
"""Chromium's sandbox refuses to run as root, and a container's shared memory is small."""
OWN = ("about:", "data:", "blob:")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Whatever uses the browser is marked so, and all of it shares one browser: that of one worker."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def browser():
    """Headless Chromium."""
    if not CHROMIUM:
        pytest.skip("no Chromium here: scripts/browser.sh installs one")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="no Playwright here: pip install playwright"
    )
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    """A fresh page, offline; the test fails if the page logs an error, throws one, or asks for another file."""
    with browser.new_context(offline=True) as context:
        opened = context.new_page()
        wrong = watched(opened)
        yield opened
        assert wrong == []


@pytest.fixture(scope="module")
def written(findings, tmp_path_factory):
    """The page of a module's findings, in a file."""
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(html(findings), encoding="utf-8")
    return path


@pytest.fixture
def opened(page, written):
    """That page in the browser."""
    page.goto(written.as_uri())
    return page


def watched(page):
    """A list of what goes wrong in a page from now on."""
    wrong = []

    def logged(message):
        if message.type == "error":
            wrong.append(f"logged: {message.text}")

    def asked(request):
        own = request.is_navigation_request() and request.frame == page.main_frame
        if not own and not request.url.startswith(OWN):
            wrong.append(f"asked for {request.url}")

    page.on("console", logged)
    page.on("pageerror", lambda error: wrong.append(f"threw: {error}"))
    page.on("request", asked)
    return wrong


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core, which finds what keeps people out of a page."""
    package = find_spec("axe_playwright_python")
    if not package:
        pytest.skip("no axe-core here: pip install axe-playwright-python")
    return (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def barriers(axe):
    """What keeps people out of a page: a sentence for each rule it breaks, by axe-core."""

    def found(page, **options):
        page.evaluate(axe)
        violations = page.evaluate("options => axe.run(document, options)", options)["violations"]
        return [sentence(violation) for violation in violations]

    return found


def sentence(violation):
    places = ", ".join(" ".join(map(str, node["target"])) for node in violation["nodes"])
    return f"{violation['id']}: {violation['help']} ({places})"
