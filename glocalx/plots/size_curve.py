"""How much must be read? Fidelity against the number of rules, or of conditions in all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import plotly.graph_objects as go

from glocalx.plots.colours import Palette
from glocalx.plots.layout import (
    Drawing,
    axis_title,
    bare_axis,
    base_figure,
    dots,
    empty_drawing,
    filled,
    lines,
    note,
    value_axis,
)
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import percent
from glocalx.words.phrases import counted

SIGNS = ("square-open", "triangle-up-open", "diamond-open", "star-open", "hexagon-open")
LABEL = 0.08  # of the height: a line of text
AT_THE_RIGHT = {"x": 1, "xref": "x domain", "xanchor": "right"}
AXES = {"rule": "Number of rules", "condition": "Conditions to read, all rules together"}
Unit: TypeAlias = Literal["rule", "condition"]
DASHES = ("solid", "dot", "dash", "dashdot", "longdash")


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Fidelity of so many rules (or conditions, as the figure counts), with its interval."""

    rules: int
    fidelity: float
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, slots=True)
class CurveBaseline:
    """Another way to make rules: one point is drawn as a mark, several as a line."""

    name: str
    points: tuple[CurvePoint, ...]


def curve(
    points: Sequence[CurvePoint],
    chosen: int,
    palette: Palette,
    *,
    baselines: Sequence[CurveBaseline] = (),
    majority: float | None = None,
    majority_outcome: str = "",
    all_rules: CurvePoint | None = None,
    height: int = 320,
    unit: Unit = "rule",
) -> Drawing:
    """Fidelity of the best 1, 2, 3 … rules, the chosen number marked.

    Parameters
    ----------
    points
        In order of the number of rules.
    chosen
        The number of rules to mark; the nearest point where there is none for it.
    baselines
        What others reach. Those with more than three times as many rules as the last point
        stand at the right edge, with their number.
    majority, majority_outcome
        What always giving the most common outcome reaches, and which that is.
    all_rules
        All merged rules together. Not a ceiling: the choice is among earlier rules, too.
    unit
        What is counted: rules, or the conditions of all rules together.
    """
    if not points:
        return empty_drawing(palette, height, "No rules to choose from yet.")
    widest = _widest(points, baselines)
    low, high = _fidelity_range(points, baselines, majority, all_rules)
    ends = [min(0.5, points[0].rules - 0.5), widest + 0.6]
    across = list(_lines_across(majority, majority_outcome, all_rules, LABEL * (high - low)))
    point = min(points, key=lambda point: (abs(point.rules - chosen), point.rules))
    below = point.fidelity > high - 2 * LABEL * (high - low)  # above it is the legend
    figure = base_figure(
        palette,
        height,
        showlegend=True,
        margin={"l": 64, "r": 8, "t": 30, "b": 42},
        xaxis=bare_axis(
            palette,
            title=axis_title(palette, AXES[unit]),
            range=ends,
            nticks=9,
            tickformat=",d",
            automargin=False,
        ),
        yaxis=value_axis(
            palette,
            title=axis_title(palette, "Fidelity, held-out records"),
            tickformat=".0%",
            range=[low, high],
            automargin=False,
        ),
        annotations=[
            *(
                note(palette, text, **AT_THE_RIGHT, y=y, yanchor=side)
                for y, _, text, side in across
            ),
            _label(point, points, palette, unit, below=below),
        ],
    )
    band = [_band(points, palette)] if any(not math.isnan(each.low) for each in points) else []
    others = [_baseline(each, place, widest, palette, unit) for place, each in enumerate(baselines)]
    levels = [  # traces, because the band would hide what is drawn below all points
        lines(((x, y) for x in ends), palette.mixed, 1.4, line={"dash": dash}, showlegend=False)
        for y, dash, _, _ in across
    ]
    figure.add_traces([*band, *levels, *others, *_rules(points, point, palette, unit)])
    alt = _alt(point, points, baselines, majority, all_rules, unit)
    return Drawing(figure, alt)


def _widest(points: Sequence[CurvePoint], baselines: Sequence[CurveBaseline]) -> float:
    last = points[-1].rules
    near = [p.rules for b in baselines for p in b.points if p.rules <= 3 * last]
    far = any(p.rules > 3 * last for b in baselines for p in b.points)
    return max(last, *near, last) + (0.06 * last + 1 if far else 0)


def _fidelity_range(
    points: Sequence[CurvePoint],
    baselines: Sequence[CurveBaseline],
    majority: float | None,
    all_rules: CurvePoint | None,
) -> list[float]:
    values = [point.fidelity for point in points]
    values += [point.fidelity for baseline in baselines for point in baseline.points]
    values += [value for point in points for value in (point.low, point.high)]
    values += [majority] if majority is not None else []
    values += [all_rules.fidelity] if all_rules else []
    known = [value for value in values if not math.isnan(value)]
    low, high = min(known), max(known)
    room = max(0.12 * (high - low), 0.01)
    return [max(low - room, -0.01), min(high + 1.6 * room, 1.02)]


