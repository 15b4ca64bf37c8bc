"""What of the folders of graphs was not read, or makes one doubt that they are the ones that were meant."""

from collections.abc import Sequence

from karat.graphs.formats.folder import GraphSet
from karat.graphs.formats.folder_warnings import doubts
from karat.graphs.formats.pairing import truths_left_out


def unread_files(truth: GraphSet, systems: Sequence[GraphSet]) -> tuple[str, ...]:
    """Return in words what of the truth and of each system was left out."""
    words = [*truth.left_out(), *truths_left_out(truth)]
    for system in systems:
        words += system.unread
        words += doubts(truth, system)
    return tuple(words)
