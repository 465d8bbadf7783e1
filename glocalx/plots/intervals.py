"""Premises before and after a join or a cut, over how the records of that feature spread."""

from __future__ import annotations

from collections.abc import Sequence

from glocalx.merging.operators import Change, Cut, Join
from glocalx.plots.canvas import Canvas, Picture, room_beside
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.premise_picture import CategoryPicture, NumberPicture, PremiseRow
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Premise
from glocalx.words.escape import shortened
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

HEAD, BARS = 10.0, 80.0  # pixels above the bars, and of the highest bar
FIRST_ROW, ROW, FOOT = 18.0, 19.0, 13.0
MOST_PARTS = 8


def join_pictures(
    join: Join, records: Records, colours: OutcomeColours, *, wording: Wording | None = None
) -> tuple[tuple[str, Picture], ...]:
    """Feature and picture for each condition that a join moved; dropped ones have none."""
    moved = [change for change in join.changes if change.after is not None]
    rows = [(change.feature, join_rows(join, change)) for change in moved]
    return _pictures(rows, records, colours, wording)


def cut_pictures(
    cut: Cut, records: Records, colours: OutcomeColours, *, wording: Wording | None = None
) -> tuple[tuple[str, Picture], ...]:
    """Feature and picture for each condition of which a cut took something."""
    rows = [(change.feature, cut_rows(cut, change)) for change in cut.changes]
    return _pictures(rows, records, colours, wording)


def _pictures(
    rows: Sequence[tuple[str, tuple[PremiseRow, ...]]],
    records: Records,
    colours: OutcomeColours,
    wording: Wording | None,
) -> tuple[tuple[str, Picture], ...]:
    return tuple(
        (name, interval_picture(records, name, lines, colours, wording=wording))
        for name, lines in rows
    )


def interval_picture(
    records: Records,
    feature: str,
    rows: Sequence[PremiseRow],
    colours: OutcomeColours,
    *,
    wording: Wording | None = None,
) -> Picture:
    """Bars for the records, and below them a line for each premise.

    Thick: the result, whose records are tinted. Arrows: open ends. Dotted: no condition, or what
    was cut away. Categories have dots instead of lines: filled where allowed, hollow where not,
    a cross where cut away.
    """
    said = wording or Wording(records.schema, records)
    column = records.schema[feature]
    kind = CategoryPicture if column.is_categorical else NumberPicture
    drawn = kind(records, column, rows, colours, said)
    canvas, ground = Canvas(palette=colours.palette), HEAD + BARS
    canvas.level(0, 1, ground, stroke=colours.palette.line)
    drawn.bars_upon(canvas, ground, BARS)
    foot = ground + FIRST_ROW - ROW + FOOT
    for row in rows:
        foot += ROW
        canvas.beside(row.label, foot - FOOT)
        drawn.row_at(canvas, foot - FOOT, row)
    drawn.ticks_below(canvas, foot)
    if drawn.rooted:
        canvas.words("heights are square roots", 1, HEAD, {"font-size": "11px"}, anchor="end")
    left = room_beside(row.label for row in rows)
    alt = _alt(records, feature, rows, said, drawn.rooted)
    return canvas.picture(foot + drawn.room_below, alt, left=left)


def _alt(
    records: Records, feature: str, rows: Sequence[PremiseRow], words: Wording, rooted: bool
) -> str:
    said = "; ".join(f"{row.label}: {_condition(row, feature, words)}" for row in rows)
    roots = " Bar heights are square roots of the counts." if rooted else ""
    return f"{shortened(words.name(feature))} of {counted(records.size, 'record')}. {said}.{roots}"


def _condition(row: PremiseRow, feature: str, words: Wording) -> str:
    if row.premise is None:
        return "no condition"
    return shortened(words.condition(feature, row.premise), 120)


def fallen_away(join: Join) -> tuple[str, ...]:
    """The features whose condition a join dropped."""
    return tuple(change.feature for change in join.changes if change.after is None)


def join_rows(join: Join, change: Change) -> tuple[PremiseRow, ...]:
    """The parts, then the result. Equal premises share a line; beyond eight lines parts are left
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
    label = "Joined" if len(rows) <= MOST_PARTS else f"All {len(join.parts)} joined"
    return (*rows[:MOST_PARTS], PremiseRow(label, change.after, outcome, thick=True))


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
