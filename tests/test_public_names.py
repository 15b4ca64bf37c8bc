"""What people type: the public names complete, explain themselves, and hand back plain numbers."""

import inspect

import numpy as np
import pytest

import karat
from karat.errors import ChoiceError, UnknownNameError

TABLE = {"truth": ["x", "y", "x", "y"], "a": ["x", "y", "y", "y"], "b": ["x", "x", "x", "y"]}
QUESTIONS = ("score", "compare", "stability", "consensus", "skew", "retrieval", "findings", "plot")


def test_every_public_name_is_there_and_explains_itself():
    assert set(dir(karat)) == set(karat.__all__)
    assert 20 <= len(karat.__all__) <= 32
    for name in karat.__all__:
        assert getattr(karat, name) is not None
        if name != "__version__":
            assert inspect.getdoc(getattr(karat, name)), name


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_misspelt_option_of_a_question_is_an_error_with_the_nearest(question):
    ask = getattr(karat.read(TABLE), question)
    given = ["scores"] if question == "plot" else []
    with pytest.raises(
        UnknownNameError, match=f"no option of {question} is called 'levle'; did you mean 'level'"
    ):
        ask(*given, levle=0.9)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_help_of_a_question_names_every_parameter(question):
    method = getattr(karat.Bench, question)
    for parameter in inspect.signature(method).parameters.values():
        assert parameter.kind is not inspect.Parameter.VAR_KEYWORD
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and question in QUESTIONS[:6]:
            assert parameter.name in inspect.getdoc(method), parameter.name


def test_a_result_shows_its_table_and_is_a_sequence_of_rows():
    result = karat.read(TABLE).score(measure="accuracy")
    assert repr(result) == str(result)
    assert "accuracy" in repr(result)
    assert len(result) == 2
    assert [row["system"] for row in result] == ["a", "b"]
    assert result[-1] == result.rows()[-1]


def test_a_bench_says_what_was_inferred():
    shown = repr(karat.read({"answer_key": ["x", "y"], "a": ["x", "y"]}))
    assert "truth = 'answer_key', by its name" in shown
    assert "systems: 'a'" in shown
    assert "no truth" in repr(karat.read({"unusual": ["x", "y"], "a": ["x", "y"]}))


def test_single_counts_give_floats_and_arrays_give_arrays():
    low, high = karat.interval(42, 50)
    assert (type(low), type(high)) == (float, float)
    lows, _ = karat.interval([42, 3], [50, 9])
    assert lows.shape == (2,)
    assert lows[0] == low
    assert type(karat.mcnemar(2, 10)) is float
    assert karat.precision_at(0.8, 0.2, prevalence=[0.1, 0.2]).shape == (2,)
    assert type(karat.items_for_bound(0.9, 0.95)) is int


def test_formulas_agree_with_the_questions_they_belong_to():
    row = karat.score_counts([(42, 50)])[0]
    assert karat.interval(42, 50) == (row["low"], row["high"])
    compared = karat.compare_counts([(56, 70), (48, 80)], test="barnard")[0]
    assert np.isclose(karat.two_samples(56, 70, 48, 80, test="barnard"), compared["p_value"])
    with pytest.raises(ChoiceError, match="exact, barnard or boschloo"):
        karat.two_samples(1, 2, 1, 2, test="fisher")


def test_tied_systems_have_no_order_to_keep():
    assert karat.order_kept(3, 3, 0.1).kept is None
    kept = karat.order_kept(1, 3, 0.1)
    assert np.isclose(sum(kept), 1)
