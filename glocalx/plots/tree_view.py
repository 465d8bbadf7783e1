"""The parts of a tree of merges: lines, points, folded branches, legend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

import plotly.graph_objects as go

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.lineage import distances, outcomes_within
from glocalx.merging.told import ToldSteps
from glocalx.plots.canvas import TEXT, room_beside
from glocalx.plots.colours import OutcomeColours, blend
from glocalx.plots.layout import axis_title, bare_axis, base_figure, dots, tickfont, value_axis
from glocalx.plots.tree_layout import FoldedBranch, Joint, TreeLayout
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import signed
from glocalx.words.phrases import counted

By: TypeAlias = Literal["step", "distance"]

FOOT = 42  # pixels for the steps; plotly would draw everything twice to find that out
MOST_POINTS = 2_000
FEW_STEPS = 7  # plotly would write halves between them
COUNTS = "Local rules folded into a branch"
ALL_SHOWN = {"marker": {"opacity": 1}}  # a click on one point leaves the others as they are
KINDS = {"join": "joined", "cut": "with a cut"}

HOVER = (
    "<b>Step %{customdata[11]}</b>, %{customdata[2]}<br>%{customdata[10]}<br>"
    "%{customdata[3]} + %{customdata[4]} rules → %{customdata[5]}<br>"
    "similarity %{customdata[6]}<br>"
    "BIC %{customdata[8]} merged, %{customdata[7]} side by side (%{customdata[9]})"
    "<extra></extra>"
)


Way: TypeAlias = list[tuple[float, float]]


def _path(ways: Iterable[Way], colour: str, width: float, layer: str) -> dict[str, Any]:
    """All lines as one path; a trace would have an element of the page for each of them."""
    path = " ".join("M" + " L".join(f"{x:.6g},{y:.6g}" for x, y in way) for way in ways)
    line = {"color": colour, "width": width}
    return {"type": "path", "path": path, "line": line, "layer": layer}


class TreeView:
    """A layout with its horizontal places and colours.

    With a `window`, as many steps have room from the start, so that a growing tree stays still.
    Of `drops` those steps are kept that are in the layout. `text` is the size of the letters.
    """

    def __init__(
        self,
        hierarchy: Hierarchy,
        told: ToldSteps,
        layout: TreeLayout,
        colours: OutcomeColours,
        by: By,
        pitch: float,
        *,
        window: int = 0,
        drops: Iterable[int] = (),
        text: int = TEXT,
    ) -> None:
        self.hierarchy, self.layout, self.colours, self.by = hierarchy, layout, colours, by
        self.told, self.text = told, text
        first, last = told.count(layout.first), told.count(layout.last)
        self.drops = [number for number in drops if first < number <= last]
        self.palette = colours.palette
        self.pitch = pitch
        self._within = outcomes_within(hierarchy, layout.last)
        self._place = list(self._steps()) if by == "step" else distances(hierarchy)
        low, high = self._place[layout.first], self._place[layout.last]
        if by == "step":
            most = len(told) if hierarchy.finished else len(hierarchy.local_rules) - 1
            high = max(high, min(low + window, most))
        self.span = max(high - low, 1e-9)
        self.start, self.end = low, high + 0.025 * self.span

    def _steps(self) -> Iterator[float]:
        """Where each merge of the record stands among the steps; those that are none, between."""
        count = 0
        yield 0
        for step in self.hierarchy.steps[: self.layout.last]:
            count += step.changes_rules
            yield count if step.changes_rules else count + 0.5

    def x(self, place: int) -> float:
        """Where a merge of the record stands; branches, 0, stand at the left."""
        return self._place[place] if place > self.layout.first else self.start

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
        numbers = [f"{branch.folded:,}" for branch in counts]
        room = room_beside(numbers, self.text) + (24 if counts else 0)
        return base_figure(
            self.palette,
            height,
            margin={"l": room, "r": 8, "t": 8, "b": FOOT},
            shapes=list(shapes),
            clickmode="event+select",
            xaxis=value_axis(
                self.palette,
                title=axis_title(self.palette, title, self.text),
                range=[self.start - 0.02 * self.span, self.end],
                tickformat=",d" if self.by == "step" else "",
                nticks=7,
                dtick=1 if self.by == "step" and self.span <= FEW_STEPS else None,
                tickfont=tickfont(self.palette, self.text),
                automargin=False,
            ),
            yaxis=bare_axis(
                self.palette,
                range=[self.layout.slots, -1],
                automargin=False,
                title={
                    **axis_title(self.palette, COUNTS if counts else "", self.text),
                    "standoff": 4,
                },
                tickfont=tickfont(self.palette, self.text),
                tickvals=[branch.slot for branch in counts],
                ticktext=numbers,
                ticklabelstandoff=8,
            ),
        )

    def signs(self) -> Iterator[tuple[str, str, str]]:
        """Colours and shapes in words, for the legend."""
        present = {outcome for within in self._within for outcome in within}
        for outcome in self.colours.outcomes:
            if outcome in present:
                name = f"only {shortened(self.colours.name(outcome), 24)}"
                yield self.colours.sign(outcome), name, self.colours.colour(outcome)
        if any(len(within) > 1 for within in self._within):
            yield "●", "several outcomes", self.palette.mixed
        kinds = {shape_of(joint.step) for joint in self.layout.joints}
        for (kind, words), sign in zip(KINDS.items(), "●◆", strict=True):
            if kind in kinds:
                yield sign, words, self.palette.ink
        if self.drops:
            yield "▼", "fidelity falls", self.palette.alarm_ink

    def _elbow(self, joint: Joint, side: int) -> Way:
        x, slot = self.x(joint.step.number), joint.slots[side]
        return [(self.x(joint.lefts[side]), slot), (x, slot), (x, joint.slot)]

    def _both(self, joint: Joint) -> Way:
        return [*self._elbow(joint, 0), *reversed(self._elbow(joint, 1)[:2])]

    def _onwards(self, joint: Joint) -> Way:
        return [(self.x(joint.step.number), joint.slot), (self.end, joint.slot)]

    def _idle(self) -> Iterator[tuple[int, Way]]:
        for branch in self.layout.branches:
            if branch.idle:
                yield branch.theory, [(self.start, branch.slot), (self.end, branch.slot)]

    def branch_lines(self) -> dict[str, Any]:
        ways: list[Way] = []
        for joint in self.layout.joints:
            ways += [self._both(joint), *([self._onwards(joint)] if joint.is_root else [])]
        return _path([*ways, *dict(self._idle()).values()], self.palette.branch, 1.3, "between")

    @property
    def _newest(self) -> Joint:
        return next(each for each in reversed(self.layout.joints) if each.step.changes_rules)

    def newest_lines(self) -> dict[str, Any]:
        joint = self._newest
        return _path([self._both(joint), self._onwards(joint)], self.palette.ink, 2.6, "between")

    def coloured_lines(self) -> Iterator[dict[str, Any]]:
        """Each branch in the colour of its theory, the many outcomes below the single ones."""
        ways: dict[str, list[Way]] = {self.palette.mixed: []}
        for theory, way in (*self._merged_ways(), *self._idle()):
            ways.setdefault(self.colour(theory), []).append(way)
        width = max(0.5, min(1.3, self.pitch / 2))
        strength = 1 if self.pitch > 4 else 0.6  # so many lines would outshine the points
        for colour, found in ways.items():
            if found:
                yield _path(found, blend(self.palette.ground, colour, strength), width, "below")

    def _merged_ways(self) -> Iterator[tuple[int, Way]]:
        for joint in self.layout.joints:
            yield joint.step.left, self._elbow(joint, 0)
            yield joint.step.right, self._elbow(joint, 1)
            if joint.is_root:
                yield joint.step.theory, self._onwards(joint)

    def folded_dots(self) -> go.Scatter:
        """What was merged before the window, the largest behind the others."""
        branches = sorted(self.layout.branches, key=lambda branch: -branch.folded)
        leaves = len(self.hierarchy.local_rules)
        return dots(
            [(self.start, branch.slot) for branch in branches],
            [self.colour(branch.theory) for branch in branches],
            [min(5 + 2.2 * math.log2(branch.folded), 16) for branch in branches],
            edge=(0,),
            marker={"symbol": [self._symbol(branch.theory) for branch in branches]},
            customdata=[
                [
                    self.told.step_of(max(branch.theory - leaves + 1, 0)),
                    branch.theory,
                    counted(branch.folded, "local rule"),
                    self._outcomes(branch.theory),
                    self._origin(branch.theory),
                ]
                for branch in branches
            ],
            hovertemplate="<b>%{customdata[2]}</b>, %{customdata[4]}<br>%{customdata[3]}"
            "<extra></extra>",
            cliponaxis=False,
            unselected=ALL_SHOWN,
        )

    def _origin(self, theory: int) -> str:
        """Where a theory from before the window comes from."""
        place = theory - len(self.hierarchy.local_rules)
        if place < 0:
            return "not merged before"
        changed = self.hierarchy.steps[place].changes_rules
        return f"merged by step {self.told.count(place + 1):,}" if changed else "kept side by side"

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
        steps = [joint for joint in self.layout.joints if joint.step.changes_rules]
        for kind in KINDS:
            newest = steps[-MOST_POINTS:]
            joints = [joint for joint in newest if shape_of(joint.step) == kind]
            if joints:
                edges = [self.colour(joint.step.theory) for joint in joints]
                yield self._points(joints, kind, size, (1.6 if size > 6 else 1, edges))

    def drop_marks(self) -> Iterator[go.Scatter]:
        """Above the steps after which all rules together lose answers."""
        if self.drops:
            yield dots(
                [(self.x(self.told.places[number - 1]), -0.9) for number in self.drops],
                self.palette.alarm_ink,
                8,
                marker={"symbol": "triangle-down"},
                hoverinfo="skip",
                cliponaxis=False,
                unselected=ALL_SHOWN,
            )

    def newest_point(self) -> go.Scatter:
        joint = self._newest
        kind = shape_of(joint.step)
        return self._points([joint], kind, 14 if kind == "cut" else 13, (2.6, self.palette.ink))

    def _points(
        self, joints: Sequence[Joint], kind: str, size: float, edge: tuple[float, Any]
    ) -> go.Scatter:
        return dots(
            [(self.x(joint.step.number), joint.slot) for joint in joints],
            edge[1],
            size + (1 if kind == "cut" else 0),
            edge=edge,
            marker={"symbol": "diamond" if kind == "cut" else "circle"},
            customdata=[self._about(joint.step) for joint in joints],
            hovertemplate=HOVER,
            cliponaxis=False,
            unselected=ALL_SHOWN,
        )

    def _about(self, step: MergeStep) -> list[Any]:
        """The fields of :data:`HOVER`; the first two, step and theory, tell what was clicked."""
        trial, number = step.trial, self.told.count(step.number)
        return [
            number,
            step.theory,
            step.kind,
            len(self.hierarchy.rules_of(step.left)),
            len(self.hierarchy.rules_of(step.right)),
            len(step.rules),
            f"{trial.similarity:.3f}",
            f"{trial.bic_union:,.1f}",
            f"{trial.bic_merged:,.1f}",
            signed(trial.bic_merged - trial.bic_union, 2),
            self._outcomes(step.theory),
            f"{number:,}",
        ]


def shape_of(step: MergeStep) -> str:
    """The kind of a merge as far as its sign tells it: a key of :data:`KINDS`."""
    return "cut" if "cut" in step.kind else step.kind
