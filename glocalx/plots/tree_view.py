"""The parts of a tree of merges: lines, points, folded branches, legend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import plotly.graph_objects as go

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.lineage import distances, outcomes_within
from glocalx.plots.canvas import legend, room_beside
from glocalx.plots.colours import OutcomeColours, blend
from glocalx.plots.layout import (
    axis_title,
    bare_axis,
    base_figure,
    value_axis,
)
from glocalx.plots.tree_layout import FoldedBranch, Joint, TreeLayout
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import signed
from glocalx.words.phrases import counted

By: TypeAlias = Literal["step", "distance"]

FOOT = 42  # pixels for the steps; plotly would draw everything twice to find that out
MOST_POINTS = 2_000
COUNTS = "Local rules folded into a branch"
ALL_SHOWN = {"marker": {"opacity": 1}}  # a click on one point leaves the others as they are
KINDS = {"join": "joined", "cut": "with a cut", "side by side": "kept side by side"}

HOVER = (
    "<b>Step %{customdata[11]}</b>, %{customdata[2]}<br>%{customdata[10]}<br>"
    "%{customdata[3]} + %{customdata[4]} rules → %{customdata[5]}<br>"
    "similarity %{customdata[6]}<br>"
    "BIC %{customdata[8]} merged, %{customdata[7]} side by side (%{customdata[9]})"
    "<extra></extra>"
)


@dataclass(frozen=True, slots=True)
class _Lines:
    """One trace of many lines, with breaks between them."""

    xs: list[float | None]
    ys: list[float | None]

    def add(self, points: Iterable[tuple[float, float]]) -> None:
        for x, y in points:
            self.xs.append(x)
            self.ys.append(y)
        self.xs.append(None)
        self.ys.append(None)

    def shape(self, colour: str, width: float, layer: str) -> dict[str, Any]:
        """All lines as one path; a trace would have an element of the page for each of them."""
        starts = [True, *(x is None for x in self.xs)]
        path = " ".join(
            f"{'M' if start else 'L'}{x:.6g},{y:.6g}"
            for start, x, y in zip(starts, self.xs, self.ys, strict=False)
            if x is not None
        )
        line = {"color": colour, "width": width}
        return {"type": "path", "path": path, "line": line, "layer": layer}


class TreeView:
    """A layout with its horizontal places and colours.

    With a `window`, as many steps have room from the start, so that a growing tree stays still.
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        layout: TreeLayout,
        colours: OutcomeColours,
        by: By,
        pitch: float,
        window: int = 0,
    ) -> None:
        self.hierarchy, self.layout, self.colours, self.by = hierarchy, layout, colours, by
        self.palette = colours.palette
        self.pitch = pitch
        self._within = outcomes_within(hierarchy, layout.last)
        self._place: Sequence[float] = (
            range(layout.last + 1) if by == "step" else distances(hierarchy)
        )
        low, high = self._place[layout.first], self._place[layout.last]
        if by == "step":
            high = max(high, min(layout.first + window, len(hierarchy.local_rules) - 1))
        self.span = max(high - low, 1e-9)
        self.start, self.end = low, high + 0.025 * self.span

    def x(self, step: int) -> float:
        """Where a merge stands; branches, step 0, stand at the left."""
        return self._place[step] if step > self.layout.first else self.start

    def colour(self, theory: int) -> str:
        within = self._within[theory]
        return self.colours.colour(next(iter(within))) if len(within) == 1 else self.palette.mixed

    def figure(
        self, height: int, shapes: Sequence[dict[str, Any]], counts: Sequence[FoldedBranch] = ()
    ) -> go.Figure:
        """The axes and the lines; the numbers of folded local rules stand on the left.

        All at once, because plotly is slow to change a figure.
        """
        title = "Step" if self.by == "step" else "Distance: 1 − similarity, greatest so far"
        return base_figure(
            self.palette,
            height,
            margin={"l": self._room(counts), "r": 8, "t": 8, "b": FOOT},
            shapes=list(shapes),
            clickmode="event+select",
            xaxis=value_axis(
                self.palette,
                title=axis_title(self.palette, title),
                range=[self.start - 0.02 * self.span, self.end],
                tickformat=",d" if self.by == "step" else "",
                nticks=7,
                automargin=False,
            ),
            yaxis=bare_axis(
                self.palette,
                range=[self.layout.slots, -1],
                automargin=False,
                title={**axis_title(self.palette, COUNTS if counts else ""), "standoff": 4},
                tickvals=[branch.slot for branch in counts],
                ticktext=[f"{branch.folded:,}" for branch in counts],
                ticklabelstandoff=8,
            ),
        )

    def _room(self, counts: Sequence[FoldedBranch]) -> float:
        return room_beside(f"{branch.folded:,}" for branch in counts) + (24 if counts else 0)

    def legend(self) -> str:
        """Colours and shapes in words."""
        return legend(self._signs(), self.palette)

    def _signs(self) -> Iterator[tuple[str, str, str]]:
        present = {outcome for within in self._within for outcome in within}
        for outcome in self.colours.outcomes:
            if outcome in present:
                name = f"only {shortened(self.colours.name(outcome), 24)}"
                yield self.colours.sign(outcome), name, self.colours.colour(outcome)
        if any(len(within) > 1 for within in self._within):
            yield "●", "several outcomes", self.palette.mixed
        kinds = dict.fromkeys(shape_of(joint.step) for joint in self.layout.joints)
        for kind in (kind for kind in KINDS if kind in kinds):
            yield (
                {"join": "●", "cut": "◆", "side by side": "○"}[kind],
                KINDS[kind],
                self.palette.ink,
            )

    def _elbow(self, joint: Joint, side: int) -> list[tuple[float, float]]:
        x, slot = self.x(joint.step.number), joint.slots[side]
        return [(self.x(joint.lefts[side]), slot), (x, slot), (x, joint.slot)]

    def branch_lines(self) -> dict[str, Any]:
        lines = _Lines([], [])
        for joint in self.layout.joints:
            top, bottom = self._elbow(joint, 0), self._elbow(joint, 1)
            lines.add([*top, *reversed(bottom[:2])])
            if joint.is_root:
                lines.add([(self.x(joint.step.number), joint.slot), (self.end, joint.slot)])
        for branch in self.layout.branches:
            if branch.idle:
                lines.add([(self.start, branch.slot), (self.end, branch.slot)])
        return lines.shape(self.palette.branch, 1.3, "between")

    def newest_lines(self) -> dict[str, Any]:
        joint, lines = self.layout.joints[-1], _Lines([], [])
        lines.add([*self._elbow(joint, 0), *reversed(self._elbow(joint, 1)[:2])])
        lines.add([(self.x(joint.step.number), joint.slot), (self.end, joint.slot)])
        return lines.shape(self.palette.ink, 2.6, "between")

    def coloured_lines(self) -> Iterator[dict[str, Any]]:
        """Each branch in the colour of its theory, the many outcomes below the single ones."""
        lines: dict[str, _Lines] = {self.palette.mixed: _Lines([], [])}
        for joint in self.layout.joints:
            for side, theory in enumerate((joint.step.left, joint.step.right)):
                lines.setdefault(self.colour(theory), _Lines([], [])).add(self._elbow(joint, side))
            if joint.is_root:
                end = [(self.x(joint.step.number), joint.slot), (self.end, joint.slot)]
                lines.setdefault(self.colour(joint.step.theory), _Lines([], [])).add(end)
        for branch in self.layout.branches:
            if branch.idle:
                ends = [(self.start, branch.slot), (self.end, branch.slot)]
                lines.setdefault(self.colour(branch.theory), _Lines([], [])).add(ends)
        width = max(0.5, min(1.3, self.pitch / 2))
        strength = 1 if self.pitch > 4 else 0.6  # so many lines would outshine the points
        for colour, found in lines.items():
            if found.xs:
                yield found.shape(blend(self.palette.ground, colour, strength), width, "below")

    def folded_dots(self) -> Iterator[go.Scatter]:
        """What was merged before the window, the largest behind the others."""
        branches = sorted(self.layout.branches, key=lambda branch: -branch.folded)
        leaves = len(self.hierarchy.local_rules)
        yield go.Scatter(
            x=[self.start] * len(branches),
            y=[branch.slot for branch in branches],
            mode="markers",
            marker={
                "size": [self._size(branch) for branch in branches],
                "color": [self.colour(branch.theory) for branch in branches],
                "symbol": [self._symbol(branch.theory) for branch in branches],
                "opacity": 1,
                "line": {"width": 0},
            },
            customdata=[
                [
                    max(branch.theory - leaves + 1, 0),
                    branch.theory,
                    counted(branch.folded, "local rule"),
                    self._outcomes(branch.theory),
                    origin(branch.theory, leaves),
                ]
                for branch in branches
            ],
            hovertemplate="<b>%{customdata[2]}</b>, %{customdata[4]}<br>%{customdata[3]}"
            "<extra></extra>",
            cliponaxis=False,
            unselected=ALL_SHOWN,
        )

    def _size(self, branch: FoldedBranch) -> float:
        return min(5 + 2.2 * math.log2(branch.folded), 16)

    def _symbol(self, theory: int) -> str:
        within = self._within[theory]
        return self.colours.symbol(next(iter(within))) if len(within) == 1 else "circle"

    def _outcomes(self, theory: int) -> str:
        names = sorted(self.colours.name(outcome) for outcome in self._within[theory])
        return as_plotly(" and ".join(names), 80)

    def counted_branches(self) -> list[FoldedBranch]:
        """Those whose number of folded local rules is written, the largest first, where it fits."""
        chosen: list[FoldedBranch] = []
        for branch in sorted(self.layout.branches, key=lambda branch: -branch.folded):
            apart = all(abs(branch.slot - other.slot) * self.pitch >= 13 for other in chosen)
            if branch.folded > 1 and apart:
                chosen.append(branch)
        return chosen

    def merge_points(self, size: float) -> Iterator[go.Scatter]:
        """A trace for each kind of merge, so that shapes come without long lists."""
        for kind in KINDS:
            joints = [
                joint for joint in self.layout.joints[-MOST_POINTS:] if shape_of(joint.step) == kind
            ]
            if joints:
                yield self._points(joints, kind, size)

    def _points(self, joints: Sequence[Joint], kind: str, size: float) -> go.Scatter:
        edges = [self.colour(joint.step.theory) for joint in joints]
        return go.Scatter(
            x=[self.x(joint.step.number) for joint in joints],
            y=[joint.slot for joint in joints],
            mode="markers",
            marker={
                "size": size + (1 if kind == "cut" else 0),
                "symbol": "diamond" if kind == "cut" else "circle",
                "color": self.palette.ground if kind == "side by side" else edges,
                "opacity": 1,
                "line": {"width": 1.6 if size > 6 else 1, "color": edges},
            },
            customdata=[self._about(joint.step) for joint in joints],
            hovertemplate=HOVER,
            cliponaxis=False,
            unselected=ALL_SHOWN,
        )

    def _about(self, step: MergeStep) -> list[Any]:
        return about_merge(step, self.hierarchy, self._outcomes(step.theory))

    def newest_point(self) -> go.Scatter:
        joint = self.layout.joints[-1]
        step, kind = joint.step, shape_of(joint.step)
        return go.Scatter(
            x=[self.x(step.number)],
            y=[joint.slot],
            mode="markers",
            marker={
                "size": 15 if kind == "cut" else 13,
                "symbol": "diamond" if kind == "cut" else "circle",
                "color": self.palette.ground if kind == "side by side" else self.palette.ink,
                "opacity": 1,
                "line": {"width": 2.6, "color": self.palette.ink},
            },
            customdata=[self._about(step)],
            hovertemplate=HOVER,
            cliponaxis=False,
            unselected=ALL_SHOWN,
        )


def about_merge(step: MergeStep, hierarchy: Hierarchy, outcomes: str) -> list[Any]:
    """The fields of :data:`HOVER`; the first two, step and theory, tell what was clicked."""
    trial = step.trial
    return [
        step.number,
        step.theory,
        step.kind,
        len(hierarchy.rules_of(step.left)),
        len(hierarchy.rules_of(step.right)),
        len(step.rules),
        f"{trial.similarity:.3f}",
        f"{trial.bic_union:,.1f}",
        f"{trial.bic_merged:,.1f}",
        signed(trial.bic_merged - trial.bic_union, 2),
        outcomes,
        f"{step.number:,}",
    ]


def shape_of(step: MergeStep) -> str:
    """The kind of a merge as far as its sign tells it: a key of :data:`KINDS`."""
    return "cut" if "cut" in step.kind else step.kind


def origin(theory: int, leaves: int) -> str:
    """Where a theory from before the window comes from."""
    return f"merged by step {theory - leaves + 1:,}" if theory >= leaves else "not merged before"
