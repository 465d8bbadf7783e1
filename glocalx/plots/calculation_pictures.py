"""Small pictures of a calculation: what two theories share, the batch they met on, whose answers
change, and who outvotes whom."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from glocalx.lessons.outvoted import Rung
from glocalx.merging.calculation import Answers, Calculation
from glocalx.plots.canvas import FONT, Canvas, Picture
from glocalx.plots.colours import OutcomeColours, Palette
from glocalx.plots.scale import Scale
from glocalx.rules.coverage import mask_of
from glocalx.rules.scoring import Reference
from glocalx.words.escape import shortened
from glocalx.words.figures import percent
from glocalx.words.phrases import counted, enumeration
from glocalx.words.wording import Wording

BAR, RUNG = 18.0, 42.0
MOST, LONGEST = 40, 90  # marks of a kind; letters of a rule
ROOM_FOR_SHARE = 0.85
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
    canvas = Canvas(palette=palette)
    counts = {"only in A": one, "in both": both, "only in B": other}
    colours = (palette.branch, palette.ink, palette.branch)
    said = [f"{count:,} {name}" for name, count in counts.items()]
    parts = zip(counts.values(), said, colours, strict=True)
    places = canvas.parts(parts, max(one + both + other, 1), 22, BAR)
    for (start, end), count, text in zip(places, counts.values(), said, strict=True):
        if end - start >= FEWEST_SHOWN:
            canvas.words(text if end - start > 0.22 else f"{count:,}", (start + end) / 2, 10)
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


def answer_marks(answers: Answers, whose: str, palette: Palette) -> Picture:
    """A mark for each answer that changes: a tick for one that becomes right, a cross for wrong."""
    before, after = answers.before.bit_count(), answers.after.bit_count()
    alt = (
        f"{whose}: {counted(answers.better, 'answer')} right, {answers.worse:,} wrong that were "
        f"not before. {before:,} agreed, {after:,} agree."
    )
    kinds = (("✓", answers.better, palette.accent), ("×", answers.worse, palette.alarm_ink))
    marks = "".join(
        f'<span style="{MARK};margin:0 3px 3px 0;color:{colour}">{sign}</span>' * min(count, MOST)
        + (f" +{count - MOST:,} " if count > MOST else "")
        for sign, count, colour in kinds
    )
    moved = f'<span style="margin-left:8px">{before:,} → {after:,} agree</span>'
    style = f"font:14px/1.5 {FONT};color:{palette.muted}"
    return Picture(
        f'<div role="img" aria-label="{escape(alt)}" style="{style}">{marks}{moved}</div>', alt
    )


def reliability_ladder(rungs: Sequence[Rung], wording: Wording, colours: OutcomeColours) -> Picture:
    """Rules by reliability, the most reliable on top: it decides where several cover a record.

    Dashed and hollow: gone after the merge.
    """
    canvas = Canvas(palette=colours.palette)
    least = min((rung.score.accuracy for rung in rungs), default=0.0)
    along, said = Scale(max(least - 0.1, 0), 1), []
    for place, rung in enumerate(rungs):
        y, colour = RUNG * place + 10, colours.colour(rung.rule.outcome)
        end = ROOM_FOR_SHARE * along.place(rung.score.accuracy)
        share = percent(rung.score.accuracy, 1)
        look = {"stroke_dasharray": "2 4"} if rung.gone else {}
        canvas.level(0, end, y + 16, stroke=colour, stroke_width=3, **look)
        fill = colours.palette.ground if rung.gone else colour
        canvas.dot(end, y + 16, 5, fill=fill, stroke=colour, stroke_width=2)
        canvas.words(share, end, y + 16, aside=12, anchor="start")
        name = f"{rung.name}, before" if rung.gone else rung.name
        rule = shortened(wording.short_rule(rung.rule), LONGEST)
        ink = {"color": colours.palette.ink}
        canvas.words(f"{name}: {rule}", 0, y, ink, anchor="start")
        moved = _moved(rung)
        said.append(
            f"{name}, {wording.short_rule(rung.rule)}, {share}{f', {moved}' if moved else ''}"
        )
    alt = f"Rules by reliability, the first decides. {'; '.join(said)}."
    return canvas.picture(RUNG * len(rungs) + 10, alt)


def _moved(rung: Rung) -> str:
    parts = [f"{rung.before:,} before" if rung.before else "", f"{rung.after:,} after"]
    told = [part for part in parts if part and not part.startswith("0 ")]
    return f"gives {' and '.join(told)} of the answers that change" if told else ""
