"""A notebook shows a result once, as a table with its intervals drawn, and names options as Python does."""

import re

import karat

TABLE = {
    "truth": list("aabbab"),
    "one": list("aabbbb"),
    "two": list("abbbab"),
    "site": list("xxxyyy"),
}


def test_intervals_are_drawn_beside_their_rows() -> None:
    shown = karat.read(TABLE, group="site").score(measure="accuracy")._repr_html_()
    assert shown.count("<svg") == 2
    ends = [
        tuple(map(float, place))
        for place in re.findall(r"M([\d.]+) [\d.]+v8M[\d.]+ [\d.]+H([\d.]+)", shown)
    ]
    for left, right in ends:
        assert 0 <= left < right <= 240


def test_text_stands_left_and_numbers_right() -> None:
    shown = karat.read(TABLE, group="site").score(measure="accuracy")._repr_html_()
    assert '<td style="text-align:left">one</td>' in shown
    assert '<td style="text-align:right">5/6</td>' in shown


def test_notes_name_options_as_python_does() -> None:
    result = karat.read(TABLE, group="site").score(measure="accuracy", per="group")
    for shown in (repr(result), result._repr_html_()):
        assert "--mean-over" not in shown
        assert "mean_over=" in shown
