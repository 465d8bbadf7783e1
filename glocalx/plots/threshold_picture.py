"""Where a line is drawn through numbers: by a rule along one feature, or between two bands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from glocalx.plots.canvas import Canvas, Picture
from glocalx.plots.colours import OutcomeColours, Palette
from glocalx.plots.scale import Scale, said_ticks
from glocalx.rules.bands import Bands
from glocalx.rules.coverage import mask_of
from glocalx.rules.rule import Interval, Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.spread import Histogram, histogram
from glocalx.rules.steering import without_features
from glocalx.words.figures import percent, trimmed
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

_HEAD, _HEIGHT, _FOOT = 20.0, 106.0, 22.0  # pixels
_GROUND = _HEAD + _HEIGHT
_BARS, _BAND_BARS = 26, 48


def threshold_picture(
    rule: Rule,
    feature: str,
    was: Interval | None,
    reference: Reference,
    colours: OutcomeColours,
    wording: Wording,
) -> Picture:
    """Bars of the records that meet the other conditions; in colour what the rule is to find.

    Parameters
    ----------
    feature
        A numeric one; where the rule holds, the ground is tinted.
    was
        Its premise before, whose ends are dashed lines; None where it had none.
    """
    column, premise = reference.records.schema[feature], rule.premise(feature)
    now = premise if isinstance(premise, Interval) else Interval()
    others = mask_of(reference.records.coverage(without_features(rule, [feature])), reference.size)
    values = reference.records.values(feature)[others]
    own = reference.labels[others] == rule.outcome
    ends = [end for each in (now, was) if each is not None for end in (each.low, each.high)]
    bars = histogram(values, column.is_whole, ends, _BARS)
    canvas, palette = Canvas(palette=colours.palette), colours.palette
    scale = Scale(bars.low, bars.high)
    if not now.is_only_missing:
        low, high = (scale.place(bars.place(end)) for end in (now.low, now.high))
        canvas.bar(low, high, _HEAD, _HEIGHT, fill=palette.wash)
    _draw_bars(canvas, bars, bars.counts, [palette.branch] * len(bars.counts))
    found = bars.counted(values[own])
    _draw_bars(canvas, bars, found, [colours.colour(rule.outcome)] * len(found))
    for each, look in ((was, {"stroke_dasharray": "3 3"}), (now, {"stroke_width": 2})):
        for end in () if each is None or each.is_only_missing else (each.low, each.high):
            if np.isfinite(end):
                stroke = palette.ink if each is was else palette.accent
                canvas.upright(scale.place(bars.place(end)), _HEAD, _GROUND, stroke=stroke, **look)
    alt = _said(values, own, rule, feature, now, wording)
    return _with_foot(canvas, bars, alt, dates=column.kind == "date")


def band_picture(numbers: npt.NDArray[np.float64], bands: Bands, palette: Palette) -> Picture:
    """The numbers as a histogram, every other band darker, with a line at each cut."""
    bars = histogram(numbers, False, bands.cuts, _BAND_BARS)
    canvas, scale = Canvas(palette=palette), Scale(bars.low, bars.high)
    tones = (palette.branch, palette.mixed)
    _draw_bars(canvas, bars, bars.counts, [tones[band % 2] for band in bands.places(bars.middles)])
    for cut in bands.cuts:
        place = scale.place(bars.place(cut))
        canvas.upright(place, _HEAD - 4, _GROUND, stroke=palette.ink, stroke_width=2)
        canvas.words(trimmed(cut, 12), place, 8, {"color": palette.ink})
    return _with_foot(canvas, bars, _bands_said(numbers, bands))


def _draw_bars(
    canvas: Canvas, bars: Histogram, counts: npt.NDArray[np.int64], fills: Sequence[str]
) -> None:
    scale, most = Scale(bars.low, bars.high), max(int(bars.counts.max(initial=0)), 1)
    for (start, end), count, fill in zip(pairwise(bars.edges), counts, fills, strict=True):
        tall = _HEIGHT * count / most
        canvas.bar(scale.place(start), scale.place(end) - 0.003, _GROUND - tall, tall, fill=fill)


def _with_foot(canvas: Canvas, bars: Histogram, alt: str, *, dates: bool = False) -> Picture:
    scale, say = Scale(bars.low, bars.high), partial(trimmed, decimals=6)
    canvas.level(0, 1, _GROUND, stroke=canvas.palette.line)
    ticks = said_ticks(bars.low, bars.high, say, whole=bars.whole, dates=dates)
    canvas.below([(scale.place(tick), text) for tick, text in ticks], _GROUND + 12)
    return canvas.picture(_GROUND + _FOOT, alt, right=0)


def _said(
    values: np.ndarray, own: np.ndarray, rule: Rule, feature: str, now: Interval, wording: Wording
) -> str:
    inside = np.array([value in now for value in values.tolist()], dtype=bool)
    return (
        f"{wording.name(feature)} of the {counted(len(values), 'record')} that meet the "
        f"other conditions: the black box calls {int(own.sum()):,} of them "
        f"{wording.outcome(rule.outcome)}. The rule holds for {int(inside.sum()):,}, and for "
        f"{int((own & inside).sum()):,} of these it is right."
    )


def _bands_said(numbers: npt.NDArray[np.float64], bands: Bands) -> str:
    sizes = bands.sizes(numbers)
    total = max(sum(sizes), 1)
    said = ", ".join(
        f"{name}: {size:,} ({percent(size / total)})"
        for name, size in zip(bands.names, sizes, strict=True)
    )
    return f"Of {counted(sum(sizes), 'record')}, {said}."
