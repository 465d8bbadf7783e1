"""What a column is there for, and what a person has said about the columns of a table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from glocalx.errors import GLocalXError
from glocalx.table.findings import Finding
from glocalx.table.kinds import ColumnKind
from glocalx.words.phrases import listing, shown
from glocalx.words.spoken import Spoken

Role: TypeAlias = Literal[
    "feature", "sensitive", "target", "predictions", "true label", "seen", "ignored"
]
ROLES: tuple[Role, ...] = get_args(Role)
Gaps: TypeAlias = Literal["keep", "fill"]
"""Missing values stay as they are, or the mean or the most frequent category takes their place."""
OUTCOME_ROLES: tuple[Role, ...] = ("target", "predictions", "true label")
"""Roles of columns with an outcome for each record."""
SOLE_ROLES: tuple[Role, ...] = (*OUTCOME_ROLES, "seen")
"""Roles that one column at most can have, and that make it no feature; `seen` marks the records
that a model from elsewhere was trained on."""

_SENSITIVE = frozenset(
    {
        *("sex", "gender", "race", "racial", "ethnicity", "ethnic", "age", "religion", "religious"),
        *("nationality", "citizenship", "disability", "disabled", "handicap", "marital"),
        *("pregnant", "pregnancy", "caste", "skin", "birthdate", "birthday", "dob", "transgender"),
        *("geschlecht", "nationalität", "sexe", "âge", "sexo", "edad", "raza", "sesso", "età"),
        *("razza", "nazionalità", "religione", "religión", "nacionalidad", "nationalité"),
    }
)


def suggests_sensitive(name: str) -> bool:
    """True where the name of a column speaks of a protected trait.

    Examples
    --------
    >>> suggests_sensitive("AgeYears"), suggests_sensitive("marital_status")
    (True, True)
    >>> suggests_sensitive("mileage")
    False
    """
    parted = re.sub(r"([a-zà-ÿ])([A-Z])", r"\1 \2", name).lower()
    return bool(_SENSITIVE & set(re.findall(r"[^\W\d_]+", parted)))


@dataclass(frozen=True, slots=True)
class Choices:
    """What people, or the facts of a sample, say about columns. What is not said is found out.

    Parameters
    ----------
    kinds, roles
        By column.
    labels, units
        How people call a column and what it is counted in.
    spoken
        How people say the conditions on a column.
    sensitive
        Features that are to be watched, or not, whatever their role and their name say.
    known_after
        Columns that were not yet known when the decision was taken.
    bands
        Where numbers in the outcome columns are cut; see :class:`glocalx.rules.bands.Bands`.
    notes
        Findings to be kept with the table.
    gaps
        What becomes of missing values.
    """

    kinds: Mapping[str, ColumnKind] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    spoken: Mapping[str, Spoken] = field(default_factory=dict)
    sensitive: Mapping[str, bool] = field(default_factory=dict)
    known_after: frozenset[str] = frozenset()
    bands: tuple[float, ...] = ()
    notes: tuple[Finding, ...] = ()
    gaps: Gaps = "keep"

    def with_kind(self, column: str, kind: ColumnKind) -> Choices:
        return replace(self, kinds={**self.kinds, column: kind})

    def with_role(self, column: str, role: Role) -> Choices:
        """A column that had a role that only one can have gives it up to the new one."""
        roles = {
            name: given
            for name, given in self.roles.items()
            if given != role or role not in SOLE_ROLES
        }
        marks = {name: mark for name, mark in self.sensitive.items() if name != column}
        return replace(self, roles={**roles, column: role}, sensitive=marks)

    def with_sensitive(self, marks: Mapping[str, bool]) -> Choices:
        """Features marked as sensitive, or not; columns that are no features stay what they are."""
        return replace(self, sensitive={**self.sensitive, **marks})

    def marked(self, column: str, role: Role) -> Role:
        """The role of a column once it is marked."""
        if role not in ("feature", "sensitive") or column not in self.sensitive:
            return role
        return "sensitive" if self.sensitive[column] else "feature"

    def with_label(self, column: str, label: str) -> Choices:
        """A person's own name for a column; phrases that say it otherwise are given up."""
        said = {**self.spoken, column: self.spoken.get(column, Spoken()).only_values()}
        return replace(
            self,
            labels={**self.labels, column: label},
            spoken={name: spoken for name, spoken in said.items() if spoken},
        )

    def outcome(self, role: Role) -> str | None:
        """The column with a role that only one can have."""
        return next((name for name, given in self.roles.items() if given == role), None)

    def check(self, columns: tuple[str, ...], file: str) -> None:
        """Refuse choices that name a column, a role or two outcomes that cannot be."""
        strange = [name for name in (*self.kinds, *self.roles) if name not in columns]
        if strange:
            raise GLocalXError(
                f"{shown(file)} has no column {shown(strange[0])}. It has: {listing(columns)}."
            )
        for name, role in self.roles.items():
            if role not in ROLES:
                raise GLocalXError(
                    f"The column {shown(name)} cannot have the role “{role}”. "
                    f"Use one of {', '.join(ROLES)}."
                )
        for role in SOLE_ROLES:
            named = [name for name, given in self.roles.items() if given == role]
            if len(named) > 1:
                raise GLocalXError(
                    f"Two columns have the role “{role}”: {listing(named)}. Choose one."
                )
