"""Take the pictures of the demo's page that the documentation shows; needs Chromium and the test dependencies."""

import shutil
import tempfile
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import karat

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
SIZE = {"width": 1200, "height": 1000}


def shoot(
    browser: Browser, page: Path, scheme: str, name: str, *, error: float | None = None
) -> None:
    """Open the page in a light or a dark window, and take a picture of what is seen first."""
    context = browser.new_context(offline=True, viewport=SIZE, color_scheme=scheme)
    opened = context.new_page()
    opened.goto(page.as_uri())
    if error is not None:
        opened.locator("#error").fill(str(error))
        opened.locator("#error").blur()
        opened.locator("#stability").scroll_into_view_if_needed()
        opened.evaluate("document.getElementById('stability').scrollIntoView()")
        opened.evaluate("scrollBy(0, -110)")
    opened.screenshot(path=PICTURES / f"{name}.png")
    context.close()


def main() -> None:
    """Make the page of the demo, and take its pictures."""
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = Path(folder) / "page.html"
        karat.read(str(files("karat.demo") / "digits.csv")).report(page)
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        shoot(browser, page, "light", "page-light")
        shoot(browser, page, "dark", "page-dark")
        shoot(browser, page, "light", "page-labels-light", error=40)
        shoot(browser, page, "dark", "page-labels-dark", error=40)
        browser.close()


if __name__ == "__main__":
    main()
