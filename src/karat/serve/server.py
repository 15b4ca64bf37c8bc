"""The page's server: on this machine only, for whoever has the address, which holds a secret.

Requests are refused unless they name this server as their host (so that no other name leads here), hold the secret,
and come from its own page. What changes something is a POST of JSON, which a browser sends for no other page.
"""

import hmac
import json
import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from karat.serve.page import ICON, ICON_TYPE, page, policy
from karat.serve.pictures import NoPictureError
from karat.serve.session import LabelRequest, RefusedError, Session

LOOPBACK = "127.0.0.1"
NAMES = (LOOPBACK, "localhost")
LARGEST = 64 * 1024
"""The largest request, in bytes."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A picture loads nothing and runs nothing, also where it is opened by itself."""
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
JSON = "application/json"
TEXT = "text/plain; charset=utf-8"


class PageServer(ThreadingHTTPServer):
    """Serves one session until it is stopped."""

    daemon_threads = True
    request_queue_size = 32

    def __init__(self, session: Session) -> None:
        """Take a free port."""
        self.session = session
        self.secret = secrets.token_urlsafe(32)
        super().__init__((LOOPBACK, 0), _Handler)
        self.hosts = tuple(f"{name}:{self.server_port}" for name in NAMES)

    @property
    def address(self) -> str:
        """Where the page is; whoever has it may check labels."""
        return f"http://{LOOPBACK}:{self.server_port}/{self.secret}/"


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: PageServer
    server_version = "karat"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Answer a request that changes nothing."""
        self._answer(self._get)

    def do_POST(self) -> None:
        """Answer a request that changes something."""
        self._answer(self._post)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse a request in plain text, without quoting it."""
        del message, explain
        self.close_connection = True
        self._send(code, TEXT, HTTPStatus(code).phrase.encode())

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 (the library's name)
        """Say nothing: addresses hold the secret."""

    def _answer(self, how: Any) -> None:
        try:
            how(self._route())
        except RefusedError as error:
            body = {"error": error.message}
            self._send(error.status, JSON, json.dumps(body).encode())
        except NoPictureError as error:
            self._send(HTTPStatus.NOT_FOUND, TEXT, str(error).encode())

    def _route(self) -> str:
        """Return what is asked for, of who may ask."""
        self._check_host()
        parts = urlsplit(self.path).path.split("/")
        secret = parts[1] if len(parts) > 1 else ""
        if not hmac.compare_digest(secret.encode(), self.server.secret.encode()):
            raise RefusedError(HTTPStatus.FORBIDDEN, "the address is not complete")
        self._check_origin()
        if len(parts) != 3:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")
        return parts[2]

    def _check_host(self) -> None:
        """Refuse other names of this machine: one that somebody else chose may lead a foreign page here."""
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            raise RefusedError(HTTPStatus.FORBIDDEN, "the server has another name")

    def _check_origin(self) -> None:
        """Refuse what another page asks for."""
        host = self.headers["Host"]
        origin = self.headers.get("Origin")
        site = self.headers.get("Sec-Fetch-Site")
        is_foreign = origin is not None and origin != f"http://{host}"
        if is_foreign or site not in {None, "none", "same-origin"}:
            raise RefusedError(HTTPStatus.FORBIDDEN, "another page asked for it")
        if self.command == "POST" and origin is None:
            raise RefusedError(HTTPStatus.FORBIDDEN, "it is not known which page asked for it")

    def _get(self, what: str) -> None:
        session = self.server.session
        if what == "":
            self._send(HTTPStatus.OK, "text/html; charset=utf-8", page().encode(), policy())
        elif what == "icon":
            self._send(HTTPStatus.OK, ICON_TYPE, ICON, PICTURE_POLICY)
        elif what == "beginning":
            self._send_json(session.beginning())
        elif what == "state":
            self._send_json(session.state(self._number("draw")))
        elif what == "standing":
            self._send_json(session.standing())
        elif what == "picture":
            picture = session.picture(self._needed("draw"), self._needed("field"))
            self._send(HTTPStatus.OK, picture.type, picture.content, PICTURE_POLICY)
        else:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")

    def _post(self, what: str) -> None:
        sent = self._sent()
        session = self.server.session
        if what == "label":
            self._send_json(session.label(_label_request(sent)))
        elif what == "answers":
            self._send_json(session.answers(_whole(sent, "draw")))
        else:
            raise RefusedError(HTTPStatus.NOT_FOUND, "there is no such page")

    def _sent(self) -> dict[str, Any]:
        """Return the JSON object that was sent."""
        if self.headers.get_content_type() != JSON:
            raise RefusedError(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"only {JSON} is read")
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or "Transfer-Encoding" in self.headers:
            raise RefusedError(HTTPStatus.LENGTH_REQUIRED, "the length is not given")
        if int(length) > LARGEST:
            raise RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "it is too long")
        try:
            sent = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise RefusedError(HTTPStatus.BAD_REQUEST, "it is not JSON") from None
        if not isinstance(sent, dict):
            raise RefusedError(HTTPStatus.BAD_REQUEST, "it is not a JSON object")
        return sent

    def _number(self, name: str) -> int | None:
        """Return a whole number of the address; None where it is not there."""
        values = parse_qs(urlsplit(self.path).query).get(name, [])
        if not values:
            return None
        text = values[0]
        if len(values) > 1 or not text.isascii() or not text.isdigit() or len(text) > 15:
            raise RefusedError(HTTPStatus.BAD_REQUEST, f"{name} is a whole number")
        return int(text)

    def _needed(self, name: str) -> int:
        number = self._number(name)
        if number is None:
            raise RefusedError(HTTPStatus.BAD_REQUEST, f"{name} is missing")
        return number

    def _send_json(self, value: Any) -> None:
        body = json.dumps(value, allow_nan=False).encode()
        self._send(HTTPStatus.OK, JSON, body)

    def _send(
        self, status: int, kind: str, body: bytes, policy: str = "default-src 'none'; sandbox"
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", policy)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _label_request(sent: dict[str, Any]) -> LabelRequest:
    return LabelRequest(
        sequence=_whole(sent, "sequence"),
        draw=_whole(sent, "draw"),
        right=_text(sent, "right"),
        note=_text(sent, "note"),
    )


def _whole(sent: dict[str, Any], name: str) -> int:
    value = sent.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise RefusedError(HTTPStatus.BAD_REQUEST, f"{name} is a whole number")
    return value


def _text(sent: dict[str, Any], name: str) -> str:
    value = sent.get(name)
    if not isinstance(value, str):
        raise RefusedError(HTTPStatus.BAD_REQUEST, f"{name} is a text")
    return value
