"""A plane that answers: click points into it, or drag the sides of a rectangle."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import streamlit as st

from glocalx.lessons.presets import Point
from glocalx.lessons.scene import PlaneSide
from glocalx.plots import OutcomeColours
from glocalx.plots.scale import Scale

Ends: TypeAlias = Sequence[float | None]
"""Of a rectangle: across from and to, up from and to; None: open."""
PLACES = 40  # that can be met along each side
_CSS = """
.plane-board svg {width: 100%; max-height: 26rem; font: 12px sans-serif}
.plane-board text {fill: currentColor; opacity: .75}
.plane-board .ground {fill: transparent; stroke: currentColor; stroke-opacity: .3}
.plane-board .rule {fill: none; stroke-width: 3}
.plane-board .handle {
  fill: var(--st-background-color, white); stroke: currentColor; cursor: grab; touch-action: none;
}
"""
_plane_board = st.components.v2.component(
    "plane_board",
    html='<div class="plane-board" role="figure"></div>',
    css=_CSS,
    js=Path(__file__).with_name("plane_board.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def clicked_place(
    key: str,
    sides: Sequence[PlaneSide],
    points: Iterable[Point],
    colours: OutcomeColours,
    alt: str,
) -> tuple[float, float] | None:
    """Draw the points; where somebody has just clicked, None where nobody has."""
    asked = _data(sides, points, colours, alt)
    found = _plane_board(key=key, data={**asked, "ends": None}, on_place_change=_noted).place
    across, up = _numbers(found, 2) or (None, None)
    return None if across is None or up is None else (across, up)


def dragged_ends(
    key: str,
    sides: Sequence[PlaneSide],
    points: Iterable[Point],
    colours: OutcomeColours,
    rule: tuple[Ends, str],
    names: Sequence[str],
) -> tuple[float | None, ...] | None:
    """Draw a rule, its ends and its outcome, over the points; its new ends once they were moved.

    `names` are those of the four ends, for who hears them.
    """
    ends, outcome = rule
    asked = _data(sides, points, colours, "A rule over the points. Drag a side of it.")
    more = {"ends": list(ends), "names": list(names), "colour": colours.colour(outcome)}
    found = _plane_board(key=key, data={**asked, **more}, on_ends_change=_noted).ends
    return _numbers(found, 4)


def _data(
    sides: Sequence[PlaneSide], points: Iterable[Point], colours: OutcomeColours, alt: str
) -> dict[str, Any]:
    places = [
        (point.x, point.y, colours.colour(point.outcome), colours.place(point.outcome) == 0)
        for point in points
    ]
    return {
        "alt": alt,
        "edges": [(side.low, side.high) for side in sides],
        "steps": [_step(side) for side in sides],
        "ticks": [Scale(side.low, side.high).ticks(6) for side in sides],
        "points": places,
    }


def _numbers(found: object, count: int) -> tuple[float | None, ...] | None:
    """So many numbers or open ends; None for anything else that a browser may have sent."""
    if not isinstance(found, list) or len(found) != count:
        return None
    numbers = [each for each in found if isinstance(each, (int, float)) and math.isfinite(each)]
    if len(numbers) + found.count(None) < count:
        return None
    return tuple(None if each is None else float(each) for each in found)


def _step(side: PlaneSide) -> float:
    """How far apart the places are that can be met: whole numbers where there are many."""
    step = (side.high - side.low) / PLACES
    return step if step < 1 else round(step)


def _noted() -> None:
    """What happened is read where the plane is drawn."""
