"""Where a rule draws its line: the records that meet its other conditions, along one feature."""

from __future__ import annotations

import numpy as np

from glocalx.plots.canvas import Canvas, Picture
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.scale import Scale, date_ticks
from glocalx.rules.coverage import mask_of
from glocalx.rules.rule import Interval, Rule
from glocalx.rules.scoring import Reference
from glocalx.rules.spread import histogram
from glocalx.rules.steering import without_features
from glocalx.words.figures import trimmed
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

_HEAD, _HEIGHT, _FOOT = 6.0, 110.0, 22.0
_BARS = 26


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
    rule
        As it would be.
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
    right = histogram_like(bars.edges, values[own])
    canvas, palette = Canvas(palette=colours.palette), colours.palette
    scale, most = Scale(bars.low, bars.high), max(int(bars.counts.max(initial=0)), 1)
    ground = _HEAD + _HEIGHT
    if not now.is_only_missing:
        low, high = (scale.place(bars.place(end)) for end in (now.low, now.high))
        canvas.bar(low, high, _HEAD, _HEIGHT, fill=palette.wash)
    for start, end, count, mine in zip(
        bars.edges, bars.edges[1:], bars.counts, right, strict=False
    ):
        left, tall = scale.place(start), _HEIGHT * count / most
        wide = scale.place(end) - 0.003
        canvas.bar(left, wide, ground - tall, tall, fill=palette.branch)
        part = _HEIGHT * mine / most
        canvas.bar(left, wide, ground - part, part, fill=colours.colour(rule.outcome))
    canvas.level(0, 1, ground, stroke=palette.line)
    for each, look in ((was, {"stroke_dasharray": "3 3"}), (now, {"stroke_width": 2})):
        for end in () if each is None or each.is_only_missing else (each.low, each.high):
            if np.isfinite(end):
                place = scale.place(bars.place(end))
                stroke = palette.ink if each is was else palette.accent
                canvas.upright(place, _HEAD, ground, stroke=stroke, **look)
    if column.kind == "date":
        days, texts = date_ticks(bars.low, bars.high)
        canvas.below([(scale.place(d), t) for d, t in zip(days, texts, strict=True)], ground + 12)
    else:
        ticks = scale.ticks(6, whole=column.is_whole)
        canvas.below([(scale.place(tick), trimmed(tick, 6)) for tick in ticks], ground + 12)
    return canvas.picture(ground + _FOOT, _said(values, own, rule, feature, now, wording), right=0)


def histogram_like(edges: np.ndarray, values: np.ndarray) -> np.ndarray:
    """How many of these fall between each two edges; what lies beyond is in the last ones."""
    known = values[~np.isnan(values)]
    clipped = np.clip(known, edges[0], np.nextafter(edges[-1], -np.inf))
    return np.histogram(clipped, edges)[0]


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
