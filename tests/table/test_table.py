import pickle

import numpy as np
import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from glocalx.table import Choices, Table, understanding
from glocalx.table.reading import parse_table
from tests.table.people import PEOPLE, of, sentences


@pytest.fixture
def filled() -> Table:
    return Table.of(parse_table(PEOPLE), target="answer", choices=Choices(gaps="fill"))


def test_the_frame_keeps_gaps(people: Table) -> None:
    frame = people.frame.astype(object)
    assert frame.where(frame.notna(), None).to_dict("list") == {
        "age": [31, None, 44, 31],
        "job": ["clerk", "chief", None, "clerk"],
        "paid": ["yes", "no", "yes", "yes"],
        "since": [11_323, 11_688, None, 11_323],
    }
    assert people.frame.dtypes.astype(str).tolist() == ["float64", "str", "str", "float64"]
    assert isinstance(people.frame.index, pd.RangeIndex)
    assert [feature.gaps for feature in people.schema().features] == [True, True, False, True]
    assert people.schema().fills == {}


def test_gaps_are_filled_where_that_is_asked_for(filled: Table) -> None:
    assert filled.frame.to_dict("list") == {
        "age": [31, 35, 44, 31],  # 35.33, the mean of the records in use, rounded
        "job": ["clerk", "chief", "clerk", "clerk"],
        "paid": ["yes", "no", "yes", "yes"],
        "since": [11_323, 11_688, 11_445, 11_323],
    }
    assert filled.frame.dtypes.astype(str).tolist() == ["int64", "str", "str", "int64"]
    assert not any(feature.gaps for feature in filled.schema().features)
    assert filled.schema().fills == {"age": 35.0, "job": "clerk", "since": 11_445.0}
    assert sentences(filled, "missing") == [
        "“age” lacks 1 of 4 values (25.0 %); it was replaced by the mean, 35.",
        "“job” lacks 1 of 4 values (25.0 %); it was replaced by the most frequent value, “clerk”.",
        "“since” lacks 1 of 4 values (25.0 %); it was replaced by the mean, 2001-05-03.",
    ]


def test_a_table_without_gaps_is_the_same_either_way() -> None:
    whole = parse_table(b"n,c,out\n1,a,yes\n2,b,no\n3,a,yes\n")
    kept, filled = (Table.of(whole, "out", choices=Choices(gaps=each)) for each in ("keep", "fill"))
    pd.testing.assert_frame_equal(kept.frame, filled.frame)
    assert kept.fingerprint() == filled.fingerprint()
    assert kept.schema().to_dict() == filled.schema().to_dict()
    assert kept.findings == filled.findings


def test_missing_values_are_counted_per_column(people: Table) -> None:
    assert {column.name: column.missing for column in people.columns} == {
        "age": 1,
        "job": 1,
        "paid": 0,
        "since": 1,
        "answer": 0,
    }
    assert sentences(people, "missing") == [
        f"“{name}” lacks 1 of 4 values (25.0 %); rules can speak of that."
        for name in ("age", "job", "since")
    ]


def test_repeated_rows_are_counted_and_kept(people: Table) -> None:
    assert sentences(people, "duplicate rows") == [
        "1 of 4 records equals an earlier one in every column in use; it was kept."
    ]


def test_sensitive_columns_are_guessed_and_that_is_said(people: Table) -> None:
    assert people.sensitive == ("age",)
    assert sentences(people, "sensitive") == [
        "The name “age” suggests a sensitive feature, so it is marked as one. "
        "Change its role if it is not."
    ]
    changed = people.with_role("age", "feature")
    assert changed.sensitive == ()
    assert sentences(changed, "sensitive") == []


def test_the_schema_is_that_of_the_rules(people: Table) -> None:
    schema = people.schema()
    assert [(feature.name, feature.kind) for feature in schema.features] == [
        ("age", "integer"),
        ("job", "categorical"),
        ("paid", "categorical"),
        ("since", "date"),
    ]
    assert schema["job"].categories == ("chief", "clerk")
    assert schema.outcomes == ("bad", "good")
    assert people.schema(["x", "y", "x"]).outcomes == ("x", "y")
    assert len(Records(schema, people.frame)) == 4


def test_a_table_does_not_change(people: Table) -> None:
    before = people.fingerprint()
    frame = people.frame
    frame.loc[0, "age"] = 99
    frame["new"] = 1
    with pytest.raises(ValueError, match="read-only"):
        people.target[0] = "x"
    assert people.fingerprint() == before
    assert pickle.loads(pickle.dumps(people)).fingerprint() == before


def test_the_fingerprint_tells_tables_apart(people: Table) -> None:
    others = [
        people.with_kind("age", "categorical"),
        people.with_role("job", "ignored"),
        people.with_role("paid", "target"),
        Table.of(parse_table(PEOPLE.replace(b"52", b"53").replace(b"44", b"45")), target="answer"),
    ]
    prints = [table.fingerprint() for table in (people, *others)]
    assert len(set(prints)) == len(prints)
    again = Table.of(parse_table(PEOPLE, "other name"), target="answer")
    assert again.fingerprint() == people.fingerprint()


