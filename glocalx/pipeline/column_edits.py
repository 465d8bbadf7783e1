"""What people correct about columns, in words, and what it makes of the settings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import DataSettings, RunSettings
from glocalx.pipeline.tables import split_table
from glocalx.table import Choices, ColumnKind, Role, Table
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
    "seen": "Seen by the model",
    "ignored": "Leave out",
}


@dataclass(frozen=True, slots=True)
class ColumnEdit:
    """One cell that a person changed: the column of the file, and what it should be.

    `bands`: where a new target of numbers is cut.
    """

    column: str
    label: str | None = None
    kind: ColumnKind | None = None
    role: Role | None = None
    bands: tuple[float, ...] = ()

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
            data, table = _with_role(data, table, edit, edit.role)
            if edit.role == "predictions" and box.source in ("train", "labels"):
                box = replace(box, source="predictions")
        if edit.label is not None:
            data = replace(data, labels={**data.labels, edit.column: edit.label})
    if not table.features:
        raise GLocalXError(
            "No column would be left as a feature. Keep at least one that rules may speak of."
        )
    if table.predictions is None and box.source == "predictions":
        box = replace(box, source="train")
    made = replace(settings, data=data, box=box)
    if box != settings.box or any(edit.role == "seen" for edit in edits):
        made = made.with_box(box)
    if table.choices.outcome("target") is not None:
        split_table(table, made.data)
    return made


def _with_role(
    data: DataSettings, table: Table, edit: ColumnEdit, role: Role
) -> tuple[DataSettings, Table]:
    """A role that one column alone can have goes over to the new one.

    A feature that becomes sensitive, or no longer is, stays a feature for everything that was made.
    """
    column = edit.column
    if table.column(column).is_feature and role in ("feature", "sensitive"):
        mark = {column: role == "sensitive"}
        table = table.with_choices(table.choices.with_sensitive(mark))
        return replace(data, sensitive={**data.sensitive, **mark}), table
    said = Choices(roles=data.roles, sensitive=data.sensitive).with_role(column, role)
    bands = edit.bands if role == "target" else data.bands
    choices = replace(table.choices.with_role(column, role), bands=bands)
    made = replace(data, roles=said.roles, sensitive=said.sensitive, bands=bands)
    return made, table.with_choices(choices)
