"""Records in memory, counted for an audit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit.axis import Axis, listed_edges
from glocalx.audit.source import Fill, Source, category_codes
from glocalx.audit.tally import Bools, Floats, Ints, Moments, Tally
from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Bits, Records, mask_of
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.words.phrases import counted, listing, shown


class FrameSource(Source):
    """A frame, with the labels of its records where they are known.

    Parameters
    ----------
    schema
        Of the rules.
    frame
        One row per record, with the columns that the rules use and those to look at.
    black_box, truth
        One label per record; None or NaN where it is not known.
    fills
        For some columns what stood in for a missing value where the black box was asked, if it is
        not what the schema says: rules see it there, too. Groups, means and proxies never do.
    """

    def __init__(
        self,
        schema: Schema,
        frame: pd.DataFrame,
        black_box: Collection[object] | npt.NDArray[Any] | None = None,
        truth: Collection[object] | npt.NDArray[Any] | None = None,
        fills: Mapping[str, Fill] | None = None,
    ) -> None:
        if not len(frame):
            raise GLocalXError("The table has no records. Give at least one.")
        self.schema = schema
        self._frame = frame
        present = tuple(feature for feature in schema.features if feature.name in frame.columns)
        self.fills = {**schema.fills, **(fills or {})}
        self.records = Records(Schema(present, schema.outcomes).with_fills({}), frame)
        self._asked = self.records
        if any(name in frame and frame[name].hasnans for name in self.fills):
            self._asked = Records(self.records.schema.with_fills(self.fills), frame)
        self.size = self.records.size
        self._labels = [self._label_of_each(labels) for labels in (black_box, truth)]

    def to_plain(self) -> dict[str, Any]:
        """Columns and labels as lists of numbers and texts, None where something is missing."""
        columns = {}
        for name, values in self._frame.items():
            known = values.notna()
            columns[str(name)] = values.astype(object).where(known, None).tolist()
        texts = [*self.schema.outcomes, None]
        model, truth = ([texts[code] for code in labels] for labels in self._labels)
        return {"columns": columns, "model": model, "truth": truth}

    @classmethod
    def of_plain(cls, schema: Schema, data: Mapping[str, Any]) -> FrameSource:
        """The same records from :meth:`to_plain`."""
        columns = {}
        for name, values in data["columns"].items():
            number = all(each is None or isinstance(each, int | float) for each in values)
            columns[name] = pd.Series(values, dtype="float64" if number else "str")
        return cls(schema, pd.DataFrame(columns), data["model"], data["truth"])

    def _label_of_each(self, labels: Collection[object] | npt.NDArray[Any] | None) -> Ints:
        if labels is None:
            return np.full(self.size, -1, dtype=np.int64)
        if len(labels) != self.size:
            raise GLocalXError(
                f"There are {counted(len(labels), 'label')} for {counted(self.size, 'record')}. "
                "Give one label per record."
            )
        return self._label_codes(labels)

    def gaps(self, columns: Iterable[str]) -> dict[str, int]:
        counts = {name: int(self._frame[name].isna().sum()) for name in columns}
        return {name: count for name, count in counts.items() if count}

    def unseen(self, columns: Iterable[str]) -> dict[str, int]:
        unseen = self.records.unseen
        return {name: sum(unseen[name].values()) for name in columns if name in unseen}

    def feature(self, column: str) -> Feature:
        if column not in self._frame.columns:
            raise GLocalXError(
                f"The table has no column {shown(column)}. It has: {listing(self._frame.columns)}."
            )
        if column not in self.schema:
            if self._frame[column].isna().all():
                raise GLocalXError(f"The column {shown(column)} is empty. Choose another.")
            return Schema.of(self._frame[[column]], self.schema.outcomes).features[0]
        known = self.schema[column]
        if not known.is_categorical:
            return known
        found = tuple(str(value) for value in self._frame[column].dropna().unique())
        categories = (*known.categories, *found)
        return Feature(column, "categorical", categories, known.label, known.unit)

    def edges(self, feature: Feature, parts: int) -> Sequence[float]:
        values = self._numbers(feature.name)
        return listed_edges(*np.unique(values[~np.isnan(values)], return_counts=True), parts)

    def tally(
        self,
        rules: Sequence[Rule],
        axes: Sequence[Axis] = (),
        *,
        labels: bool = True,
        numbers: Sequence[str] = (),
    ) -> Tally:
        each = self._records(rules, axes, labels=labels)
        cell, first, count = _cells([*each.groups.T, each.black_box, each.truth, *each.covers.T])
        moments = {name: self._moments(name, cell, first.size) for name in numbers}
        return replace(each.at(first), count=count, moments=moments)

    def iter_records(
        self, rules: Sequence[Rule], axes: Sequence[Axis], names: Sequence[str], rows: int
    ) -> Iterator[tuple[Tally, pd.DataFrame]]:
        each = self._records(rules, axes)
        for start in range(0, self.size, rows):
            part = slice(start, start + rows)
            texts = self._frame[list(names)][part].astype("str").reset_index(drop=True)
            yield each.at(part), texts

    def _records(
        self, rules: Sequence[Rule], axes: Sequence[Axis], *, labels: bool = True
    ) -> Tally:
        """Every record as a cell of its own."""
        unknown = np.full(self.size, -1, dtype=np.int64)
        black_box, truth = self._labels if labels else (unknown, unknown)
        return Tally(
            tuple(axes),
            self.schema.outcomes,
            tuple(rules),
            groups=np.stack([unknown, *map(self.codes, axes)], axis=1)[:, 1:],
            black_box=black_box,
            truth=truth,
            covers=self._covers(rules),
            count=np.ones(self.size, dtype=np.int64),
        )

    def _covers(self, rules: Sequence[Rule]) -> Bools:
        covers = np.zeros((self.size, len(rules)), dtype=bool)
        for place, rule in enumerate(rules):
            lacking = [name for name in rule.features if name not in self.records.schema]
            if lacking:
                raise GLocalXError(
                    f"Rule {place + 1} speaks of {listing(lacking)}, which the table does not "
                    "have. Add what is missing, under the same name."
                )
            covers[:, place] = mask_of(self.coverage(rule), self.size)
        return covers

    def coverage(self, rule: Rule) -> Bits:
        """Which records a rule covers."""
        return self._asked.coverage(rule)

    def codes(self, axis: Axis) -> Ints:
        """The group of each record, −1 where the value is missing."""
        if axis.feature.is_categorical:
            return category_codes(axis, self._frame[axis.name])
        values = self._numbers(axis.name)
        bands = np.searchsorted(np.array(axis.edges), values, side="right")
        return np.where(np.isnan(values), -1, bands)

    def _numbers(self, column: str) -> Floats:
        if column in self.records.schema:
            return np.asarray(self.records.values(column), dtype=float)
        return self._frame[column].to_numpy(dtype=float, na_value=np.nan)

    def _moments(self, column: str, cell: Ints, cells: int) -> Moments:
        values = self._numbers(column)
        here = ~np.isnan(values)
        cell, values = cell[here], values[here]
        known = np.bincount(cell, minlength=cells)
        mean = np.bincount(cell, values, cells) / np.maximum(known, 1)
        squares = np.bincount(cell, (values - mean[cell]) ** 2, cells).astype(float)
        return Moments(known, mean, squares)


def _cells(columns: Sequence[npt.NDArray[Any]]) -> tuple[Ints, Ints, Ints]:
    """For each record its cell; for each cell its first record and its number of records."""
    key = np.zeros(len(columns[0]), dtype=np.int64)
    different = 1
    for column in columns:
        codes = column.astype(np.int64) + 1
        width = int(codes.max()) + 1
        if different * width >= 2**62:
            key, different = _renumbered(key)
        key, different = key * width + codes, different * width
    cell, cells = _renumbered(key)
    first = np.full(cells, len(cell), dtype=np.int64)
    np.minimum.at(first, cell, np.arange(len(cell)))
    return cell, first, np.bincount(cell, minlength=cells)


def _renumbered(key: Ints) -> tuple[Ints, int]:
    codes, values = pd.factorize(key)
    return codes.astype(np.int64), len(values)
