"""Two small pictures of a calculation: what two theories share, and the batch they met on."""

from __future__ import annotations

from html import escape

from glocalx.merging.calculation import Calculation
from glocalx.plots.canvas import FONT, Canvas, Picture
from glocalx.plots.colours import OutcomeColours, Palette
from glocalx.rules.coverage import mask_of
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted, enumeration

BAR = 18.0
MARK = (
    f"display:inline-block;box-sizing:border-box;width:18px;height:18px;border:1.5px solid;"
    f"text-align:center;font:12px/15px {FONT}"
)
FEWEST_SHOWN = 0.06  # of the width: below it a number would lie on its neighbour


def shared_bar(calculation: Calculation, palette: Palette) -> Picture:
    """The records that either theory covers, those of both in the middle."""
    both = calculation.both.bit_count()
    one, other = (
        (bits & ~calculation.both).bit_count()
        for bits in (calculation.covered_left, calculation.covered_right)
    )
    alt = f"{one:,} records only in A, {both:,} in both, {other:,} only in B."
    canvas, start, whole = Canvas(palette=palette), 0.0, max(one + both + other, 1)
    parts = ((one, "only in A", palette.branch), (both, "in both", palette.ink))
    for count, name, colour in (*parts, (other, "only in B", palette.branch)):
        end = start + count / whole
        if count:
            canvas.bar(start, end, 22.0, BAR, fill=colour)
            if end - start >= FEWEST_SHOWN:
                said = f"{count:,} {name}" if end - start > 0.22 else f"{count:,}"
                canvas.words(said, (start + end) / 2, 10)
            canvas.hint(f"{count:,} {name}", start, 22, f"{100 * (end - start):.2f}%", BAR)
        start = end
    return canvas.picture(22 + BAR + 4, alt)


def batch_dots(calculation: Calculation, reference: Reference, colours: OutcomeColours) -> Picture:
    """The batch, outcome by outcome; framed are the records that both theories cover."""
    marks, counts = [], []
    met = mask_of(calculation.meeting, reference.size)
    for outcome in reference.outcomes:
        drawn = mask_of(calculation.batch & reference.having[outcome], reference.size)
        counts.append(f"{drawn.sum():,} {colours.name(outcome)}")
        ink = f"{MARK};color:{colours.colour(outcome)}"
        for framed in sorted(met[drawn].tolist(), reverse=True):
            frame = colours.palette.ink if framed else "transparent"
            style = f"{ink};border-color:{frame}"
            marks.append(f'<span style="{style}">{colours.sign(outcome)}</span>')
    meeting = calculation.meeting.bit_count()
    verb = "is" if meeting == 1 else "are"
    alt = (
        f"The batch: {enumeration(counts)}. {counted(meeting, 'record')} of it {verb} covered by "
        "both theories."
    )
    return Picture(f'<div role="img" aria-label="{escape(alt)}">{"".join(marks)}</div>', alt)
