"""What the output says at numbers that were seen to fall short, by the number's name on the page."""

from karat.doubt.bounds import areas, binormal_score, delta, jeffreys, query_mean, wilson
from karat.doubt.group_mean import THESE_CAUTION
from karat.doubt.prevalence import level_areas
from karat.doubt.resampling import jackknife
from karat.verdict.compare.compared_curves import AREA_CAUTION, CLUSTER_CAUTION, RARE_CAUTION
from karat.verdict.compare.result import FIRST
from karat.verdict.judged.scores import BORROWED

WORDS = {
    "share, wilson": wilson.CAUTION,
    "share, jeffreys": jeffreys.CAUTION,
    "mean over queries, Student's t": query_mean.CAUTION,
    "mean over these groups": THESE_CAUTION,
    "macro-f1, delta method": delta.CAUTION,
    "macro-precision, delta method": delta.CAUTION,
    "macro-recall, delta method": delta.CAUTION,
    "kappa, delta method": delta.CAUTION,
    "matthews, delta method": delta.CAUTION,
    "accuracy of clusters, jackknife": jackknife.CAUTION,
    "roc-area": binormal_score.CAUTION,
    "roc-area, --bound delong": areas.DELONG_CAUTION,
    "accuracy by the judge's errors on other systems (Rogan-Gladen)": BORROWED,
    "ROC area, skew agreement --cluster": level_areas.CAUTION,
    "area at the level's own prevalence, skew agreement --cluster": level_areas.CAUTION,
    "area at 5% positives, skew agreement --cluster": level_areas.CAUTION,
    "difference of roc-areas": AREA_CAUTION,
    "--test bootstrap, pr-area@0.01": RARE_CAUTION,
    "difference of areas at another prevalence": RARE_CAUTION,
    "difference of roc-area of clusters": CLUSTER_CAUTION,
    "first in (share of resamples), as a probability of being best": FIRST,
}
