"""What each column is for: a table that people correct, and what their corrections mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import RunSettings
from glocalx.pipeline.tables import split_table
from glocalx.table import Column, ColumnKind, Role, Table
from glocalx.table.roles import OUTCOME_ROLES
from glocalx.words.phrases import shown

KINDS: dict[ColumnKind, str] = {
    "numeric": "number",
    "integer": "whole number",
    "date": "date",
    "categorical": "category",
    "boolean": "yes / no",
    "text": "free text",
    "identifier": "identifier",
}
ROLES: dict[Role, str] = {
    "feature": "Feature",
    "sensitive": "Sensitive",
    "target": "Outcome",
    "predictions": "Predictions",
    "true label": "True label",
    "ignored": "Leave out",
}
SHOWN, NAME, KIND, ROLE, VALUES, MISSING = (
    "Shown as",
    "Column",
    "Kind",
    "Role",
    "Values",
    "Missing",
)
BARS = 12
LONGEST_LABEL = 60


def columns_frame(table: Table) -> pd.DataFrame:
    """One row for each column of the file."""
    columns = table.columns
    return pd.DataFrame(
        {
            SHOWN: pd.array([column.title for column in columns], dtype="str"),
            NAME: pd.array([column.name for column in columns], dtype="str"),
            KIND: pd.array([KINDS[column.kind] for column in columns], dtype="str"),
            ROLE: pd.array([ROLES[column.role] for column in columns], dtype="str"),
            VALUES: [spread(table, column) for column in columns],
            MISSING: [column.missing for column in columns],
        }
    )


def spread(table: Table, column: Column) -> list[int]:
    """Counts for a small histogram; none for columns that are not used."""
    if column.is_feature:
        values = table.frame[column.name]
        if pd.api.types.is_numeric_dtype(values):
            numbers = values.to_numpy(dtype=float)
            distinct = len(pd.unique(numbers))
            return [int(n) for n in np.histogram(numbers, bins=min(max(distinct, 2), BARS))[0]]
        return [int(n) for n in values.value_counts().head(BARS)]
    texts = {"target": lambda: table.target, "predictions": lambda: table.predictions}
    if column.role in texts:
        return [int(n) for n in pd.Series(texts[column.role]()).value_counts().head(BARS)]
    return []


@dataclass(frozen=True, slots=True)
class Edit:
    """One cell that a person changed: the column of the file, and what it should be."""

    column: str
    label: str | None = None
    kind: ColumnKind | None = None
    role: Role | None = None

    @property
    def sentence(self) -> str:
        """The change in words, plain text."""
        parts = []
        if self.role is not None:
            parts.append(f"the role “{ROLES[self.role]}”")
        if self.kind is not None:
            parts.append(f"the kind “{KINDS[self.kind]}”")
        if self.label is not None:
            parts.append(f"the name {shown(self.label)}")
        return f"The column {shown(self.column)} gets {' and '.join(parts)}."


def edits_from(table: Table, edited_rows: Mapping[Any, Mapping[str, Any]]) -> list[Edit]:
    """What a data editor says was changed, without what is the same as before."""
    kinds = {text: kind for kind, text in KINDS.items()}
    roles = {text: role for role, text in ROLES.items()}
    edits = []
    for place, cells in edited_rows.items():
        column = table.columns[int(place)]
        label = _label(cells.get(SHOWN), column)
        kind, role = kinds.get(cells.get(KIND, "")), roles.get(cells.get(ROLE, ""))
        edit = Edit(
            column.name,
            label,
            None if kind == column.kind else kind,
            None if role == column.role else role,
        )
        if edit != Edit(column.name):
            edits.append(edit)
    return edits


def _label(given: object, column: Column) -> str | None:
    """The new name; an emptied cell means the column's own name."""
    if given is None:
        return None
    text = " ".join(str(given).split())[:LONGEST_LABEL] or column.name
    return None if text == column.title else text


def edited(settings: RunSettings, table: Table, edits: list[Edit]) -> RunSettings:
    """The settings with these edits; raises GLocalXError where the table cannot be so."""
    data, box = settings.data, settings.box
    for edit in edits:
        if edit.kind is not None:
            data = replace(data, kinds={**data.kinds, edit.column: edit.kind})
            table = table.with_kind(edit.column, edit.kind)
        if edit.role is not None:
            data = replace(data, roles=_with_role(data.roles, edit.column, edit.role))
            table = table.with_role(edit.column, edit.role)
            if edit.role == "predictions" and box.source == "train":
                box = replace(box, source="predictions")
        if edit.label is not None:
            data = replace(data, labels={**data.labels, edit.column: edit.label})
    if not table.features:
        raise GLocalXError(
            "No column would be left as a feature. Keep at least one that rules may speak of."
        )
    if table.predictions is None and box.source == "predictions":
        box = replace(box, source="train")
    if table.choices.outcome("target") is not None:
        split_table(table, data)
    return replace(settings, data=data, box=box)


def _with_role(roles: Mapping[str, Role], column: str, role: Role) -> dict[str, Role]:
    """A role that one column alone can have goes over to the new one."""
    return {
        name: given
        for name, given in roles.items()
        if name != column and (given != role or role not in OUTCOME_ROLES)
    } | {column: role}
