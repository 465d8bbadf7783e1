import datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.table.cells import cells_of
from glocalx.table.dates import DAY_FIRST, MONTH_FIRST, YEAR_FIRST, DateForm, date_form

DATES = st.dates(datetime.date(1000, 1, 1), datetime.date(2999, 12, 31))
EPOCH = datetime.date(1970, 1, 1)


@pytest.mark.parametrize(
    ("form", "pattern"),
    [
        (YEAR_FIRST, "{0:%Y-%m-%d}"),
        (YEAR_FIRST, "{0:%Y/%m/%d}"),
        (YEAR_FIRST, "{0:%Y-%m-%d} 12:30:00"),
        (YEAR_FIRST, "{0:%Y-%m-%d}T12:30:00.5+02:00"),
        (DAY_FIRST, "{0:%d.%m.%Y}"),
        (DAY_FIRST, "{0.day}/{0.month}/{0:%Y}"),
        (MONTH_FIRST, "{0:%m/%d/%Y}"),
        (MONTH_FIRST, "{0.month}/{0.day}/{0:%Y} 1:05 PM"),
    ],
)
@given(date=DATES)
def test_dates_are_days_since_1970(form: DateForm, pattern: str, date: datetime.date) -> None:
    assert form.parse(pa.array([pattern.format(date)])).tolist() == [(date - EPOCH).days]


@pytest.mark.parametrize("text", ["2020-02-30", "2021-02-29", "2020-13-01", "2020-00-10", "2020"])
def test_what_is_no_date(text: str) -> None:
    assert np.isnan(YEAR_FIRST.parse(pa.array([text]))).all()


def form_of(*texts: str, day_first: bool = False) -> tuple[DateForm, float, bool]:
    return date_form(cells_of(pa.chunked_array([pa.array(texts)])), day_first=day_first)


def test_a_day_above_12_settles_the_order() -> None:
    assert form_of("02/03/2020", "13/03/2020") == (DAY_FIRST, 1, False)
    assert form_of("02/03/2020", "03/13/2020") == (MONTH_FIRST, 1, False)
    assert form_of("01.02.2020") == (DAY_FIRST, 1, False)


def test_an_open_order_is_told() -> None:
    assert form_of("02/03/2020") == (MONTH_FIRST, 1, True)
    assert form_of("02/03/2020", day_first=True) == (DAY_FIRST, 1, True)
