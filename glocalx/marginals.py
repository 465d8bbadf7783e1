"""GLocalX* without a single record: how each feature is distributed, from a file.

For people who may know the distribution of the features and may not see the records. Features are
drawn independently of each other, as nothing is known of how they go together: among the records
drawn are some that could not be, and the black box is asked about these, too.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr, ndtri

from glocalx.errors import GLocalXError
from glocalx.files.document import number, opened_document, read_text, refusing
from glocalx.rules.schema import Feature
from glocalx.words.phrases import shown

DISTRIBUTION = "glocalx/distribution"
_COLUMNS = ("feature", "kind", "from", "to", "mean", "deviation", "category", "share", "missing")
_ENTRIES = frozenset({"name", "kind", "from", "to", "mean", "deviation", "shares", "missing"})


@dataclass(frozen=True, slots=True)
class Marginal:
    """How one feature is distributed.

    Parameters
    ----------
    low, high
        The range of a number.
    mean, deviation
        Of a number: drawn from a normal distribution cut off at the range, of which these are the
        parameters; without them every number of the range is as likely.
    shares
        Of categories; they are scaled to come to 1.
    missing
        Share of records without a value.

    Examples
    --------
    >>> age = Marginal(Feature("age", "integer"), low=18, high=90, mean=40, deviation=10)
    >>> drawn = age.sample(1000, np.random.default_rng(0))
    >>> int(drawn.min()) >= 18, round(float(drawn.mean()) / 10)
    (True, 4)
    """

    feature: Feature
    low: float = 0.0
    high: float = 0.0
    mean: float | None = None
    deviation: float | None = None
    shares: Mapping[str, float] = field(default_factory=dict)
    missing: float = 0.0

    def __post_init__(self) -> None:
        name = f"the feature {shown(self.feature.name)}"
        total = sum(self.shares.values())
        normal = self.mean is not None or self.deviation is not None
        checks = {
            f"{name} needs numbers “from” and “to”, the smaller first": (
                self.feature.is_categorical or -math.inf < self.low < self.high < math.inf
            ),
            f"{name} has a mean or a deviation alone, and needs both": (
                not normal or (self.mean is not None and self.deviation is not None)
            ),
            f"{name} has a mean outside its range": (
                self.mean is None or self.low <= self.mean <= self.high
            ),
            f"{name} has a deviation that is not above 0": (
                self.deviation is None or 0 < self.deviation < math.inf
            ),
            f"{name} has shares that are below 0 or come to nothing": (
                not self.feature.is_categorical
                or (min(self.shares.values()) >= 0 and 0 < total < math.inf)
            ),
            f"{name} has a share of missing values that is not from 0 to below 1": (
                0 <= self.missing < 1
            ),
        }
        for sentence, holds in checks.items():
            if not holds:
                raise GLocalXError(f"{sentence}. Correct it.")

    def sample(self, size: int, generator: np.random.Generator) -> pd.Series[Any]:
        """So many values."""
        places = generator.random(size)
        gone = generator.random(size) < self.missing
        if self.feature.is_categorical:
            names = sorted(self.shares)
            ends = np.cumsum([self.shares[name] for name in names])
            chosen = np.searchsorted(ends / ends[-1], places, "right").clip(max=len(names) - 1)
            made = pd.Series(np.array(names, dtype=object)[chosen], dtype="str")
            return made.mask(gone)
        values = pd.Series(self._numbers(places))
        return values.mask(gone) if gone.any() else values

    def _numbers(self, places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        if self.mean is None or self.deviation is None:
            drawn = self.low + (self.high - self.low) * places
        else:
            first, last = (
                ndtr((end - self.mean) / self.deviation) for end in (self.low, self.high)
            )
            drawn = self.mean + self.deviation * ndtri(first + (last - first) * places)
        if self.feature.is_whole:
            drawn = np.round(drawn)
        return np.clip(drawn, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Marginals:
    """Every feature on its own."""

    parts: tuple[Marginal, ...]

    def __post_init__(self) -> None:
        if not self.parts:
            raise GLocalXError("it names no feature. Give at least one.")
        names = [part.feature.name for part in self.parts]
        for name in names:
            if names.count(name) > 1:
                raise GLocalXError(f"the feature {shown(name)} stands there twice. Leave one out.")

    @property
    def features(self) -> tuple[Feature, ...]:
        return tuple(part.feature for part in self.parts)

    def sample(self, size: int, seed: int = 0) -> pd.DataFrame:
        """A frame of `size` records; the same for the same seed."""
        return pd.DataFrame(
            {
                part.feature.name: part.sample(size, np.random.default_rng([seed, place]))
                for place, part in enumerate(self.parts)
            }
        )


def read_distribution(path: Path) -> Marginals:
    """The distribution in a JSON file, or in a CSV file with a row for each feature or category."""
    if path.suffix.lower() == ".csv":
        with refusing(path):
            return Marginals(tuple(map(_marginal, _iter_rows(read_text(path)))))
    with opened_document(path, DISTRIBUTION) as document:
        return Marginals(tuple(map(_marginal, document["features"])))


def _marginal(entry: Mapping[str, Any]) -> Marginal:
    name, kind = entry["name"], entry["kind"]
    if not isinstance(name, str) or not name:
        raise GLocalXError("a feature has no name. Give it one.")
    strange = sorted(set(entry) - _ENTRIES)
    if strange:
        raise GLocalXError(f"the feature {shown(name)} has an unknown entry {shown(strange[0])}.")
    shares = {text: number(share) for text, share in entry.get("shares", {}).items()}
    missing = number(entry.get("missing", 0))
    feature = Feature(name, kind, tuple(shares), gaps=missing > 0)
    if feature.is_categorical:
        return Marginal(feature, shares=shares, missing=missing)
    mean, deviation = (
        number(entry[key]) if key in entry else None for key in ("mean", "deviation")
    )
    low, high = (number(entry[end]) if end in entry else math.nan for end in ("from", "to"))
    return Marginal(feature, low, high, mean, deviation, missing=missing)


def _iter_rows(text: str) -> Iterator[dict[str, Any]]:
    """A feature for each name, with the categories of all its rows."""
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    strange = [name for name in reader.fieldnames or () if name not in _COLUMNS]
    if strange or not {"feature", "kind"} <= set(reader.fieldnames or ()):
        raise GLocalXError(f"its columns are to be of {', '.join(_COLUMNS)}.")
    made: dict[str, dict[str, Any]] = {}
    for row in reader:
        name = row["feature"]
        entry = made.setdefault(name, {"name": name, "kind": row["kind"]})
        for key in ("from", "to", "mean", "deviation", "missing"):
            if row.get(key):
                entry[key] = _number(row[key])
        if row.get("category"):
            entry.setdefault("shares", {})[row["category"]] = _number(row.get("share") or "")
    yield from made.values()


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise GLocalXError(f"{shown(text)} stands where a number should.") from None
