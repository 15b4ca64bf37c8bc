"""One table may be asked by several threads at once."""

from concurrent.futures import ThreadPoolExecutor

import karat


def labels():
    return {
        "item": [f"i{number}" for number in range(60)],
        "truth": ["x", "y", "z"] * 20,
        "group": ["g", "h"] * 30,
        "a": ["x", "y", "y"] * 20,
        "b": ["x", "x", "z", "z", "y", "z"] * 10,
    }


def scores():
    return {
        "item": [f"i{number}" for number in range(60)],
        "truth": [1, 0, 1, 0, 0] * 12,
        "a": [number * 7 % 11 / 10 for number in range(60)],
        "b": [number * 5 % 13 / 10 for number in range(60)],
    }


def asked_at_once(questions, times=4):
    """What each question is answered by threads that ask at the same time, and by one that asks alone."""
    alone = [question() for question in questions]
    with ThreadPoolExecutor(8) as threads:
        asked = [threads.submit(question) for question in questions * times]
        together = [answer.result() for answer in asked]
    return alone * times, together


def test_threads_get_the_answers_that_one_gets():
    bench = karat.read(labels(), group="group")
    alone, together = asked_at_once(
        [
            lambda: bench.score().to_json(),
            lambda: bench.score(per="group").to_json(),
            lambda: bench.compare().to_json(),
            lambda: bench.stability(label_error=0.1).to_json(),
            lambda: str(bench.describe().rows()),
        ]
    )
    assert together == alone


def test_threads_that_cut_scores_into_bins_do_not_meet():
    bench = karat.read(scores())
    alone, together = asked_at_once(
        [
            lambda: bench.skew(to=0.1, bins=10, draws=50).to_json(),
            lambda: bench.skew(to=0.3, bins=30, draws=50).to_json(),
            lambda: bench.score(draws=50).to_json(),
        ]
    )
    assert together == alone