def _band(points: Sequence[CurvePoint], palette: Palette) -> go.Scatter:
    known = [point for point in points if not math.isnan(point.low)]
    above = [(point.rules, point.high) for point in known]
    below = [(point.rules, point.low) for point in reversed(known)]
    return filled([*above, *below], palette.wash, name="95 % interval")


def _baseline(
    baseline: CurveBaseline, place: int, widest: float, palette: Palette, unit: Unit
) -> go.Scatter:
    single = len(baseline.points) == 1
    return dots(
        [(min(point.rules, widest), point.fidelity) for point in baseline.points],
        palette.mixed,
        8,
        edge=(1.6, palette.mixed),
        marker={"symbol": SIGNS[place % len(SIGNS)]},
        mode="markers" if single else "lines+markers",
        name=as_plotly(baseline.name, 40)
        + (f" ({counted(baseline.points[0].rules, unit)})" if single else ""),
        line={"color": palette.mixed, "width": 1.6, "dash": DASHES[place % len(DASHES)]},
        customdata=[
            [point.rules, as_plotly(baseline.name, 40), counted(point.rules, unit)]
            for point in baseline.points
        ],
        hovertemplate="%{customdata[1]}<br>%{customdata[2]}: %{y:.1%}<extra></extra>",
        cliponaxis=False,
    )


def _rules(
    points: Sequence[CurvePoint], point: CurvePoint, palette: Palette, unit: Unit
) -> Iterator[go.Scatter]:
    yield dots(
        [(point.rules, point.fidelity) for point in points],
        palette.ink,
        6,
        mode="lines+markers",
        name="these rules",
        legendrank=1,
        line={"color": palette.ink, "width": 2.2},
        customdata=[[point.rules, counted(point.rules, unit)] for point in points],
        hovertemplate="%{customdata[1]}: %{y:.1%}<extra></extra>",
    )
    edge = (2, palette.ground)
    look: dict[str, Any] = {"edge": edge, "showlegend": False, "hoverinfo": "skip"}
    yield dots([(point.rules, point.fidelity)], palette.accent, 14, **look)


def _label(
    point: CurvePoint, points: Sequence[CurvePoint], palette: Palette, unit: Unit, *, below: bool
) -> dict[str, Any]:
    """The chosen point in words, above or below it and to the side where there is room."""
    left = point.rules > (points[0].rules + points[-1].rules) / 2
    return {
        "x": point.rules,
        "y": point.fidelity,
        "text": f"<b>{counted(point.rules, unit)}, {percent(point.fidelity, 1)}</b>",
        "ax": -34 if left else 34,
        "ay": 30 if below else -30,
        "xanchor": "center",
        "arrowhead": 0,
        "arrowwidth": 1,
        "arrowcolor": palette.muted,
        "standoff": 8,
        "bgcolor": palette.ground,
        "font": {"size": 13, "color": palette.ink},
    }


def _lines_across(
    majority: float | None, outcome: str, all_rules: CurvePoint | None, room: float
) -> Iterator[tuple[float, str, str, str]]:
    """Level lines: where, how dashed, their names, and on which side of the names they are.

    Names are above their lines; the lower one of two that are near has it below.
    """
    merged = math.nan if all_rules is None else all_rules.fidelity
    guess = math.nan if majority is None else majority
    near = abs(merged - guess) < room
    if all_rules is not None:
        text = f"all {all_rules.rules:,} merged rules"
        yield merged, "dash", text, "top" if near and merged < guess else "bottom"
    if majority is not None:
        text = f"always {as_plotly(outcome, 30) or 'the most common'}"
        yield guess, "dot", text, "top" if near and guess <= merged else "bottom"


def _alt(
    point: CurvePoint,
    points: Sequence[CurvePoint],
    baselines: Iterable[CurveBaseline],
    majority: float | None,
    all_rules: CurvePoint | None,
    unit: Unit,
) -> str:
    first, last = points[0], points[-1]
    others = []
    if majority is not None:
        others.append(f"always giving the most common outcome reaches {percent(majority, 1)}")
    if all_rules is not None:
        others.append(
            f"all {counted(all_rules.rules, 'merged rule')} reach {percent(all_rules.fidelity, 1)}"
        )
    for baseline in baselines:
        near = min(baseline.points, key=lambda p: abs(p.rules - point.rules))
        others.append(
            f"{shortened(baseline.name)} reaches {percent(near.fidelity, 1)} with "
            f"{counted(near.rules, unit)}"
        )
    opening = (
        counted(point.rules, unit) if unit == "rule" else f"Rules of {point.rules:,} conditions"
    )
    compared = f" For comparison: {'; '.join(others)}." if others else ""
    return (
        f"{opening} agree with the black box on {percent(point.fidelity, 1)} "
        f"of the held-out records; from {percent(first.fidelity, 1)} with "
        f"{counted(first.rules, unit)} to {percent(last.fidelity, 1)} with {last.rules:,}."
        f"{compared}"
    )
