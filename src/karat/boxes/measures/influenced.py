"""A number of boxes, what each image adds to it, and its bias where images are few."""

from dataclasses import dataclass

import numpy as np

from karat.numeric.arrays import FloatArray, IntArray

FEW = 8
"""In fewer images than these the bias of a class is taken from other classes."""
WORST_SPREAD = 0.25
"""The largest variance of a number from 0 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class MeanSpread:
    """The variance of a mean over classes, and its degrees of freedom."""

    variance: float
    freedom: float


@dataclass(frozen=True, slots=True, eq=False)
class MeanBias:
    """How much higher a mean over classes is in few images than in many."""

    value: float
    borrowed: float
    """What classes in few images have of it, which is taken from other classes."""


@dataclass(frozen=True, slots=True, eq=False)
class Influenced:
    """A value per class with its derivatives by the weight of each image."""

    value: FloatArray
    """NaN where it is undefined: nothing of that class is to be found."""
    by_image: FloatArray
    """By image and class; each column sums to 0, since doubling all images changes nothing."""
    holding: IntArray
    """How many images hold something of the class that is to be found."""
    bias: FloatArray
    """How much higher the value is in few images than in many, by the jackknife."""
    halves: FloatArray | None = None
    """By split, half and class, the value in balanced halves of the images; None where first orders are enough."""

    def mean(self) -> float:
        """Return the mean over the classes where it is defined; NaN where there is none."""
        defined = self.value[~np.isnan(self.value)]
        return float(defined.mean()) if len(defined) else float("nan")

    def mean_bias(self) -> MeanBias:
        """Return the bias of the mean.

        What the jackknife says of classes in few images is too little, and nothing for one image. These take that of
        the other classes, as c h^(-2/3), h the images that hold a class, 2 or more: it shrinks as that of an envelope.
        """
        defined = ~np.isnan(self.value)
        bias = self.bias[defined].copy()
        holding = np.maximum(self.holding[defined], 2)
        shrunk = holding ** (-2 / 3)
        few = holding < FEW
        known = ~few & (bias != 0)
        if not known.any():
            known = bias != 0
        if not known.any():
            return MeanBias(0.0, 0.0)
        bias[few] = shrunk[few] * max(0.0, bias[known].sum() / shrunk[known].sum())
        return MeanBias(float(bias.mean()), float(bias[few].sum() / len(bias)))

    def variances(self) -> FloatArray:
        """Return the variance of each class: Σ I² h / (h-1), h the images that hold it.

        Of a class that one image holds nothing is known; it has the mean variance of one image in other classes.
        """
        plain = (self.by_image**2).sum(axis=0)
        several = self.holding > 1
        inflated = np.full(len(plain), np.nan)
        inflated[several] = (plain * self.holding)[several] / (self.holding[several] - 1)
        one_image = WORST_SPREAD
        if several.any():
            one_image = float((inflated * self.holding)[several].mean())
        one = self.holding == 1
        inflated[one] = np.maximum(plain[one], min(WORST_SPREAD, one_image))
        return inflated

    def spread(self) -> MeanSpread:
        """Return the variance of the mean: that of its first order, or of halves of the images where this is larger."""
        first_order = self._of_first_order()
        # A half of few images may hold none of the classes.
        if self.halves is None or np.isnan(self.halves).all(axis=2).any():
            return first_order
        by_half = np.nanmean(self.halves, axis=2)
        contrast = by_half[:, 0] - by_half[:, 1]
        variance = float(np.square(contrast).mean() / 4)
        if not variance > first_order.variance:
            return first_order
        return MeanSpread(variance, min(first_order.freedom, float(len(contrast))))

    def _of_first_order(self) -> MeanSpread:
        """Return the variance of the mean: that of what each image adds to it, and what rare classes add.

        The derivatives in a class of few images are too small by (h-1)/h, and say nothing where h is 1. Degrees of
        freedom by Satterthwaite, from those of the classes, up to the number of images less one.
        """
        defined = ~np.isnan(self.value)
        number = int(defined.sum())
        images = len(self.by_image)
        if not number or images < 2:
            return MeanSpread(float("nan"), 1.0)
        of_images = self.by_image[:, defined].mean(axis=1)
        together = float((of_images**2).sum()) * images / (images - 1)
        inflated = self.variances()[defined] / number**2
        plain = (self.by_image[:, defined] ** 2).sum(axis=0) / number**2
        variance = together + float((inflated - plain).sum())
        freedoms = np.maximum(self.holding[defined] - 1, 1)
        share = inflated.sum()
        freedom = images - 1.0
        if share > 0:
            freedom = min(freedom, share**2 / float((inflated**2 / freedoms).sum()))
        return MeanSpread(variance, max(1.0, freedom))

    def less(self, other: "Influenced") -> "Influenced":
        """Return the difference to another value of the same images."""
        return Influenced(
            self.value - other.value,
            self.by_image - other.by_image,
            self.holding,
            self.bias - other.bias,
            None if self.halves is None or other.halves is None else self.halves - other.halves,
        )
