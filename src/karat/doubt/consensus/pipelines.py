"""The 24 pipelines of Lamiroy and Sun's section 4.3, simulated: a case in which the vote is known to be wrong."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from karat.numeric.arrays import BoolArray
from karat.table.labels import Labels
from karat.tally.codes import gather
from karat.tally.votes.patterns import Patterns

BINARISATIONS = {"otsu": 0.85, "wolf": 0.95, "sauvola": 0.97}
"""What each leaves legible, independently of all else."""
SEGMENTATIONS = {"1": 0.88, "2": 0.93, "3": 0.97, "4": 0.99}
READS = {"good": 0.90, "bad": 0.85}
"""The share of the entities that an OCR can read at all, the same ones in every pipeline."""
INVENTS = {"good": 0.04, "bad": 1.0}
"""Entities that an OCR makes up, per true one, the same ones in every pipeline."""
NOISE = 0.02
"""How often a pipeline finds an entity where there is none, on its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Pipelines:
    """What 24 pipelines found, and what there was to find."""

    patterns: Patterns
    binarisation: npt.NDArray[np.int64]
    segmentation: npt.NDArray[np.int64]
    ocr: npt.NDArray[np.int64]
    """0 the good one, 1 the bad one; every other pipeline has it."""


def pipelines(*, entities: int = 1000, others: float = 0.5, seed: int = 0) -> Pipelines:
    """What if half of the systems make the same errors?

    3 binarisations x 4 segmentations x 2 OCRs decide whether a named entity is found. Each OCR misses and invents its
    own entities, the same in all its pipelines; binarisation and segmentation lose some of the rest, and each pipeline
    invents a few. One OCR invents 25 times as many as the other, and its pipelines confirm each other. `others`, so
    many per true entity, are found by chance only. It is the paper's story, not its data.
    Reference: Lamiroy, Sun, Computing Precision and Recall with Missing or Uncertain Ground Truth, GREC 2011, section
    4.3. doi:10.1007/978-3-642-36824-0_15
    >>> found = pipelines(entities=100)
    >>> len(found.patterns.systems), found.patterns.systems[:2], int(found.patterns.number.sum())
    (24, ('otsu-1-good', 'otsu-1-bad'), 254)
    """
    random = np.random.default_rng(seed)
    truth = np.arange(int(entities * (1 + sum(INVENTS.values()) + others))) < entities
    readable = _readable(truth, entities, random)
    paths = [(b, s, o) for b in BINARISATIONS for s in SEGMENTATIONS for o in READS]
    found = []
    for b, s, o in paths:
        legible = random.random(len(truth)) < BINARISATIONS[b] * SEGMENTATIONS[s]
        noise = ~truth & (random.random(len(truth)) < NOISE)
        found.append(((readable[o] & legible) | noise).astype(np.int64))
    (told, *answers), number = gather(
        [truth.astype(np.int64), *found], np.ones(len(truth), np.int64)
    )
    table = np.stack(answers, axis=1).astype(np.int32)
    labels = Labels(pair=("yes", "no"), positive="yes")
    counted = Patterns(
        tuple("-".join(path) for path in paths), ("no", "yes"), told, table, number, labels
    )
    factors = np.array([(place // 8, place // 2 % 4, place % 2) for place in range(len(paths))]).T
    return Pipelines(counted, *factors)


def _readable(truth: BoolArray, entities: int, random: np.random.Generator) -> dict[str, BoolArray]:
    """Return what each OCR reads, or believes to read; what one makes up the other does not."""
    found, start = {}, entities
    for ocr, share in READS.items():
        made_up = np.zeros(len(truth), bool)
        made_up[start : start + int(INVENTS[ocr] * entities)] = True
        start += int(INVENTS[ocr] * entities)
        found[ocr] = made_up | (truth & (random.random(len(truth)) < share))
    return found
