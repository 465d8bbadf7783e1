"""The local rules of a scene as a table in which every bound can be set."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from glocalx.lessons.scene import Scene, bounds_of
from glocalx.rules.rule import Rule
from ui.learn.lesson import Bounds, wording_for

SET, TABLE = "learn_rules", "learn_rules_table"
MOST_RULES = 60


def rules_set(name: str) -> tuple[Bounds, ...] | None:
    """The rules that somebody set in a scene; None: its own."""
    kept: dict[str, tuple[Bounds, ...]] = st.session_state.get(SET, {})
    return kept.get(name)


def set_bounds(scene: Scene) -> None:
    """The table. Rows can be added and taken away; an empty cell is an open end."""
    own = tuple(_bounds(scene, rule) for rule in scene.rules)
    names = [wording_for(scene).name(axis.feature) for axis in (scene.across, scene.up)]
    columns = [f"{name} {end}" for name in names for end in ("from", "to below")]
    frame = pd.DataFrame(own, columns=[*columns, "Outcome"])
    for column in columns:
        frame[column] = frame[column].astype(float)
    outcomes = list(scene.schema.outcomes)
    with st.expander("Set the local rules", icon=":material/tune:"):
        st.markdown(
            "Each row is a rectangle. Change a number, add a row or take one away, and all merges "
            "follow. An empty cell is an open end."
        )
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
        written = tuple(_written(row) for row in edited.itertuples(index=False))
        kept = tuple(row for row in written if row[4] in outcomes)[:MOST_RULES]
        with st.container(horizontal=True):
            same = kept == (rules_set(scene.name) or own)
            if st.button("Use these rules", type="primary", disabled=same or not kept):
                _keep(scene.name, kept)
                st.rerun()
            changed = rules_set(scene.name) is not None
            if st.button("Back to the scene’s own rules", disabled=not changed):
                _keep(scene.name, None)
                st.session_state[TABLE] = st.session_state.get(TABLE, 0) + 1
                st.rerun()


def _keep(name: str, rules: tuple[Bounds, ...] | None) -> None:
    kept = dict(st.session_state.get(SET, {}))
    if rules is None:
        kept.pop(name, None)
    else:
        kept[name] = rules
    st.session_state[SET] = kept


def _bounds(scene: Scene, rule: Rule) -> Bounds:
    across, up = (bounds_of(rule, axis.feature) for axis in (scene.across, scene.up))
    return (*across, *up, rule.outcome)


def _written(row: Any) -> Bounds:
    low, high, bottom, top, outcome = row
    ends = [None if pd.isna(each) else float(each) for each in (low, high, bottom, top)]
    return (ends[0], ends[1], ends[2], ends[3], "" if pd.isna(outcome) else str(outcome))
