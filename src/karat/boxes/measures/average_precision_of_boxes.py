"""Average precision of boxes: of a class, and its mean over classes, as COCO has it."""

from karat.boxes.matching.detections import Detections
from karat.boxes.measures.by_class import average_precisions
from karat.boxes.measures.influenced import Influenced
from karat.measure.measure import Parameter, measure


@measure(
    "boxes",
    name="class-AP",
    per_class=True,
    parameter=Parameter(name="overlap", form="class-AP@{}"),
)
def class_average_precision(tally: Detections, *, overlap: float | None = None) -> Influenced:
    """What is the precision of a class's boxes at 101 recalls, from the surest box on, on average?

    At one overlap, or the mean over ten from 0.5 to 0.95; undefined where no box of the class is to be found.
    Reference: Lin et al., Microsoft COCO, ECCV 2014. doi:10.1007/978-3-319-10602-1_48
    """
    return average_precisions(tally, overlap=overlap)


@measure(
    "boxes",
    name="mAP",
    mean_of=class_average_precision,
    parameter=Parameter(name="overlap", form="mAP@{}"),
)
def mean_average_precision(tally: Detections, *, overlap: float | None = None) -> Influenced:
    """What is the average precision of boxes, averaged over classes?

    COCO's AP; mAP@0.5 is its AP50, mAP@0.75 its AP75.
    Reference: Lin et al., Microsoft COCO, ECCV 2014. doi:10.1007/978-3-319-10602-1_48
    """
    return average_precisions(tally, overlap=overlap)


@measure("boxes", name="mAP-small", mean_of=class_average_precision)
def average_precision_of_small(tally: Detections) -> Influenced:
    """What is the mean average precision of objects of up to 32 x 32 pixels?

    As mAP; boxes of other sizes neither help nor harm.
    """
    return average_precisions(tally, size="small")


@measure("boxes", name="mAP-medium", mean_of=class_average_precision)
def average_precision_of_medium(tally: Detections) -> Influenced:
    """What is the mean average precision of objects of 32 x 32 to 96 x 96 pixels?

    As mAP; boxes of other sizes neither help nor harm.
    """
    return average_precisions(tally, size="medium")


@measure("boxes", name="mAP-large", mean_of=class_average_precision)
def average_precision_of_large(tally: Detections) -> Influenced:
    """What is the mean average precision of objects of 96 x 96 pixels and more?

    As mAP; boxes of other sizes neither help nor harm.
    """
    return average_precisions(tally, size="large")