def test_kinds_can_be_corrected(filled: Table) -> None:
    changed = filled.with_kind("age", "categorical")
    assert changed.frame["age"].tolist() == ["31", "31", "44", "31"]
    assert filled.frame["age"].tolist() == [31, 35, 44, 31]
    assert changed.with_kind("age", "numeric").frame["age"].tolist() == [31, 106 / 3, 44, 31]


def test_columns_that_tell_nothing_are_set_aside() -> None:
    size = 40
    table = of(
        {
            "n": [place % 7 for place in range(size)],
            "copy": [place % 7 for place in range(size)],
            "same": ["x"] * size,
            "same or missing": ["x", None] * 20,
            "empty": [None] * size,
            "id": range(size),
            "names": [f"u{place}" for place in range(size)],
            "notes": [f"some longer note {place}" for place in range(size)],
            "out": ["a", "b"] * 20,
            "leak": ["a", "b"] * 20,
        }
    )
    assert list(table.frame) == ["n"]
    assert {finding.column: finding.sentence for finding in table.findings if finding.column} == {
        "copy": "“copy” has the same values as “n”, so it is set aside.",
        "same": "“same” has the same value in every record, so it is set aside.",
        "same or missing": (
            "“same or missing” has the same value in every record, so it is set aside."
        ),
        "empty": "“empty” is empty, so it is set aside.",
        "id": "“id” has 40 different values in 40 records, like an identifier, so it is set aside.",
        "names": (
            "“names” has 40 different values in 40 records, like an identifier, so it is set aside."
        ),
        "notes": "“notes” holds free text, so it is set aside.",
        "leak": "“leak” has the same values as “out”, so it is set aside.",
    }


def test_what_was_set_aside_can_be_used_after_all() -> None:
    table = of(
        {
            "n": [1, 2] * 20,
            "same": ["x"] * 40,
            "names": [f"u{place}" for place in range(40)],
            "out": ["a", "b", "b", "a"] * 10,
        }
    )
    assert list(table.with_role("same", "feature").frame) == ["n", "same"]
    with pytest.raises(GLocalXError, match="“names” is identifier and cannot be a feature"):
        table.with_role("names", "feature")
    assert list(table.with_kind("names", "categorical").frame) == ["n", "names"]


def test_an_empty_column_cannot_be_a_feature() -> None:
    table = of({"n": [1, 2], "empty": [None, None], "out": ["a", "b"]})
    with pytest.raises(GLocalXError, match="“empty” is empty and cannot be a feature"):
        table.with_role("empty", "feature")


def test_no_features_left() -> None:
    table = of({"same": ["x", "x"], "out": ["a", "b"]})
    with pytest.raises(GLocalXError, match="No column of “t” is left as a feature"):
        _ = table.frame


def test_many_categories_are_told_and_not_grouped() -> None:
    cities = [f"c{place % 150}" for place in range(600)]
    table = of({"city": cities, "out": ["a", "b"] * 300})
    assert table.column("city").distinct == 150
    assert sentences(table, "many categories") == [
        "“city” has 150 categories. None were grouped; rules on it may become long."
    ]


def test_an_unknown_column() -> None:
    with pytest.raises(GLocalXError, match=r"“t” has no column “answer”\. It has: “n” and “out”"):
        of({"n": [1, 2], "out": ["a", "b"]}, "answer")
    with pytest.raises(GLocalXError, match="no column “x”"):
        of({"n": [1, 2], "out": ["a", "b"]}).with_role("x", "ignored")


def test_huge_numbers_have_a_finite_mean() -> None:
    holed = {"n": [1.5e38, 1.6e38, np.nan], "out": ["a", "b", "a"]}
    table = of(holed, choices=Choices(gaps="fill"))
    assert np.isfinite(table.frame["n"]).all()


def test_records_without_one_are_not_one_class() -> None:
    table = of({"n": [1, 2, 3], "m": [-0.0, 0.0, 0.5], "out": ["a", "b", "a"]})
    assert sentences(table, "duplicate rows") == []


def test_numbers_beyond_32_bits_count_as_missing() -> None:
    table = of({"n": [1.0, 2.5, 1e39], "out": ["a", "b", "a"]})
    assert table.frame["n"][:2].tolist() == [1.0, 2.5]
    assert np.isnan(table.frame["n"][2])
    (finding,) = [found for found in table.findings if found.topic == "infinite"]
    assert "1 value beyond 3.4e38" in finding.sentence


def test_a_column_is_understood_once_for_every_kind(monkeypatch):
    asked = []
    read = understanding._understood
    monkeypatch.setattr(
        understanding,
        "_understood",
        lambda raw, name, kind, form: asked.append((name, kind)) or read(raw, name, kind, form),
    )
    raw = parse_table(b"age,job,answer\n31,clerk,0\n,chief,1\n44,,1\n", "people.csv")
    table = Table.of(raw).with_role("answer", "target").with_kind("age", "categorical")
    again = Table.of(raw, target="answer").with_label("job", "Work").only(np.arange(2))
    assert table.target.tolist() == ["0", "1", "1"]
    assert again.target.tolist() == ["0", "1"]
    as_found = [(name, None) for name in ("age", "job", "answer")]
    assert asked == [*as_found, ("answer", "categorical"), ("age", "categorical")]
