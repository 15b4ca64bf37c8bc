"""What the page says of wrong labels: errors by chance, the kindest case, are never firm ground."""

import pytest

from karat.report.page.words import FIRM, OPEN, PARTLY, wrong_in_all, wrong_labels

STATE = {"level": 0.95, "error": 0.03}


def pair(kept):
    return {"kept": kept, "critical": 0.982}


@pytest.mark.parametrize(("kept", "firmness"), [(1.0, PARTLY), (0.951, PARTLY), (0.9, OPEN)])
def test_no_order_is_firm_by_chance_alone(kept, firmness):
    found, sentence = wrong_labels(pair(kept), STATE)
    assert found == firmness
    assert "kindest case" in sentence
    assert "these items" in sentence


def test_no_ranking_is_firm_by_chance_alone():
    found, sentence = wrong_in_all([pair(1.0), pair(1.0)], STATE)
    assert found == PARTLY != FIRM
    assert "kindest case" in sentence
    assert wrong_in_all([pair(0.2)], STATE)[0] == OPEN
