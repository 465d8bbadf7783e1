"""Was each merge worth it? The BIC of merged theories beside that of leaving them apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.search import Trial
from glocalx.merging.told import ToldSteps
from glocalx.plots.canvas import (
    DROP,
    TEXT,
    Canvas,
    Picture,
    empty_picture,
    percent_of,
    room_beside,
)
from glocalx.plots.colours import Palette
from glocalx.plots.scale import Scale
from glocalx.words.figures import signed
from glocalx.words.phrases import counted

MOST_REFUSALS = 3  # drawn for each step: the most similar pairs
HEAD, BODY, FOOT = 30.0, 302.0, 40.0  # pixels: legend, plot, steps
HEIGHT = HEAD + BODY + FOOT
STRIP_HEAD, STRIP_FOOT = 10.0, 22.0
TITLE = 20.0  # pixels for the title at the side
MARK_EVERY = 15.0  # pixels between numbers at the side, at least


def squeezed(difference: float) -> float:
    """A difference of BICs on the axis: its sign and the logarithm of its size.

    Examples
    --------
    >>> squeezed(-99.0), squeezed(0.0), squeezed(9.0)
    (-2.0, 0.0, 1.0)
    """
    return math.copysign(math.log10(1 + abs(difference)), difference)


def bic_plot(
    hierarchy: Hierarchy, at: int, palette: Palette, *, window: int = 50, drops: Sequence[int] = ()
) -> Picture:
    """For the last `window` steps: BIC merged minus side by side, kept ones and refusals.

    Merges that change no rule are no steps; see :mod:`glocalx.merging.told`. `drops` are the steps
    after which the fidelity of all rules falls. The absolute figures come up where the mouse rests.
    """
    told = ToldSteps.of(hierarchy)
    at = min(at, len(told))
    if at < 1:
        return empty_picture(palette, HEIGHT, "Nothing merged yet, so nothing to weigh.")
    canvas, first = Canvas(palette=palette), max(at - window, 0) + 1
    shown = _Shown.of(hierarchy, told, first, at)
    last = max(at, min(first + window - 1, most_steps(hierarchy, told)))
    along = Scale(first - 1, last + 1)
    board = _Board(canvas, along, shown.up, HEAD, BODY)
    marks = shown.marks(BODY)
    board.legend(at, refused=bool(shown.refused), drops=bool(shown.among(drops)))
    board.grid(marks)
    steps = Scale(max(first - 1, 1), last).ticks(7, whole=True)
    canvas.steps_below([(along.place(step), step) for step in steps], HEIGHT)
    board.draw(shown, drops)
    for number, trial in shown.refused:
        board.say(number, trial, f"Before step {number:,}, turned down")
    for step in shown.steps:
        board.say(step.number, step.trial, f"Step {step.number:,}, kept")
    board.newest(shown.steps[-1])
    left = room_beside(signed(mark) for mark in marks) + TITLE
    turned = "translate(-50%,-50%) rotate(-90deg)"
    title = "BIC, merged minus side by side"
    canvas.words(title, 0, HEAD + BODY / 2, {"transform": turned}, aside=8 - left)
    return canvas.picture(HEIGHT, _alt(shown, drops), left=left)


def bic_strip(
    hierarchy: Hierarchy,
    at: int,
    palette: Palette,
    *,
    height: float = 110,
    drops: Sequence[int] = (),
    text: int = TEXT,
) -> Picture:
    """The same for all steps of the run, low enough to stand below something else."""
    told = ToldSteps.of(hierarchy)
    if not len(told):
        return empty_picture(palette, height, "Nothing merged yet, so nothing to weigh.")
    canvas, body = Canvas(palette=palette, text=text), height - STRIP_HEAD - STRIP_FOOT
    shown = _Shown.of(hierarchy, told, 1, len(told))
    along = Scale(0, most_steps(hierarchy, told) + 1)
    board = _Board(canvas, along, shown.up, STRIP_HEAD, body)
    marks = shown.marks(body)
    if at:
        board.band(at)
    board.grid(marks)
    steps = Scale(1, along.high - 1).ticks(9, whole=True)
    canvas.below([(along.place(step), f"{step:,.0f}") for step in steps], height - 8)
    board.draw(shown, drops)
    alt = _alt(shown, drops)
    if at:
        now = told.steps[min(at, len(told)) - 1]
        board.newest(now)
        alt = f"{alt} {board.name(now)}."
    left = room_beside((signed(mark) for mark in marks), text)
    return canvas.picture(height, alt, left=left)


def most_steps(hierarchy: Hierarchy, told: ToldSteps) -> int:
    """How many steps there are in the end; before that, how many there can be."""
    return len(told) if hierarchy.finished else max(len(hierarchy.local_rules) - 1, 1)


@dataclass(frozen=True, slots=True)
class _Shown:
    """The steps of a plot, and the pairs that were turned down on the way to each."""

    steps: Sequence[MergeStep]
    refused: Sequence[tuple[int, Trial]]
    turned_down: int

    @classmethod
    def of(cls, hierarchy: Hierarchy, told: ToldSteps, first: int, last: int) -> _Shown:
        numbers = range(first, last + 1)
        refused = {number: told.refused(hierarchy, number) for number in numbers}
        drawn = [(n, pair.trial) for n in numbers for pair in refused[n][:MOST_REFUSALS]]
        return cls(told.steps[first - 1 : last], drawn, sum(map(len, refused.values())))

    @property
    def values(self) -> list[float]:
        trials = [step.trial for step in self.steps] + [trial for _, trial in self.refused]
        return [*map(_difference, trials), -1.0, 1.0]

    @property
    def up(self) -> Scale:
        """The scale of the squeezed differences."""
        return Scale(squeezed(min(self.values)) - 0.25, squeezed(max(self.values)) + 0.3)

    def marks(self, body: float) -> list[float]:
        """The numbers at the side: 0 and powers of ten, as many as there is room for."""
        apart = MARK_EVERY * (self.up.high - self.up.low) / body
        marks, ends = [0.0], (min(self.values) * 1.5, max(self.values) * 1.5)
        for end in ends:
            last = 0.0
            for power in range(9):
                mark = math.copysign(10.0**power, end)
                if abs(mark) <= abs(end) and abs(squeezed(mark) - last) >= apart:
                    marks.append(mark)
                    last = squeezed(mark)
        return sorted(marks)

    def among(self, numbers: Iterable[int]) -> list[int]:
        """Of these steps those that are shown."""
        return [n for n in numbers if self.steps[0].number <= n <= self.steps[-1].number]


def _difference(trial: Trial) -> float:
    return trial.bic_merged - trial.bic_union


class _Board:
    """Where steps and differences stand, and what is drawn there."""

    def __init__(self, canvas: Canvas, along: Scale, up: Scale, top: float, body: float) -> None:
        self.canvas, self.palette, self.along, self.up = canvas, canvas.palette, along, up
        self.top, self.body = top, body

    def _y(self, difference: float) -> float:
        return self.top + self.body * (1 - self.up.place(squeezed(difference)))

    def legend(self, at: int, *, refused: bool, drops: bool) -> None:
        entries = [("●", "kept", self.palette.accent), ("⬤", f"step {at:,}", self.palette.ink)]
        if refused:
            entries.append(("×", "turned down", self.palette.mixed))
        if drops:
            entries.append(("▼", "fidelity falls", self.palette.alarm_ink))
        self.canvas.key(entries, 10)

    def grid(self, marks: Iterable[float]) -> None:
        """A line for each mark, the one at 0 stronger."""
        for mark in marks:
            y = self._y(mark)
            self.canvas.level(0, 1, y, stroke=self.palette.grid if mark else self.palette.muted)
            self.canvas.beside(signed(mark), y)

    def draw(self, shown: _Shown, drops: Iterable[int]) -> None:
        """A cross for a pair that was turned down, a stem from 0 for one that was kept."""
        for number, trial in shown.refused:
            x, y = self.along.place(number), self._y(_difference(trial))
            self.canvas.cross(x, y, 3, stroke=self.palette.mixed, stroke_width=1.2)
        for step in shown.steps:
            x, y = self.along.place(step.number), self._y(_difference(step.trial))
            self.canvas.upright(x, self._y(0), y, stroke=self.palette.accent, stroke_width=2)
            self.canvas.dot(x, y, 3, fill=self.palette.accent)
        for number in shown.among(drops):
            self.canvas.around(
                self.along.place(number), self.top + 2, DROP, fill=self.palette.alarm_ink
            )

    def say(self, number: int, trial: Trial, what: str) -> None:
        """The figures of a pair where the mouse rests on its mark."""
        wide = 1 / (self.along.high - self.along.low)
        y = self._y(_difference(trial))
        ends = (y, y) if not trial.accepted else (y, self._y(0))
        top, bottom = min(ends) - 4, max(ends) + 4
        text = (
            f"{what}. {signed(_difference(trial), 2)}: BIC {trial.bic_merged:,.1f} merged, "
            f"{trial.bic_union:,.1f} side by side; similarity {trial.similarity:.3f}"
        )
        left = self.along.place(number) - wide / 2
        self.canvas.hint(text, left, top, percent_of(wide), bottom - top)

    def newest(self, step: MergeStep) -> None:
        x, y = self.along.place(step.number), self._y(_difference(step.trial))
        self.canvas.dot(x, y, 6, fill=self.palette.ink, stroke=self.palette.ground, stroke_width=2)

    def band(self, at: int) -> None:
        """Where one stands."""
        x = self.along.place(at)
        self.canvas.bar(x - 0.007, x + 0.007, self.top - 6, self.body + 10, fill=self.palette.wash)

    def name(self, step: MergeStep) -> str:
        """The change of a step, in words beside its mark, on the side where there is room."""
        said = f"step {step.number:,}: {signed(_difference(step.trial), 1)}"
        x, left = self.along.place(step.number), self.along.place(step.number) > 0.8
        look = {
            "color": self.palette.ink,
            "font-weight": "600",
            "background": self.palette.ground,
            "padding": "1px 4px",
        }
        anchor = "end" if left else "start"
        aside = -12 if left else 12
        self.canvas.words(said, x, self.top + 16, look, aside=aside, anchor=anchor)
        return said[0].upper() + said[1:]


def _alt(shown: _Shown, drops: Sequence[int]) -> str:
    steps, refused = shown.steps, shown.turned_down
    differences = [_difference(step.trial) for step in steps]
    better = sum(difference < 0 for difference in differences)
    span = f"Steps {steps[0].number:,} to {steps[-1].number:,}"
    fell = shown.among(drops)
    return (
        f"{span}: {better:,} of {counted(len(steps), 'kept merge')} lower the BIC, by up to "
        f"{-min(*differences, 0):,.1f}; the others leave it as it is. "
        f"{counted(refused, 'pair')} {'was' if refused == 1 else 'were'} turned down "
        f"because merging would raise it (up to {MOST_REFUSALS} a step are drawn). "
        f"Step {steps[-1].number:,} changes it by {signed(differences[-1], 2)}. "
        + (f"Fidelity falls after {counted(len(fell), 'step')}. " if fell else "")
        + "The scale is compressed at both ends."
    )
