"""XML as a tree, read by lxml without what could reach beyond the file or swell it: entities, DTDs, network."""

import re
from collections.abc import Iterator
from functools import cache
from html.entities import html5
from pathlib import Path
from typing import Any

from karat.errors import InputError, OptionError

XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
Element = Any
NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]*);")
XML_NAMES = {b"amp", b"lt", b"gt", b"quot", b"apos"}
_REFUSED = "{} declares XML entities, which karat does not expand; write out what they stand for"


def root_of(path: str | Path) -> Element:
    """Return the outermost element of a file."""
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(
            f"there is no file {path}; check its name and the folder you are in"
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    return parse_xml(data, str(path))


def parse_xml(data: bytes, file: str = "the text") -> Element:
    """Return the outermost element of a document; one that declares entities is refused."""
    etree = lxml()
    if b"<!ENTITY" in data.replace(b"\0", b""):  # NUL: as UTF-16 writes it
        raise InputError(_REFUSED.format(file))
    try:
        root = _parsed(data)
    except etree.XMLSyntaxError as error:
        what = str(error.msg or "it is empty").partition(", line ")[0]
        raise InputError(f"{file}, line {error.lineno or 1}: not well-formed XML: {what}") from None
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(True for _ in dtd.iterentities()):
        raise InputError(_REFUSED.format(file))
    return root


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
    etree = lxml()

    class Nowhere(etree.Resolver):  # type: ignore[misc, name-defined]
        """Finds nothing outside the file, whatever a DTD names and however it is encoded."""

        def resolve(self, _url: str, _id: str, context: Any) -> Any:
            return self.resolve_empty(context)

    # Ids of InkML files are no names as XML wants them ("=_1"), so they are not collected.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, dtd_validation=False,
        remove_comments=True, remove_pis=True, collect_ids=False,
    )  # fmt: skip
    parser.resolvers.add(Nowhere())
    return parser


@cache
def local(tag: str) -> str:
    """Return the name of a tag without its namespace."""
    return tag.rpartition("}")[2]


def name_of(element: Element) -> str:
    """Return the name of an element without its namespace; an entity's is `&name;`."""
    return local(element.tag) if isinstance(element.tag, str) else str(element.text)


def named(element: Element, name: str) -> Iterator[Element]:
    """Give the children of a name."""
    for child in element:
        if isinstance(child.tag, str) and local(child.tag) == name:
            yield child


def id_of(element: Element) -> str:
    """Return the id of an element, or nothing."""
    return (element.get(XML_ID) or element.get("id") or "").strip()


def line_of(element: Element) -> int:
    """Return the line that an element begins on."""
    return element.sourceline or 1


def text_in(element: Element) -> str:
    """Return the text of an element; named entities stand for their characters."""
    parts = [element.text or ""]
    for child in element:
        if not isinstance(child.tag, str):
            entity = str(child.text)
            parts.append(html5.get(entity.removeprefix("&"), entity))
        parts.append(child.tail or "")
    return "".join(parts).strip()
