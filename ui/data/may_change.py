"""Which features a proposed change may touch, and in which direction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.questions.permissions import MayChange, Permissions
from glocalx.table import Table
from glocalx.words.phrases import shown
from glocalx.workspace.run import Run
from ui.data.changes import propose, refuse, taken

NUMBERS = ("numeric", "integer", "date")
ASKED: dict[MayChange, str] = {
    "never": "Never changes",
    "up": "Only goes up",
    "down": "Only goes down",
}


def permissions_of(run: Run, table: Table) -> Permissions:
    """What a run's proposed changes may touch."""
    return Permissions.of(run.settings.data.may_change, table.sensitive)


def may_change_form(run: Run, table: Table, locked: bool) -> None:
    """Three lists of features, folded; sensitive ones stand among those that never change."""
    now = permissions_of(run, table)
    names = {column.name: column.title for column in table.features}
    numbers = [column.name for column in table.features if column.kind in NUMBERS]
    with st.expander("What may change in “what would change the answer”"):
        for way, asked in ASKED.items():
            st.multiselect(
                asked,
                list(names) if way == "never" else numbers,
                [name for name in names if now.way(name) == way],
                format_func=names.__getitem__,
                disabled=locked,
                placeholder="None",
                **taken(f"may_change_{way}", partial(_propose, run, table, way)),
            )
        st.caption(
            "Such as: age only goes up. Sensitive features are not proposed as changes unless you "
            "take them out of the first list. No result has to be made again."
        )


def _propose(run: Run, table: Table, way: MayChange, chosen: list[str]) -> None:
    try:
        said = with_way(run.settings.data.may_change, table, way, chosen)
    except GLocalXError as error:
        refuse(error)
        return
    data = replace(run.settings.data, may_change=said)
    propose(run, replace(run.settings, data=data), "Other features may change.")


def with_way(
    said: Mapping[str, MayChange], table: Table, way: MayChange, chosen: list[str]
) -> dict[str, Any]:
    """What a person said so far, with another list of features that change in one way.

    Only what is not so anyway is kept: a feature may change, a sensitive one may not.
    """
    before = Permissions.of(said, table.sensitive)
    made: dict[str, MayChange] = {}
    for column in table.features:
        name, now = column.name, before.way(column.name)
        if name in chosen and now not in (way, "any"):
            raise GLocalXError(
                f"{shown(column.title)} stands in the list “{ASKED[now]}” already. Take it out "
                "there first."
            )
        wanted: MayChange = way if name in chosen else "any" if now == way else now
        if wanted != ("never" if name in table.sensitive else "any"):
            made[name] = wanted
    return made
