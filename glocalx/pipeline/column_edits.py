"""What people correct about columns, in words, and what it makes of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import RunSettings
from glocalx.pipeline.tables import split_table
from glocalx.table import ColumnKind, Role, Table
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


@dataclass(frozen=True, slots=True)
class ColumnEdit:
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


def with_edits(settings: RunSettings, table: Table, edits: list[ColumnEdit]) -> RunSettings:
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
