"""How often something is true by a judge whose errors are known from other items: Rogan and Gladen's correction."""

import numpy as np
from scipy import special

from karat.doubt.interval import Interval, check_counts, check_level

METHOD = "Rogan-Gladen, Lang-Reiczigel interval"


def rogan_gladen(
    passed: tuple[float, float],
    right: tuple[float, float],
    wrong: tuple[float, float],
    *,
    level: float = 0.95,
) -> tuple[float | None, Interval]:
    """How many outputs are right, if a judge passes so many, and its errors were seen on other outputs?

    (q + s - 1) / (r + s - 1), kept from 0 to 1: q the share that passes, r that of right outputs that pass, s that of
    wrong outputs that fail; each is given as (successes, trials). Interval: with z²/2 added to the successes and the
    failures of q, and one to those of r and s, P the same formula of these, P + d ± z √(q (1-q) / n + P² r (1-r) / n_r
    + (1-P)² s (1-s) / n_s) / (r + s - 1), d = 2 z² (P r (1-r) / n_r - (1-P) s (1-s) / n_s). Undefined, from 0 to 1,
    for a judge that is not better than chance. Assumes that the judge errs on these outputs as it did on the others.
    Reference: Rogan, Gladen, American Journal of Epidemiology 107, 1978. doi:10.1093/oxfordjournals.aje.a112510
    Reference: Lang, Reiczigel, Preventive Veterinary Medicine 113, 2014. doi:10.1016/j.prevetmed.2013.09.015
    >>> value, ends = rogan_gladen((600, 1000), (90, 100), (80, 100))
    >>> print(round(value, 4), ends.low.round(4), ends.high.round(4))
    0.5714 0.4898 0.6555
    """
    check_level(level)
    for counts in (passed, right, wrong):
        check_counts(*counts)
    nothing = Interval(np.array(0.0), np.array(1.0), level, METHOD)
    if not passed[1] or not right[1] or not wrong[1]:
        return None, nothing
    q, r, s = (successes / trials for successes, trials in (passed, right, wrong))
    if r + s <= 1:
        return None, nothing
    value = float(np.clip((q + s - 1) / (r + s - 1), 0, 1))
    z = float(-special.ndtri((1 - level) / 2))
    n = passed[1] + z**2
    n_right = right[1] + 2
    n_wrong = wrong[1] + 2
    q = (passed[0] + z**2 / 2) / n
    r = (right[0] + 1) / n_right
    s = (wrong[0] + 1) / n_wrong
    power = r + s - 1
    if power <= 0:
        return value, nothing
    share = (q + s - 1) / power
    of_right = r * (1 - r) / n_right
    of_wrong = s * (1 - s) / n_wrong
    shift = 2 * z**2 * (share * of_right - (1 - share) * of_wrong)
    variance = q * (1 - q) / n + share**2 * of_right + (1 - share) ** 2 * of_wrong
    reach = z * np.sqrt(variance) / power
    low, high = np.clip([share + shift - reach, share + shift + reach], 0, 1)
    return value, Interval(np.array(low), np.array(high), level, METHOD)
