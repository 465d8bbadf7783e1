"""Was each merge worth it? The BIC of merged theories beside that of leaving them apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.search import Trial
from glocalx.merging.told import ToldSteps
from glocalx.plots.canvas import Canvas, Picture, empty_picture, percent_of, room_beside
from glocalx.plots.colours import Palette
from glocalx.plots.scale import Scale
from glocalx.words.figures import signed
from glocalx.words.phrases import counted

MOST_REFUSALS = 3  # drawn for each step: the most similar pairs
HEAD, BODY, FOOT = 30.0, 302.0, 40.0  # pixels: legend, plot, steps
HEIGHT = HEAD + BODY + FOOT
TITLE = 20.0  # pixels for the title at the side


def squeezed(difference: float) -> float:
    """A difference of BICs on the axis: its sign and the logarithm of its size.

    Examples
    --------
    >>> squeezed(-99.0), squeezed(0.0), squeezed(9.0)
    (-2.0, 0.0, 1.0)
    """
    return math.copysign(math.log10(1 + abs(difference)), difference)


def bic_plot(hierarchy: Hierarchy, at: int, palette: Palette, *, window: int = 50) -> Picture:
    """For the last `window` steps: BIC merged minus side by side, kept ones and refusals.

    Merges that change no rule are no steps; see :mod:`glocalx.merging.told`.
    The absolute figures come up where the mouse rests.
    """
    told = ToldSteps.of(hierarchy).steps
    at = min(at, len(told))
    if at < 1:
        return empty_picture(palette, HEIGHT, "Nothing merged yet, so nothing to weigh.")
    canvas = Canvas(palette=palette)
    steps = told[max(at - window, 0) : at]
    refusals = [(step.number, trial) for step in steps for trial in step.rejected[:MOST_REFUSALS]]
    marks, up = _differences([step.trial for step in steps], [trial for _, trial in refusals])
    first = steps[0].number
    board = _Board(canvas, Scale(first - 1, max(at, first + min(window, 49)) + 1.5), up)
    board.legend(at, refused=bool(refusals))
    board.grid(marks)
    for number, trial in refusals:
        board.refused(number, trial)
    for step in steps:
        board.kept(step)
    board.newest(steps[-1])
    left = room_beside(signed(mark) for mark in marks) + TITLE
    turned = "translate(-50%,-50%) rotate(-90deg)"
    title = "BIC, merged minus side by side"
    canvas.words(title, 0, HEAD + BODY / 2, {"transform": turned}, aside=8 - left)
    return canvas.picture(HEIGHT, _alt(steps), left=left)


def _difference(trial: Trial) -> float:
    return trial.bic_merged - trial.bic_union


def _differences(kept: Iterable[Trial], refused: Iterable[Trial]) -> tuple[list[float], Scale]:
    """The numbers that are written at the side, and the scale of the squeezed ones."""
    values = [_difference(trial) for trial in (*kept, *refused)]
    low, high = min(*values, -1.0), max(*values, 1.0)
    powers = [10.0**power for power in range(7)]
    marks = [-p for p in reversed(powers) if -p >= low * 1.5] + [0.0]
    marks += [p for p in powers if p <= high * 1.5]
    return marks, Scale(squeezed(low) - 0.25, squeezed(high) + 0.3)


class _Board:
    """Where steps and differences stand, and what is drawn there."""

    def __init__(self, canvas: Canvas, along: Scale, up: Scale) -> None:
        self.canvas, self.palette, self.along, self.up = canvas, canvas.palette, along, up

    def _y(self, difference: float) -> float:
        return HEAD + BODY * (1 - self.up.place(squeezed(difference)))

    def legend(self, at: int, *, refused: bool) -> None:
        """What the signs mean."""
        entries = [("●", "kept", self.palette.accent), ("⬤", f"step {at:,}", self.palette.ink)]
        if refused:
            entries.append(("×", "turned down", self.palette.mixed))
        self.canvas.key(entries, 10)

    def grid(self, marks: Iterable[float]) -> None:
        """A line for each mark, the one at 0 stronger; and the steps along the foot."""
        for mark in marks:
            y = self._y(mark)
            self.canvas.level(0, 1, y, stroke=self.palette.grid if mark else self.palette.muted)
            self.canvas.beside(signed(mark), y)
        steps = Scale(max(self.along.low, 1), self.along.high).ticks(7, whole=True)
        self.canvas.steps_below([(self.along.place(step), step) for step in steps], HEIGHT)

    def kept(self, step: MergeStep) -> None:
        """A stem from 0."""
        x, y = self.along.place(step.number), self._y(_difference(step.trial))
        zero = self._y(0)
        self.canvas.upright(x, zero, y, stroke=self.palette.accent, stroke_width=2)
        self.canvas.dot(x, y, 3, fill=self.palette.accent)
        wide = 1 / (self.along.high - self.along.low)
        text = f"Step {step.number:,}, kept. {_about(step.trial)}"
        top, bottom = min(y, zero) - 4, max(y, zero) + 4
        self.canvas.hint(text, x - wide / 2, top, percent_of(wide), bottom - top)

    def newest(self, step: MergeStep) -> None:
        x, y = self.along.place(step.number), self._y(_difference(step.trial))
        self.canvas.dot(x, y, 6, fill=self.palette.ink, stroke=self.palette.ground, stroke_width=2)

    def refused(self, number: int, trial: Trial) -> None:
        x, y = self.along.place(number), self._y(_difference(trial))
        self.canvas.cross(x, y, 3, stroke=self.palette.mixed, stroke_width=1.2)
        wide = 1 / (self.along.high - self.along.low)
        text = f"Before step {number:,}, turned down. {_about(trial)}"
        self.canvas.hint(text, x - wide / 2, y - 4, percent_of(wide), 8)


def _about(trial: Trial) -> str:
    return (
        f"{signed(_difference(trial), 2)}: BIC {trial.bic_merged:,.1f} merged, "
        f"{trial.bic_union:,.1f} side by side; similarity {trial.similarity:.3f}"
    )


def _alt(steps: Sequence[MergeStep]) -> str:
    differences = [_difference(step.trial) for step in steps]
    better = sum(difference < 0 for difference in differences)
    refused = sum(len(step.rejected) for step in steps)
    span = f"Steps {steps[0].number:,} to {steps[-1].number:,}"
    return (
        f"{span}: {better:,} of {counted(len(steps), 'kept merge')} lower the BIC, by up to "
        f"{-min(*differences, 0):,.1f}; the others leave it as it is. "
        f"{counted(refused, 'more similar pair')} {'was' if refused == 1 else 'were'} turned down "
        f"because merging would raise it (up to {MOST_REFUSALS} a step are drawn). "
        f"Step {steps[-1].number:,} changes it by {signed(differences[-1], 2)}. "
        "The scale is compressed at both ends."
    )
