import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.table import Split, Table, raw_from_frame, sample_rows, split

TARGETS = st.dictionaries(st.sampled_from("abcdef"), st.integers(3, 60), min_size=2)


def table_of(counts: dict[str, int]) -> Table:
    target = [name for name, count in counts.items() for _ in range(count)]
    numbers = [place % 7 for place in range(len(target))]
    return Table.of(raw_from_frame(pd.DataFrame({"n": numbers, "out": target})), target="out")


@settings(deadline=None)
@given(counts=TARGETS, seed=st.integers(0, 9))
def test_every_record_is_in_one_part_and_every_outcome_in_all(
    counts: dict[str, int], seed: int
) -> None:
    table = table_of(counts)
    parts = split(table, seed=seed)
    together = np.concatenate([parts.train, parts.explain, parts.test])
    assert sorted(together.tolist()) == list(range(table.size))
    for places, share in ((parts.train, 0.70), (parts.explain, 0.21), (parts.test, 0.09)):
        assert (np.diff(places) > 0).all()
        for name, count in counts.items():
            found = int((table.target[places] == name).sum())
            assert found >= 1
            assert abs(found - share * count) < 2
    assert parts.findings == ()


def test_the_shares_of_the_paper() -> None:
    parts = split(table_of({"a": 700, "b": 300}))
    assert [len(part) for part in (parts.train, parts.explain, parts.test)] == [700, 210, 90]


def test_the_seed_decides() -> None:
    table = table_of({"a": 70, "b": 30})
    first, again, other = split(table, seed=1), split(table, seed=1), split(table, seed=2)
    assert first.explain.tolist() == again.explain.tolist()
    assert first.explain.tolist() != other.explain.tolist()


def test_other_columns_do_not_matter() -> None:
    table = table_of({"a": 70, "b": 30})
    renamed = table.with_kind("n", "categorical")
    assert split(table).test.tolist() == split(renamed).test.tolist()


def test_shares_can_be_changed() -> None:
    table = table_of({"a": 50, "b": 50})
    parts = split(table, train=0, explain=0.8)
    assert [len(part) for part in (parts.train, parts.explain, parts.test)] == [0, 80, 20]
    parts = split(table, train=0.5, explain=0.5)
    assert [len(part) for part in parts.alone] == [50, 50, 0]
    assert parts.nothing_held_out


@pytest.mark.parametrize(("train", "explain"), [(0.8, 0.3), (-0.1, 0.5), (1, 0), (0.5, 0)])
def test_shares_that_cannot_be(train: float, explain: float) -> None:
    with pytest.raises(GLocalXError, match=r"cannot be\. Give shares from 0 to 1"):
        split(table_of({"a": 50, "b": 50}), train, explain)


def test_small_outcomes_go_into_training_and_that_is_said() -> None:
    table = table_of({"a": 50, "b": 50, "c": 2, "d": 1})
    parts = split(table)
    assert {"c", "d"} <= set(table.target[parts.train])
    assert {"c", "d"}.isdisjoint(table.target[np.r_[parts.explain, parts.test]])
    assert parts.findings[0].sentence == (
        "2 outcomes with too few records to be in every part went into one: “c” and “d”."
    )


def test_too_few_records() -> None:
    with pytest.raises(GLocalXError, match="has 3 records, too few to have one to explain"):
        split(table_of({"a": 2, "b": 1}))


@settings(deadline=None)
@given(counts=TARGETS, n=st.integers(6, 100), seed=st.integers(0, 9))
def test_a_sample_is_stratified_and_said(counts: dict[str, int], n: int, seed: int) -> None:
    table = table_of(counts)
    sample = sample_rows(table, n, seed)
    assert sample.size == min(n, table.size)
    if n >= table.size:
        assert sample is table
        return
    for name, count in counts.items():
        expected = n * count / table.size
        assert abs((sample.target == name).sum() - expected) < max(2, len(counts))
    assert sample.findings[0].sentence == (
        f"{n:,} of {table.size:,} records are used, drawn at random (seed {seed})."
    )
    assert sample.target.tolist() == table.target[sample.rows].tolist()
    assert sample.frame["n"].tolist() == table.frame["n"][sample.rows].tolist()
    assert sample.fingerprint() == sample_rows(table, n, seed).fingerprint()


def test_a_sample_of_a_sample_and_with_other_roles() -> None:
    table = sample_rows(sample_rows(table_of({"a": 70, "b": 30}), 50), 20)
    assert table.size == 20
    assert table.with_role("n", "sensitive").size == 20
    told = [finding.sentence for finding in table.findings if finding.topic == "sample"]
    assert [sentence.split(" of ")[0] for sentence in told] == ["50", "20"]


def test_a_sample_without_target() -> None:
    raw = raw_from_frame(pd.DataFrame({"a": [1, 2] * 20, "b": [1, 2, 3, 4] * 10}))
    assert sample_rows(Table.of(raw), 10).size == 10


def test_a_sample_that_is_too_small() -> None:
    for n in (-1, 0, 1):
        with pytest.raises(GLocalXError, match=r"cannot hold 2 outcomes\. Ask for at least 2"):
            sample_rows(table_of({"a": 3, "b": 3}), n)


def marked(marks: list[str | None], seed: int = 0) -> tuple[Table, Split]:
    target = ["a", "b"] * (len(marks) // 2)
    frame = pd.DataFrame({"n": range(len(marks)), "part": marks, "out": target})
    table = Table.of(raw_from_frame(frame), target="out").with_role("part", "seen")
    return table, split(table, 0, 0.7, seed)


@pytest.mark.parametrize(("seen", "unseen"), [("train", "Test"), ("yes", "no"), ("1", "0")])
@pytest.mark.parametrize("many", [6, 30, 60])
def test_only_what_the_model_has_not_seen_is_held_out(seen: str, unseen: str, many: int) -> None:
    marks = [unseen] * many + [seen] * (100 - many)
    table, parts = marked([marks[place * 37 % 100] for place in range(100)])
    told = np.array([marks[place * 37 % 100] for place in range(100)])
    assert set(told[parts.test]) == {unseen}
    assert len(parts.test) == min(many, 30)
    assert sorted([*parts.explain, *parts.test]) == list(range(100))
    assert set(table.target[parts.test]) == {"a", "b"}
    assert parts.background is parts.explain


def test_who_is_not_marked_may_have_been_seen() -> None:
    _, parts = marked(["test", "test", None, None] * 10)
    assert set(parts.test % 4) == {0, 1}


def test_marks_that_say_nothing_are_refused() -> None:
    with pytest.raises(
        GLocalXError, match=r"says “maybe”\. Write train or test, yes or no, 1 or 0"
    ):
        marked(["maybe", "test"] * 20)
    with pytest.raises(GLocalXError, match="marks no record as one that the model has not seen"):
        marked(["train"] * 20)


def test_marks_matter_only_where_nothing_is_trained() -> None:
    table, _ = marked(["train", "test"] * 20)
    plain = table.with_role("part", "ignored")
    assert split(table).test.tolist() == split(plain).test.tolist()
