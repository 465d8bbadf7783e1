"""Rules as rows, in the order in which they decide; features as columns, by importance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from glocalx.plots.colours import OutcomeColours
from glocalx.plots.layout import (
    Drawing,
    Place,
    bare_axis,
    base_figure,
    dots,
    filled,
    level_lines,
    note,
    texts,
)
from glocalx.plots.scale import bar_heights
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Categories, Interval, Premise, Rule
from glocalx.rules.schema import Feature
from glocalx.rules.scoring import Reference
from glocalx.rules.spread import CategoryBar, Histogram, category_bars, histogram
from glocalx.rules.turns import FeatureImportance, RuleTurn, feature_importance, rule_turns
from glocalx.words.escape import as_plotly, shortened
from glocalx.words.figures import percent
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

ROW = 46  # pixels
SIDE = 0.07  # of a cell, left empty on either side
FLOOR, TALL = 0.70, 0.56  # of a row: where bars stand, and how tall they can be
KNOWN, GAP = 0.84, (0.9, 1.0)  # of a cell: what known numbers take, and missing ones
MOST_CATEGORIES, BARS = 8, 18
LINE = 0.82  # of a row: where the line of what is allowed runs
NUMBER = -0.4  # the column of the rules' numbers
SHARES, BAND, BAND_WIDTH = 0.7, 1.4, 1.9  # columns beyond the features


def rule_matrix(
    theory: RankedTheory,
    reference: Reference,
    colours: OutcomeColours,
    *,
    most_features: int = 8,
    wording: Wording | None = None,
) -> Drawing:
    """Every premise drawn over how its feature spreads; at the end of the row what the rule does.

    The bars at the right: records that no rule above has decided, and the part that this rule
    does. Cells and numbers carry `customdata` with the place of the rule and the feature's name,
    "" for the number.
    """
    used = feature_importance(theory, reference.records)
    words = wording or Wording(reference.records.schema, reference.records)
    view = _Matrix(theory, reference, colours, used[:most_features], words)
    figure = view.figure(ROW * (theory.size + 1) + 84)
    figure.add_traces([*view.bars(), *view.lines(), view.cells(), view.numbers()])
    figure.add_traces([*view.shares(), *view.waiting(), view.decided()])
    for text in view.sayings(len(used[most_features:])):
        figure.add_annotation(text)
    return Drawing(figure, _alt(theory, view.turns, used, reference, colours, words))


class _Column:
    """How one feature spreads, from 0 to 1 across its cells."""

    def __init__(
        self, place: int, feature: Feature, records: Records, rules: Iterable[Rule]
    ) -> None:
        self.place, self.feature = place, feature
        self._categories: tuple[CategoryBar, ...] = ()
        self._numbers: Histogram | None = None
        if feature.is_categorical:
            self._categories = category_bars(records, feature, MOST_CATEGORIES)
            counts = np.array([bar.count for bar in self._categories], dtype=np.int64)
            self._sides = list(pairwise(np.linspace(0, 1, len(counts) + 1).tolist()))
        else:
            premises = (rule.premise(feature.name) for rule in rules)
            known = [premise for premise in premises if isinstance(premise, Interval)]
            bounds = [bound for premise in known for bound in (premise.low, premise.high)]
            values = np.asarray(records.values(feature.name), dtype=float)
            bars = self._numbers = histogram(values, feature.is_whole, bounds, BARS)
            edges = self._reach * (bars.edges - bars.low) / (bars.high - bars.low)
            counts, self._sides = bars.counts, list(pairwise(edges.tolist()))
            if feature.gaps:
                counts = np.append(counts, np.count_nonzero(np.isnan(values)))
                self._sides.append(GAP)
        self.heights, self.rooted = bar_heights(counts)

    @property
    def _reach(self) -> float:
        """How much of the cell known numbers take."""
        return KNOWN if self.feature.gaps else 1.0

    def x(self, share: float) -> float:
        """From a place within the cell to one in the matrix."""
        return self.place + SIDE + (1 - 2 * SIDE) * share

    def corners(self, row: int, bar: int) -> list[Place]:
        """Around a bar."""
        start, end = self._sides[bar]
        gap = 0.04 * (end - start)
        low, high = self.x(start + gap), self.x(end - gap)
        return box(low, high, row + FLOOR - TALL * float(self.heights[bar]), row + FLOOR)

    def inside(self, premise: Premise) -> npt.NDArray[np.bool_]:
        """The bars that a premise allows."""
        if isinstance(premise, Interval) and self._numbers is not None:
            inside = self._numbers.inside(premise)
            return np.append(inside, premise.missing) if self.feature.gaps else inside
        return np.array([bar.held_by(premise) == 1 for bar in self._categories], dtype=bool)

    def spans(self, premise: Premise) -> Iterator[tuple[float, float]]:
        """The allowed part of the feature, in shares of the cell."""
        if isinstance(premise, Categories):
            for bar in np.flatnonzero(self.inside(premise)):
                start, end = self._sides[bar]
                gap = 0.08 * (end - start)
                yield start + gap, end - gap
        elif self._numbers is not None:
            bars = self._numbers
            width = (bars.high - bars.low) / self._reach
            low, high = (bars.place(bound) - bars.low for bound in (premise.low, premise.high))
            if not premise.is_only_missing:
                yield low / width, high / width
            if premise.missing:
                yield GAP


def box(low: float, high: float, top: float, bottom: float) -> list[Place]:
    """The corners of a box, for many in one filled trace; none where it has no width."""
    around = [(low, top), (high, top), (high, bottom), (low, bottom), (low, top)]
    return [*around, (None, None)] if high > low else []


class _Matrix:
    """Places in a grid whose columns and rows are 1 wide and high."""

    def __init__(
        self,
        theory: RankedTheory,
        reference: Reference,
        colours: OutcomeColours,
        used: Sequence[FeatureImportance],
        words: Wording,
    ) -> None:
        self.theory, self.reference, self.colours, self.words = theory, reference, colours, words
        self.palette = colours.palette
        self.turns: tuple[RuleTurn, ...] = rule_turns(theory, reference)
        self.outcomes = [*(rule.outcome for rule in theory.rules), theory.default]
        records = reference.records
        self.columns = [
            _Column(place, records.schema[each.feature], records, theory.rules)
            for place, each in enumerate(used)
        ]

    def figure(self, height: int) -> go.Figure:
        wide, tall = len(self.columns), self.theory.size
        titles = [
            as_plotly(self.words.short_name(column.feature.name), 22) for column in self.columns
        ]
        ends = [wide + SHARES, wide + BAND + BAND_WIDTH / 2]
        across = {"type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "layer": "below"}
        line = {"color": self.palette.grid, "width": 1}
        return base_figure(
            self.palette,
            height,
            margin={"l": 14, "r": 8, "t": 8, "b": 4},
            xaxis=bare_axis(
                self.palette,
                side="top",
                range=[-0.75, wide + BAND + BAND_WIDTH + 0.05],
                tickvals=[*(place + 0.5 for place in range(wide)), *ends],
                ticktext=[*titles, "covers,<br>agrees", "decides, of<br>those left"],
                autotickangles=[0, -35, -60],
                tickfont={"size": 12, "color": self.palette.ink},
            ),
            yaxis=bare_axis(self.palette, range=[tall + 1.35, -0.05], showticklabels=False),
            shapes=[across | {"y0": row, "y1": row, "line": line} for row in range(tall + 1)],
        )

    def _premises(self) -> Iterator[tuple[int, _Column, Premise, str]]:
        for row, rule in enumerate(self.theory.rules):
            for column in self.columns:
                premise = rule.premise(column.feature.name)
                if premise is not None:
                    yield row, column, premise, rule.outcome

    def bars(self) -> Iterator[go.Scatter]:
        """Bars within a premise in the colour of the outcome, the others grey: a trace each."""
        corners: dict[str, list[Place]] = {}
        for row, column, premise, outcome in self._premises():
            inside = column.inside(premise)
            tint = self.colours.pale(outcome, 0.55)
            for colour, chosen in ((self.palette.histogram, ~inside), (tint, inside)):
                for bar in np.flatnonzero(chosen & (column.heights > 0)):
                    corners.setdefault(colour, []).extend(column.corners(row, int(bar)))
        for colour, found in corners.items():
            yield filled(found, colour)

    def lines(self) -> Iterator[go.Scatter]:
        """Below the bars, what the premise allows; all of a feature as a thin line."""
        thin: list[tuple[float, float, float]] = []
        thick: dict[str, list[tuple[float, float, float]]] = {}
        for row, column, premise, outcome in self._premises():
            thin.append((column.x(0), column.x(1), row + LINE))
            thick.setdefault(outcome, []).extend(
                (column.x(low), column.x(high), row + LINE) for low, high in column.spans(premise)
            )
        yield level_lines(thin, self.palette.line, 1.5)
        for outcome, lines in thick.items():
            yield level_lines(lines, self.colours.colour(outcome), 5)

    def cells(self) -> go.Scatter:
        """What can be pointed at: an unseen mark in each cell with its condition in words."""
        found = list(self._premises())
        return dots(
            [(column.place + 0.5, row + 0.5) for row, column, _, _ in found],
            None,
            32,
            marker={"symbol": "square", "opacity": 0},
            customdata=[
                [row, column.feature.name, self._condition(column, premise), row + 1]
                for row, column, premise, _ in found
            ],
            hovertemplate="Rule %{customdata[3]}: %{customdata[2]}<extra></extra>",
        )

    def _condition(self, column: _Column, premise: Premise) -> str:
        roots = "<br>heights are square roots" if column.rooted else ""
        return as_plotly(self.words.condition(column.feature.name, premise), 120) + roots

    def numbers(self) -> go.Scatter:
        """The number of each rule on the colour of its outcome; the last is “otherwise”."""
        rows = range(len(self.outcomes))
        called = [*(f"Rule {row + 1}" for row in rows[:-1]), "Otherwise"]
        return dots(
            [(NUMBER, row + 0.5) for row in rows],
            [self.colours.colour(outcome) for outcome in self.outcomes],
            24,
            mode="markers+text",
            text=[f"<b>{row + 1}</b>" for row in rows],
            textfont={"color": self.palette.on_outcome, "size": 13},
            customdata=[
                [row, "", as_plotly(self.colours.name(outcome)), called[row]]
                for row, outcome in enumerate(self.outcomes)
            ],
            hovertemplate="%{customdata[3]}: %{customdata[2]}<extra></extra>",
            cliponaxis=False,
        )

    def shares(self) -> Iterator[go.Scatter]:
        """Coverage, and below it agreement, as numbers."""
        size = max(self.reference.size, 1)
        turns = self.turns[:-1]
        covers = [percent(turn.covered / size) for turn in turns]
        agrees = [percent(turn.agreed / turn.covered) if turn.covered else "–" for turn in turns]
        x = len(self.columns) + SHARES
        styles = ((0.34, covers, self.palette.ink), (0.7, agrees, self.palette.muted))
        for place, said, colour in styles:
            yield texts([(x, row + place) for row in range(len(turns))], said, colour)

    def waiting(self) -> Iterator[go.Scatter]:
        """Records still waiting, and those that each rule takes out of them."""
        left, size = len(self.columns) + BAND, max(self.reference.size, 1)
        waiting: list[Place] = []
        taken: dict[str, list[Place]] = {outcome: [] for outcome in self.colours.outcomes}
        for row, (turn, outcome) in enumerate(zip(self.turns, self.outcomes, strict=True)):
            height = row + 0.56, row + 0.8
            waiting += box(left, left + BAND_WIDTH * turn.waiting / size, *height)
            taken[outcome] += box(left, left + BAND_WIDTH * turn.decided / size, *height)
        yield filled(waiting, self.palette.histogram)
        for outcome, corners in taken.items():
            if corners:
                yield filled(corners, self.colours.colour(outcome))

    def decided(self) -> go.Scatter:
        """How many records each rule decides, above its bar."""
        places = [(len(self.columns) + BAND, row + 0.34) for row in range(len(self.turns))]
        said = [f"{turn.decided:,}" for turn in self.turns]
        return texts(places, said, self.palette.ink, textposition="middle right")

    def sayings(self, hidden: int) -> Iterator[dict[str, Any]]:
        """Words for rows without premises: the default, and rules that always apply; below them
        how many features are not drawn.
        """
        place = {"x": NUMBER, "xanchor": "left", "xshift": 20}
        font = {"size": 13, "color": self.palette.ink}
        default = f"Otherwise {as_plotly(self.colours.name(self.theory.default), 30)}"
        rows = [
            (row, "In every case")
            for row, rule in enumerate(self.theory.rules)
            if not rule.premises
        ]
        for row, text in (*rows, (self.theory.size, default)):
            yield note(self.palette, text, y=row + 0.5, font=font, **place)
        if hidden:
            text = f"Not drawn: {counted(hidden, 'feature')} on which fewer answers rest"
            yield note(self.palette, text, y=self.theory.size + 1.15, **place)


def _alt(
    theory: RankedTheory,
    turns: Sequence[RuleTurn],
    used: Sequence[FeatureImportance],
    reference: Reference,
    colours: OutcomeColours,
    words: Wording,
) -> str:
    said = []
    for place, (rule, turn) in enumerate(zip(theory.rules, turns, strict=False)):
        agrees = percent(turn.agreed / turn.covered) if turn.covered else "none"
        said.append(
            f"Rule {place + 1} ({shortened(colours.name(rule.outcome))}) covers {turn.covered:,}, "
            f"agrees on {agrees} and decides {turn.decided:,}."
        )
    first = ", ".join(shortened(words.name(each.feature)) for each in used[:3])
    return (
        f"{counted(theory.size, 'rule')} over {counted(len(used), 'feature')} on "
        f"{counted(reference.size, 'record')}; most answers rest on {first or 'no feature'}. "
        f"{' '.join([*said, ''])}{turns[-1].decided:,} are left to “otherwise”."
    )
