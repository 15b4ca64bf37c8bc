"""The server by itself: who is let in, what is refused, and what every answer says."""

import http.client
import json
import socket
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

import karat
from karat.serve.server import LARGEST
from support.served import opened, rows_of, running

LABEL = {"sequence": 1, "draw": 1, "right": "3", "note": ""}


@pytest.fixture
def server(audit, tmp_path):
    with running(opened(audit, tmp_path / "list.csv")) as server:
        yield server


@pytest.fixture
def ask(server):
    """Send a request as it is; return the status, the headers and the body."""
    base = urlsplit(server.address)

    def send(method, what="", body=None, *, path=None, headers=None):
        connection = http.client.HTTPConnection(base.hostname, base.port, timeout=10)
        connection.putrequest(method, path or base.path + what, skip_host=True)
        sent = {"Host": base.netloc, **(headers or {})}
        if body is not None:
            body = body if isinstance(body, bytes) else json.dumps(body).encode()
            sent.setdefault("Content-Length", str(len(body)))
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, response.headers, content

    return send


def own(server, **more):
    """The headers that the page itself sends."""
    host = urlsplit(server.address).netloc
    return {"Origin": f"http://{host}", "Content-Type": "application/json", **more}


def labels(server):
    return server.session.checked


def test_it_listens_on_this_machine_only(server):
    assert server.server_address[0] == "127.0.0.1"
    assert server.address.startswith("http://127.0.0.1:")
    assert len(urlsplit(server.address).path) >= 40


def test_every_run_has_another_secret(server, audit, tmp_path):
    with running(opened(audit, tmp_path / "other.csv")) as other:
        assert urlsplit(other.address).path != urlsplit(server.address).path


def test_the_page_saves_a_label(server, ask):
    status, _, body = ask("POST", "label", LABEL, headers=own(server))
    assert status == 200
    assert json.loads(body)["sequence"] == 1
    assert labels(server) == 1


@pytest.mark.parametrize("path", ["/", "/x/", "//", "/label", "/%2e%2e/", "/state", "*"])
def test_without_the_secret_nothing_is_shown(ask, path):
    status, _, body = ask("GET", path=path)
    assert status == 403
    assert json.loads(body) == {"error": "the address is not complete"}


def test_a_secret_that_is_nearly_right_is_wrong(server, ask):
    secret = urlsplit(server.address).path.strip("/")
    for wrong in (secret[:-1], secret + "x", secret.swapcase(), secret[::-1]):
        assert ask("GET", path=f"/{wrong}/")[0] == 403


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", "", None],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_name_of_this_machine_is_refused(server, ask, host, method):
    host = host.format(port=server.server_port) if host else host
    headers = {**own(server), "Host": host}
    status, _, _ = ask(method, "label", LABEL, headers=headers)
    assert status in {400, 403}
    assert labels(server) == 0


def test_localhost_is_this_machine(server, ask):
    assert ask("GET", headers={"Host": f"localhost:{server.server_port}"})[0] == 200


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://127.0.0.1",
        "https://127.0.0.1:{port}",
        "http://localhost:{port}",
        None,
    ],
)
def test_a_label_from_another_page_is_refused(server, ask, origin):
    origin = origin.format(port=server.server_port) if origin else origin
    status, headers, _ = ask("POST", "label", LABEL, headers=own(server, Origin=origin))
    assert status == 403
    assert "Access-Control-Allow-Origin" not in headers
    assert labels(server) == 0


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("what", ["", "state", "standing", "beginning"])
def test_what_another_page_asks_for_is_refused(ask, site, what):
    assert ask("GET", what, headers={"Sec-Fetch-Site": site})[0] == 403
    assert ask("GET", what, headers={"Origin": "http://evil.example"})[0] == 403
    assert ask("GET", what, headers={"Sec-Fetch-Site": "none"})[0] == 200


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/json",
    ],
)
def test_forms_are_not_read(server, ask, kind):
    status, _, _ = ask("POST", "label", LABEL, headers=own(server, **{"Content-Type": kind}))
    assert status == 415
    assert labels(server) == 0


@pytest.mark.parametrize(
    "method", ["PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT", "X"]
)
def test_other_methods_are_refused(server, ask, method):
    status, headers, _ = ask(method, "label", headers=own(server))
    assert status == 501
    assert "Access-Control-Allow-Methods" not in headers
    assert labels(server) == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b"null",
        b"\xff",
        b"[" * 60_000,
        {},
        {**LABEL, "sequence": "1"},
        {**LABEL, "sequence": True},
        {**LABEL, "sequence": 1.0},
        {**LABEL, "draw": None},
        {**LABEL, "right": 3},
        {**LABEL, "note": ["x"]},
        {name: value for name, value in LABEL.items() if name != "note"},
    ],
)
def test_what_is_no_label_is_refused(server, ask, body):
    status, _, answer = ask("POST", "label", body, headers=own(server))
    assert status == 400
    assert json.loads(answer)["error"]
    assert labels(server) == 0


