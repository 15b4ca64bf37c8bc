"""Which file names of two folders mean the same image: equal names, or names that follow different patterns.

Folders of one set name their files 21_training.tif, 21_manual1.gif and 21_training_mask.gif, or 01.png and 1_prob.npy.
Where the names are not equal, looser rules are tried in turn, and the result reports which rule matched them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Keys = dict[str, str]
"""Names by the key that they are matched by; no two names of a folder may have the same key."""
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
    """How they were paired, in words; empty where the names are equal."""


def paired(first: Iterable[str], other: Iterable[str]) -> PairedNames:
    """Return which names of two folders are of the same image.

    Of the stricter rules, the one that pairs the most names is used; the looser rules only where these pair none.

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
    """Return the names that are equal, or become equal once the words that a folder shares are left out."""
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
    """Return names by changed keys; nothing if two names would have the same key."""
    changed = {change(key): name for key, name in keys.items()}
    return changed if len(changed) == len(keys) else {}


def _by_keys(first: Keys, other: Keys, rule: str) -> PairedNames:
    both = {name: other[key] for key, name in first.items() if key in other}
    return PairedNames(both, rule)


def shortened(names: Iterable[str]) -> Keys:
    """Return each name by its shortened form: without the first and last words that all names share.

    If two names would become the same, all stay as they are.

    >>> list(shortened(["01_manual1", "02_manual1"]))
    ['01', '02']
    >>> list(shortened(["Image_01L", "Image_01R"]))
    ['01L', '01R']
    """
    whole = list(names)
    unchanged = {name: name for name in whole}
    if len(whole) < 2:
        return unchanged
    words = [BETWEEN_WORDS.split(name) for name in whole]
    # At least one word of each name is left.
    most = min(len(own) for own in words) - 1
    ends = _number_shared([own[::-1] for own in words], most)
    starts = _number_shared(words, most - ends)
    short = {}
    for own, name in zip(words, whole, strict=True):
        short["_".join(own[starts : len(own) - ends])] = name
    return short if len(short) == len(whole) else unchanged


def _number_shared(words: Sequence[Sequence[str]], most: int) -> int:
    """Return how many first words all names share, at most so many."""
    for place in range(most):
        if len({own[place] for own in words}) > 1:
            return place
    return most


def _by_start(first: Sequence[str], other: Sequence[str]) -> dict[str, str]:
    """Return the pairs of names of which one begins with the other, in whole words; nothing if that is ambiguous."""
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
    """Return names by their first number; nothing if a name has no number, or two have the same."""
    keys = {}
    for name in names:
        number = NUMBER.search(name.rpartition("/")[2])
        if number is None:
            return {}
        keys[str(int(number[0]))] = name
    return keys if len(keys) == len(names) else {}
