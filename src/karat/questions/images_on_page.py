"""A few images of a table, drawn for the first systems: where the best of them does worst, middling and best."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from karat.errors import OptionError
from karat.questions.scene_pictures import PictureOptions, best_threshold, picture_of
from karat.report.findings import measured
from karat.report.pixel_pictures import PixelPicture
from karat.source.pixels.rasters import rasters
from karat.source.pixels.scene_files import ImageSet, SceneFiles
from karat.source.pixels.scenes import open_scene
from karat.table.kinds import score as scores_kind
from karat.tally.counter import Counter
from karat.tally.scores.curve import curves
from karat.tally.votes.confusion import Confusion, confusions
from karat.verdict.score.result import ScoreResult

SYSTEMS = 2
"""How many systems are drawn."""
SIDE = 320
"""The longest side of an image on a page, in pixels."""


def images_for_page(
    counter: Counter, scores: ScoreResult, ranked_by: str
) -> tuple[PixelPicture, ...]:
    """Return the pictures of up to three images for the first systems; none where no images were read."""
    images = counter.facts.images
    if not isinstance(images, ImageSet):
        return ()
    ranked = [str(row["system"]) for row in scores.rows() if measured(row) == ranked_by]
    systems = ranked[:SYSTEMS]
    drawn = {name: _options(counter, images, name) for name in systems}
    pictures = []
    for scene in _chosen(counter, images, systems[0], drawn[systems[0]].threshold):
        pictures += _pictures(scene, images, drawn)
    return tuple(pictures)


def _options(counter: Counter, images: ImageSet, system: str) -> PictureOptions:
    """Return from where on a system marks a pixel: as it was read, or where its F1 over all images is best."""
    how, facts = images.how, counter.facts
    several = how.annotators or images.folders.annotators or 1
    options = PictureOptions(at_least=min(how.at_least or 1, several), side=SIDE)
    if how.thresholds:
        return replace(options, threshold=how.thresholds[images.systems.index(system)])
    if "threshold" in facts.options:
        return replace(options, threshold=float(facts.options["threshold"]))
    if facts.kind != scores_kind:
        return options
    curve = counter.count(curves)[system]
    rising = curve.score.argsort()
    threshold = best_threshold(curve.score[rising], curve.positive[rising], curve.negative[rising])
    return replace(options, threshold=threshold, chosen=", where F1 over all images is best")


def _chosen(
    counter: Counter, images: ImageSet, system: str, threshold: float | None
) -> Sequence[SceneFiles]:
    """Return the images in which a system does worst, middling and best by its intersection over union."""
    judged = counter
    if counter.facts.kind == scores_kind and threshold is not None:
        judged = counter.at(threshold)
    counts = judged.count(confusions, keys="g")[system]
    values = _iou_by_image(counts, str(judged.facts.meaning.positive))
    scenes = [scene for scene in images.folders.scenes if values.get(scene.name) is not None]
    if not scenes:
        raise OptionError("in no image is anything marked, by the truth or by the first system")
    scenes.sort(key=lambda scene: (values[scene.name], scene.name))
    places = dict.fromkeys([0, len(scenes) // 2, len(scenes) - 1])
    return [scenes[place] for place in places]


def _iou_by_image(counts: Confusion, positive: str) -> dict[str, float]:
    """Return the intersection over the union of truth and answer; none of an image where nothing is marked."""
    mark = counts.labels.index(positive) if positive in counts.labels else -1
    either = (counts.truth == mark) | (counts.answer == mark)
    both = (counts.truth == mark) & (counts.answer == mark)
    names, place = np.unique(counts.keys["g"].astype(str), return_inverse=True)
    union = np.bincount(place, counts.number * either, len(names))
    found = np.bincount(place, counts.number * both, len(names))
    return {str(names[one]): found[one] / union[one] for one in np.flatnonzero(union)}


def _pictures(
    files: SceneFiles, images: ImageSet, drawn: Mapping[str, PictureOptions]
) -> list[PixelPicture]:
    """Return the pictures of one image; agreement is drawn where there are several annotators."""
    several = images.how.annotators or images.folders.annotators or 1
    how = images.how
    if several > 1:
        how = replace(how, by_level=True, at_least=None)
    pictures = []
    with rasters() as opener:
        scene = open_scene(files, opener, how, several)
        for system, options in drawn.items():
            place = images.systems.index(system)
            pictures.append(picture_of(scene, place, system, options))
    return pictures
