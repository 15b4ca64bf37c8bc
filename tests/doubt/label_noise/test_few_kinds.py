"""The kinds of items of a pair by name: the same critical share as by the kinds one by one."""

import numpy as np
import pytest

from karat.doubt.label_noise.critical_error import critical
from karat.doubt.label_noise.few_kinds import NAMED, FewKinds
from karat.doubt.label_noise.pair_order import kept_classes


@pytest.mark.parametrize("classes", [2, 3, 40])
def test_named_kinds_lose_their_order_where_the_kinds_of_kept_classes_do(classes):
    random = np.random.default_rng(5)
    for _ in range(10):
        number = {name: int(random.integers(0, 9)) for name in NAMED}
        number["only_better"] += 20
        if classes == 2:
            number["neither_differ"] = 0

        def kept(share, number=number):
            return kept_classes(error=share, classes=classes, **number).kept

        expected = critical(kept, items=sum(number.values()), classes=classes)
        found = FewKinds.named(number).critical_rate(classes, level=0.95)
        assert found == pytest.approx(expected, rel=1e-9)