def test_a_long_request_is_not_read(server, ask):
    headers = own(server, **{"Content-Length": str(LARGEST + 1)})
    assert ask("POST", "label", b"{}", headers=headers)[0] == 413
    assert ask("POST", "label", headers=own(server))[0] == 411
    chunked = own(server, **{"Transfer-Encoding": "chunked"})
    assert ask("POST", "label", headers=chunked)[0] == 411
    assert ask("POST", "label", b"{}", headers=own(server, **{"Content-Length": "-1"}))[0] == 411


@pytest.mark.parametrize(
    "what",
    [
        "x",
        "label",
        "label/",
        "../",
        "..%2f",
        "check.js",
        "list.csv",
        "list.csv.journal",
        "picture/../state",
    ],
)
def test_there_is_nothing_else(ask, what):
    assert ask("GET", what)[0] in {403, 404}


@pytest.mark.parametrize(
    "what",
    [
        "picture",
        "picture?draw=1",
        "picture?draw=1&field=x",
        "picture?draw=1&field=-1",
        "picture?draw=1&draw=2&field=0",
        "state?draw=1e3",
        "state?draw=99999999999999999999",
    ],
)
def test_numbers_are_whole(ask, what):
    assert ask("GET", what)[0] == 400


def test_a_picture_is_asked_for_by_number_and_never_by_name(ask):
    assert ask("GET", "picture?draw=1&field=0")[0] == 404
    assert ask("GET", "picture?draw=5&field=0")[0] == 409
    assert ask("GET", "picture?draw=1&field=0&name=/etc/passwd")[0] == 404


@pytest.mark.parametrize("what", ["", "state", "standing", "icon", "nothing"])
def test_every_answer_is_closed_to_others(ask, what):
    _, headers, _ = ask("GET", what)
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert "unsafe-inline" not in headers["Content-Security-Policy"] or what == "icon"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Python" not in headers["Server"]
    assert "Access-Control-Allow-Origin" not in headers


def test_the_page_holds_no_data_and_no_handlers(ask, audit):
    _, _, body = ask("GET")
    text = body.decode()
    assert audit.setup.items.names[0] not in text
    assert " onclick" not in text
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "innerHTML" not in text


def test_replays_count_once(server, ask, tmp_path):
    first = ask("POST", "label", LABEL, headers=own(server))
    content = (tmp_path / "list.csv").read_bytes()
    for _ in range(5):
        status, _, body = ask("POST", "label", LABEL, headers=own(server))
        assert (status, body) == (200, first[2])
    assert (tmp_path / "list.csv").read_bytes() == content
    assert len(rows_of(tmp_path / "list.csv")) == 1
    status, _, body = ask("POST", "label", {**LABEL, "right": "4"}, headers=own(server))
    assert status == 409
    assert "another window" in json.loads(body)["error"]
    assert (tmp_path / "list.csv").read_bytes() == content


def test_fields_of_the_table_itself_are_read_as_they_are_needed(tmp_path):
    lines = ["id,text,truth,a,b"]
    for k in range(300):
        text = f"Document {k} is about this and that, and a little about the number {k}."
        lines.append(f"d{k:03},{text!r},{'xy'[k % 2]},x,y")
    table = tmp_path / "table.csv"
    table.write_text("\n".join(lines).replace("'", '"') + "\n")
    own_audit = karat.read(str(table)).audit(claim=("a", "b"), seed=1)
    with running(opened(own_audit, tmp_path / "own.csv", ahead=3)) as server:
        for draw in range(1, 9):
            with urlopen(f"{server.address}state") as response:  # noqa: S310
                state = json.load(response)
            number = int(state["entry"]["item"][1:])
            assert state["entry"]["draw"] == draw
            assert f"Document {number} is about" in state["entry"]["fields"][0]["text"]
            request = Request(  # noqa: S310
                f"{server.address}label",
                json.dumps({**LABEL, "sequence": draw, "draw": draw, "right": "x"}).encode(),
                {"Content-Type": "application/json", "Origin": server.address.rsplit("/", 2)[0]},
            )
            urlopen(request).close()  # noqa: S310
        assert server.session.checked == 8


def test_half_a_request_holds_nobody_up(server, ask):
    with socket.create_connection(("127.0.0.1", server.server_port)) as slow:
        slow.sendall(b"POST / HTTP/1.1\r\nHost:")
        assert ask("GET", "state")[0] == 200
