"""The local rules of a scene: every bound can be dragged, or set in a table."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from glocalx.lessons.presets import points_of
from glocalx.lessons.scene import Scene, bounds_of
from glocalx.rules.rule import Rule
from ui.learn.lesson import Bounds, colours_for, wording_for
from ui.learn.plane_board import dragged_ends

SET, TABLE, DRAGGED = "learn_rules", "learn_rules_table", "learn_dragged"
MOST_RULES = 60


def rules_set(name: str) -> tuple[Bounds, ...] | None:
    """The rules that somebody set in a scene; None: its own."""
    kept: dict[str, tuple[Bounds, ...]] = st.session_state.get(SET, {})
    return kept.get(name)


def set_bounds(scene: Scene) -> None:
    """A rule to drag, and the table of all. Rows can be added and taken away."""
    rules = rules_set(scene.name) or tuple(_bounds(scene, rule) for rule in scene.rules)
    names = [wording_for(scene).name(axis.feature) for axis in (scene.across, scene.up)]
    ends = [f"{name} {end}" for name in names for end in ("from", "to below")]
    with st.expander("Set the local rules", icon=":material/tune:"):
        st.markdown("Drag a side of a rectangle or write its bounds, and all merges follow.")
        plane, table = st.columns(2, gap="medium")
        with plane:
            _drag(scene, rules, ends)
        with table:
            _table(scene, rules, ends)


def _drag(scene: Scene, rules: tuple[Bounds, ...], names: list[str]) -> None:
    """One of the rules over the points."""
    chosen = st.selectbox(
        "Rule to drag",
        range(len(rules)),
        format_func=lambda place: f"Rule {place + 1}: {rules[place][4]}",
        key=f"{DRAGGED}_{scene.name}_{len(rules)}",
    )
    *ends, outcome = rules[chosen]
    sides, colours = (scene.across, scene.up), colours_for(scene)
    key = f"{DRAGGED}_plane_{scene.name}_{chosen}"
    moved = dragged_ends(key, sides, points_of(scene), colours, (ends, outcome), names)
    if moved is not None and moved != tuple(ends):
        now = (moved[0], moved[1], moved[2], moved[3], outcome)
        _keep(scene.name, (*rules[:chosen], now, *rules[chosen + 1 :]))
        st.rerun()
    st.caption(
        "The handles can be reached with Tab and moved with the arrow keys. At the edge a side is "
        "open: no condition."
    )


def _table(scene: Scene, rules: tuple[Bounds, ...], columns: list[str]) -> None:
    """All rules as rows; an empty cell is an open end."""
    frame = pd.DataFrame(rules, columns=[*columns, "Outcome"])
    frame[columns] = frame[columns].astype(float)
    outcomes = list(scene.schema.outcomes)
    edited = st.data_editor(
        frame,
        key=f"{TABLE}_{scene.name}_{st.session_state.get(TABLE, 0)}",
        num_rows="dynamic",
        hide_index=True,
        column_config={
            "Outcome": st.column_config.SelectboxColumn(
                options=outcomes, required=True, default=outcomes[0]
            )
        },
    )
    st.caption("An empty cell is an open end. Rows can be added and taken away.")
    written = tuple(_written(row) for row in edited.itertuples(index=False))
    kept = tuple(row for row in written if row[4] in outcomes)[:MOST_RULES]
    with st.container(horizontal=True):
        if st.button("Use these rules", type="primary", disabled=kept == rules or not kept):
            _keep(scene.name, kept)
            st.rerun()
        changed = rules_set(scene.name) is not None
        if st.button("Back to the scene’s own rules", disabled=not changed):
            _keep(scene.name, None)
            st.rerun()


def _keep(name: str, rules: tuple[Bounds, ...] | None) -> None:
    kept = dict(st.session_state.get(SET, {}))
    if rules is None:
        kept.pop(name, None)
    else:
        kept[name] = rules
    st.session_state[SET] = kept
    st.session_state[TABLE] = st.session_state.get(TABLE, 0) + 1  # the table is a new one


def _bounds(scene: Scene, rule: Rule) -> Bounds:
    across, up = (bounds_of(rule, axis.feature) for axis in (scene.across, scene.up))
    return (*across, *up, rule.outcome)


def _written(row: Any) -> Bounds:
    low, high, bottom, top, outcome = row
    ends = [None if pd.isna(each) else float(each) for each in (low, high, bottom, top)]
    return (ends[0], ends[1], ends[2], ends[3], "" if pd.isna(outcome) else str(outcome))
