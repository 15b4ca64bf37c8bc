"""XML as a tree: the one door to a parser. What it gets has no DOCTYPE, so it has nothing to open or to expand."""

import codecs
import re
from collections.abc import Iterator
from functools import cache
from html.entities import html5
from pathlib import Path
from typing import Any

from karat.errors import InputError, NoFileError, OptionError

XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
Element = Any
NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]*);")
XML_NAMES = {b"amp", b"lt", b"gt", b"quot", b"apos"}

ENCODINGS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    b"<\0\0\0": "utf-32-le",
    b"\0\0\0<": "utf-32-be",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
"""How files begin whose encoding shows in their first bytes."""
DECLARED = re.compile(rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
WIDE = re.compile(r"(utf|ucs|iso-10646-ucs)-?_?(16|32|2|4)", re.IGNORECASE)
"""Encodings that cannot be true of a file whose declaration is read byte by byte: it was saved again as UTF-8."""

BEFORE = re.compile(r"(?:[ \t\r\n]+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
"""What may come before a DOCTYPE, and between it and the first element."""
DOCTYPE = re.compile(
    r"""<!DOCTYPE \s+ [^\s>\["']+
    (?: \s+ (?P<system>SYSTEM) \s+ LITERAL | \s+ PUBLIC \s+ LITERAL (?: \s+ LITERAL )? )?
    \s* (?P<end>[\[>])""".replace("LITERAL", """(?:"[^"]*"|'[^']*')"""),
    re.VERBOSE | re.ASCII,
)
ELEMENT = re.compile(r"<[^\s!?/>]")
_ENTITIES = "{} declares XML entities, which karat does not expand; write out what they stand for"
_DECLARATIONS = (
    "{} has declarations in its DOCTYPE, which karat does not read; remove them, from [ to ]"
)
_OUTSIDE = (
    "{} names a file of declarations (DOCTYPE ... SYSTEM), which karat does not open; remove the DOCTYPE, and write "
    "out what its entities stand for"
)


def root_of(path: str | Path) -> Element:
    """Return the outermost element of a file."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise NoFileError(path) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    return parse_xml(data, str(path))


TOO_DEEP = (
    "more than 256 elements lie inside one another; in MathML, put nested rows (<mrow>) into one"
)
"""The parser's guard against damaged files."""


def parse_xml(data: bytes, file: str = "the text") -> Element:
    """Return the outermost element of a document.

    A DOCTYPE that only names a format, as XHTML and MathML carry it, is passed over: the parser does not see it, and
    opens nothing. One that names a file by SYSTEM, or that declares something itself, is refused.
    """
    etree = lxml()
    text = _without_doctype(_decoded(data, file), file)
    try:
        # Some encodings can hold halves of characters; the parser refuses them.
        return _parsed(text.encode(errors="surrogatepass"))
    except etree.XMLSyntaxError as error:
        what = str(error.msg or "it is empty").partition(", line ")[0]
        if what.startswith("Excessive depth"):
            raise InputError(f"{file}, line {error.lineno}: {TOO_DEEP}") from None
        raise _malformed(file, error.lineno or 1, what) from None


def _malformed(file: str, line: int, what: str) -> InputError:
    return InputError(f"{file}, line {line}: not well-formed XML: {what}")


def _decoded(data: bytes, file: str) -> str:
    """Return the text of a document, so that what is looked at here is what the parser sees, however it is encoded."""
    encoding = _encoding(data)
    try:
        return data.decode(encoding)
    except LookupError:
        raise _malformed(
            file, 1, f"its encoding {encoding!r} is unknown; save it as UTF-8"
        ) from None
    except UnicodeError as error:
        line = data[: getattr(error, "start", 0)].count(b"\n") + 1
        what = f"a byte is not {encoding} text, as the file should be; save it as UTF-8"
        raise _malformed(file, line, what) from None


def _encoding(data: bytes) -> str:
    for beginning, encoding in ENCODINGS.items():
        if data.startswith(beginning):
            return encoding
    declared = DECLARED.match(data)
    if declared is None:
        return "utf-8"
    name = declared[1].decode()
    return "utf-8" if WIDE.match(name) else name


def _without_doctype(text: str, file: str) -> str:
    """Return a document with blanks in place of its DOCTYPE, so that lines keep their numbers."""
    start = _end_of(BEFORE, text, 0)
    if not text.startswith("<!DOCTYPE", start):
        end = start
    else:
        end = _end_of_doctype(text, start, file)
        blank = re.sub(r"[^\r\n]", " ", text[start:end])
        text = text[:start] + blank + text[end:]
        end = _end_of(BEFORE, text, end)
    # Behind the first element no DOCTYPE counts; in front of it, none that is left does.
    if not ELEMENT.match(text, end):
        found = repr(text[end : end + 20]) if text[end:] else "the end of the file"
        raise _malformed(file, _line(text, end), f"an element should begin where {found} is")
    return text


def _end_of_doctype(text: str, start: int, file: str) -> int:
    found = DOCTYPE.match(text, start)
    if found is None:
        raise _malformed(file, _line(text, start), "its DOCTYPE cannot be read")
    if found["end"] == "[":
        refusal = _ENTITIES if "<!ENTITY" in text else _DECLARATIONS
        raise InputError(refusal.format(file))
    if found["system"]:
        raise InputError(_OUTSIDE.format(file))
    return found.end()


def _end_of(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return start if found is None else found.end()


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _parsed(data: bytes) -> Element:
    """Return the outermost element; characters by their names in HTML, such as &alpha;, need no DTD."""
    etree = lxml()
    try:
        return etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as error:
        if error.code != etree.ErrorTypes.ERR_UNDECLARED_ENTITY:
            raise
        return etree.fromstring(NAMED.sub(_numbered, data), _parser())


def _numbered(reference: re.Match[bytes]) -> bytes:
    """Return a named character as numbers, which XML knows; names of XML itself and unknown ones stay."""
    name = reference[1]
    if name in XML_NAMES:
        return reference[0]
    characters = html5.get(f"{name.decode()};")
    if characters is None:
        return reference[0]
    return "".join(f"&#{ord(character)};" for character in characters).encode()


def lxml() -> Any:
    """Return the module that parses XML."""
    try:
        from lxml import etree  # noqa: PLC0415 (optional)
    except ImportError:
        raise OptionError("InkML and MathML need lxml: pip install lxml") from None
    return etree


@cache
def _parser() -> Any:
    # Ids of InkML files are not valid names of XML ("=_1"), so they are not collected. With this option lxml opens
    # the DTD of a DOCTYPE whatever `load_dtd` says (6.1 with libxml2 2.14): another reason why it never sees one.
    return lxml().XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, dtd_validation=False,
        remove_comments=True, remove_pis=True, collect_ids=False, encoding="utf-8",
    )  # fmt: skip


@cache
def local(tag: str) -> str:
    """Return the name of a tag without its namespace."""
    return tag.rpartition("}")[2]


def name_of(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return local(element.tag)


def named(element: Element, name: str) -> Iterator[Element]:
    """Give the children of a name."""
    for child in element:
        if local(child.tag) == name:
            yield child


def id_of(element: Element) -> str:
    """Return the id of an element, or nothing."""
    return (element.get(XML_ID) or element.get("id") or "").strip()


def line_of(element: Element) -> int:
    """Return the line that an element begins on."""
    return element.sourceline or 1


def text_in(element: Element) -> str:
    """Return the text of an element, without that of the elements in it."""
    if not len(element):
        return (element.text or "").strip()
    tails = [child.tail or "" for child in element]
    return "".join([element.text or "", *tails]).strip()
