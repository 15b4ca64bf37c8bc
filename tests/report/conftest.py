"""A real browser for the report page, which asks for nothing and complains about nothing."""

import pytest

from karat.report.documents import html

OWN = ("about:", "data:", "blob:")


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


def drawn(page):
    """Wait until every picture was drawn: those out of sight follow when there is time."""
    page.evaluate(
        "async () => { while (karat.view.stale.size) await new Promise((done) => setTimeout(done, 20)); }"
    )


@pytest.fixture
def settle():
    """Waits until every picture of a page was drawn."""
    return drawn
