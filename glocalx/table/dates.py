"""Dates as people write them, as whole days since 1970-01-01. The time of day is left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from glocalx.table.cells import Cells

FloatArray = npt.NDArray[np.float64]
_TIME = r"(?:[ T]\d{1,2}:\d{2}.*)?"
_YEAR, _MONTH, _DAY = r"(?P<y>[12]\d{3})", r"(?P<m>\d{1,2})", r"(?P<d>\d{1,2})"


@dataclass(frozen=True, slots=True)
class DateForm:
    """An order of year, month and day.

    `pattern`: a regular expression with the groups `y`, `m` and `d`.
    """

    called: str
    pattern: str

    def parse(self, texts: pa.Array) -> FloatArray:
        """Days since 1970-01-01, NaN for what is no date."""
        parts = pc.extract_regex(texts, self.pattern)
        days = np.full(len(texts), np.nan)
        found = np.flatnonzero(pc.is_valid(parts).to_numpy(zero_copy_only=False))
        year, month, day = (_whole(pc.struct_field(parts, [name]), found) for name in "ymd")
        real = (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
        found, year, month, day = found[real], year[real], month[real], day[real]
        months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
        dates = months.astype("datetime64[D]") + (day - 1)
        same_month = dates.astype("datetime64[M]") == months  # not so for 31 April
        days[found[same_month]] = dates[same_month].astype(np.int64)
        return days


YEAR_FIRST = DateForm("year-month-day", rf"^{_YEAR}[-/.]{_MONTH}[-/.]{_DAY}{_TIME}$")
DAY_FIRST = DateForm("day.month.year", rf"^{_DAY}[-/.]{_MONTH}[-/.]{_YEAR}{_TIME}$")
MONTH_FIRST = DateForm("month/day/year", rf"^{_MONTH}[-/]{_DAY}[-/]{_YEAR}{_TIME}$")


def date_form(
    cells: Cells, preferred: DateForm | None = None, *, day_first: bool = False
) -> tuple[DateForm, float, bool]:
    """The form that most cells fit, the share that fits, and whether another fits as well.

    Parameters
    ----------
    preferred
        The form of another table, taken where it fits no worse.
    day_first
        What to take where `02/03/2020` leaves both open.
    """
    if not cells.known:
        return preferred or YEAR_FIRST, 0.0, False
    counts = cells.counts
    forms = [YEAR_FIRST, MONTH_FIRST, DAY_FIRST]
    if day_first:
        forms = [YEAR_FIRST, DAY_FIRST, MONTH_FIRST]
    if preferred:
        forms = [preferred, *(form for form in forms if form != preferred)]
    fitting = [
        int(counts[np.isfinite(form.parse(cells.texts))].sum())
        if np.isfinite(form.parse(cells.probe())).any()
        else 0
        for form in forms
    ]
    most = max(fitting)
    best = fitting.index(most)
    open_order = preferred is None and most > 0 and fitting.count(most) > 1
    return forms[best], most / cells.known, open_order


def has_times(cells: Cells) -> bool:
    """True where a cell holds a time of day other than midnight."""
    return bool((cells.matching(r"\d[ T]\d{1,2}:\d{2}") & ~cells.matching(r"[ T]00?:00")).any())


def _whole(column: pa.Array, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.asarray(pc.cast(column.take(pa.array(places)), pa.int64()), dtype=np.int64)
