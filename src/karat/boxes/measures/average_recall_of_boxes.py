"""Average recall of boxes: of a class, and its mean over classes, as COCO has it."""

from karat.boxes.matching.detections import Detections
from karat.boxes.measures.by_class import average_recalls
from karat.boxes.measures.influenced import Influenced
from karat.measure.measure import Parameter, measure

MOST = 100
"""How many boxes of an image and class count by default."""


@measure(
    "boxes",
    name="class-AR",
    per_class=True,
    parameter=Parameter(name="cut", form="class-AR@{}", default=MOST, whole=True),
)
def class_average_recall(tally: Detections, *, cut: int = MOST) -> Influenced:
    """Which share of a class's true boxes is found, by so many boxes an image, averaged over ten overlaps?

    The surest so many boxes of each image; overlaps from 0.5 to 0.95.
    Reference: Lin et al., Microsoft COCO, ECCV 2014. doi:10.1007/978-3-319-10602-1_48
    """
    return average_recalls(tally, cut=cut)


@measure(
    "boxes",
    name="mAR",
    mean_of=class_average_recall,
    parameter=Parameter(name="cut", form="mAR@{}", default=MOST, whole=True),
)
def mean_average_recall(tally: Detections, *, cut: int = MOST) -> Influenced:
    """Which share of true boxes is found, averaged over overlaps and classes?

    COCO's AR: mAR@1, mAR@10 and mAR@100, by the surest so many boxes of an image and class.
    Reference: Lin et al., Microsoft COCO, ECCV 2014. doi:10.1007/978-3-319-10602-1_48
    """
    return average_recalls(tally, cut=cut)


@measure("boxes", name="mAR-small", mean_of=class_average_recall)
def average_recall_of_small(tally: Detections) -> Influenced:
    """Which share of true objects of up to 32 x 32 pixels is found, on average?

    As mAR@100; boxes of other sizes neither help nor harm.
    """
    return average_recalls(tally, size="small")


@measure("boxes", name="mAR-medium", mean_of=class_average_recall)
def average_recall_of_medium(tally: Detections) -> Influenced:
    """Which share of true objects of 32 x 32 to 96 x 96 pixels is found, on average?

    As mAR@100; boxes of other sizes neither help nor harm.
    """
    return average_recalls(tally, size="medium")


@measure("boxes", name="mAR-large", mean_of=class_average_recall)
def average_recall_of_large(tally: Detections) -> Influenced:
    """Which share of true objects of 96 x 96 pixels and more is found, on average?

    As mAR@100; boxes of other sizes neither help nor harm.
    """
    return average_recalls(tally, size="large")
