"""Random tables, written in every format and read again: the same kinds and values."""

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from glocalx.table import RawTable, Table, raw_from_frame
from glocalx.table.reading import parse_table

LETTERS = st.characters(categories=("Lu", "Ll"), max_codepoint=255)
WORDS = st.text(LETTERS, min_size=3, max_size=8).map(lambda word: f"{word} é,;|\t'\"x")
REALS = st.floats(-1e6, 1e6).map(lambda number: number + 0.5 if number.is_integer() else number)


@st.composite
def frames(draw: st.DrawFn) -> pd.DataFrame:
    size = draw(st.integers(4, 15))

    def column(values: st.SearchStrategy, least: int = 2) -> list:
        distinct = draw(st.lists(values, min_size=least, max_size=size, unique=True))
        rest = st.lists(st.sampled_from(distinct), min_size=size, max_size=size)
        return (distinct + draw(rest))[:size]

    days = pd.to_datetime(column(st.integers(-20_000, 40_000)), unit="D", origin="unix")
    return pd.DataFrame(
        {
            "whole": column(st.integers(-(2**50), 2**50)),
            "real": column(REALS),
            "wörds": pd.Series(column(WORDS), dtype="str"),
            "yes or no": pd.Series(column(st.sampled_from(["yes", "no"])), dtype="str"),
            "day": days.as_unit("us"),
            "out": pd.Series(column(st.sampled_from(["a", "b"])), dtype="str"),
        }
    )


def read(raw: RawTable) -> Table:
    table = Table.of(raw, target="out")
    for name in raw.columns[:-1]:
        if table.column(name).role == "ignored":  # by chance the same as another column
            table = table.with_role(name, "feature")
    return table


def check(frame: pd.DataFrame, data: bytes) -> None:
    table = read(parse_table(data))
    kinds = ["integer", "numeric", "categorical", "boolean", "date", "categorical"]
    assert [column.kind for column in table.columns] == kinds
    expected = frame.drop(columns="out").assign(
        day=(frame["day"] - pd.Timestamp(0)).dt.days.astype(np.int64)
    )
    assert_frame_equal(table.frame, expected)
    assert table.target.tolist() == frame["out"].tolist()


def in_text(frame: pd.DataFrame, **options: str) -> str:
    return frame.to_csv(index=False, lineterminator="\n", **options)


DELIMITERS = st.sampled_from([",", ";", "\t", "|"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@settings(max_examples=16, deadline=None, suppress_health_check=list(HealthCheck))
@given(delimiter=DELIMITERS, frame=frames())
def test_text(encoding: str, delimiter: str, frame: pd.DataFrame) -> None:
    frame["wörds"] = frame["wörds"].map(
        lambda word: word.encode("cp1252", "replace").decode("cp1252")
    )
    check(frame, in_text(frame, sep=delimiter).encode(encoding))


@settings(max_examples=15, deadline=None)
@given(frame=frames())
def test_decimal_commas(frame: pd.DataFrame) -> None:
    check(frame, in_text(frame, sep=";", decimal=",").encode())


@pytest.mark.parametrize("how", ["parquet", "feather"])
@settings(max_examples=15, deadline=None)
@given(frame=frames())
def test_arrow_formats(how: str, frame: pd.DataFrame) -> None:
    target = io.BytesIO()
    getattr(frame, f"to_{how}")(target)
    check(frame, target.getvalue())


@settings(max_examples=15, deadline=None)
@given(frame=frames())
def test_excel(frame: pd.DataFrame) -> None:
    frame["day"] = frame["day"].where(frame["day"] > "1900-03-01", pd.Timestamp("2001-02-03"))
    frame.loc[:1, "day"] = pd.to_datetime(["2004-05-06", "2007-08-09"])
    target = io.BytesIO()
    frame.to_excel(target, index=False)
    check(frame, target.getvalue())


@settings(max_examples=15, deadline=None)
@given(frame=frames(), seed=st.integers(0, 99))
def test_gaps_are_counted_and_kept_or_filled(frame: pd.DataFrame, seed: int) -> None:
    gaps = np.random.default_rng(seed).random((len(frame), 5)) < 0.2
    gaps[:2] = False
    holed = frame.copy()
    for place, name in enumerate(frame.columns[:-1]):
        holed[name] = frame[name].mask(gaps[:, place])
    for raw in (raw_from_frame(holed), parse_table(in_text(holed).encode())):
        table = read(raw)
        for name, missing in zip(frame.columns[:-1], gaps.sum(axis=0), strict=True):
            assert table.column(name).missing == missing
            assert table.frame[name].isna().tolist() == gaps[:, list(frame).index(name)].tolist()
        filled = table.with_choices(replace(table.choices, gaps="fill"))
        assert not filled.frame.isna().any().any()
        pd.testing.assert_frame_equal(
            table.frame.fillna(filled.schema().fills), filled.frame, check_dtype=False
        )
