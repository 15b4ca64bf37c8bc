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
    >>> patterns = pipelines(entities=100).patterns
    >>> len(patterns.systems), patterns.systems[:2], int(patterns.number.sum())
    (24, ('otsu-1-good', 'otsu-1-bad'), 254)
    """
    random = np.random.default_rng(seed)
    per_entity = 1 + sum(INVENTS.values()) + others
    truth = np.arange(int(entities * per_entity)) < entities
    readable = _readable(truth, entities, random)
    names = []
    factors = []
    answers = []
    for b, binarisation in enumerate(BINARISATIONS):
        for s, segmentation in enumerate(SEGMENTATIONS):
            for o, ocr in enumerate(READS):
                names.append(f"{binarisation}-{segmentation}-{ocr}")
                factors.append((b, s, o))
                kept = BINARISATIONS[binarisation] * SEGMENTATIONS[segmentation]
                legible = random.random(len(truth)) < kept
                noise = ~truth & (random.random(len(truth)) < NOISE)
                answer = (readable[ocr] & legible) | noise
                answers.append(answer.astype(np.int64))
    ones = np.ones(len(truth), np.int64)
    (true, *columns), number = gather([truth.astype(np.int64), *answers], ones)
    patterns = Patterns(
        tuple(names),
        ("no", "yes"),
        true,
        np.stack(columns, axis=1).astype(np.int32),
        number,
        Labels(pair=("yes", "no"), positive="yes"),
    )
    binarisations, segmentations, ocrs = np.array(factors).T
    return Pipelines(patterns, binarisations, segmentations, ocrs)


def _readable(truth: BoolArray, entities: int, random: np.random.Generator) -> dict[str, BoolArray]:
    """Return the entities that each OCR reads, or believes to read; what one makes up the other does not."""
    readable = {}
    start = entities
    for ocr, share in READS.items():
        end = start + int(INVENTS[ocr] * entities)
        made_up = np.zeros(len(truth), bool)
        made_up[start:end] = True
        start = end
        read = truth & (random.random(len(truth)) < share)
        readable[ocr] = made_up | read
    return readable
