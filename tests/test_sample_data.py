"""The sample tables: what their metadata says is true, and nobody can be found in them."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

FOLDER = Path(__file__).resolve().parents[1] / "sample_data"
SAMPLES = {
    sample["name"]: sample
    for sample in json.loads((FOLDER / "samples.json").read_text(encoding="utf-8"))
}
ROWS = {"compas": 7_214, "adult": 32_561, "german": 1_000, "diva": 8_000}
SAMPLE_KEYS = {
    *(
        "name",
        "title",
        "description",
        "file",
        "rows",
        "synthetic",
        "target",
        "positive",
        "favourable",
    ),
    *("source", "licence", "suggested_features", "suggested_ignored", "columns"),
}
COLUMN_KEYS = {"label", "unit", "meaning", "sensitive", "known_after_decision"}
TELLTALE_WORDS = {"name", "first", "last", "dob", "birth", "birthdate", "date", "id", "case", "ssn"}
DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{2,4}")


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return {name: pd.read_csv(FOLDER / sample["file"]) for name, sample in SAMPLES.items()}


@pytest.fixture(params=SAMPLES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def table(tables: dict[str, pd.DataFrame], name: str) -> pd.DataFrame:
    return tables[name]


@pytest.fixture
def sample(name: str) -> dict:
    return SAMPLES[name]


def shadows(table: pd.DataFrame) -> list[tuple[str, str]]:
    """List the pairs of columns of which the first settles the second.

    Columns with a value of its own for nearly every record settle everything and say nothing.
    """
    codes = np.column_stack([pd.factorize(table[column])[0] for column in table])
    pairs = []
    for position, column in enumerate(table):
        _, first, group = np.unique(codes[:, position], return_index=True, return_inverse=True)
        if len(first) > len(table) / 4:
            continue
        settled = (codes == codes[first[group]]).all(axis=0)
        pairs += [(column, other) for other in table.columns[settled] if other != column]
    return pairs


def test_there_are_four_samples() -> None:
    assert list(SAMPLES) == list(ROWS)


def test_sample_has_every_fact(sample: dict) -> None:
    assert set(sample) == SAMPLE_KEYS
    assert all(sample[key] for key in SAMPLE_KEYS - {"synthetic", "suggested_ignored"})


def test_table_has_the_rows_it_should(table: pd.DataFrame, sample: dict, name: str) -> None:
    assert len(table) == sample["rows"] == ROWS[name]


def test_metadata_covers_every_column_in_order(table: pd.DataFrame, sample: dict) -> None:
    assert list(table.columns) == list(sample["columns"])


def test_every_column_is_described(sample: dict) -> None:
    for column, facts in sample["columns"].items():
        assert set(facts) - {"value_labels", "spoken"} == COLUMN_KEYS, column
        assert facts["label"], column
        assert re.fullmatch(r"[^.]+(\.\d[^.]*)*\.", facts["meaning"]), f"{column}: one sentence"
        assert facts["unit"] is None or facts["unit"], column
        assert {type(facts["sensitive"]), type(facts["known_after_decision"])} == {bool}, column


def test_labels_are_not_shared(sample: dict) -> None:
    labels = [facts["label"] for facts in sample["columns"].values()]
    assert len(set(labels)) == len(labels)


def test_value_labels_cover_the_values(table: pd.DataFrame, sample: dict) -> None:
    for column, facts in sample["columns"].items():
        if "value_labels" in facts:
            assert set(table[column].astype(str)) == set(facts["value_labels"]), column


def test_target_has_two_values(table: pd.DataFrame, sample: dict) -> None:
    target = table[sample["target"]]
    assert target.notna().all()
    assert target.nunique() == 2
    assert {sample["positive"], sample["favourable"]} <= set(target)


def test_suggestions_share_out_the_features(sample: dict) -> None:
    suggested = sample["suggested_features"] + sample["suggested_ignored"]
    assert sorted([*suggested, sample["target"]]) == sorted(sample["columns"])


def test_nobody_is_named_or_dated(table: pd.DataFrame) -> None:
    for column in table:
        assert not TELLTALE_WORDS & set(column.lower().split("_")), column
        assert table[column].nunique() < 0.95 * len(table), f"{column} may be an identifier"
        assert not table[column].astype(str).str.contains(DATE).any(), column


def test_no_column_is_the_shadow_of_another(table: pd.DataFrame) -> None:
    assert shadows(table) == []


def test_shadows_are_seen() -> None:
    years = np.tile([20, 30, 40, 50], 10)
    table = pd.DataFrame({"age": years, "old": years > 35, "copy": years, "other": range(40)})
    assert shadows(table) == [("age", "old"), ("age", "copy"), ("copy", "age"), ("copy", "old")]


def test_every_column_has_more_than_one_value(table: pd.DataFrame) -> None:
    assert (table.nunique() > 1).all()


def test_text_is_clean(table: pd.DataFrame) -> None:
    for column in table.select_dtypes("string"):
        values = table[column].dropna().unique()
        assert all(value == value.strip() and value not in {"", "?"} for value in values), column


def test_only_empty_cells_are_read_as_missing(table: pd.DataFrame, sample: dict) -> None:
    strict = pd.read_csv(FOLDER / sample["file"], keep_default_na=False, na_values=[""])
    pd.testing.assert_frame_equal(table, strict)


def test_readme_explains_every_column(sample: dict) -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for column, facts in sample["columns"].items():
        row = rf"^\| `{column}` \| {re.escape(facts['label'])}.* \| {re.escape(facts['meaning'])}"
        assert re.search(row, readme, re.MULTILINE), column


def test_compas_keeps_gaps_and_signs(tables: dict[str, pd.DataFrame]) -> None:
    compas = tables["compas"]
    assert compas["length_of_stay"].isna().sum() == 307
    assert compas["days_b_screening_arrest"].isna().sum() == 307
    assert (compas["days_b_screening_arrest"] < 0).sum() == 5_175
    assert (compas.filter(regex="count|stay") < 0).sum().sum() == 0


def test_compas_marks_what_came_after_the_decision() -> None:
    columns = SAMPLES["compas"]["columns"]
    after = {column for column, facts in columns.items() if facts["known_after_decision"]}
    assert after >= {"is_recid", "is_violent_recid", "two_year_recid"}


def test_only_diva_is_synthetic_and_says_so() -> None:
    assert [name for name, sample in SAMPLES.items() if sample["synthetic"]] == ["diva"]
    assert "synthetic" in SAMPLES["diva"]["title"]
    assert "Synthetic" in SAMPLES["diva"]["description"]


def test_diva_has_88_features_and_a_fifth_to_a_quarter_of_fraud(
    tables: dict[str, pd.DataFrame],
) -> None:
    diva = tables["diva"]
    assert diva.shape[1] == 88 + 1
    assert 0.20 <= (diva["fraud"] == "yes").mean() <= 0.25


def test_diva_is_drawn_again_byte_for_byte(tmp_path: Path) -> None:
    script = FOLDER / "make_samples.py"
    subprocess.run([sys.executable, script, "diva", "--out", tmp_path], check=True)
    assert (tmp_path / "diva.csv").read_bytes() == (FOLDER / "diva.csv").read_bytes()


def test_a_small_forest_beats_the_majority_on_diva(tables: dict[str, pd.DataFrame]) -> None:
    diva = tables["diva"].sample(4_000, random_state=0)
    features = pd.get_dummies(diva.drop(columns="fraud"))
    train, test, y_train, y_test = train_test_split(features, diva["fraud"], random_state=0)
    forest = RandomForestClassifier(n_estimators=40, random_state=0).fit(train, y_train)
    assert forest.score(test, y_test) > (y_test == "no").mean() + 0.08
