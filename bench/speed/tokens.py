"""Edit distances between formulas as tokens, beside RapidFuzz on the same tokens, and the whole table of rates."""

import sys
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[1]))
from common import clock, header, line
from rapidfuzz.distance import Levenshtein

from karat.graphs.compare.token_counts import token_distances
from karat.graphs.formats.latex_normal import normal_tokens

FORMULAS, TOKENS = 40_000, 20
"""About as many tokens in each as CROHME 2012 has."""
WORDS = (
    "x",
    "y",
    "2",
    "+",
    "=",
    "\\alpha",
    "\\frac { a } { 2 }",
    "^ { 2 }",
    "_ { i }",
    "\\sqrt { z }",
)


def formula(seed: int) -> str:
    chance = Random(seed)  # noqa: S311 (no secret)
    return " ".join(chance.choice(WORDS) for _ in range(TOKENS // 2))


def misread(text: str, seed: int, share: float) -> str:
    """The formula, or with this probability one in which up to three words are others."""
    chance = Random(f"{seed} {text}")  # noqa: S311
    words = text.split()
    if chance.random() < share:
        for _ in range(chance.randint(1, 3)):
            words[chance.randrange(len(words))] = chance.choice("xyz123")
    return " ".join(words)


header("tokens of formulas (claim: no slower than RapidFuzz on the same tokens)", "rapidfuzz")
texts = [formula(seed) for seed in range(FORMULAS)]
truth = [normal_tokens(text) for text in texts]
for share in (0.5, 1.0):
    output = [normal_tokens(misread(text, seed, share)) for seed, text in enumerate(texts)]
    wrong = sum(map(tuple.__ne__, truth, output))
    print(f"  {FORMULAS:,} formulas, {wrong:,} of them wrong")
    distance = Levenshtein.distance
    assert list(map(distance, truth, output)) == token_distances(truth, output)
    peer = clock(lambda: list(map(distance, truth, output)), times=9)  # noqa: B023
    ours = clock(lambda: token_distances(truth, output), times=9)  # noqa: B023
    line("RapidFuzz on the same tokens", peer)
    line("karat", ours, f"{peer[1] / ours[1]:.2f} times as fast")
rewriting = clock(lambda: [normal_tokens(text) for text in texts])
line("karat, LaTeX to its normal form", rewriting, f"{FORMULAS / rewriting[1]:,.0f} formulas per s")
