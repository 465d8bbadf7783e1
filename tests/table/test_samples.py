import shutil
from pathlib import Path

import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from glocalx.table import split
from glocalx.table.samples import SAMPLE_FOLDER, load_sample, sample_info, sample_names

EMPTY = {"compas": 307 * 2, "adult": 1_836 + 1_843, "german": 0, "diva": 328 + 469}


@pytest.fixture(params=sample_names())
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def test_there_are_four() -> None:
    assert sample_names() == ("compas", "adult", "german", "diva")


def test_a_sample_opens_clean(name: str) -> None:
    table, info = load_sample(name), sample_info(name)
    assert table.size == info.rows
    assert set(table.target) == set(table.schema().outcomes)
    assert info.positive in table.target
    assert table.frame.isna().sum().sum() == EMPTY[name]
    assert len(Records(table.schema(), table.frame)) == info.rows
    assert sum(column.missing for column in table.features) == EMPTY[name]


def test_what_was_there_is_what_is_in_the_file(name: str) -> None:
    table = load_sample(name)
    file = pd.read_csv(SAMPLE_FOLDER / table.raw.name)
    for column in table.features:
        known = file[column.name].notna()
        assert (file[column.name][known] == table.frame[column.name][known]).all(), column.name
        assert column.distinct == file[column.name].nunique()


def test_a_sample_knows_its_labels_and_units() -> None:
    age = load_sample("compas").column("age")
    assert (age.label, age.unit, age.role, age.kind) == ("Age", "years", "sensitive", "integer")
    feature = load_sample("compas").schema()["age"]
    assert (feature.label, feature.unit) == ("Age", "years")


def test_suggested_roles_are_taken() -> None:
    adult = load_sample("adult")
    ignored = [column.name for column in adult.columns if column.role == "ignored"]
    assert ignored == ["relationship", "native_country"]
    assert adult.column("income").role == "target"
    assert "“relationship” and “native_country” are left out by default." in [
        finding.sentence for finding in adult.findings
    ]


def test_what_was_known_only_afterwards_is_warned_of() -> None:
    table = load_sample("compas")
    (finding,) = (f for f in table.findings if f.topic == "known after the decision")
    assert finding.severity == "warning"
    assert finding.sentence == (
        "“length_of_stay”, “is_recid”, “is_violent_recid” and “two_year_recid” were known only "
        "after the decision. Leave them out if you want reasons that could have been given at the "
        "time."
    )
    for column in ("length_of_stay", "is_recid", "is_violent_recid", "two_year_recid"):
        table = table.with_role(column, "ignored")
    assert "known after the decision" not in {f.topic for f in table.findings}


def test_the_synthetic_sample_says_so() -> None:
    assert "This table is synthetic: nobody in it is real." in [
        finding.sentence for finding in load_sample("diva").findings
    ]


def test_splits_of_the_paper() -> None:
    parts = split(load_sample("compas"))
    assert [len(part) for part in (parts.train, parts.explain, parts.test)] == [5_050, 1_515, 649]


def test_an_unknown_sample() -> None:
    with pytest.raises(GLocalXError) as raised:
        load_sample("iris")
    assert str(raised.value) == (
        "There is no sample “iris”. There are: “compas”, “adult”, “german” and “diva”."
    )


def test_a_missing_folder_and_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(GLocalXError, match="with the samples is not beside the glocalx package"):
        sample_names(tmp_path)
    shutil.copy(SAMPLE_FOLDER / "samples.json", tmp_path)
    with pytest.raises(GLocalXError, match=r"“compas\.csv” of the sample “compas” is missing"):
        load_sample("compas", tmp_path)
