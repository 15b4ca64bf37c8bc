"""No p-value is 0, also one that is too small for a floating-point number."""

import karat

ITEMS = 4_000


def test_a_p_value_that_is_stored_as_0_is_printed_as_small():
    table = {"truth": ["x"] * ITEMS, "a": ["x"] * ITEMS, "b": ["y"] * (ITEMS - 1) + ["x"]}
    result = karat.read(table).compare()
    assert result.rows()[0]["p_adjusted"] == 0.0
    line = next(line for line in str(result).splitlines() if line.startswith("a "))
    assert "< 0.0001" in line
