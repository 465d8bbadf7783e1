"""Points that people draw: by clicking into the plane, or in a table with the keyboard."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from glocalx.lessons.presets import BLUE, COLOURS, EDGES, MOST_POINTS, Point, moons, points_of
from glocalx.lessons.scene import PlaneSide
from glocalx.plots import OutcomeColours
from glocalx.words.phrases import counted
from ui.layout import card, one_of
from ui.learn.plane_board import clicked_place
from ui.opened import shades

POINTS, COLOUR, BOARD = "learn_points", "learn_colour", "learn_board"
TABLE = "learn_point_table"
SIDES = [PlaneSide(name, *ends) for name, ends in zip("xy", EDGES, strict=True)]


def points_drawn() -> tuple[Point, ...]:
    """The points so far."""
    return tuple(st.session_state.get(POINTS, ()))


def draw_points() -> None:
    """The card to draw on. What is drawn is there when the page below is made."""
    with card("Draw your points"):
        st.markdown(
            "Choose a colour, then click into the plane. A support vector machine learns the "
            "colours as soon as there are **3 points of each**; its answers are what is explained."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            one_of("Colour of the next point", COLOURS, COLOUR, BLUE, label_visibility="collapsed")
            drawn = points_drawn()
            undo: dict[str, Any] = {"disabled": not drawn}
            st.button(
                "Take back", icon=":material/undo:", on_click=_keep, args=(drawn[:-1],), **undo
            )
            st.button("Clear", icon=":material/delete:", on_click=_keep, args=((),), **undo)
            st.button("Take the moons", on_click=lambda: _keep(points_of(moons())))
        board, table = st.columns([7, 5], gap="medium")
        with board:
            _board(drawn)
        with table:
            _table(drawn)


def _board(drawn: tuple[Point, ...]) -> None:
    colours = OutcomeColours.of(COLOURS, palette=shades())
    said = f"A plane to draw on, with {counted(len(drawn), 'point')}. The table does the same."
    place = clicked_place(BOARD, SIDES, drawn, colours, said)
    if place is None or len(drawn) >= MOST_POINTS:
        return
    others = tuple(point for point in drawn if (point.x, point.y) != place)
    added = Point(*place, st.session_state.get(COLOUR) or BLUE)
    _keep((*others, added))
    st.rerun()


def _keep(points: tuple[Point, ...]) -> None:
    """These are the points now; the table is a new one."""
    st.session_state[POINTS] = points
    st.session_state[TABLE] = st.session_state.get(TABLE, 0) + 1


def _table(drawn: tuple[Point, ...]) -> None:
    """The same points as a table, which can be written in."""
    number = st.column_config.NumberColumn
    edited = st.data_editor(
        pd.DataFrame(drawn, columns=["x", "y", "outcome"]).astype(
            {"x": float, "y": float, "outcome": str}
        ),
        key=f"{TABLE}_{st.session_state.get(TABLE, 0)}",
        num_rows="dynamic",
        hide_index=True,
        height=330,
        column_config={
            "x": number(min_value=0.0, max_value=10.0, required=True),
            "y": number(min_value=0.0, max_value=10.0, required=True),
            "outcome": st.column_config.SelectboxColumn("Colour", options=COLOURS, required=True),
        },
    )
    written = [
        Point(float(x), float(y), str(outcome))
        for x, y, outcome in edited.dropna().itertuples(index=False)
        if outcome in COLOURS
    ][:MOST_POINTS]
    if tuple(written) != drawn and st.button("Use this table", type="primary"):
        _keep(tuple(written))
        st.rerun()
