"""Where do rules overlap, and where do they disagree?"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from glocalx.plots.canvas import Canvas, Picture, empty_picture, percent_of, room_beside
from glocalx.plots.colours import OutcomeColours, blend
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.turns import rule_overlap
from glocalx.words.figures import percent
from glocalx.words.phrases import counted

HEAD, FOOT = 26.0, 24.0  # pixels for the legend, and for the numbers of the rules
CELL, MOST = 34.0, 500.0  # pixels of a square, and of all of them
READABLE = 14.0  # pixels of a square that has room for text


def overlap(theory: RankedTheory, records: Records, colours: OutcomeColours) -> Picture:
    """Per cent of all records to which two rules both apply; purple and ≠ where they disagree.

    On the diagonal what each rule covers, alone or with others. Empty: no record in common. Of
    very many rules only the squares are drawn.
    """
    if not theory.size:
        return empty_picture(colours.palette, 120, "There is no rule.")
    canvas = Canvas(palette=colours.palette)
    counts = rule_overlap(theory, records)
    outcomes = np.array([rule.outcome for rule in theory.rules], dtype=object)
    conflict = outcomes[:, None] != outcomes[None, :]
    grid = _Grid(canvas, theory.size)
    grid.legend(conflicts=bool(conflict.any()))
    grid.numbers(theory, colours)
    for i, j in np.argwhere(np.tril(counts > 0)).tolist():
        grid.square(i, j, int(counts[i, j]), records.size, conflict=bool(conflict[i, j]))
    left = room_beside([f"{theory.size:,}"])
    height = HEAD + grid.cell * theory.size + FOOT
    return canvas.picture(height, _overlap_alt(counts, conflict, records.size), left=left)


class _Grid:
    """A square for each pair of rules."""

    def __init__(self, canvas: Canvas, size: int) -> None:
        self.canvas, self.palette, self.size = canvas, canvas.palette, size
        self.cell = min(CELL, MOST / size)

    def _middle(self, place: int) -> tuple[float, float]:
        return (place + 0.5) / self.size, HEAD + (place + 0.5) * self.cell

    def legend(self, *, conflicts: bool) -> None:
        entries = [("■", "same outcome", self.palette.muted)]
        if conflicts:
            entries.append(("■", "≠ different outcomes", self.palette.diverging[0]))
        self.canvas.key(entries, 8)

    def numbers(self, theory: RankedTheory, colours: OutcomeColours) -> None:
        """The numbers of the rules, each in the colour of its outcome, where they have room."""
        every = math.ceil(READABLE / self.cell)
        foot = HEAD + self.size * self.cell + 12
        for place in range(0, self.size, every):
            look = {"color": colours.tones(theory.rules[place].outcome).text, "font-weight": "600"}
            x, y = self._middle(place)
            self.canvas.beside(f"{place + 1}", y, look)
            self.canvas.words(f"{place + 1}", x, foot, look)

    def square(self, i: int, j: int, records: int, total: int, *, conflict: bool) -> None:
        """Small shares still show: the colour follows the square root."""
        share = records / total
        colour = self.palette.diverging[0] if conflict else self.palette.muted
        strength = 0.06 + 0.94 * math.sqrt(share)
        start, top = j / self.size, HEAD + i * self.cell
        ground = blend(self.palette.ground, colour, strength)
        gap = 0.02 / self.size
        end = (j + 1) / self.size - gap
        self.canvas.bar(start + gap, end, top + 1, self.cell - 2, fill=ground)
        if self.cell >= READABLE:
            ink = self.palette.ground if math.sqrt(share) > 0.6 else self.palette.ink
            x, _ = self._middle(j)
            said = f"{'≠ ' if conflict else ''}{percent(share).removesuffix(' %')}"
            self.canvas.words(said, x, top + self.cell / 2, {"color": ink})
            text = _pair_text(i, j, records, conflict)
            self.canvas.hint(text, start, top, percent_of(1 / self.size), self.cell)


def _pair_text(i: int, j: int, records: int, conflict: bool) -> str:
    if i == j:
        return f"Rule {i + 1} covers {counted(records, 'record')}"
    words = "different outcomes" if conflict else "same outcome"
    return f"Rules {j + 1} and {i + 1} both apply to {counted(records, 'record')}; {words}"


def _overlap_alt(
    counts: npt.NDArray[np.int64], conflict: npt.NDArray[np.bool_], records: int
) -> str:
    pairs = [(i, j) for i in range(len(counts)) for j in range(i)]
    touching = [(i, j) for i, j in pairs if counts[i, j]]
    against = [(i, j) for i, j in touching if conflict[i, j]]
    alt = (
        f"Per cent of {counted(records, 'record')} to which two rules both apply. "
        f"{len(touching):,} of {counted(len(pairs), 'pair')} overlap, {len(against):,} of them "
        "with different outcomes"
    )
    if not against:
        return f"{alt}."
    i, j = max(against, key=lambda pair: int(counts[pair]))
    return f"{alt}, most of all rules {j + 1} and {i + 1}: {counted(int(counts[i, j]), 'record')}."
