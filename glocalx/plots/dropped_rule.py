"""A rule that lies wholly inside a more reliable one, and so is dropped."""

from __future__ import annotations

from glocalx.merging.operators import Cut
from glocalx.plots.canvas import Canvas, Picture, room_beside
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.scale import Scale
from glocalx.rules.scoring import Reference

ROW, BAR, FOOT = 30.0, 18.0, 22.0
LABELS = ("Stays", "Before", "After")


def dropped_rule(cut: Cut, reference: Reference, colours: OutcomeColours) -> Picture:
    """How many records the rule that stays covers, and the one that goes; nothing is left."""
    canvas, along = Canvas(palette=colours.palette), Scale(0, reference.size)
    said = []
    for place, (label, rule) in enumerate(
        zip(LABELS, (cut.dominant, cut.before, cut.before), strict=True)
    ):
        score, y = reference.score(rule), ROW * place + 6
        end = max(along.place(score.covered), 0.01)
        colour = colours.colour(rule.outcome)
        canvas.beside(label, y + BAR / 2, {"font-weight": "600"} if label == "After" else {})
        if label == "After":
            dotted = {"fill": "none", "stroke": colour, "stroke_dasharray": "3 3"}
            canvas.bar(0, end, y, BAR, **dotted)
            text = "nothing left: dropped whole"
        else:
            canvas.bar(0, end, y, BAR, fill=colour)
            text = f"covers {score.covered:,}, right for {score.agreed:,}"
        said.append(f"{label}: {text}")
        if end < 0.55:
            canvas.words(text, end, y + BAR / 2, aside=8, anchor="start")
        else:
            ink = {"color": colours.palette.on_outcome, "font-weight": "600"}
            canvas.words(text, 0, y + BAR / 2, ink, aside=8, anchor="start")
    foot = ROW * len(LABELS) + 6
    canvas.below([(along.place(each), f"{each:,.0f}") for each in along.ticks(4)], foot + 8)
    alt = f"{'; '.join(said)}. Of {reference.size:,} records."
    return canvas.picture(foot + FOOT, alt, left=room_beside(LABELS), right=30)
