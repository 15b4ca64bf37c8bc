"""Right labels as a checker writes them: one of the table's, several, another one, or none that can be told."""

from dataclasses import dataclass
from difflib import get_close_matches

from karat.errors import OptionError
from karat.tally.audit_items import AuditItems
from karat.words import listing

UNDECIDABLE = "(undecidable)"
OTHER = "(other)"


@dataclass(frozen=True, slots=True)
class RightLabel:
    """What a checker found: the codes of the right labels, none for `(other)`; or that it cannot be decided."""

    text: str
    codes: frozenset[int] = frozenset()
    undecidable: bool = False


@dataclass(frozen=True, slots=True)
class LabelReader:
    """Reads what a checker wrote, by the labels of the table."""

    codes: dict[str, int]
    items: AuditItems
    judged: bool
    """Whether the table only says which answers were right: then a wrong judgement leaves open who was right."""

    @classmethod
    def of(cls, items: AuditItems, *, judged: bool) -> "LabelReader":
        """Return the reader of a table's labels."""
        return cls({text: code for code, text in enumerate(items.labels)}, items, judged)

    def read(self, text: str, where: str) -> RightLabel:
        """Return the label that a text means; refuse one that the table does not have, with the nearest."""
        text = text.strip()
        if text == UNDECIDABLE:
            return RightLabel(text, undecidable=True)
        if text == OTHER:
            return RightLabel(text)
        meaning = self.items.meaning
        label = meaning.label(text)
        codes = set()
        for member in meaning.members(label):
            if member not in self.codes or member == meaning.nothing:
                raise OptionError(f"{where}: {self._unknown(member)}")
            codes.add(self.codes[member])
        if self.judged and meaning.pair and label != meaning.pair[0]:
            return RightLabel(label, undecidable=True)
        return RightLabel(label, frozenset(codes))

    def given(self, item: int) -> RightLabel:
        """Return the label that an item has now; none where it has none."""
        code = int(self.items.given[item])
        if code < 0:
            return RightLabel("")
        return self.of_code(code)

    def of_code(self, code: int) -> RightLabel:
        """Return a label of the table."""
        text = self.items.labels[code]
        members = self.items.meaning.members(text)
        known = [self.codes[member] for member in members if member in self.codes]
        return RightLabel(text, frozenset(known))

    def _unknown(self, text: str) -> str:
        """Return what to do about a label that the table does not have."""
        known = [label for label in self.items.labels if label != self.items.meaning.nothing]
        near = get_close_matches(text, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {listing(known, most=6)}."
        return (
            f"no label of the table is {text!r}; {hint} "
            f"Write {OTHER} for one that the table does not have, {UNDECIDABLE} if nobody can decide"
        )
