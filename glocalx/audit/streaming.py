"""Tables larger than memory: records counted by DuckDB, straight from files or a database.

The rules become SQL conditions; one pass over the table gives the cells of a
:class:`~glocalx.audit.tally.Tally`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypedDict, Unpack

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit.axis import Axis
from glocalx.audit.source import Fill, Source, category_codes
from glocalx.audit.streamed_columns import StreamedColumns, double_literal
from glocalx.audit.tally import Bools, Ints, Moments, Tally
from glocalx.errors import GLocalXError
from glocalx.rules.bands import Bands
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature
from glocalx.rules.sql import Notation, quoted_text, rule_condition
from glocalx.words.phrases import counted, shown

Labels: TypeAlias = npt.NDArray[np.object_]
MAX_CELLS = 2_000_000
_BITS = 60  # rules in one 64-bit number


@dataclass(frozen=True, slots=True, eq=False)
class DrawnRecords:
    """Records in memory, with their labels where the table has any.

    Parameters
    ----------
    places
        Their rows in the table, from 0.
    identifiers
        What people tell them apart by; None where no column was named.
    """

    frame: pd.DataFrame
    black_box: Labels | None
    truth: Labels | None
    places: Ints
    identifiers: list[str | None] | None


class Streamed(TypedDict, total=False):
    """How a streamed table is understood; see :class:`StreamedSource`."""

    black_box: str | None
    truth: str | None
    means: Mapping[str, str] | None
    fills: Mapping[str, Fill] | None


class StreamedSource(Source):
    """Records that stay where they are. Make it with the functions of `glocalx.audit.duckdb_files`.

    Parameters
    ----------
    columns
        The table.
    black_box, truth
        The columns with labels, where there are any.
    means
        What outcome a value of the true labels means, where these are other words.
    fills
        What rules see in place of a missing value; see :class:`FrameSource`.
    """

    def __init__(self, columns: StreamedColumns, **understood: Unpack[Streamed]) -> None:
        self._columns, self.schema = columns, columns.schema
        self.fills = {**self.schema.fills, **(understood.get("fills") or {})}
        labels = {"b": understood.get("black_box"), "t": understood.get("truth")}
        self._means = {"t": understood.get("means") or {}}
        self._labels = {key: column for key, column in labels.items() if column is not None}
        self.size = int(columns.rows(f"SELECT count(*) FROM {columns.relation}")[0][0])
        if not self.size:
            raise GLocalXError(f"{shown(columns.called)} has no records. Give at least one.")

    def gaps(self, columns: Iterable[str]) -> dict[str, int]:
        features = [self.feature(column) for column in columns]
        return self._counted(
            {each.name: f"{self._columns.expression(each)} IS NULL" for each in features}
        )

    def unseen(self, columns: Iterable[str]) -> dict[str, int]:
        known = [self.schema[column] for column in columns if column in self.schema]
        strange = {}
        for feature in known:
            if feature.is_categorical:
                listed = ", ".join(map(quoted_text, feature.categories))
                strange[feature.name] = f"{self._columns.expression(feature)} NOT IN ({listed})"
        return self._counted(strange)

    def _counted(self, conditions: dict[str, str]) -> dict[str, int]:
        if not conditions:
            return {}
        counts = ", ".join(f"count(*) FILTER (WHERE {each})" for each in conditions.values())
        row = self._columns.rows(f"SELECT {counts} FROM {self._columns.relation}")[0]
        return {name: int(n) for name, n in zip(conditions, row, strict=True) if n}

    def feature(self, column: str) -> Feature:
        return self._columns.feature(column)

    def edges(self, feature: Feature, parts: int) -> Sequence[float]:
        return self._columns.edges(feature, parts)

    def iter_frames(self, names: Iterable[str], rows: int) -> Iterator[pd.DataFrame]:
        """The records in their order, so many at a time: these features as rules see them."""
        features = [self.schema[name] for name in names]
        self._columns.check_numbers(features)
        clean = [f"{self._columns.expression(each)} AS c{i}" for i, each in enumerate(features)]
        query = f"SELECT {', '.join(clean) or '1'} FROM {self._columns.relation}"
        for frame in self._columns.iter_frames(query, rows):
            yield _clean_frame(frame, features)

    def drawn(
        self, names: Iterable[str], most: int, *, identifier: str | None = None
    ) -> DrawnRecords:
        """These columns as rules see them, of all records, or of so many that are drawn."""
        features = [self.feature(name) for name in names]
        clean = [f"{self._columns.expression(each)} AS c{i}" for i, each in enumerate(features)]
        clean += [f"{self._answers(name, key)} AS {key}" for key, name in self._labels.items()]
        clean += ["row_number() OVER () AS r"]
        clean += [] if identifier is None else [f"{self._columns.text(identifier)} AS i"]
        query = f"SELECT {', '.join(clean)} FROM {self._columns.relation}"
        frame = self._columns.drawn(query, most if self.size > most else None)
        said, true = (frame[k].to_numpy(dtype=object) if k in frame else None for k in "bt")
        return DrawnRecords(
            _clean_frame(frame, features),
            said,
            true,
            frame["r"].to_numpy(dtype=np.int64) - 1,
            None if identifier is None else frame["i"].to_numpy(dtype=object).tolist(),
        )

    def tally(
        self,
        rules: Sequence[Rule],
        axes: Sequence[Axis] = (),
        *,
        labels: bool = True,
        numbers: Sequence[str] = (),
    ) -> Tally:
        clean, keys, alias = self._keys(rules, axes, labels=labels, numbers=numbers)
        counts = ["count(*) AS n"]
        for place, name in enumerate(numbers):
            column = alias[name]
            counts += [f"count({column}) AS k{place}", f"avg({column}) AS m{place}"]
            counts += [f"var_pop({column}) AS v{place}"]
        found = self._columns.frame(
            f"SELECT {', '.join([*keys, *counts])} FROM (SELECT {', '.join(clean) or '1'} "
            f"FROM {self._columns.relation}) GROUP BY ALL ORDER BY ALL LIMIT {MAX_CELLS + 1}"
        )
        if len(found) > MAX_CELLS:
            raise GLocalXError(
                f"The {counted(len(rules), 'rule')} overlap in more than {MAX_CELLS:,} different "
                "ways in these groups. Audit fewer rules, or fewer columns at a time."
            )
        made = self._cells(found, rules, axes, found["n"].to_numpy(dtype=np.int64))
        return replace(made, moments={name: _moments(found, i) for i, name in enumerate(numbers)})

    def iter_records(
        self, rules: Sequence[Rule], axes: Sequence[Axis], names: Sequence[str], rows: int
    ) -> Iterator[tuple[Tally, pd.DataFrame]]:
        clean, keys, _ = self._keys(rules, axes, labels=True)
        texts = [f"{self._columns.text(name)} AS t{place}" for place, name in enumerate(names)]
        query = (
            f"SELECT {', '.join([*keys, *(f't{i}' for i in range(len(names)))]) or '1'} FROM "
            f"(SELECT {', '.join([*clean, *texts]) or '1'} FROM {self._columns.relation})"
        )
        for found in self._columns.iter_frames(query, rows):
            tally = self._cells(found, rules, axes, np.ones(len(found), dtype=np.int64))
            columns = {name: found[f"t{place}"] for place, name in enumerate(names)}
            yield tally, pd.DataFrame(columns).astype("str")

    def _cells(
        self, found: pd.DataFrame, rules: Sequence[Rule], axes: Sequence[Axis], count: Ints
    ) -> Tally:
        """Cells from rows with groups `g0`, …, labels `b` and `t`, and signatures `s0`, …"""
        groups = [
            category_codes(axis, found[f"g{i}"])
            if axis.feature.is_categorical
            else found[f"g{i}"].to_numpy(dtype=np.int64)
            for i, axis in enumerate(axes)
        ]
        unknown = np.full(len(found), -1, dtype=np.int64)
        return Tally(
            tuple(axes),
            self.schema.outcomes,
            tuple(rules),
            groups=np.stack([unknown, *groups], axis=1)[:, 1:],
            black_box=self._label_codes(found["b"]) if "b" in found else unknown,
            truth=self._label_codes(found["t"]) if "t" in found else unknown,
            covers=_covers(found, len(rules)),
            count=count,
        )

    def _keys(
        self,
        rules: Sequence[Rule],
        axes: Sequence[Axis],
        *,
        labels: bool,
        numbers: Sequence[str] = (),
    ) -> tuple[list[str], list[str], dict[str, str]]:
        """The clean columns; groups, labels and signatures from them; what columns are called."""
        names = [name for rule in rules for name in rule.features]
        features = {name: self.schema[name] for name in names}
        features |= {name: self.feature(name) for name in numbers}
        features |= {axis.name: axis.feature for axis in axes}
        alias = {name: f"c{place}" for place, name in enumerate(features)}
        clean = [
            f"{self._columns.expression(each)} AS {alias[name]}" for name, each in features.items()
        ]
        keys = [f"{_group(axis, alias[axis.name])} AS g{i}" for i, axis in enumerate(axes)]
        if labels:
            clean += [f"{self._answers(name, key)} AS {key}" for key, name in self._labels.items()]
            keys += list(self._labels)
        seen = {name: self._seen(name, alias[name]) for name in names}
        notation = Notation(lambda each: seen[each.name], lambda _, bound: double_literal(bound))
        keys += _signatures([rule_condition(rule, self.schema, notation) for rule in rules])
        return clean, keys, alias

    def _answers(self, column: str, key: str) -> str:
        """A column of labels; numbers by the names of their bands, if the outcomes are such."""
        bands = Bands.of(self.schema)
        means = self._means.get(key)
        if means:
            # A column of whole numbers with gaps is often written with a decimal point.
            raw = f"regexp_replace({self._columns.text(column, tuple(means))}, '[.]0$', '')"
            said = (f"WHEN {quoted_text(a)} THEN {quoted_text(b)}" for a, b in means.items())
            return f"CASE {raw} {' '.join(said)} ELSE {raw} END"
        text = self._columns.text(column, self.schema.outcomes)
        if bands is None:
            return text
        number = self._columns.number(Feature(column, "numeric"))
        *lower, last = map(quoted_text, bands.names)
        ways = zip(map(double_literal, bands.cuts), lower, strict=True)
        cases = " ".join(f"WHEN {number} < {cut} THEN {name}" for cut, name in ways)
        return f"CASE {cases} WHEN {number} IS NOT NULL THEN {last} ELSE {text} END"

    def _seen(self, name: str, column: str) -> str:
        """A column as rules see it."""
        fill = self.fills.get(name)
        if fill is None:
            return column
        literal = quoted_text(fill) if isinstance(fill, str) else double_literal(fill)
        return f"coalesce({column}, {literal})"


def _clean_frame(found: pd.DataFrame, features: Sequence[Feature]) -> pd.DataFrame:
    """The features by name, from columns `c0`, …"""
    columns = {each.name: found[f"c{i}"] for i, each in enumerate(features)}
    texts = {each.name: "str" for each in features if each.is_categorical}
    return pd.DataFrame(columns).astype(texts)


def _group(axis: Axis, column: str) -> str:
    """The category, or the number of the band that a number lies in, −1 where it is missing."""
    if axis.feature.is_categorical:
        return column
    ends = (
        f"WHEN {column} < {double_literal(edge)} THEN {place}"
        for place, edge in enumerate(axis.edges)
    )
    return f"CASE WHEN {column} IS NULL THEN -1 {' '.join(ends)} ELSE {len(axis.edges)} END"


def _signatures(conditions: Sequence[str]) -> list[str]:
    """Which conditions hold, as the bits of as few whole numbers as will do."""
    signatures = []
    for start in range(0, len(conditions), _BITS):
        bits = [
            f"CASE WHEN {condition} THEN CAST({1 << place} AS BIGINT) ELSE 0 END"
            for place, condition in enumerate(conditions[start : start + _BITS])
        ]
        signatures.append(f"{' + '.join(bits)} AS s{start // _BITS}")
    return signatures


def _covers(found: pd.DataFrame, rules: int) -> Bools:
    covers = np.zeros((len(found), rules), dtype=bool)
    for place in range(rules):
        bits = found[f"s{place // _BITS}"].to_numpy(dtype=np.int64)
        covers[:, place] = (bits >> (place % _BITS)) & 1
    return covers


def _moments(found: pd.DataFrame, place: int) -> Moments:
    known = found[f"k{place}"].to_numpy(dtype=np.int64)
    mean = found[f"m{place}"].fillna(0.0).to_numpy(dtype=float)
    return Moments(known, mean, known * found[f"v{place}"].fillna(0.0).to_numpy(dtype=float))
