"""How does the model's answer move along a feature, and where do the rules cut?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from glocalx.plots.canvas import Canvas, Picture, empty_picture, room_beside
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.scale import Scale, said_ticks
from glocalx.questions.curve_cuts import curve_told
from glocalx.questions.curves import FeatureCurve, cuts_of, premises_on
from glocalx.rules.classifier import RankedTheory
from glocalx.words.escape import shortened
from glocalx.words.figures import day_text, percent, trimmed
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

_KEY, _HEAD, _PLOT, _RUG, _FOOT = 22.0, 18.0, 190.0, 22.0, 22.0  # pixels
_ROW, _BAR = 28.0, 12.0
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_BARS = 0.62  # of the width, for bars of categories


def dependence(
    curve: FeatureCurve, theory: RankedTheory, colours: OutcomeColours, wording: Wording
) -> Picture:
    """The curve, a few single records, how the records spread, and where rules cut."""
    if not curve.stops:
        return empty_picture(colours.palette, 120, "No record has a value here.")
    if isinstance(next((each.value for each in curve.known), 0.0), str):
        return _along_categories(curve, theory, colours, wording)
    return _along_number(curve, theory, colours, wording)


def _along_number(
    curve: FeatureCurve, theory: RankedTheory, colours: OutcomeColours, wording: Wording
) -> Picture:
    palette, feature = colours.palette, theory.schema[curve.feature]
    cuts = cuts_of(premises_on(theory.rules, curve.feature))
    stops, lacking = curve.known, [stop for stop in curve.stops if stop.value is None]
    values = [float(stop.value or 0.0) for stop in stops]
    half = 0.5 if feature.is_whole else 0.0
    scale = Scale(min(values, default=0.0) - half, max(values, default=1.0) + half)
    wide = 0.9 if lacking else 1.0
    top = _KEY + _HEAD
    ground = top + _PLOT
    canvas = Canvas(palette=palette)
    _key(canvas, curve, colours, wording)

    def across(value: float) -> float:
        return wide * scale.place(value)

    def down(level: float) -> float:
        return top + _PLOT * (1 - level)

    def line(levels: Iterable[float]) -> list[tuple[float, float]]:
        return [(across(x), down(level) - top) for x, level in zip(values, levels, strict=True)]

    for share in _SHARES:
        canvas.level(0, 1, down(share), stroke=palette.grid)
        canvas.beside(percent(share), down(share))
    _rug(canvas, [across(each) for each in values], [s.weight for s in stops], ground + _RUG)
    inside = [cut for cut in cuts if scale.low <= cut - half <= scale.high]
    for cut in inside:
        place = across(cut - half)
        canvas.upright(place, top - 4, ground, stroke=palette.accent, stroke_dasharray="4 3")
    dates = feature.kind == "date"
    say = day_text if dates else partial(trimmed, decimals=6, may_be_year=True)
    _cut_labels(canvas, [(across(cut - half), say(cut)) for cut in inside])
    for single in range(len(stops[0].singles) if stops else 0):
        levels = line(stop.singles[single] for stop in stops)
        canvas.way(levels, top, _PLOT, stroke=palette.branch, stroke_width=1.2)
    for place, outcome in _drawn_outcomes(curve):
        colour = colours.colour(outcome)
        levels = line(stop.levels[place] for stop in stops)
        width = 3 if outcome == curve.focus else 1.6
        canvas.way(levels, top, _PLOT, stroke=colour, stroke_width=width)
        for stop in lacking:
            canvas.dot(0.96, down(stop.levels[place]), 4.5, fill=colour)
    for x, stop, level in zip(values, stops, curve.focused, strict=False):
        told = f"{wording.value(curve.feature, stop.value)}: {percent(float(level), 1)}"
        canvas.hint(told, max(across(x) - 0.01, 0), top, "2%", _PLOT)
    ticks = said_ticks(scale.low, scale.high, say, whole=feature.is_whole, dates=dates)
    canvas.below([(across(tick), text) for tick, text in ticks], ground + _RUG + 12)
    if lacking:
        canvas.words("missing", 0.96, ground + _RUG + 12)
    height = ground + _RUG + _FOOT
    return canvas.picture(height, _alt(curve, theory, wording), left=44, right=12)


def _cut_labels(canvas: Canvas, labels: Sequence[tuple[float, str]]) -> None:
    """Numbers above their lines, as long as they do not touch."""
    look = {"color": canvas.palette.accent, "font-weight": "600"}
    last = -1.0
    for place, text in labels:
        room = 0.011 * (len(text) + 1)  # on a phone a letter is a fiftieth of the width
        if place - room > last:
            canvas.words(text, place, _KEY + _HEAD / 2 - 2, look)
            last = place + room


def _rug(canvas: Canvas, places: Sequence[float], weights: Sequence[float], bottom: float) -> None:
    """How many records there are: a small bar below each value."""
    most = max(weights, default=0.0) or 1.0
    gaps = np.diff(places) if len(places) > 1 else np.array([0.04])
    wide = float(min(max(np.median(gaps) * 0.6, 0.004), 0.03))
    for place, weight in zip(places, weights, strict=True):
        tall = (_RUG - 6) * weight / most
        start = max(place - wide / 2, 0)
        canvas.bar(start, place + wide / 2, bottom - tall, tall, fill=canvas.palette.histogram)


def _drawn_outcomes(curve: FeatureCurve) -> list[tuple[int, str]]:
    """Of two outcomes one says it all; of more, all are drawn, the one in focus last."""
    listed = list(enumerate(curve.outcomes))
    if len(listed) == 2:
        return [each for each in listed if each[1] == curve.focus]
    return sorted(listed, key=lambda each: each[1] == curve.focus)


def _key(canvas: Canvas, curve: FeatureCurve, colours: OutcomeColours, wording: Wording) -> None:
    means = [
        ("━", shortened(wording.outcome(outcome), 22), colours.colour(outcome))
        for _, outcome in reversed(_drawn_outcomes(curve))
    ]
    others = [
        ("─", "single records", canvas.palette.mixed),
        ("┆", "rules cut", canvas.palette.accent),
    ]
    canvas.key([*means[:4], *others], _KEY / 2)


def _along_categories(
    curve: FeatureCurve, theory: RankedTheory, colours: OutcomeColours, wording: Wording
) -> Picture:
    palette = colours.palette
    place = curve.outcomes.index(curve.focus)
    rows = sorted(curve.stops, key=lambda stop: -stop.levels[place])
    titles = [shortened(wording.value(curve.feature, stop.value), 24) for stop in rows]
    naming = [
        (number, premise)
        for number, rule in enumerate(theory.rules, start=1)
        if (premise := rule.premise(curve.feature)) is not None
    ]
    canvas = Canvas(palette=palette)
    look = {"font-weight": "600", "color": palette.ink}
    canvas.words(shortened(wording.outcome(curve.focus), 24), 0, _KEY / 2, look, anchor="start")
    if naming:
        canvas.words("Allowed by rules", _BARS + 0.25, _KEY / 2, look)
    for at, (stop, title) in enumerate(zip(rows, titles, strict=True)):
        y = _KEY + _ROW * (at + 0.5)
        level = stop.levels[place]
        canvas.beside(title, y, {"font-size": "13px", "color": palette.ink})
        canvas.bar(0, _BARS * level, y - _BAR / 2, _BAR, fill=colours.colour(curve.focus))
        for single in stop.singles:
            canvas.upright(_BARS * single, y - 9, y + 9, stroke=palette.mixed, stroke_width=1.2)
        holding = [number for number, premise in naming if stop.value in premise]  # type: ignore[operator]
        canvas.words(percent(level), _BARS + 0.08, y, {"color": palette.ink})
        if naming:
            told = ", ".join(map(str, holding)) or "none"
            canvas.words(shortened(told, 16), _BARS + 0.25, y, {"color": palette.ink})
        canvas.hint(f"{title}: {percent(level, 1)}", 0, y - _ROW / 2, f"{100 * _BARS:.0f}%", _ROW)
    height = _KEY + _ROW * len(rows) + 8
    return canvas.picture(height, _alt(curve, theory, wording), left=room_beside(titles, 13))


def _alt(curve: FeatureCurve, theory: RankedTheory, wording: Wording) -> str:
    said = curve_told(curve, theory.rules, wording)
    return f"{said} {counted(curve.records, 'record')} asked about at each value."
