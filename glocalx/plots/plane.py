"""Rules as rectangles over points and the regions of a black box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import plotly.graph_objects as go

from glocalx.lessons.scene import PlaneSide, Rectangle, Scene
from glocalx.merging.calculation import Calculation
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.layout import (
    Drawing,
    Place,
    axis_title,
    base_figure,
    dots,
    filled,
    value_axis,
)
from glocalx.rules.coverage import Bits, mask_of
from glocalx.rules.rule import Rule
from glocalx.words.escape import as_plotly
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

View: TypeAlias = Literal["before", "change", "after"]
HEIGHT = 520
REGION, RING = 0.12, 13
THIN, THICK = 1.2, 3.2
LETTERS = ("A", "B")
NEAR = 0.06  # of a side: letters of corners so near would lie on each other


@dataclass(frozen=True, slots=True)
class PlaneView:
    """What of a scene is drawn.

    Parameters
    ----------
    scene, colours, wording
        The points and the black box; how outcomes look and rules are said.
    calculation
        The pair that meets; None: all rules as they are.
    others
        Rules that are drawn thinly.
    view
        The two rules before, what the merge does to them, or what is left.
    regions, batch_only
        Whether the ground shows what the black box answers; whether only the batch is drawn.
    """

    scene: Scene
    colours: OutcomeColours
    wording: Wording
    calculation: Calculation | None = None
    others: Sequence[Rule] = field(default=())
    view: View = "before"
    regions: bool = True
    batch_only: bool = False

    @property
    def shown(self) -> Bits:
        """The records that are drawn."""
        if self.batch_only and self.calculation is not None:
            return self.calculation.batch
        return self.scene.reference.records.everything


def plane(view: PlaneView, *, height: int = HEIGHT) -> Drawing:
    """The plane with its rectangles, which are shapes whose names are the rules."""
    scene, palette = view.scene, view.colours.palette
    figure = base_figure(
        palette,
        height,
        xaxis=_axis(view, scene.across),
        yaxis=_axis(view, scene.up),
        margin={"l": 4, "r": 12, "t": 12, "b": 4},
    )
    if view.regions:
        figure.add_trace(_ground(view))
    figure.add_traces([*_shades(view), *_points(view)])
    figure.update_layout(shapes=list(_shapes(view)), annotations=list(_letters(view)))
    return Drawing(figure, _said(view))


def _axis(view: PlaneView, axis: PlaneSide) -> dict[str, Any]:
    palette = view.colours.palette
    title = axis_title(palette, as_plotly(view.wording.name(axis.feature)))
    return value_axis(palette, range=[axis.low, axis.high], title=title, layer="below traces")


def _ground(view: PlaneView) -> go.Heatmap:
    scene, outcomes = view.scene, view.scene.schema.outcomes
    pale = [view.colours.pale(outcome, REGION) for outcome in outcomes]
    last = max(len(outcomes) - 1, 1)
    return go.Heatmap(
        x=scene.across.centres,
        y=scene.up.centres,
        z=scene.regions(),
        zmin=0,
        zmax=last,
        colorscale=[[place / last, colour] for place, colour in enumerate(pale)],
        showscale=False,
        hoverinfo="skip",
    )


def _points(view: PlaneView) -> Iterable[go.Scatter]:
    scene, shown = view.scene, mask_of(view.shown, view.scene.reference.size)
    if view.calculation is not None and view.view != "after":
        meeting = mask_of(view.calculation.both, scene.reference.size) & shown
        edge = (1.8, view.colours.palette.ink)
        yield dots(
            _at(scene, meeting), "rgba(0,0,0,0)", RING, edge=edge, hoverinfo="skip", name="both"
        )
    for outcome in scene.schema.outcomes:
        chosen = (scene.reference.labels == outcome) & shown
        name = as_plotly(view.wording.outcome(outcome))
        yield dots(
            _at(scene, chosen),
            view.colours.colour(outcome),
            7,
            marker={"symbol": view.colours.symbol(outcome)},
            name=name,
            hovertemplate=f"%{{x}}, %{{y}}: {name}<extra></extra>",
        )


def _at(scene: Scene, chosen: np.ndarray[Any, np.dtype[np.bool_]]) -> list[Place]:
    return [(x, y) for x, y in scene.places[chosen].tolist()]


def _shapes(view: PlaneView) -> Iterable[dict[str, Any]]:
    """The other rules thin, the pair dashed, what is left of it thick."""
    found = view.calculation
    palette = view.colours.palette
    for rule in view.others:
        alone = view.colours.colour(rule.outcome)  # nothing else is told by colour then
        look = (2.0, alone) if found is None else (THIN, palette.mixed)
        yield from _outline(view, rule, "other", *look, "solid")
    if found is None:
        return
    if view.view != "after":
        for letter, rules in zip(LETTERS, (found.left, found.right), strict=True):
            for rule in sorted(rules, key=lambda each: each.sort_key):
                yield from _outline(view, rule, letter, 2.2, palette.ink, "dash")
    if view.view != "before":
        for rule in sorted(found.resolution.rules, key=lambda each: each.sort_key):
            colour = view.colours.colour(rule.outcome)
            yield from _outline(view, rule, "after", THICK, colour, "solid")


def _outline(
    view: PlaneView, rule: Rule, role: str, width: float, colour: str, dash: str
) -> Iterable[dict[str, Any]]:
    ground = view.scene.rectangle(rule)
    if ground.is_empty:
        return
    yield {
        "type": "rect",
        "x0": ground.left,
        "x1": ground.right,
        "y0": ground.bottom,
        "y1": ground.top,
        "line": {"width": width, "color": colour, "dash": dash},
        "name": f"{role}: {view.wording.rule(rule)}",
        "layer": "above",
    }


def _shades(view: PlaneView) -> Iterable[go.Scatter]:
    """Shared ground hatched; new ground, and ground that was cut away, dotted."""
    found = view.calculation
    if found is None:
        return
    scene, ink = view.scene, view.colours.palette.ink
    pairs = [(scene.rectangle(a), scene.rectangle(b)) for a in found.left for b in found.right]
    if view.view != "after":
        shared = [part for one, other in pairs if (part := _overlap(one, other)) is not None]
        yield _patterned(shared, ink, "/", "shared ground")
    if view.view == "change":
        for join in found.resolution.joins:
            colour = view.colours.colour(join.result.outcome)
            grown = _minus(scene.rectangle(join.result), map(scene.rectangle, join.parts))
            yield _patterned(grown, colour, ".", "new ground")
        for cut in found.resolution.cuts:
            left = [scene.rectangle(cut.after)] if cut.after else []
            gone = _minus(scene.rectangle(cut.before), left)
            yield _patterned(gone, view.colours.colour(cut.before.outcome), "x", "cut away")


def _overlap(one: Rectangle, other: Rectangle) -> Rectangle | None:
    part = Rectangle(
        one.rule,
        max(one.left, other.left),
        min(one.right, other.right),
        max(one.bottom, other.bottom),
        min(one.top, other.top),
    )
    return None if part.is_empty else part


def _minus(whole: Rectangle, parts: Iterable[Rectangle]) -> list[Rectangle]:
    """What of a rectangle none of the others covers, in rectangles."""
    left = [] if whole.is_empty else [whole]
    for part in parts:
        left = [piece for each in left for piece in _without(each, part)]
    return left


def _without(whole: Rectangle, part: Rectangle) -> list[Rectangle]:
    gone = _overlap(whole, part)
    if gone is None:
        return [whole]
    rule = whole.rule
    pieces = (
        Rectangle(rule, whole.left, whole.right, gone.top, whole.top),
        Rectangle(rule, whole.left, whole.right, whole.bottom, gone.bottom),
        Rectangle(rule, whole.left, gone.left, gone.bottom, gone.top),
        Rectangle(rule, gone.right, whole.right, gone.bottom, gone.top),
    )
    return [piece for piece in pieces if not piece.is_empty]


def _patterned(grounds: Iterable[Rectangle], colour: str, pattern: str, name: str) -> go.Scatter:
    places: list[Place] = []
    for g in grounds:
        corners = ((g.left, g.bottom), (g.left, g.top), (g.right, g.top), (g.right, g.bottom))
        places += [*corners, corners[0], (None, None)]
    look = {"shape": pattern, "fgcolor": colour, "size": 8, "solidity": 0.1}
    return filled(places, "rgba(0,0,0,0)", fillpattern=look, name=name)


def _letters(view: PlaneView) -> Iterable[dict[str, Any]]:
    """A and B in a corner of each of their rectangles; beside each other where corners are near."""
    found = view.calculation
    if found is None or view.view == "after":
        return
    across, up = view.scene.across, view.scene.up
    near = ((across.high - across.low) * NEAR, (up.high - up.low) * NEAR)
    taken: list[tuple[float, float]] = []
    for letter, rules in zip(LETTERS, (found.left, found.right), strict=True):
        for rule in sorted(rules, key=lambda each: each.sort_key):
            ground = view.scene.rectangle(rule)
            if ground.is_empty:
                continue
            beside = sum(
                abs(x - ground.right) < near[0] and abs(y - ground.top) < near[1] for x, y in taken
            )
            taken.append((ground.right, ground.top))
            palette = view.colours.palette
            yield {
                "x": ground.right,
                "y": ground.top,
                "xanchor": "right",
                "yanchor": "top",
                "xshift": -4 - 24 * beside,
                "yshift": -4,
                "text": f"<b>{letter}</b>",
                "showarrow": False,
                "font": {"size": 13, "color": palette.ground},
                "bgcolor": palette.ink,
                "borderpad": 3,
            }


def _said(view: PlaneView) -> str:
    scene, found = view.scene, view.calculation
    points = counted(view.shown.bit_count(), "point")
    start = f"{points} over the answers of {scene.black_box.name}" if view.regions else points
    if found is None:
        rules = "; ".join(map(view.wording.rule, view.others))
        return f"{start}. {counted(len(view.others), 'rule')}: {rules}."
    sides = (("A", found.left), ("B", found.right))
    before = "; ".join(f"{letter}: {_listed(view, rules)}" for letter, rules in sides)
    after = "" if view.view == "before" else f" Merged: {_listed(view, found.resolution.rules)}."
    return f"{start}. {before}.{after}"


def _listed(view: PlaneView, rules: Iterable[Rule]) -> str:
    ordered = sorted(rules, key=lambda rule: rule.sort_key)
    return " and also ".join(map(view.wording.rule, ordered))
