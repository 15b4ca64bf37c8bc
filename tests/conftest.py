"""What holds for all tests: property tests have no deadline and the same examples each time; slow tests are marked.

Also a real browser, for the pages.
"""

import os
import shutil
import signal
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from support.user import IS_ROOT

settings.register_profile("karat", deadline=None, derandomize=True)
settings.register_profile("quick", parent=settings.get_profile("karat"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "karat"))

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A shell starts what runs in the background deaf to interrupts, and so its children: some tests interrupt these.
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW = frozenset(Path(__file__).with_name("slow_tests.txt").read_text(encoding="utf-8").split())
"""Tests that `make quick` leaves out; `make slow-tests` writes the list."""


CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
ARGUMENTS = ("--disable-dev-shm-usage", *(["--no-sandbox"] if IS_ROOT else []))
"""Chromium's sandbox refuses to run as root, and a container's shared memory is small."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Whatever uses the browser is marked so, and all of it shares one browser: that of one worker."""
    for item in items:
        if item.nodeid.partition("[")[0] in SLOW:
            item.add_marker(pytest.mark.slow)
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
