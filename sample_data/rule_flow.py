"""The picture on the first page: local rules, one dot each, flowing into a handful."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from glocalx.plots.colours import OutcomeColours
from glocalx.plots.layout import Drawing, Place, bare_axis, base_figure, dots, lines, note
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records, similarity
from glocalx.rules.rule import Rule
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.phrases import counted

MOST_DOTS = 2_400
ROWS = 56  # dots below each other before another column begins
DOTS, NODE = 0.36, 0.8  # of the width: the dots at most, the final rules
_BEND = np.linspace(0, 1, 25)
_EASE = _BEND**2 * (3 - 2 * _BEND)


@dataclass(frozen=True, slots=True)
class _Group:
    """Local rules that flow into the same place; `node` is None where they flow nowhere."""

    node: int | None
    outcomes: tuple[str, ...]


def flow_targets(
    local_rules: Sequence[Rule], theory: RankedTheory, records: Records
) -> tuple[int | None, ...]:
    """For each local rule the place of the final rule of the same outcome that covers the most
    similar records; None where none of them shares a record with it.
    """
    finals = [(rule.outcome, records.coverage(rule)) for rule in theory.rules]
    targets: list[int | None] = []
    for rule in local_rules:
        covered = records.coverage(rule)
        scored = [
            (similarity(covered, bits), -place)
            for place, (outcome, bits) in enumerate(finals)
            if outcome == rule.outcome
        ]
        best, place = max(scored, default=(0.0, 0))
        targets.append(-place if best > 0 else None)
    return tuple(targets)


def flow(
    local_rules: Sequence[Rule],
    theory: RankedTheory,
    records: Records,
    colours: OutcomeColours,
    *,
    height: int = 340,
) -> Drawing:
    """Local rules on the left, the final rules with their numbers on the right.

    Local rules that resemble no final rule flow to “otherwise” if that gives their outcome, and
    stay pale where they are if it does not.
    """
    targets = flow_targets(local_rules, theory, records)
    groups = _groups(local_rules, targets, theory)
    figure = base_figure(
        colours.palette,
        height,
        showlegend=True,
        xaxis=bare_axis(colours.palette, showticklabels=False, range=[-0.01, 1]),
        yaxis=bare_axis(colours.palette, showticklabels=False, range=[1.03, -0.03]),
    )
    figure.update_layout(legend={"itemsizing": "constant"})
    nodes = theory.size + any(group.node == theory.size for group in groups)
    dots = _Dots(groups, math.ceil(len(local_rules) / MOST_DOTS))
    for group, ends in dots.bundles():
        if group.node is None:
            figure.add_annotation(_stays_here(dots.end, ends[0], colours))
        else:
            y = _node_y(group.node, nodes)
            figure.add_trace(_bundle(group, dots.end, ends, y, colours, theory))
    figure.add_traces(list(dots.traces(colours)))
    _add_nodes(figure, groups, theory, nodes, colours)
    return Drawing(figure, _alt(local_rules, targets, theory, colours, dots.per_dot))


def _groups(
    local_rules: Sequence[Rule], targets: Sequence[int | None], theory: RankedTheory
) -> list[_Group]:
    """In the order of the final rules, then “otherwise”, then those that flow nowhere."""
    found: dict[int | None, list[str]] = {place: [] for place in (*range(theory.size + 1), None)}
    for rule, target in zip(local_rules, targets, strict=True):
        if target is None and rule.outcome == theory.default:
            target = theory.size
        found[target].append(rule.outcome)
    return [_Group(place, tuple(sorted(outcomes))) for place, outcomes in found.items() if outcomes]


class _Dots:
    """Where the dots stand: rows of a few, each group begins a new row."""

    def __init__(self, groups: Sequence[_Group], per_dot: int) -> None:
        self.per_dot = per_dot
        self._groups = groups
        sizes = [math.ceil(len(group.outcomes) / per_dot) for group in groups]
        room = max(ROWS - 2 * len(groups), 10)
        self._columns = max(3, math.ceil(sum(sizes) / room))
        rows = [math.ceil(size / self._columns) for size in sizes]
        self._tops = np.cumsum([0, *(row + 1 for row in rows)])  # an empty row between groups
        self._pitch = 1 / max(int(self._tops[-1]) - 2, 30)
        self._start = (1 - (int(self._tops[-1]) - 2) * self._pitch) / 2
        self._sizes, self._rows = sizes, rows
        self._width = min(DOTS / self._columns, 0.024)
        self.end = (self._columns - 1) * self._width

    def _y(self, row: float) -> float:
        return self._start + row * self._pitch

    def bundles(self) -> Iterator[tuple[_Group, list[float]]]:
        """For each group the heights at which its lines begin: one for each row of dots."""
        for group, top, rows in zip(self._groups, self._tops[:-1], self._rows, strict=True):
            yield group, [self._y(int(top) + row) for row in range(rows)]

    def traces(self, colours: OutcomeColours) -> Iterator[go.Scatter]:
        """A trace for the dots of each outcome that flow, and one for those that do not."""
        for outcome in colours.outcomes:
            for lost in (False, True):
                places = [
                    (self.end - i % self._columns * self._width, self._y(row))
                    for i, row in self._cells(outcome, lost)
                ]
                if places:
                    colour = colours.pale(outcome, 0.35) if lost else colours.colour(outcome)
                    look = {"name": as_plotly(colours.name(outcome)), "showlegend": not lost}
                    size = 4 if self._columns > 8 else 6
                    yield dots(places, colour, size, hoverinfo="skip", **look)

    def _cells(self, outcome: str, lost: bool) -> Iterator[tuple[int, int]]:
        for group, top, size in zip(self._groups, self._tops[:-1], self._sizes, strict=True):
            if (group.node is None) == lost:
                for i in range(size):
                    if group.outcomes[min(i * self.per_dot, len(group.outcomes) - 1)] == outcome:
                        yield i, int(top) + i // self._columns


def _node_y(node: int, nodes: int) -> float:
    return (node + 0.5) / nodes


def _outcome_of(node: int, theory: RankedTheory) -> str:
    return theory.rules[node].outcome if node < theory.size else theory.default


def _bundle(
    group: _Group,
    left: float,
    starts: Sequence[float],
    y: float,
    colours: OutcomeColours,
    theory: RankedTheory,
) -> go.Scatter:
    """One bent line for each row of dots."""
    assert group.node is not None
    left += 0.025
    places: list[Place] = []
    spread = min(0.004, 0.035 / len(starts))
    for i, start in enumerate(starts):
        end = y + (i - (len(starts) - 1) / 2) * spread
        bent = zip(left + (NODE - left) * _BEND, start + (end - start) * _EASE, strict=True)
        places += [*bent, (None, None)]
    colour = colours.pale(_outcome_of(group.node, theory), 0.26)
    return lines(places, colour, 2, showlegend=False)


def _stays_here(left: float, y: float, colours: OutcomeColours) -> dict[str, Any]:
    text = "like none of the rules"
    return note(colours.palette, text, x=left, y=y, xanchor="left", xshift=10)


def _add_nodes(
    figure: go.Figure,
    groups: Sequence[_Group],
    theory: RankedTheory,
    nodes: int,
    colours: OutcomeColours,
) -> None:
    """The final rules as numbered circles, and how many local rules flow into each."""
    found = {group.node: len(group.outcomes) for group in groups}
    most = max(found.values(), default=1)
    counts = [found.get(node, 0) for node in range(nodes)]
    room = (figure.layout.height - 70) / nodes  # pixels for each
    sizes = [min(room * 0.92, 22 + 10 * math.sqrt(count / most)) for count in counts]
    circles = dots(
        [(NODE, _node_y(node, nodes)) for node in range(nodes)],
        [colours.colour(_outcome_of(node, theory)) for node in range(nodes)],
        sizes,
        edge=(0,),
        mode="markers+text",
        text=[f"<b>{node + 1}</b>" for node in range(nodes)],
        textfont={"color": colours.palette.on_outcome, "size": max(min(13, min(sizes) * 0.6), 8)},
        customdata=[
            [_node_hover(node, theory, count, colours)] for node, count in enumerate(counts)
        ],
        hovertemplate="%{customdata[0]}<extra></extra>",
        showlegend=False,
    )
    figure.add_trace(circles)
    for node, (count, size) in enumerate(zip(counts, sizes, strict=True)):
        text = f"{count:,}" + ("<br>otherwise" if node == theory.size else "")
        place = {"x": NODE, "y": _node_y(node, nodes), "xanchor": "left", "xshift": size / 2 + 4}
        figure.add_annotation(note(colours.palette, text, **place), align="left")


def _node_hover(node: int, theory: RankedTheory, count: int, colours: OutcomeColours) -> str:
    called = f"Rule {node + 1}" if node < theory.size else "Otherwise"
    outcome = as_plotly(colours.name(_outcome_of(node, theory)))
    return f"{called}: {outcome}<br>{counted(count, 'local rule')}"


def _alt(
    local_rules: Sequence[Rule],
    targets: Sequence[int | None],
    theory: RankedTheory,
    colours: OutcomeColours,
    per_dot: int,
) -> str:
    parts = [
        f"{sum(rule.outcome == outcome for rule in local_rules):,} "
        f"{shortened(colours.name(outcome))}"
        for outcome in colours.outcomes
    ]
    astray = [rule for rule, to in zip(local_rules, targets, strict=True) if to is None]
    otherwise = sum(rule.outcome == theory.default for rule in astray)
    dots = "one dot each" if per_dot == 1 else f"one dot for {per_dot}"
    sentences = [
        f"{counted(len(local_rules), 'local rule')} ({', '.join(parts)}), {dots}, flow into "
        f"{counted(theory.size, 'final rule')}: each to the one of its outcome that covers the "
        "most similar records."
    ]
    if otherwise:
        sentences.append(f"{otherwise:,} resemble none and flow to “otherwise”.")
    if len(astray) > otherwise:
        sentences.append(f"{len(astray) - otherwise:,} resemble none and flow nowhere.")
    return " ".join(sentences)
