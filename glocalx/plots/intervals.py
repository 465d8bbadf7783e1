"""What joins and cuts do: premises before and after, over records or alone, and rules dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from glocalx.merging.operators import Change, Cut, Join
from glocalx.plots.canvas import TEXT, Canvas, Picture, room_beside
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.premise_picture import (
    DOTTED,
    CategoryPicture,
    NumberPicture,
    PremiseRow,
    interval_line,
)
from glocalx.plots.scale import Scale
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Interval, Premise
from glocalx.rules.scoring import Reference
from glocalx.words.escape import shortened
from glocalx.words.figures import brief
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

HEAD, BARS = 10.0, 80.0  # pixels above the bars, and of the highest bar
FIRST_ROW, ROW, FOOT = 18.0, 19.0, 13.0
MOST_PARTS = 8


def operation_pictures(
    operation: Join | Cut,
    records: Records,
    colours: OutcomeColours,
    *,
    most: int | None = None,
    parts: int = MOST_PARTS,
    **look: Any,
) -> tuple[tuple[str, Picture], ...]:
    """Feature and picture for each condition that a join moved, or of which a cut took something.

    Conditions that a join drops have none.

    Parameters
    ----------
    most, parts
        How many pictures there are, and how many parts of a join in each.
    look
        For :func:`interval_picture`.
    """

    def rows(change: Change) -> tuple[PremiseRow, ...]:
        if isinstance(operation, Cut):
            return cut_rows(operation, change)
        return join_rows(operation, change, parts)

    moved = [change for change in operation.changes if change.after is not None][:most]
    return tuple(
        (change.feature, interval_picture(records, change.feature, rows(change), colours, **look))
        for change in moved
    )


def interval_picture(
    records: Records,
    feature: str,
    rows: Sequence[PremiseRow],
    colours: OutcomeColours,
    *,
    wording: Wording | None = None,
    bars: float = BARS,
    text: int = TEXT,
) -> Picture:
    """Bars for the records, and below them a line for each premise.

    Thick: the result, whose records are tinted. Arrows: open ends. Dotted: no condition, or what
    was cut away. Categories have dots instead of lines: filled where allowed, hollow where not,
    a cross where cut away. `bars` is the height of the highest bar; 0: no bars.
    """
    said = wording or Wording(records.schema, records)
    column = records.schema[feature]
    kind = CategoryPicture if column.is_categorical else NumberPicture
    drawn = kind(records, column, rows, colours, said)
    canvas, ground = Canvas(palette=colours.palette, text=text), HEAD + bars if bars else -ROW / 2
    if bars:
        canvas.level(0, 1, ground, stroke=colours.palette.line)
        drawn.bars_upon(canvas, ground, bars)
    foot = ground + FIRST_ROW - ROW + FOOT
    for row in rows:
        foot += ROW
        canvas.beside(row.label, foot - FOOT)
        drawn.row_at(canvas, foot - FOOT, row)
    drawn.ticks_below(canvas, foot)
    rooted = bool(bars) and drawn.rooted
    if rooted:
        canvas.words("heights are square roots", 1, HEAD, {"font-size": "11px"}, anchor="end")
    left = room_beside((row.label for row in rows), text)
    told = "; ".join(f"{row.label}: {_condition(row, feature, said)}" for row in rows)
    roots = " Bar heights are square roots of the counts." if rooted else ""
    alt = f"{shortened(said.name(feature))} of {counted(records.size, 'record')}. {told}.{roots}"
    return canvas.picture(foot + drawn.room_below, alt, left=left)


def _condition(row: PremiseRow, feature: str, words: Wording) -> str:
    if row.premise is None:
        return "no condition"
    return shortened(words.condition(feature, row.premise), 120)


def fallen_away(join: Join) -> tuple[str, ...]:
    """The features whose condition a join dropped."""
    return tuple(change.feature for change in join.changes if change.after is None)


def join_rows(join: Join, change: Change, most: int = MOST_PARTS) -> tuple[PremiseRow, ...]:
    """The parts, then the result. Equal premises share a line; beyond `most` lines parts are left
    out, and the result says of how many it is made.
    """
    letters: dict[Premise | None, list[str]] = {}
    for place, premise in enumerate(change.before):
        letters.setdefault(premise, []).append(_letter(place))
    outcome = join.result.outcome
    rows = [
        PremiseRow(f"{'Part' if len(named) == 1 else 'Parts'} {_few(named)}", premise, outcome)
        for premise, named in letters.items()
    ]
    label = "Joined" if len(rows) <= most else f"All {len(join.parts)} joined"
    return (*rows[:most], PremiseRow(label, change.after, outcome, thick=True))


def _letter(place: int) -> str:
    return chr(ord("A") + place) if place < 26 else str(place + 1)


def _few(named: Sequence[str]) -> str:
    return ", ".join(named) if len(named) <= 3 else f"{', '.join(named[:2])} +{len(named) - 2}"


def cut_rows(cut: Cut, change: Change) -> tuple[PremiseRow, ...]:
    """The rule that stays, the rule that gives way, and what is left of it."""
    (before,), after = change.before, change.after
    lost: tuple[Premise, ...] = ()
    if before is not None and after is not None:
        lost = before.minus(after)  # type: ignore[arg-type]
    outcome = cut.before.outcome
    return (
        PremiseRow("Stays", cut.dominant.premise(change.feature), cut.dominant.outcome),
        PremiseRow("Before", before, outcome),
        PremiseRow("After", after, outcome, thick=True, lost=lost),
    )


BAR_ROW, BAR_HEIGHT, BAR_FOOT = 30.0, 18.0, 22.0
DROPPED_LABELS = ("Stays", "Before", "After")


def dropped_rule(
    cut: Cut, reference: Reference, colours: OutcomeColours, *, text: int = TEXT
) -> Picture:
    """How many records the rule that stays covers, and the one that goes; nothing is left."""
    canvas, along = Canvas(palette=colours.palette, text=text), Scale(0, reference.size)
    said = []
    for place, (label, rule) in enumerate(
        zip(DROPPED_LABELS, (cut.dominant, cut.before, cut.before), strict=True)
    ):
        score, y = reference.score(rule), BAR_ROW * place + 6
        end = max(along.place(score.covered), 0.01)
        colour = colours.colour(rule.outcome)
        canvas.beside(label, y + BAR_HEIGHT / 2, {"font-weight": "600"} if label == "After" else {})
        if label == "After":
            dotted = {"fill": "none", "stroke": colour, "stroke_dasharray": "3 3"}
            canvas.bar(0, end, y, BAR_HEIGHT, **dotted)
            about = "nothing left: dropped whole"
        else:
            canvas.bar(0, end, y, BAR_HEIGHT, fill=colour)
            about = f"covers {score.covered:,}, right for {score.agreed:,}"
        said.append(f"{label}: {about}")
        if end < 0.55:
            canvas.words(about, end, y + BAR_HEIGHT / 2, aside=8, anchor="start")
        else:
            palette = colours.palette
            ground = palette.ink if label == "After" else palette.on_outcome
            ink = {"color": ground, "font-weight": "600"}
            canvas.words(about, 0, y + BAR_HEIGHT / 2, ink, aside=8, anchor="start")
    foot = BAR_ROW * len(DROPPED_LABELS) + 6
    canvas.below([(along.place(each), f"{each:,.0f}") for each in along.ticks(4)], foot + 8)
    alt = f"{'; '.join(said)}. Of {reference.size:,} records."
    return canvas.picture(foot + BAR_FOOT, alt, left=room_beside(DROPPED_LABELS, text), right=30)


LINE_ROW, LINE_FOOT, TICKS = 22.0, 20.0, 5
ROOM = 0.04  # beside the scale, for arrows


def bounds_lines(
    rows: Sequence[PremiseRow], ends: tuple[float, float], colours: OutcomeColours, unit: str = ""
) -> Picture:
    """A line for each premise, thick for the result; an arrow is an open end, dots are lost.

    `unit` says what the numbers are, for those who hear the picture.
    """
    canvas, scale = Canvas(palette=colours.palette), Scale(*ends)

    def at(value: float) -> float:
        within = min(max(value, scale.low), scale.high)
        return ROOM + (1 - 2 * ROOM) * scale.place(within)

    for place, row in enumerate(rows):
        y, colour = LINE_ROW * (place + 0.5), colours.colour(row.outcome)
        canvas.beside(row.label, y, {"font-weight": "600"} if row.thick else {})
        if not isinstance(row.premise, Interval):
            canvas.level(at(ends[0]), at(ends[1]), y, stroke=colours.palette.mixed, **DOTTED)
            continue
        lost = [each for each in row.lost if isinstance(each, Interval)]
        interval_line(canvas, y, row.premise, lost, colour, at, ends, thick=row.thick)
    foot = LINE_ROW * len(rows)
    canvas.below([(at(value), brief(value)) for value in scale.ticks(TICKS)], foot + 10)
    said = "; ".join(f"{row.label}: {_said(row)}" for row in rows)
    alt = f"{counted(len(rows), 'line')}{f' of {unit}' if unit else ''}. {said}."
    return canvas.picture(foot + LINE_FOOT, alt, left=room_beside(row.label for row in rows))


def _said(row: PremiseRow) -> str:
    if not isinstance(row.premise, Interval):
        return "no condition"
    low, high = row.premise.low, row.premise.high
    start = "no lower end" if low == float("-inf") else f"from {brief(low)}"
    end = "no upper end" if high == float("inf") else f"to {brief(high)}"
    lost = ", the rest cut away" if row.lost else ""
    return f"{start} {end}{lost}"
