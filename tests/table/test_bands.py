"""Outcomes that are numbers, cut into bands."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import DataSettings, RunSettings
from glocalx.pipeline.tables import open_table
from glocalx.pipeline.target_bands import target_bands, written_cuts
from glocalx.rules.bands import Bands
from glocalx.rules.schema import Schema

HOUSES = "rooms,garden,price,valued\n" + "".join(
    f"{1 + n % 6},{'yes' if n % 3 else 'no'},{100_000 + 1_777.5 * n},{101_000 + 1_700 * n}\n"
    for n in range(100)
)


@pytest.fixture
def houses(tmp_path):
    (tmp_path / "houses.csv").write_text(HOUSES)
    return tmp_path


def data(bands=(), **roles) -> DataSettings:
    named = roles or {"target": "price"}
    return DataSettings(
        file="houses.csv",
        name="houses.csv",
        roles={column: role.replace("_", " ") for role, column in named.items()},
        bands=bands,
    )


def test_a_target_of_many_numbers_is_refused_and_bands_are_named(houses):
    with pytest.raises(GLocalXError, match="or cut its numbers into bands"):
        open_table(data(), houses)


def test_outcomes_are_the_names_of_the_bands(houses):
    table = open_table(data((180_000.0,)), houses)
    assert set(table.target) == {"below 180,000", "180,000 and more"}
    assert np.count_nonzero(table.target == "below 180,000") == 46
    assert "price" not in table.frame
    assert table.schema().bands == (180_000.0,)


def test_answers_and_true_labels_are_cut_at_the_same_numbers(houses):
    table = open_table(data((180_000.0,), target="price", predictions="valued"), houses)
    assert set(table.predictions) == set(table.target)
    assert np.count_nonzero(table.predictions == "below 180,000") == 47


def test_a_column_without_numbers_has_no_bands(houses):
    with pytest.raises(GLocalXError, match="“garden” holds no numbers"):
        open_table(data((2.0,), target="garden"), houses)


def test_equal_parts_are_cut_at_short_numbers(houses):
    assert target_bands("2 parts", data(), houses) == (190_000.0,)
    assert target_bands("180,000; 250000", data(), houses) == (180_000.0, 250_000.0)
    with pytest.raises(GLocalXError, match="“garden” holds no numbers"):
        target_bands("3 parts", data(target="garden"), houses)


@pytest.mark.parametrize("text", ["", "high", "3;2", "1;1", "nan", "1;;inf", "0 1 2 3 4 5 6 7 8 9"])
def test_what_cannot_be_cut_at_is_said(text):
    with pytest.raises(GLocalXError, match=r"such as|too many"):
        written_cuts(text)


def test_bands_survive_files():
    settings = RunSettings(data=DataSettings(bands=(1.5, 2.0)))
    assert RunSettings.from_dict(settings.to_dict()) == settings
    assert settings.key("model") != RunSettings().key("model")
    schema = Schema((), Bands((1.5, 2.0)).names, bands=(1.5, 2.0))
    assert Schema.from_dict(schema.to_dict()).bands == (1.5, 2.0)


def test_tiny_numbers_are_not_called_nought():
    assert Bands((1e-100,)).names == ("below 1e-100", "1e-100 and more")
    assert Bands((1.0, 1.0 + 1e-13)).names[1] == "1.0 to below 1.0000000000001"
    assert Bands((0.0, 0.5)).names[1] == "0 to below 0.5"


NUMBERS = st.lists(st.floats(-1e9, 1e9), min_size=4, max_size=60)


@given(NUMBERS, st.integers(2, 4))
def test_every_number_is_in_the_band_that_says_so(numbers, count):
    if len(set(numbers)) < count:
        return
    bands = Bands.equal(numbers, count)
    ends = [-np.inf, *bands.cuts, np.inf]
    for number, place in zip(numbers, bands.places(numbers), strict=True):
        assert ends[place] <= number < ends[place + 1]
    assert sum(bands.sizes(numbers)) == len(numbers)
    assert len(set(bands.names)) == len(bands.names)
    assert bands.sizes(numbers)[0] > 0
    assert bands.places([np.nan]).tolist() == [-1]
