"""What people correct about columns."""

from __future__ import annotations

import pytest

from glocalx.errors import GLocalXError
from glocalx.pipeline.column_edits import ColumnEdit, with_edits
from glocalx.pipeline.settings import STAGES, BoxSettings, DataSettings, RunSettings
from glocalx.pipeline.tables import open_table
from glocalx.table import Role, Table, read_table
from glocalx.table.samples import load_sample


@pytest.fixture(scope="module")
def german() -> Table:
    return load_sample("german")


def test_a_new_outcome_takes_the_role_over(german: Table):
    settings = RunSettings(data=DataSettings(sample="german"))
    first = with_edits(settings, german, [ColumnEdit("housing", role="target")])
    table = german.with_role("housing", "target")
    second = with_edits(first, table, [ColumnEdit("job", role="target")])
    assert second.data.roles == {"job": "target"}


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ([ColumnEdit("credit_amount", role="target")], "different values"),
        ([ColumnEdit("housing", kind="text")], "cannot be a feature"),
        ([ColumnEdit("nobody", role="ignored")], "no column"),
    ],
)
def test_what_cannot_be_is_refused(german: Table, edits: list[ColumnEdit], said: str):
    with pytest.raises(GLocalXError, match=said):
        with_edits(RunSettings(data=DataSettings(sample="german")), german, edits)


def test_at_least_one_feature_stays():
    table = Table.of(read_table(b"a,y\n1,n\n2,y\n3,n\n4,y\n", "t.csv"), target="y")
    with pytest.raises(GLocalXError, match="feature"):
        with_edits(RunSettings(), table, [ColumnEdit("a", role="ignored")])


def test_the_role_predictions_chooses_them_as_black_box(german: Table):
    settings = RunSettings(data=DataSettings(sample="german"))
    made = with_edits(settings, german, [ColumnEdit("telephone", role="predictions")])
    assert made.box.source == "predictions"
    back = german.with_role("telephone", "predictions")
    assert with_edits(made, back, [ColumnEdit("telephone", role="feature")]).box.source == "train"


@pytest.mark.parametrize(("column", "role"), [("housing", "sensitive"), ("age", "feature")])
def test_a_sensitive_mark_makes_nothing_again(german: Table, column: str, role: Role):
    settings = RunSettings(data=DataSettings(sample="german"))
    made = with_edits(settings, german, [ColumnEdit(column, role=role)])
    assert [made.key(stage) for stage in STAGES] == [settings.key(stage) for stage in STAGES]
    table = open_table(made.data)
    assert table.column(column).role == role
    assert column not in [each.column for each in table.findings if each.topic == "sensitive"]
    back = with_edits(made, table, [ColumnEdit(column, role="ignored")])
    assert back.data.sensitive == {}
    assert open_table(back.data).column(column).role == "ignored"


def test_a_mark_does_not_bring_back_what_was_left_out():
    data = DataSettings(sample="german", roles={"housing": "ignored"}, sensitive={"housing": True})
    assert open_table(data).column("housing").role == "ignored"


def test_whoever_says_what_a_model_has_seen_trains_nothing():
    table = Table.of(read_table(PARTED, "t.csv"), target="y")
    old = RunSettings(box=BoxSettings("model"))
    made = with_edits(old, table, [ColumnEdit("part", role="seen")])
    assert (made.data.train, made.unseen) == (0.0, True)
    assert made.data.roles == {"part": "seen"}


PARTED = b"a,part,y\n" + b"1,train,n\n2,test,y\n3,train,y\n4,test,n\n" * 5
