"""On which features do the answers of a theory rest?"""

from __future__ import annotations

from collections.abc import Sequence

from glocalx.plots.canvas import Canvas, Picture, empty_picture, room_beside
from glocalx.plots.colours import Palette
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.turns import FeatureImportance, feature_importance
from glocalx.words.escape import shortened
from glocalx.words.figures import percent
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

ROW, BAR = 28.0, 17.0  # pixels
LONGEST = 0.84  # share of the width for the longest bar; its figure stands beside it


def importance(
    theory: RankedTheory,
    records: Records,
    palette: Palette,
    *,
    most: int = 12,
    wording: Wording | None = None,
) -> Picture:
    """For each feature the share of records whose deciding rule names it."""
    found = feature_importance(theory, records)
    if not found:
        return empty_picture(palette, 120, "No rule names a feature.")
    drawn, canvas = found[:most], Canvas(palette=palette)
    said = wording or Wording(records.schema, records)
    titles = [shortened(said.name(each.feature)) for each in drawn]
    _bars(canvas, drawn, titles)
    listed = ", ".join(
        f"{title} {percent(each.share)}" for each, title in zip(drawn, titles, strict=True)
    )
    more = f" {len(found) - len(drawn):,} more features are not drawn." if found[most:] else ""
    alt = f"Share of {counted(records.size, 'record')} decided by a rule that names it: {listed}."
    return canvas.picture(ROW * len(drawn) + 12, alt + more, left=room_beside(titles, 13))


def _bars(canvas: Canvas, drawn: Sequence[FeatureImportance], titles: Sequence[str]) -> None:
    palette = canvas.palette
    longest = max(each.share for each in drawn) or 1
    for place, (each, title) in enumerate(zip(drawn, titles, strict=True)):
        y, end = ROW * (place + 0.5) + 6, LONGEST * each.share / longest
        canvas.beside(title, y, {"font-size": "13px", "color": palette.ink})
        canvas.bar(0, end, y - BAR / 2, BAR, fill=palette.mixed)
        canvas.words(percent(each.share), end, y, aside=6, anchor="start")
        text = (
            f"{title}: in {counted(each.rules, 'rule')}, decides {counted(each.decided, 'record')}"
        )
        canvas.hint(text, 0, y - ROW / 2, "100%", ROW)
