"""What the columns of a table are: features, their kinds and domains, and the outcomes.

Rules, records and files all refer to one :class:`Schema`. It decides what a premise may say, so
rules are built here, and it tells in one sentence how another table differs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from glocalx.errors import GLocalXError
from glocalx.rules.rule import Categories, Interval, Premise, Rule, canonical_rule
from glocalx.words.phrases import listing
from glocalx.words.spoken import Spoken, words_by_name

Kind: TypeAlias = Literal["numeric", "integer", "date", "categorical"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Feature:
    """One column that rules may speak of.

    Parameters
    ----------
    name
        The column as it is called in the table.
    kind
        `numeric`; `integer`: whole numbers; `date`: whole days since 1970-01-01;
        `categorical`.
    categories
        All values of a categorical feature, in canonical (sorted) order.
    gaps
        Whether records may lack a value. Only then can rules speak of missing values.
    fill
        Where gaps are filled, what stands in for a missing value: a record without a value counts
        as one with this. None where nothing does. Not part of what the feature is.
    label, unit
        How people call the feature and what it is counted in. Not part of what the feature is.
    spoken
        How people say its conditions, where that is known. Not part of what the feature is either.
    """

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()
    label: str | None = field(default=None, compare=False)
    unit: str | None = field(default=None, compare=False)
    spoken: Spoken | None = field(default=None, compare=False)
    gaps: bool = field(default=False, compare=False)
    fill: float | str | None = field(default=None, compare=False)
    domain: frozenset[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            said = f"The feature “{self.name}” has the unknown kind “{self.kind}”."
            raise GLocalXError(f"{said} Use one of {', '.join(KINDS)}.")
        if self.is_categorical != bool(self.categories):
            raise GLocalXError(
                f"The feature “{self.name}” is {self.kind} and has {len(self.categories)} "
                "categories. Categorical features need some, others have none."
            )
        object.__setattr__(self, "categories", tuple(sorted(set(self.categories))))
        object.__setattr__(self, "domain", frozenset(self.categories))
        if self.fill is not None and not self.can_be(self.fill):
            raise GLocalXError(
                f"“{self.fill}” cannot stand in for a missing value of “{self.name}”. Use "
                f"{'one of its categories' if self.is_categorical else 'a number'}."
            )

    @property
    def is_categorical(self) -> bool:
        return self.kind == "categorical"

    @property
    def is_whole(self) -> bool:
        """True where only whole numbers occur, so that thresholds read as whole numbers."""
        return self.kind in ("integer", "date")

    def can_be(self, value: object) -> bool:
        """Whether it is one of the categories, or a finite number where these are asked for."""
        if self.is_categorical or isinstance(value, bool):
            return value in self.domain
        return isinstance(value, int | float) and math.isfinite(value)

    def interval(self, low: float, high: float, missing: bool = False) -> Interval:
        """The numbers in `[low, high)`; on whole numbers the ends move up to whole numbers.

        `missing`: or no number at all, which says nothing where the feature has no gaps.
        """
        if self.is_categorical:
            raise GLocalXError(f"“{self.name}” is categorical: a rule cannot give it numbers.")
        low, high = float(low), float(high)
        if self.is_whole:
            low, high = _up_to_whole(low), _up_to_whole(high)
        self._check_gaps(missing and not low < high)
        return Interval(low, high, missing and self.gaps, self.gaps)

    def allowed(self, values: Iterable[str | None], missing: bool = False) -> Categories:
        """The premise that allows these categories; None, or `missing`: a missing one too."""
        given = frozenset(values)
        chosen = frozenset(value for value in given if value is not None)
        missing = missing or None in given
        unknown = sorted(map(str, chosen - self.domain))
        if not self.is_categorical:
            raise GLocalXError(f"“{self.name}” is {self.kind}: a rule cannot give it categories.")
        if unknown:
            raise GLocalXError(
                f"A rule asks for “{unknown[0]}” in “{self.name}”, a category that the table does "
                f"not have. It has: {listing(self.categories)}."
            )
        self._check_gaps(missing and not chosen)
        return Categories(chosen, self.domain, missing and self.gaps, self.gaps)

    @property
    def only_missing(self) -> Premise:
        """The premise that the value is missing."""
        if self.is_categorical:
            return self.allowed((), missing=True)
        return self.interval(math.inf, -math.inf, missing=True)

    def _check_gaps(self, only_missing: bool) -> None:
        if only_missing and not self.gaps:
            raise GLocalXError(
                f"A rule asks for records without a value in “{self.name}”, but none lacks one."
            )

    def at_most(self, threshold: float) -> Interval:
        """`x <= threshold`, the left branch of a tree."""
        return self.interval(-math.inf, math.nextafter(float(threshold), math.inf))

    def above(self, threshold: float) -> Interval:
        """`x > threshold`, the right branch of a tree."""
        return self.interval(math.nextafter(float(threshold), math.inf), math.inf)


@dataclass(frozen=True, slots=True)
class Schema:
    """The features and outcomes that the rules of one table may use.

    Parameters
    ----------
    features, outcomes
        What rules may speak of, and what they may answer, in canonical (sorted) order.
    outcome_labels
        How people call an outcome, where that differs. Not part of what the table is.
    bands
        Where the outcomes are bands of numbers: where these are cut.

    Examples
    --------
    >>> schema = Schema(
    ...     (Feature("age", "integer"), Feature("job", "categorical", ("clerk", "manager"))),
    ...     ("accept", "deny"),
    ... )
    >>> rule = schema.rule({"age": (24.5, math.inf), "job": ["clerk"]}, "deny")
    >>> rule == schema.rule({"job": ["clerk"], "age": (25, math.inf)}, "deny")
    True
    """

    features: tuple[Feature, ...]
    outcomes: tuple[str, ...]
    outcome_labels: Mapping[str, str] = field(default_factory=dict, compare=False)
    bands: tuple[float, ...] = field(default=(), compare=False)
    _by_name: dict[str, Feature] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {feature.name: feature for feature in self.features})
        object.__setattr__(self, "outcomes", tuple(sorted(set(self.outcomes))))
        if len(self._by_name) != len(self.features):
            raise GLocalXError("Two features have the same name. Rename one of the columns.")
        if len(self.outcomes) < 2:
            raise GLocalXError(
                f"There is only one outcome ({listing(self.outcomes) or 'none'}), so there is "
                "nothing to explain. Choose labels with at least two values."
            )

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Feature:
        try:
            return self._by_name[name]
        except KeyError:
            raise GLocalXError(
                f"A rule speaks of “{name}”, a column that the table does not have. "
                f"It has: {listing(tuple(self._by_name))}."
            ) from None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._by_name)

    @property
    def fills(self) -> dict[str, float | str]:
        """What stands in for a missing value, by feature; only where something does."""
        return {each.name: each.fill for each in self.features if each.fill is not None}

    def with_fills(self, fills: Mapping[str, float | str]) -> Schema:
        """The same features with these values, and no others, in place of missing ones."""
        features = tuple(replace(each, fill=fills.get(each.name)) for each in self.features)
        return replace(self, features=features)

    def rule(self, premises: Mapping[str, Any], outcome: str) -> Rule:
        """The canonical rule of these premises.

        Parameters
        ----------
        premises
            For each feature a premise, a pair `(low, high)`, a collection of categories, of
            which None stands for a missing one, or None alone: the value is missing.
        outcome
            One of the outcomes.
        """
        self.check_outcome(outcome)
        made = {name: self._premise(self[name], given) for name, given in premises.items()}
        return canonical_rule(made, outcome)

    def check_outcome(self, outcome: str) -> None:
        """Refuse an outcome that the labels do not have."""
        if outcome not in self.outcomes:
            raise GLocalXError(
                f"A rule gives the outcome “{outcome}”, which the labels do not have. "
                f"They have: {listing(self.outcomes)}."
            )

    def _premise(self, feature: Feature, given: Any) -> Premise:
        match given:
            case Interval(low, high, missing):
                return feature.interval(low, high, missing)
            case Categories(values, _, missing):
                return feature.allowed(values, missing)
            case None:
                return feature.only_missing
            case _ if feature.is_categorical:
                return feature.allowed([given] if isinstance(given, str) else given)
            case (low, high):
                return feature.interval(low, high)
        raise GLocalXError(f"A rule gives “{feature.name}” neither an interval nor categories.")

    def difference(self, other: Schema) -> str | None:
        """In one sentence the first way in which `other` is not this table, None if it is."""
        for name in self.names:
            if name not in other:
                return f"the column “{name}” is missing"
            mine, theirs = self[name], other[name]
            if mine.kind != theirs.kind:
                return f"the column “{name}” is {theirs.kind} and should be {mine.kind}"
            if mine.domain != theirs.domain:
                strange = sorted(mine.domain ^ theirs.domain)[0]
                return f"the column “{name}” differs in the category “{strange}”"
        extra = [name for name in other.names if name not in self]
        if extra:
            return f"the column “{extra[0]}” is new"
        if self.outcomes != other.outcomes:
            return (
                f"the outcomes are {listing(other.outcomes)} and should be {listing(self.outcomes)}"
            )
        return None

    @classmethod
    def of(cls, frame: pd.DataFrame, outcomes: Iterable[object]) -> Schema:
        """The schema of a clean frame: numbers are numeric, everything else categorical."""
        return cls(
            tuple(_feature_of(str(name), frame[name]) for name in frame.columns),
            tuple({outcome_text(outcome) for outcome in outcomes}),
        )

    def to_dict(self, *, words: bool = True) -> dict[str, Any]:
        """The schema for a file; without `words` (and fills) only what the features are."""
        labels: dict[str, Any] = {}
        if self.outcome_labels:
            labels["outcome_labels"] = dict(self.outcome_labels)
        if self.bands:
            labels["bands"] = list(self.bands)
        return {
            "features": [_feature_to_dict(feature, words=words) for feature in self.features],
            "outcomes": list(self.outcomes),
            **(labels if words else {}),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Schema:
        """The inverse of :meth:`to_dict`."""
        return cls(
            tuple(map(_feature_from_dict, data["features"])),
            tuple(map(str, data["outcomes"])),
            words_by_name(data.get("outcome_labels")),
            tuple(map(float, data.get("bands", ()))),
        )


def _feature_to_dict(feature: Feature, *, words: bool) -> dict[str, Any]:
    what: dict[str, Any] = {"name": feature.name, "kind": feature.kind}
    if feature.gaps:
        what["gaps"] = True
    categories = {"categories": list(feature.categories)} if feature.is_categorical else {}
    said = {
        "label": feature.label,
        "unit": feature.unit,
        "spoken": feature.spoken.to_dict() if feature.spoken else None,
    }
    fill = {"fill": feature.fill} if feature.fill is not None and words else {}
    known = {key: value for key, value in said.items() if value and words}
    return {**what, **categories, **known, **fill}


def _feature_from_dict(item: Mapping[str, Any]) -> Feature:
    return Feature(
        str(item["name"]),
        item["kind"],
        tuple(map(str, item.get("categories", ()))),
        str(item["label"]) if item.get("label") else None,
        str(item["unit"]) if item.get("unit") else None,
        Spoken.from_dict(item["spoken"]) if item.get("spoken") else None,
        gaps=item.get("gaps") is True,
        fill=item.get("fill"),
    )


def outcome_text(label: object) -> str:
    """A label as text: whole numbers without a decimal point, however they were stored.

    Examples
    --------
    >>> outcome_text(1.0), outcome_text(np.int64(1)), outcome_text("High")
    ('1', '1', 'High')
    """
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label)


def _up_to_whole(bound: float) -> float:
    return float(math.ceil(bound)) if math.isfinite(bound) else bound


def _feature_of(name: str, column: pd.Series[Any]) -> Feature:
    gaps = bool(column.isna().any())
    if pd.api.types.is_bool_dtype(column) or not pd.api.types.is_numeric_dtype(column):
        return Feature(name, "categorical", tuple(map(str, column.dropna().unique())), gaps=gaps)
    values = column.dropna().to_numpy(dtype=float)
    whole = values.size > 0 and bool(np.all(np.floor(values) == values))
    return Feature(name, "integer" if whole else "numeric", gaps=gaps)
