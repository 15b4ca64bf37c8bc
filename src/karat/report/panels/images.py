"""A few images: what is true, what the first systems scored, and where they hit, miss and raise false alarms."""

from collections.abc import Sequence
from html import escape

from karat.report.findings import Findings
from karat.report.page.markup import named, number, paragraphs
from karat.report.panels.panel import Panel
from karat.report.pixel_pictures import COLOURS, UNCOUNTED, PixelPicture
from karat.report.png_files import as_address, grey_png, palette_png

PLACES = {
    1: ("the only image",),
    2: ("where it does worst", "where it does best"),
    3: ("where it does worst", "in the middle", "where it does best"),
}
"""Which images are shown, by how many are."""


def panel(findings: Findings) -> Panel | None:
    """Return pictures of a few images for the first systems."""
    by_image: dict[str, list[PixelPicture]] = {}
    for picture in findings.images:
        by_image.setdefault(picture.name, []).append(picture)
    if not by_image:
        return None
    first = findings.images[0].system
    text = [f"Which images are shown goes by the intersection over union (IoU) of {first}."]
    reading = findings.facts.options.get("source", "")
    if "unit=object" in reading:
        text.append("That is the IoU of objects, true and found; the numbers below are of pixels.")
    if "tolerance=" in reading:
        text.append("Hits are drawn and counted here without the tolerance: pixel on pixel.")
    body = paragraphs(text) + _legend(findings.images)
    for place, pictures in zip(PLACES[len(by_image)], by_image.values(), strict=True):
        body += _image(place, pictures)
    rows = [dict(row) for picture in findings.images for row in picture.rows()]
    return Panel(
        name="images",
        title="What do the images look like?",
        html=body,
        text=text,
        tables={"A few images": rows},
    )


def _legend(pictures: Sequence[PixelPicture]) -> str:
    """Return what the colours mean."""
    names = {"hit": "hit", "miss": "miss", "alarm": "false alarm"}
    if any((picture.outcome == UNCOUNTED).any() for picture in pictures):
        names["uncounted"] = "does not count"
    parts = []
    for name, text in names.items():
        parts.append(f'<span class="swatch {name}" aria-hidden="true"></span> {text}')
    return f'<p class="legend">{" &nbsp; ".join(parts)}</p>'


def _image(place: str, pictures: Sequence[PixelPicture]) -> str:
    """Return one image: the truth once, then scores and outcome of each system."""
    first = pictures[0]
    parts = [_truth(first)]
    for picture in pictures:
        if not picture.is_mask:
            parts.append(_scores(picture, "image" if picture is first else "image below"))
        parts.append(_outcome(picture))
    return f'<h3>{named(first.name)}, {place}</h3><div class="images">{"".join(parts)}</div>'


def _truth(picture: PixelPicture) -> str:
    text = "truth"
    if picture.annotators > 1:
        text = f"agreement of {picture.annotators} annotators, black where all marked"
    shown = as_address(grey_png(picture.agreement, low=0, high=1))
    return _figure(picture, shown, f"{picture.name}: {text}", escape(text))


def _scores(picture: PixelPicture, where: str) -> str:
    """Return the scores; those of the second system stand below those of the first."""
    values = picture.scores
    shown = as_address(grey_png(values, low=float(values.min()), high=float(values.max())))
    alternative = f"{picture.name}: scores of {picture.system}"
    caption = f"{named(picture.system)}: scores, dark is high"
    return _figure(picture, shown, alternative, caption, where)


def _outcome(picture: PixelPicture) -> str:
    """Return hits, misses and false alarms, with their numbers."""
    shown = as_address(palette_png(picture.outcome, COLOURS))
    counts = f"{picture.hits:,} hits, {picture.misses:,} misses, {picture.alarms:,} false alarms"
    threshold = ""
    if not picture.is_mask:
        threshold = f" from {picture.threshold:.6g} on{picture.chosen}"
    if picture.annotators > 1:
        threshold += f", marked by {picture.at_least} or more"
    text = f"{named(picture.system)}{escape(threshold)}: {counts}, IoU {number(picture.iou, 'percent')}"
    return _figure(picture, shown, f"{picture.name}: {counts} of {picture.system}", text)


def _figure(
    picture: PixelPicture, address: str, alternative: str, caption: str, where: str = "image"
) -> str:
    height, width = picture.outcome.shape
    return (
        f'<figure class="{where}"><img src="{address}" alt="{escape(alternative)}" width="{width}" height="{height}">'
        f"<figcaption>{caption}</figcaption></figure>"
    )
