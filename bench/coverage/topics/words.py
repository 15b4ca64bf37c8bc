"""What the output says at numbers that were seen to fall short, by the number's name on the page."""

from karat.boxes.doubt import image_difference, image_interval
from karat.doubt.bounds import (
    areas,
    binormal_score,
    delta,
    jeffreys,
    query_mean,
    ratio_of_sums,
    wilson,
)
from karat.doubt.consensus.vote_bootstrap import SPREAD
from karat.doubt.group_mean import THESE_CAUTION
from karat.doubt.prevalence import level_areas, score_bins
from karat.doubt.resampling import jackknife
from karat.verdict.compare.compared_curves import (
    AREA_CAUTION,
    CLUSTER_CAUTION,
    RARE_CAUTION,
    WEIGHT_CAUTION,
)
from karat.verdict.compare.legend import FIRST
from karat.verdict.judged.scores import BORROWED
from karat.verdict.prevalence.words import AHEAD_MEANS

WORDS = {
    "precision by unlabelled scores, of clusters (skew --to FILE)": score_bins.CLUSTER_CAUTION,
    "recall by unlabelled scores, of clusters (skew --to FILE)": score_bins.CLUSTER_CAUTION,
    "mAP over images": image_interval.CAUTION,
    "mAP@0.5 over images": image_interval.CAUTION,
    "mAP-small over images": image_interval.CAUTION,
    "mAR@100 over images": image_interval.CAUTION,
    "class-AP@0.5 over images": image_interval.CAUTION,
    "class-AP@0.5 over images: the most frequent": image_interval.CAUTION,
    "class-AP@0.5 over images: the rarest": image_interval.CAUTION,
    "F1 of sure boxes over images": image_interval.CAUTION,
    "difference of mAP over images": image_difference.PAIRED,
    "difference of mAP@0.5 over images": image_difference.PAIRED,
    "difference of mAP-small over images": image_difference.PAIRED,
    "difference of mAR@100 over images": image_difference.PAIRED,
    "equally good: mAP@0.5 over images": image_difference.PAIRED,
    "equally good: mAP-small over images": image_difference.PAIRED,
    "equally good: mAR@100 over images": image_difference.PAIRED,
    "mAP@0.5 at another prevalence": image_interval.AT_PREVALENCE,
    "difference of mAP@0.5 at another prevalence": image_interval.AT_PREVALENCE,
    "share, wilson": wilson.CAUTION,
    "share, jeffreys": jeffreys.CAUTION,
    "mean over queries, Student's t": query_mean.CAUTION,
    "mean over queries of clusters or with weights, Student's t": query_mean.CAUTION,
    "rate of texts": ratio_of_sums.SKEWED,
    "macro rate of texts": ratio_of_sums.SKEWED,
    "F1 of entities": ratio_of_sums.SKEWED,
    "macro F1 of entities": ratio_of_sums.SKEWED,
    "rate over clusters": ratio_of_sums.SKEWED,
    "bag-f1": ratio_of_sums.SKEWED,
    "mean rate over these groups": THESE_CAUTION,
    "difference of rates": ratio_of_sums.DIFFERENCE,
    "pass@k": ratio_of_sums.SKEWED,
    "mean over these groups": THESE_CAUTION,
    "macro-f1, delta method": f"{delta.CAUTION} Or: {delta.HARDLY}",
    "macro-precision, delta method": f"{delta.CAUTION} Or: {delta.HARDLY}",
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
    "difference of average-precision with weights": WEIGHT_CAUTION,
    "difference of roc-area of clusters": CLUSTER_CAUTION,
    "spread over items of an accuracy by consensus (combined): the true accuracy": SPREAD,
    "spread over items of an accuracy by consensus (combined): what it would be on all items like these": SPREAD,
    "ahead in (share of resamples, skew), as a probability of being better": AHEAD_MEANS,
    "first in (share of resamples), as a probability of being best": FIRST,
}
