"""Entities as SemEval-2013 (task 9.1) and CLEF-HIPE count them, scenario by scenario, token by token."""

from typing import NamedTuple


class Counted(NamedTuple):
    """Of true entities and answers: how many are right, and how many there are of each."""

    right: int
    answers: int
    truth: int


def tokens(span):
    return set(range(span.start, span.end))


def entities(tags):
    """The spans of BIO tags, one after the other: (start, end, type); an I after another type begins one."""
    found = []
    current = None
    for place, tag in enumerate([*tags, "O"]):
        letter, _, kind = tag.partition("-")
        goes_on = letter == "I" and current is not None and current[1] == kind
        if current is not None and not goes_on:
            found.append((current[0], place, current[1]))
            current = None
        if letter in {"B", "I"} and not goes_on:
            current = (place, kind)
    return found


def fuzzy(truth, answers):
    """The contest's fuzzy scheme: an answer is right if it overlaps a true entity of its type.

    An answer that equals a true entity is right. Any other takes the first true entity that has its ends, or that
    it overlaps and nobody has taken; it is right if the types agree. What takes none is spurious.
    """
    taken = []
    right = 0
    for answer in answers:
        if answer in truth:
            taken.append(answer)
            right += 1
            continue
        for true in truth:
            same_ends = tokens(true) == tokens(answer)
            free_overlap = tokens(true) & tokens(answer) and true not in taken
            if same_ends or free_overlap:
                taken.append(true)
                right += true.label == answer.label
                break
    return Counted(right, len(answers), len(truth))


def partial(truth, answers):
    """SemEval's partial scheme: 1 for the right ends, 1/2 for an overlap, whatever the types."""
    taken = []
    credit = 0.0
    for answer in answers:
        ends = {(true.start, true.end) for true in truth}
        if (answer.start, answer.end) in ends:
            taken += [true for true in truth if tokens(true) == tokens(answer)]
            credit += 1
            continue
        for true in truth:
            if tokens(true) & tokens(answer) and true not in taken:
                taken.append(true)
                credit += 0.5
                break
    return credit
