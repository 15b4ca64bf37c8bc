"""Which box matches which, as COCO has it: the surest first, each takes the best that is left."""

from itertools import pairwise

import numpy as np

from karat.boxes.matching.overlap import Overlaps
from karat.boxes.matching.rules import Layers
from karat.numeric.arrays import IntArray


def greedy(pairs: Overlaps, place: IntArray, layers: Layers) -> IntArray:
    """Return the true box that each found box matches in each layer, -1 where none.

    From the surest found box of an image and class to the least sure, each takes the true box that is not taken and
    overlaps most; of equal ones the last; one that is ignored only if no other is left. A crowd is never taken, nor
    what is marked to be ignored.
    Reference: Lin et al., Microsoft COCO, ECCV 2014; as pycocotools 2.0 evaluates. doi:10.1007/978-3-319-10602-1_48
    """
    number = len(layers)
    matched = np.full((number, len(place)), -1, np.int64)
    taken = np.zeros((number, layers.ignored.shape[1]), bool)
    order = np.lexsort((pairs.true, pairs.value, pairs.found, place[pairs.found]))
    found = pairs.found[order]
    true = pairs.true[order]
    value = pairs.value[order]
    turn = place[found]
    # In each turn every image and class has one found box at most, so that no two want the same true box.
    bounds = np.flatnonzero(np.diff(turn, prepend=-1, append=-1))
    for start, end in pairwise(bounds.tolist()):
        now = slice(start, end)
        wanted = true[now]
        many = end - start
        free = ~taken[:, wanted] | layers.open[wanted]
        fits = free & (value[now] >= layers.least[:, None])
        # Later in the order is better: by overlap, then by place in the truth.
        liking = np.arange(many) + many * ~layers.ignored[:, wanted]
        liking = np.where(fits, liking, -1)
        starts = np.flatnonzero(np.diff(found[now], prepend=-1))
        best = np.maximum.reduceat(liking, starts, axis=1)
        layer, box = np.nonzero(best >= 0)
        chosen = wanted[best[layer, box] % many]
        matched[layer, found[now][starts[box]]] = chosen
        taken[layer, chosen] = True
    return matched
