"""Flips, told again record by record; a planted bias is named, none is invented."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from glocalx.audit import AuditSettings, FrameSource, run_audit
from glocalx.audit.flips import FlipPlan, FlipRecords, GroupChange, run_flips
from glocalx.audit.intervals import holm, share
from glocalx.audit.moving import moved
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference

SIZE = 400


def people(seed: int = 0, size: int = SIZE) -> pd.DataFrame:
    """Sex, a job that goes along with it, a skill that does not."""
    rng = np.random.default_rng(seed)
    sex = rng.choice(["f", "m"], size)
    likely = np.where(sex == "f", 0.85, 0.15)
    job = np.where(rng.random(size) < likely, "care", "craft")
    return pd.DataFrame({"sex": sex, "job": job, "skill": rng.integers(0, 10, size)})


def by_sex(frame: pd.DataFrame) -> np.ndarray:
    return np.where(frame["sex"] == "m", "yes", "no").astype(object)


def by_job(frame: pd.DataFrame) -> np.ndarray:
    return np.where(frame["job"] == "craft", "yes", "no").astype(object)


def by_skill(frame: pd.DataFrame) -> np.ndarray:
    return np.where(frame["skill"] > 5, "yes", "no").astype(object)


def audited(model, frame: pd.DataFrame, premises, by=("sex",)):
    """An audit of the model by sex, explained by one rule."""
    labels = model(frame)
    schema = Schema.of(frame, ["no", "yes"])
    rule = schema.rule(premises, "yes")
    ranked = RankedTheory.of([rule], Reference(Records(schema, frame), labels)).ranked
    theory = RankedTheory(schema, ranked, "no")
    source = FrameSource(schema, frame, labels)
    records = FlipRecords(source, frame, model, tuple(frame.columns))
    return run_audit(source, theory, AuditSettings("yes", by), records)


def test_a_model_that_uses_only_sex_is_named_by_the_flip():
    audit = audited(by_sex, people(), {"sex": ["m"]})
    for flip in audit.flips.of(("sex",), ("f",)) + audit.flips.of(("sex",), ("m",)):
        assert flip.model.changed.hits == flip.records == flip.both
        assert flip.model.leans
    assert all(g.comparison("black box").verdict == "different" for g in audit.subgroups.subgroups)


def test_a_model_that_uses_only_a_proxy_is_named_by_the_proxy_and_not_by_the_flip():
    audit = audited(by_job, people(), {"job": ["craft"]})
    (alone, along) = audit.flips.of(("sex",), ("f",))
    assert (alone.plan.along, along.plan.along) == ((), ("job",))
    assert alone.model.changed.hits == alone.rules.changed.hits == 0
    assert not alone.model.leans
    assert along.model.changed.rate().value > 0.5
    assert along.model.leans
    assert (along.model.gained, along.model.lost) == (along.model.changed.hits, 0)
    assert [each.column for each in audit.flips.proxies] == ["job"]
    assert all(g.comparison("black box").verdict == "different" for g in audit.subgroups.subgroups)


def test_a_model_that_uses_neither_is_cleared():
    audit = audited(by_skill, people(), {"skill": (6, 99)})
    for flip in audit.flips.flips:
        assert flip.model.changed.hits == 0
        assert not flip.model.leans
    verdicts = {g.comparison("black box").verdict for g in audit.subgroups.subgroups}
    assert verdicts == {"no difference shown"}


def test_false_alarms_over_two_hundred_tables_without_bias():
    """Neither the answers nor the flips of a fair coin lean; one table counts once."""
    different = leaning = 0
    for seed in range(200):
        frame = people(seed, 120)
        coin = np.random.default_rng([seed, 1]).random((len(frame), 2)) < 0.3

        def answer(asked: pd.DataFrame, coin=coin) -> np.ndarray:
            """Noise that no column explains: other noise for women than for men."""
            side = (asked["sex"] == "m").to_numpy().astype(int)
            places = asked["place"].to_numpy()
            return np.where(coin[places, side], "yes", "no").astype(object)

        frame["place"] = np.arange(len(frame))
        labels = answer(frame)
        schema = Schema.of(frame[["sex", "job", "skill"]], ["no", "yes"])
        theory = RankedTheory(schema, (), "no")
        source = FrameSource(schema, frame, labels)
        plans = (
            FlipPlan((GroupChange("sex", "f", "m"),)),
            FlipPlan((GroupChange("sex", "m", "f"),)),
        )
        asked = AuditSettings("yes", ("sex",), flips=plans)
        audit = run_audit(source, theory, asked, FlipRecords(source, frame, answer))
        group = audit.subgroups.subgroups[0].comparison("black box")
        different += group.verdict == "different"
        leaning += any(flip.model.leans for flip in audit.flips.flips)
    assert different <= 10
    assert leaning <= 10


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(3, 60))
def test_counts_are_those_of_asking_twice(seed: int, size: int):
    rng = np.random.default_rng(seed)
    frame = people(seed, size)
    frame["sex"] = ["f", "m", "x", *rng.choice(["f", "m", "x"], size - 3)]
    schema = Schema.of(frame, ["a", "b", "c"])

    def answer(asked: pd.DataFrame) -> np.ndarray:
        mixed = asked["skill"].to_numpy() + 3 * (asked["sex"] == "m") + 5 * (asked["sex"] == "x")
        return np.array(["a", "b", "c"], dtype=object)[mixed.to_numpy(dtype=int) % 3]

    rules = [schema.rule({"sex": ["m"], "skill": (2, 7)}, "b"), schema.rule({"skill": (5, 9)}, "a")]
    theory = RankedTheory.of(rules, Reference(Records(schema, frame), answer(frame)))
    source = FrameSource(schema, frame, answer(frame))
    axes = [source.axis("sex")]
    plans = [
        FlipPlan((GroupChange("sex", before, after),))
        for before in axes[0].groups
        for after in axes[0].groups
        if before != after
    ]
    flips = run_flips(FlipRecords(source, frame, answer), theory, axes, "b", plans)
    alone = []
    for flip in flips:
        change = flip.plan.changes[0]
        mine = frame[frame["sex"] == change.before].reset_index(drop=True)
        other = mine.assign(sex=change.after)
        pairs = {
            "model": (answer(mine), answer(other)),
            "rules": tuple(theory.predict(Records(schema, each)) for each in (mine, other)),
        }
        moves = {}
        for name, (before, after) in pairs.items():
            count = getattr(flip, name)
            moves[name] = before != after
            assert count.changed.rate() == share(int(moves[name].sum()), len(mine)) or not len(mine)
            assert count.gained == sum((after == "b") & (before != "b"))
            assert count.lost == sum((before == "b") & (after != "b"))
        assert flip.both == sum(moves["model"] & moves["rules"])
        assert sum(each.by_rules for each in flip.by_rule) == moves["rules"].sum()
        assert sum(each.by_model for each in flip.by_rule) == moves["model"].sum()
        assert sum(each.records for each in flip.by_rule) == len(mine) == flip.group_size
        gained, lost = flip.model.gained, flip.model.lost
        alone.append(stats.binomtest(gained, gained + lost).pvalue if gained + lost else math.nan)
        assert flip.model.p_value == pytest.approx(alone[-1], nan_ok=True)
    np.testing.assert_allclose([flip.model.adjusted for flip in flips], holm(alone))


def test_several_columns_together_and_bands_of_a_number():
    frame = people()
    source = FrameSource(Schema.of(frame, ["no", "yes"]), frame)
    theory = RankedTheory(source.schema, (), "no")
    axes = [source.axis("sex"), source.axis("skill", (5,))]
    seen = []

    def answer(asked: pd.DataFrame) -> np.ndarray:
        seen.append(asked)
        return by_skill(asked)

    low, high = axes[1].groups
    plan = FlipPlan((GroupChange("sex", "f", "m"), GroupChange("skill", low, high)))
    (flip,) = run_flips(FlipRecords(source, frame, answer), theory, axes, "yes", [plan])
    mine = frame[(frame["sex"] == "f") & (frame["skill"] < 5)]
    assert flip.group_size == len(mine)
    assert set(seen[1]["sex"]) == {"m"}
    assert seen[1]["skill"].min() >= 5
    assert seen[1]["skill"].dtype == frame["skill"].dtype
    order = np.argsort(mine["skill"].to_numpy(), kind="stable")
    assert (np.diff(seen[1]["skill"].to_numpy()[order]) >= 0).all()  # ranks stay
    assert seen[1]["job"].tolist() == mine["job"].tolist()


def test_of_a_large_group_some_are_drawn_and_it_is_said():
    frame = people()
    source = FrameSource(Schema.of(frame, ["no", "yes"]), frame)
    theory = RankedTheory(source.schema, (), "no")
    plan = FlipPlan((GroupChange("sex", "f", "m"),))
    found = [
        run_flips(
            FlipRecords(source, frame, by_sex), theory, [source.axis("sex")], "yes", [plan], most=50
        )
        for _ in range(2)
    ]
    assert found[0] == found[1]
    assert (found[0][0].records, found[0][0].group_size) == (50, (frame["sex"] == "f").sum())


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_what_is_changed_along_is_spread_as_in_the_other_group(seed: int):
    frame = people(seed, 3000)
    frame["pay"] = frame["skill"] * 1.5 + 4 * (frame["sex"] == "m")
    group, target = (frame["sex"] == "f").to_numpy(), (frame["sex"] == "m").to_numpy()
    places = np.flatnonzero(group)
    job = moved(frame["job"], places, group, target)
    shares = [(each == "craft").mean() for each in (job, frame["job"][target])]
    assert shares[0] == pytest.approx(shares[1], abs=0.08)
    was = frame["job"][group].to_numpy()
    assert (job.to_numpy() == was)[was == "craft"].all()  # there is room for all of these
    pay = moved(frame["pay"], places, group, target)
    assert pay.mean() == pytest.approx(frame["pay"][target].mean(), abs=0.8)  # ties go together
    assert set(pay) <= set(frame["pay"][target])


def test_what_cannot_be_flipped_is_refused():
    frame = people()
    source = FrameSource(Schema.of(frame, ["no", "yes"]), frame)
    theory = RankedTheory(source.schema, (), "no")
    for plan, said in (
        (lambda: FlipPlan((GroupChange("sex", "f", "f"),)), "changes nothing"),
        (lambda: FlipPlan(()), "one or more columns"),
    ):
        with pytest.raises(GLocalXError, match=said):
            plan()
    for change, said in (
        (GroupChange("sex", "f", "z"), "no group “z”"),
        (GroupChange("shoe", "f", "m"), "“shoe” is not among the columns"),
    ):
        with pytest.raises(GLocalXError, match=said):
            run_flips(
                FlipRecords(source, frame),
                theory,
                [source.axis("sex")],
                "yes",
                [FlipPlan((change,))],
            )


def test_a_column_that_the_model_does_not_read_is_told():
    frame = people()
    source = FrameSource(Schema.of(frame, ["no", "yes"]), frame)
    records = FlipRecords(source, frame[["job", "skill"]], by_job, ("job", "skill"))
    plan = FlipPlan((GroupChange("sex", "f", "m"),))
    theory = RankedTheory(source.schema, (), "no")
    (flip,) = run_flips(records, theory, [source.axis("sex")], "yes", [plan])
    assert flip.unread == ("sex",)
    assert flip.model.changed.hits == 0
