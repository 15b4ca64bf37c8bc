"""The page itself: no data is in it, and nothing but its own style and script may run on it."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

from karat.version import VERSION

STYLES = (("karat.report.page", "page.css"), ("karat.serve", "check.css"))
SCRIPTS = (
    ("karat.report.page", "draw.js"),
    ("karat.serve", "capital.js"),
    ("karat.serve", "standing.js"),
    ("karat.serve", "typing.js"),
    ("karat.serve", "check.js"),
)
ICON_TYPE = "image/svg+xml"
ICON = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    b'<path d="M2 8.5 6.2 13 14 3.5" fill="none" stroke="#0067a3" stroke-width="2.5"/></svg>'
)


@cache
def page() -> str:
    """Return the page."""
    template = _asset("karat.serve", "check.html")
    parts = {"VERSION": VERSION, "STYLE": _style(), "SCRIPT": _script()}
    for name, text in parts.items():
        template = template.replace(f"<!--{name}-->", text)
    return template


@cache
def policy() -> str:
    """Return what the page may load: its style and script, by their hashes, and data and pictures of this server."""
    return (
        f"default-src 'none'; style-src {_hash(_style())}; script-src {_hash(_script())}; "
        "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _style() -> str:
    return "\n".join(_asset(*asset) for asset in STYLES)


def _script() -> str:
    return "\n".join(_asset(*asset) for asset in SCRIPTS)


@cache
def _asset(package: str, name: str) -> str:
    return (files(package) / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = sha256(text.encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"
