"""The interval of a mean where all units have the same value, so that their spread shows nothing."""


def ends_without_spread(
    value: float, units: float, *, low: float, high: float, errors: tuple[float, float]
) -> tuple[float, float]:
    """Return the ends of the interval of the mean of units that all have the same value.

    `errors` are the probabilities of an error below the low and above the high end. With g on a side, a share
    1 - g^(1/n) of other units could have gone unseen, n being how many units there are. The ends are where the mean
    would be if all of these were at an end of the range [low, high]. A one-sided interval has the error 0 on the other
    side, and the end of the range there: 0 to any power is 0.

    >>> low, high = ends_without_spread(1.0, 29, low=0.0, high=1.0, errors=(0.05, 0.0))
    >>> round(low, 4), high
    (0.9019, 1.0)
    """
    below, above = errors
    bottom = low + (value - low) * below ** (1 / units)
    top = high - (high - value) * above ** (1 / units)
    return bottom, top
