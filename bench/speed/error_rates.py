"""CER and WER with their intervals, beside jiwer without; both from texts in memory, reading them included."""

import sys
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[1]))
import jiwer
from common import clock, header, line

import karat

WORDS = [f"w{number}" for number in range(5000)]
PEERS = {
    "WER": lambda truth, read: jiwer.process_words(truth, read).wer,
    "CER": lambda truth, read: jiwer.process_characters(truth, read).cer,
}


def misread(words: list[str], chance: Random) -> list[str]:
    """The words, some of them lost, some others, and some added."""
    read = []
    for word in words:
        place = chance.random()
        if place >= 0.03:
            read.append(chance.choice(WORDS) if place < 0.1 else word)
        if chance.random() < 0.03:
            read.append(chance.choice(WORDS))
    return read


def rate(truth: list[str], read: list[str], measure: str) -> float:
    names = [str(number) for number in range(len(truth))]
    columns = {"item": names, "truth": truth, "a": read}
    bench = karat.read(columns, truth="truth", item="item", systems=["a"])
    return bench.score(measure=measure).rows()[0]["value"]


header("error rates of texts (claim: no slower than jiwer)", "jiwer", "rapidfuzz")
for texts, words in ((20_000, 12), (500, 400)):
    chance = Random(texts)  # noqa: S311 (no secret)
    split = [chance.choices(WORDS, k=words) for _ in range(texts)]
    truth = [" ".join(one) for one in split]
    read = [" ".join(misread(one, chance)) for one in split]
    print(f"  {texts:,} texts of {words} words")
    for measure, peer in PEERS.items():
        assert abs(rate(truth, read, measure) - peer(truth, read)) < 1e-12
        theirs = clock(lambda: peer(truth, read))  # noqa: B023
        ours = clock(lambda: rate(truth, read, measure))  # noqa: B023
        line(f"jiwer, {measure}", theirs)
        line(f"karat, {measure}", ours, f"{theirs[1] / ours[1]:.2f} times as fast")
