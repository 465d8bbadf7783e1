"""Premises before and after a join or a cut, over how the records of that feature spread."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from glocalx.coverage import Records
from glocalx.operators import Cut, Join
from glocalx.phrases import counted
from glocalx.plots.category_picture import CategoryPicture
from glocalx.plots.layout import Drawing, bare_axis, base_figure, note
from glocalx.plots.number_picture import NumberPicture
from glocalx.plots.premise_rows import PremiseRow, cut_rows, join_rows
from glocalx.plots.text import plain, short
from glocalx.plots.theme import OutcomeColours
from glocalx.wording import Wording

FIRST_ROW, ROW = 0.22, 0.24  # below the bars, whose height is 1
UNIT = 80  # pixels for that height


def join_pictures(
    join: Join, records: Records, colours: OutcomeColours, *, wording: Wording | None = None
) -> tuple[tuple[str, Drawing], ...]:
    """Feature and picture for each condition that a join moved; dropped ones have none."""
    moved = [change for change in join.changes if change.after is not None]
    rows = [(change.feature, join_rows(join, change)) for change in moved]
    return _pictures(rows, records, colours, wording)


def cut_pictures(
    cut: Cut, records: Records, colours: OutcomeColours, *, wording: Wording | None = None
) -> tuple[tuple[str, Drawing], ...]:
    """Feature and picture for each condition of which a cut took something."""
    rows = [(change.feature, cut_rows(cut, change)) for change in cut.changes]
    return _pictures(rows, records, colours, wording)


def _pictures(
    rows: Sequence[tuple[str, tuple[PremiseRow, ...]]],
    records: Records,
    colours: OutcomeColours,
    wording: Wording | None,
) -> tuple[tuple[str, Drawing], ...]:
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
    height: int | None = None,
    wording: Wording | None = None,
) -> Drawing:
    """Bars for the records, and below them a line for each premise.

    Thick: the result, whose records are tinted. Arrows: open ends. Dotted: no condition, or what
    was cut away. Categories have dots instead of lines: filled where allowed, hollow where not,
    a cross where cut away.
    """
    words = wording or Wording(records.schema, records)
    places = [-FIRST_ROW - ROW * place for place in range(len(rows))]
    figure = _ground(rows, places, height, colours)
    column = records.schema[feature]
    picture = CategoryPicture if column.is_categorical else NumberPicture
    rooted = picture(records, column, rows, colours, words).draw(figure, places)
    if rooted:
        text = "heights are square roots"
        place = {"x": 1, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "right"}
        figure.add_annotation(note(colours.palette, text, yanchor="top", **place))
    return Drawing(figure, _alt(records, feature, rows, words, rooted))


def _ground(
    rows: Sequence[PremiseRow],
    places: Sequence[float],
    height: int | None,
    colours: OutcomeColours,
) -> go.Figure:
    bottom = places[-1] - 0.16 if places else 0.0
    figure = base_figure(
        colours.palette,
        height or round(UNIT * (1.12 - bottom)) + 28,
        xaxis=bare_axis(colours.palette, nticks=6),
        yaxis=bare_axis(
            colours.palette,
            range=[bottom, 1.12],
            tickvals=list(places),
            ticktext=[plain(row.label, 24) for row in rows],
        ),
        bargap=0,
        barmode="overlay",
    )
    figure.add_hline(y=0, line={"color": colours.palette.line, "width": 1})
    return figure


def _alt(
    records: Records, feature: str, rows: Sequence[PremiseRow], words: Wording, rooted: bool
) -> str:
    said = "; ".join(f"{row.label}: {_condition(row, feature, words)}" for row in rows)
    roots = " Bar heights are square roots of the counts." if rooted else ""
    return f"{short(words.name(feature))} of {counted(records.size, 'record')}. {said}.{roots}"


def _condition(row: PremiseRow, feature: str, words: Wording) -> str:
    if row.premise is None:
        return "no condition"
    return short(words.condition(feature, row.premise), 120)
