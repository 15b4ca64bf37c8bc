"""The types of entities in each file: a system that calls them otherwise than the truth has none of them right."""

from collections.abc import Iterable, Sequence

from karat.words import listing

SHOWN = 5
"""How many types a note names."""


class TypesOfFiles:
    """The types that occur in each file or column, the truth first; `names` are those of the files."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._types: list[set[str]] = [set() for _ in names]

    def add(self, types_of_files: Iterable[Iterable[str]]) -> None:
        """Take note of the types in a sentence or a document, as each file has it; '' is no type."""
        for seen, types in zip(self._types, types_of_files, strict=True):
            seen.update(types)

    def notes(self, *, remedy: str) -> list[str]:
        """Return a note for each system whose types differ from the true ones in case, or altogether."""
        true_name, *names = self._names
        true_types, *others = (types - {""} for types in self._types)
        by_lower_case = {one.casefold(): one for one in sorted(true_types)}
        notes = []
        for name, types in zip(names, others, strict=True):
            unknown = sorted(types - true_types)
            respelled = [one for one in unknown if one.casefold() in by_lower_case]
            if respelled:
                true_names = dict.fromkeys(by_lower_case[one.casefold()] for one in respelled)
                notes.append(
                    f"{name}: its types {listing(respelled, most=SHOWN)} differ only in case from those of "
                    f"{true_name}, {listing(true_names, most=SHOWN)}, and count as others; {remedy}"
                )
            elif unknown and true_types and true_types.isdisjoint(types):
                notes.append(
                    f"{name}: none of its types, {listing(unknown, most=SHOWN)}, is one of those of {true_name}, "
                    f"{listing(sorted(true_types), most=SHOWN)}; spell them the same"
                )
        return notes
