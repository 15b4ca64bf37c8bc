"""Which names mean the same image: as they stand, or but for what differs from folder to folder.

Folders of one set name their files 21_training.tif, 21_manual1.gif and 21_training_mask.gif, or 01.png and 1_prob.npy.
Where names as they stand do not match, others are tried, and which is said: nothing is guessed in silence.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Keys = dict[str, str]
"""Names by what they are matched by; no two of a folder may have the same."""
BETWEEN_WORDS = re.compile(r"[_\-. /]+")
NUMBER = re.compile(r"\d+")
SHARED = "words that all names of a folder share are left out"
PLAIN = "zeros before numbers and capitals make no difference"
START = "one name begins with the other"
FIRST_NUMBER = "by the first number in each name"


@dataclass(frozen=True, slots=True)
class PairedNames:
    """Names of one folder, and for each the name that means the same image in another."""

    names: Mapping[str, str]
    rule: str
    """How they were paired, in words; nothing where they are equal."""


def paired(first: Iterable[str], other: Iterable[str]) -> PairedNames:
    """Return which names of two folders are of the same image.

    Of the stricter rules that is taken which pairs the most; the others only where these pair none.

    >>> found = paired(["01_manual1", "02_manual1"], ["1_prob", "2_prob"])
    >>> found.names
    {'01_manual1': '1_prob', '02_manual1': '2_prob'}
    >>> found.rule
    'zeros before numbers and capitals make no difference'
    """
    own, others = list(first), list(other)
    found = _strictly(own, others)
    if not found.names:
        found = PairedNames(_by_start(own, others), START)
    if not found.names:
        found = _by_keys(_by_number(own), _by_number(others), FIRST_NUMBER)
    return found if found.names else PairedNames({}, "")


def _strictly(first: Sequence[str], other: Sequence[str]) -> PairedNames:
    """Return the names that are equal as they stand, or without what all of a folder share."""
    found = PairedNames({}, "")
    for rule, change in {SHARED: _as_it_stands, PLAIN: plain}.items():
        for own in (_keys(first, change), _changed(shortened(first), change)):
            for others in (_keys(other, change), _changed(shortened(other), change)):
                one = _by_keys(own, others, rule)
                if len(one.names) > len(found.names):
                    found = one
    if all(own == other for own, other in found.names.items()):
        return PairedNames(found.names, "")
    return found


def _as_it_stands(name: str) -> str:
    return name


def plain(name: str) -> str:
    """Return a name without capitals, and without zeros before its numbers.

    >>> plain("Image_01L"), plain("im0010")
    ('image_1l', 'im10')
    """
    return NUMBER.sub(lambda number: str(int(number[0])), name.lower())


def _keys(names: Iterable[str], change: Callable[[str], str]) -> Keys:
    return _changed({name: name for name in names}, change)


def _changed(keys: Keys, change: Callable[[str], str]) -> Keys:
    """Return names by changed keys; none where two would have the same."""
    changed = {change(key): name for key, name in keys.items()}
    return changed if len(changed) == len(keys) else {}


def _by_keys(first: Keys, other: Keys, rule: str) -> PairedNames:
    both = {name: other[key] for key, name in first.items() if key in other}
    return PairedNames(both, rule)


def shortened(names: Iterable[str]) -> Keys:
    """Return names by what is left without the words that all have in common at the beginning or at the end.

    >>> list(shortened(["01_manual1", "02_manual1"]))
    ['01', '02']
    >>> list(shortened(["Image_01L", "Image_01R"]))
    ['01L', '01R']
    """
    whole = list(names)
    words = [BETWEEN_WORDS.split(name) for name in whole]
    most = min(map(len, words), default=1) - 1
    if len(words) < 2:
        return {name: name for name in whole}
    ends = 0
    while ends < most and len({tuple(one[-ends - 1 :]) for one in words}) == 1:
        ends += 1
    starts = 0
    while starts + ends < most and len({tuple(one[: starts + 1]) for one in words}) == 1:
        starts += 1
    short = ["_".join(one[starts : len(one) - ends]) for one in words]
    if len(set(short)) < len(short):
        return {name: name for name in whole}
    return dict(zip(short, whole, strict=True))


def _by_start(first: Sequence[str], other: Sequence[str]) -> dict[str, str]:
    """Return the names of which one is the beginning of the other, in whole words; none where that is unclear."""
    own = {_words(key): name for key, name in shortened(first).items()}
    found: dict[str, str] = {}
    for key, name in shortened(other).items():
        alike = [own[words] for words in own if _begin_alike(words, _words(key))]
        if len(alike) > 1 or any(one in found for one in alike):
            return {}
        found |= dict.fromkeys(alike, name)
    return found


def _words(name: str) -> tuple[str, ...]:
    return tuple(BETWEEN_WORDS.split(plain(name)))


def begins(name: str, start: str) -> bool:
    """Return whether a name begins with another, in whole words.

    >>> begins("Image_01L_1stHO", "image_1L"), begins("Image_01L", "Image_0")
    (True, False)
    """
    words = _words(start)
    return _words(name)[: len(words)] == words


def _begin_alike(first: Sequence[str], other: Sequence[str]) -> bool:
    both = min(len(first), len(other))
    return first[:both] == other[:both]


def _by_number(names: Sequence[str]) -> Keys:
    """Return names by their first number; none where one has none, or two have the same."""
    keys = {}
    for name in names:
        number = NUMBER.search(name.rpartition("/")[2])
        if number is None:
            return {}
        keys[str(int(number[0]))] = name
    return keys if len(keys) == len(names) else {}
