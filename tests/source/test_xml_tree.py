"""XML opens nothing and expands nothing: a DOCTYPE is passed over or refused before a parser sees it."""

import ast
import os
import signal
from pathlib import Path

import pytest

import karat
from karat.errors import InputError

pytest.importorskip("lxml")

from karat.graphs.formats.formulas.mathml import parse_mathml
from karat.source.xml_tree import parse_xml

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7"]
BEFORE = ["", "<!--\n-->\n \t\r\n", "<!-- <!DOCTYPE a> -->", "<?style <!DOCTYPE?>\n<!---->"]
PUBLIC = 'PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"'
BODY = "<ink b='&x;'>&x;</ink>"


def document(doctype, body=BODY, *, encoding="utf-8", before=""):
    """A document in an encoding, declared where its first bytes do not show it."""
    declared = f'<?xml version="1.0" encoding="{encoding}"?>' if encoding == "utf-7" else ""
    return (declared + before + doctype + body).encode(encoding)


@pytest.fixture
def pipe(tmp_path):
    """A named pipe: who opens it for reading waits for ever, and here is killed after some seconds."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(20)
    yield path
    signal.alarm(0)


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_doctype_that_names_a_file_is_refused_and_the_file_is_not_opened(pipe, encoding, before):
    data = document(f"<!DOCTYPE\n ink\tSYSTEM '{pipe}'\n>", encoding=encoding, before=before)
    with pytest.raises(InputError, match=r"a\.xml names a file of declarations.*remove"):
        parse_xml(data, "a.xml")


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_doctype_that_names_a_format_is_passed_over_and_opens_nothing(pipe, encoding, before):
    doctype = f"<!DOCTYPE ink {PUBLIC}\n '{pipe}' >"
    data = document(doctype, "\n<ink>&alpha;é</ink>", encoding=encoding, before=before)
    root = parse_xml(data)
    assert root.text == "αé"
    assert root.sourceline == (before + doctype).count("\n") + 2


@pytest.mark.parametrize("doctype", ["<!DOCTYPE html>", f"<!DOCTYPE html {PUBLIC} 'x.dtd'>"])
def test_entities_of_a_file_of_declarations_do_not_expand(tmp_path, monkeypatch, doctype):
    (tmp_path / "x.dtd").write_text("<!ENTITY x 'secret'>")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"a\.xml, line 1: not well-formed XML: Entity 'x' not"):
        parse_xml(document(doctype), "a.xml")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("begins", ["<!DOCTYPE ink", f"<!DOCTYPE ink {PUBLIC} 'x'"])
def test_declarations_in_the_document_are_refused(encoding, begins):
    entity = document(f"{begins} [<!ENTITY x 'ha'>]>", encoding=encoding)
    with pytest.raises(InputError, match="declares XML entities, which karat does not expand"):
        parse_xml(entity)
    attribute = document(f"{begins}[<!ATTLIST ink b CDATA 'x'>]>", "<ink/>", encoding=encoding)
    with pytest.raises(InputError, match=r"has declarations in its DOCTYPE.*remove them"):
        parse_xml(attribute)


@pytest.mark.parametrize(
    "text",
    [
        "<!doctype ink SYSTEM '{pipe}'><ink/>",
        "<!DOCTYPE ink system '{pipe}'><ink/>",
        "<!DOCTYPE ink SYSTEM '{pipe}><ink/>",
        "\n \t<!DOCTYPE ink SYSTEM '{pipe}'><ink/>",
        "<!DOCTYPE ink><!DOCTYPE ink SYSTEM '{pipe}'><ink/>",
        "<? <!DOCTYPE ink SYSTEM '{pipe}'> ?><ink/>",
        "<!-- -- --><!DOCTYPE ink SYSTEM '{pipe}'><ink/>",
        "<!-- <!DOCTYPE ink SYSTEM '{pipe}'><ink/>",
        "x<!DOCTYPE ink SYSTEM '{pipe}'><ink/>",
        "\N{NO-BREAK SPACE}<!DOCTYPE ink SYSTEM '{pipe}'><ink/>",
        "<ink/><!DOCTYPE ink SYSTEM '{pipe}'>",
        "<ink><!DOCTYPE ink SYSTEM '{pipe}'></ink>",
        "<?xml version='1.0'?><?xml version='1.0'?><!DOCTYPE ink SYSTEM '{pipe}'><ink/>",
    ],
)
def test_a_doctype_that_is_malformed_or_out_of_place_opens_nothing(pipe, text):
    for encoding in ENCODINGS:
        data = text.replace("{pipe}", str(pipe)).encode(encoding)
        with pytest.raises(InputError, match=r"not well-formed XML|names a file of declarations"):
            parse_xml(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"a\.xml, line 1: not well-formed XML: an element .* where the end of the file is"),
        (b"<a>\n\xff</a>", r"line 2: .* a byte is not utf-8 text"),
        (b"<?xml version='1.0' encoding='klingon'?><a/>", "its encoding 'klingon' is unknown"),
        (b"<?xml version='1.0' encoding='rot13'?><a/>", "its encoding 'rot13' is unknown"),
        (b"<?xml version='1.0' encoding='utf-7'?><a>+2AA-</a>", "line 1: not well-formed XML"),
        (b"\xff\xfe<\0a\0/", "a byte is not utf-16 text|not well-formed"),
    ],
)
def test_what_is_no_xml_is_an_error_with_its_line(data, message):
    with pytest.raises(InputError, match=message):
        parse_xml(data, "a.xml")


def test_the_encoding_is_the_declared_one_unless_the_first_bytes_show_another():
    assert parse_xml("<?xml version='1.0' encoding='latin1'?><a>é</a>".encode("latin1")).text == "é"
    # As programs write that make a text for a wide string, and save it as UTF-8.
    assert parse_xml("<?xml version='1.0' encoding='utf-16'?><a>é</a>".encode()).text == "é"
    assert parse_xml("<?xml version='1.0' encoding='utf-8'?><a>é</a>".encode("utf-16")).text == "é"


def test_named_characters_are_known_in_every_encoding():
    for encoding in ("utf-8", "utf-16"):
        found = parse_mathml("<math><mo>&times;</mo></math>".encode(encoding))
        assert [one.label for one in found.graph.objects] == ["\\times"]


def test_there_is_no_other_door_to_a_parser_of_xml():
    parsers = ("lxml", "xml.etree", "xml.dom", "xml.sax", "xml.parsers", "html.parser")
    found = set()
    source = Path(karat.__file__).parent
    for path in source.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            if any(name.startswith(parsers) for name in names):
                found.add(f"{path.relative_to(source).as_posix()}: {', '.join(names)}")
    # The second writes: it escapes characters, and reads nothing.
    assert found == {"source/xml_tree.py: lxml", "graphs/convert/mathml.py: xml.sax.saxutils"}


def test_elements_that_lie_too_deep_are_told_as_such():
    parse_xml(b"<mrow>" * 256 + b"</mrow>" * 256)
    with pytest.raises(
        InputError, match=r"a\.inkml, line 1: more than 256 elements lie inside one another"
    ):
        parse_xml(b"<mrow>" * 257 + b"</mrow>" * 257, "a.inkml")
