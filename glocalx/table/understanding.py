"""From the cells of a column to numbers, dates, categories, or something to set aside."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from glocalx.errors import GLocalXError
from glocalx.table.cells import Cells, cells_of
from glocalx.table.dates import DateForm, date_form, has_times
from glocalx.table.findings import Finding
from glocalx.table.kinds import (
    COLUMN_KINDS,
    NUMBER_SHARE,
    ColumnKind,
    ReadColumn,
    are_whole,
    is_running_number,
    text_kind,
)
from glocalx.table.limits import check_size
from glocalx.table.numbers import FloatArray, NumberForm, example_of_form, number_form
from glocalx.table.raw import RawTable
from glocalx.words.phrases import counted, shown

_LARGEST = float(np.finfo(np.float32).max)  # models and trees work with 32 bits


def read_column(
    raw: RawTable,
    name: str,
    kind: ColumnKind | None = None,
    form: NumberForm | DateForm | None = None,
) -> ReadColumn:
    """Understand one column of a raw table, once for every kind that it is asked as.

    Parameters
    ----------
    kind
        What a person says that the column is; None: to be found out.
    form
        How its numbers or dates are written in another table, taken where it fits no worse than
        any other form.
    """
    if form is not None:
        return _understood(raw, name, kind, form)
    if (name, kind) not in raw.understood:
        raw.understood[name, kind] = _understood(raw, name, kind, None)
    read: ReadColumn = raw.understood[name, kind]
    return read


def read_categories(raw: RawTable, name: str, kind: ColumnKind | None = None) -> ReadColumn:
    """The same column as texts, whatever it holds."""
    read = read_column(raw, name, kind)
    return read if read.categories else read_column(raw, name, "categorical")


def _understood(
    raw: RawTable, name: str, kind: ColumnKind | None, form: NumberForm | DateForm | None
) -> ReadColumn:
    if kind is not None and kind not in COLUMN_KINDS:
        raise GLocalXError(
            f"The column {shown(name)} cannot be “{kind}”. Use one of {', '.join(COLUMN_KINDS)}."
        )
    column = raw.cells.column(name)
    if kind in (None, "numeric", "integer") and _holds_numbers(column.type):
        floats: FloatArray = pc.cast(column, pa.float64(), safe=False).to_numpy()
        return _numbers_read(floats, name, kind, None, ())
    if kind is None and not _is_flat(column.type):
        kind = "text"
    days = column
    if pa.types.is_timestamp(column.type):  # to the day, before it becomes text
        days = pc.cast(column, pa.date32(), safe=False)
    read = _Reader(raw, name, cells_of(days), form).read(kind)
    if read.kind != "date" or days is column:
        return read
    timed = pc.any(pc.not_equal(pc.floor_temporal(column, unit="day"), column)).as_py()
    return replace(read, findings=(*read.findings, _time_of_day(name))) if timed else read


def _holds_numbers(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _is_flat(kind: pa.DataType) -> bool:
    """False for lists, structures and bytes, which no rule can speak of."""
    if pa.types.is_dictionary(kind):
        return _is_flat(kind.value_type)
    binary = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary)
    return not pa.types.is_nested(kind) and not any(test(kind) for test in binary)


def _time_of_day(name: str) -> Finding:
    sentence = f"The time of day in {shown(name)} is left out; dates count in days."
    return Finding("time of day", "info", name, sentence)


def _numbers_read(
    values: FloatArray,
    name: str,
    kind: ColumnKind | None,
    form: NumberForm | None,
    findings: tuple[Finding, ...],
) -> ReadColumn:
    """A column of numbers: infinite ones become missing, whole ones make it an integer column."""
    infinite = np.abs(values) > _LARGEST  # NaN is not
    if infinite.any():
        what = "infinite value" if np.isinf(values[infinite]).all() else "value beyond 3.4e38"
        values = np.where(infinite, np.nan, values)
        count = int(infinite.sum())
        counts = "counts" if count == 1 else "count"
        many = what.replace("value", "values")
        sentence = f"{shown(name)} has {counted(count, what, many)}, which {counts} as missing."
        findings += (Finding("infinite", "warning", name, sentence),)
    known = values[~np.isnan(values)]
    if kind is None:
        kind = "integer" if are_whole(known) else "numeric"
        if kind == "integer" and is_running_number(known, name):
            kind = "identifier"
    if kind == "integer" and not are_whole(known):
        example = known[known != np.floor(known)]
        raise GLocalXError(
            f"The column {shown(name)} cannot be integer: it holds "
            f"{example[0] if example.size else known.max()}. Make it numeric."
        )
    return ReadColumn(kind, values, (), form, findings)


@dataclass(frozen=True, slots=True)
class _Reader:
    """One column of texts on its way to a kind."""

    raw: RawTable
    name: str
    cells: Cells
    form: NumberForm | DateForm | None

    def read(self, kind: ColumnKind | None) -> ReadColumn:
        if kind in ("numeric", "integer"):
            return self._numbers(kind, self._number_form()[0])
        if kind == "date":
            date, _, open_order = self._date_form()
            return self._dates(date, open_order)
        if kind is not None:
            return self._texts(kind)
        return self._inferred()

    def _inferred(self) -> ReadColumn:
        number, numbers = self._number_form()
        if numbers >= NUMBER_SHARE:
            return self._numbers(None, number)
        date, dates, open_order = self._date_form()
        if dates >= NUMBER_SHARE:
            return self._dates(date, open_order)
        read = self._texts(None)
        if numbers < 0.5 or not read.is_usable:
            return read
        others = round((1 - numbers) * self.cells.known)
        sentence = (
            f"{shown(self.name)} holds numbers and {counted(others, 'cell')} of other text, such "
            f"as {self._first(np.isnan(number.parse(self.cells.texts)))}, so it is categorical."
        )
        finding = Finding("mixed types", "warning", self.name, sentence)
        return replace(read, findings=(*read.findings, finding))

    def _number_form(self) -> tuple[NumberForm, float]:
        preferred = self.form if isinstance(self.form, NumberForm) else None
        return number_form(self.cells, preferred, decimal_comma=self.raw.decimal_comma)

    def _date_form(self) -> tuple[DateForm, float, bool]:
        preferred = self.form if isinstance(self.form, DateForm) else None
        return date_form(self.cells, preferred, day_first=self.raw.delimiter == ";")

    def _numbers(self, kind: ColumnKind | None, form: NumberForm) -> ReadColumn:
        numbers = form.parse(self.cells.texts)
        findings = self._strangers(np.isnan(numbers), "numbers")
        example = example_of_form(self.cells, form)
        if example:
            sentence = (
                f"{shown(self.name)} writes numbers as in {shown(example[0])}, which is read as "
                f"{example[1]:.12g}."
            )
            findings += (Finding("number form", "info", self.name, sentence),)
        values = np.append(numbers, np.nan)[self.cells.codes]
        return _numbers_read(values, self.name, kind, form, findings)

    def _dates(self, form: DateForm, open_order: bool) -> ReadColumn:
        days = form.parse(self.cells.texts)
        findings = self._strangers(np.isnan(days), "dates")
        if open_order:
            sentence = (
                f"The dates in {shown(self.name)} could begin with the day or the month; they "
                f"are read as {form.called}. Write them as 2020-12-31 to be sure."
            )
            findings += (Finding("date form", "warning", self.name, sentence),)
        if has_times(self.cells):
            findings += (_time_of_day(self.name),)
        values = np.append(days, np.nan)[self.cells.codes]
        return ReadColumn("date", values, (), form, findings)

    def _strangers(self, strange: npt.NDArray[np.bool_], what: str) -> tuple[Finding, ...]:
        """The finding for cells that are not what the rest of the column is."""
        count = int(self.cells.counts[strange].sum())
        if not count:
            return ()
        known = self.cells.known
        if count * 2 > known and self.form is None:
            raise GLocalXError(
                f"The column {shown(self.name)} cannot be read as {what}: {count:,} of its "
                f"{known:,} cells are none, such as {self._first(strange)}. Make it categorical."
            )
        are = f"is not a {what[:-1]}" if count == 1 else f"are not {what}"
        sentence = (
            f"{count:,} of {counted(known, 'cell')} of {shown(self.name)} {are}, the first "
            f"{self._first(strange)}; {'it counts' if count == 1 else 'they count'} as missing."
        )
        return (Finding("mixed types", "warning", self.name, sentence),)

    def _first(self, among: npt.NDArray[np.bool_]) -> str:
        record = self.cells.first_record(among)
        text = self.cells.texts[int(self.cells.codes[record])]
        return f"{shown(text)} in row {self.raw.sheet_row(record):,}"

    def _texts(self, kind: ColumnKind | None) -> ReadColumn:
        cells = self.cells.with_distinct_texts()
        counts = cells.counts
        kind = kind or text_kind(cells, counts)
        if kind in ("text", "identifier"):
            return ReadColumn(kind, cells.codes)
        # A long text that is kept once would be written out for every record.
        check_size(int(pc.binary_length(cells.texts).to_numpy() @ counts), self.name)
        used = np.flatnonzero(counts)
        if kind == "boolean" and used.size > 2:
            raise GLocalXError(
                f"The column {shown(self.name)} cannot be boolean: it has {used.size:,} different "
                "values. Make it categorical."
            )
        texts = cells.texts.take(pa.array(used)).to_pylist()
        order = sorted(range(len(texts)), key=texts.__getitem__)
        places = np.full(len(counts) + 1, -1, dtype=np.int32)
        places[used[order]] = np.arange(used.size, dtype=np.int32)
        categories = tuple(texts[place] for place in order)
        return ReadColumn(kind, places[cells.codes], categories, None, self._spelling(categories))

    def _spelling(self, categories: tuple[str, ...]) -> tuple[Finding, ...]:
        findings: list[Finding] = []
        if self.cells.padded:
            sentence = (
                f"{counted(self.cells.padded, 'cell')} of {shown(self.name)} had spaces around "
                "the text, which were removed."
            )
            findings.append(Finding("spaces", "info", self.name, sentence))
        seen: dict[str, str] = {}
        for category in categories:
            twin = seen.setdefault(category.casefold(), category)
            if twin != category:
                sentence = (
                    f"{shown(self.name)} has {shown(twin)} and {shown(category)}, which differ "
                    "only in capitals; they stay two categories."
                )
                findings.append(Finding("capitals", "warning", self.name, sentence))
                break
        return tuple(findings)
