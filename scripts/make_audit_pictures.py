"""Take the pictures of the page of karat audit --serve that the documentation shows.

Needs Chromium and the test dependencies: the digits of the demo are those of scikit-learn, which has them as pictures.
"""

import shutil
import struct
import tempfile
import zlib
from importlib.resources import files
from pathlib import Path
from threading import Thread

from playwright.sync_api import Browser, Page, sync_playwright
from sklearn.datasets import load_digits

import karat
from karat.ask.checked_lists import read_lists
from karat.serve.item_view import Items
from karat.serve.pictures import PictureFolder
from karat.serve.server import PageServer
from karat.serve.session import Session
from karat.serve.tasks import AuditTask, LabelTask, SecondTask
from karat.verdict.audit.audit import Audit

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
WIDE = {"width": 1200, "height": 760}
NARROW = {"width": 390, "height": 844}
RIGHT = {"digit-0439": "9"}
"""What the checker finds, where it is not the given label."""


def chunk(kind: bytes, content: bytes) -> bytes:
    """Return a piece of a PNG file."""
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


def png(rows: list[list[int]]) -> bytes:
    """Return a grey picture."""
    size = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    pixels = b"".join(b"\0" + bytes(row) for row in rows)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", size)
        + chunk(b"IDAT", zlib.compress(pixels))
        + chunk(b"IEND", b"")
    )


def write_digits(folder: Path) -> Path:
    """Write the digits as pictures, and a file that names them."""
    lines = ["item,scan"]
    for number, image in enumerate(load_digits().images):
        name = f"digit-{number:04}"
        rows = [[255 - min(255, int(16 * value)) for value in row] for row in image.tolist()]
        (folder / f"{name}.png").write_bytes(png(rows))
        lines.append(f"{name},{name}.png")
    fields = folder / "fields.csv"
    fields.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return fields


def served(task: LabelTask, path: Path, items: Items) -> PageServer:
    """Return a server that runs."""
    server = PageServer(Session(task, path, items))
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def check(page: Page, number: int) -> None:
    """Look up some labels by keyboard."""
    for _ in range(number):
        item = page.locator("#title").inner_text()
        given = page.locator("#given-label").inner_text()
        page.wait_for_timeout(220)
        page.keyboard.press(RIGHT.get(item, given))
        while page.locator("#title").inner_text() == item:
            page.wait_for_timeout(20)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)


def opened(browser: Browser, server: PageServer, size: dict[str, int], scheme: str) -> Page:
    """Open the page in a light or a dark window."""
    context = browser.new_context(viewport=size, color_scheme=scheme)
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    return page


def take_pictures(browser: Browser, audit: Audit, folder: Path) -> None:
    """Check some labels, take pictures on the way, and let a second checker look."""
    items = Items(audit, pictures=PictureFolder(folder))
    path = folder / "list.csv"
    server = served(AuditTask(audit), path, items)
    page = opened(browser, server, WIDE, "light")
    check(page, 8)
    page.screenshot(path=PICTURES / "audit-light.png")
    opened(browser, server, WIDE, "dark").screenshot(path=PICTURES / "audit-dark.png")
    opened(browser, server, NARROW, "light").screenshot(path=PICTURES / "audit-narrow.png")
    check(page, 7)
    page.screenshot(path=PICTURES / "audit-settled.png")
    server.shutdown()
    rows = read_lists([path])
    second = SecondTask(audit.apply(rows), rows, 9)
    server = served(second, folder / "second.csv", items)
    page = opened(browser, server, WIDE, "light")
    check(page, 3)
    page.keyboard.press("u")
    page.wait_for_timeout(600)
    page.locator("#reveal").click()
    page.wait_for_timeout(600)
    page.screenshot(path=PICTURES / "audit-second.png")
    server.shutdown()


def main() -> None:
    """Serve the demo's digits, and take the pictures."""
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        fields = write_digits(Path(folder))
        bench = karat.read(str(files("karat.demo") / "digits.csv"))
        audit = bench.audit(claim=("svm", "logistic"), seed=2026, fields=fields)
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take_pictures(browser, audit, Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
