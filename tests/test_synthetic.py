"""GLocalX*: valid records, drawn the same way each time, labelled by the black box or by rules."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.estimator import GLocalX
from glocalx.extraction.iterate import local_rules
from glocalx.extraction.local_rule import LocalRule
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.scoring import Reference
from glocalx.selection import select
from glocalx.synthetic import FeatureDistribution, labels_by_rules, synthetic_reference
from glocalx.table.samples import load_sample
from tests.extraction.small_worlds import BANK, bank_box, customers
from tests.lender import LENDER, applicants, lender_box
from tests.strategies import World, worlds


@settings(max_examples=40)
@given(worlds(), st.floats(0.05, 0.95), st.integers(0, 2**16))
def test_drawn_records_are_made_of_observed_values(world: World, bandwidth: float, seed: int):
    distribution = FeatureDistribution(world.frame, world.schema)
    distribution.bandwidth = bandwidth
    drawn = distribution.sample(50, seed)
    assert list(drawn.columns) == list(world.schema.names)
    assert drawn.dtypes.equals(world.frame.dtypes)
    for name in drawn.columns:
        assert set(drawn[name]) <= set(world.frame[name])
    assert not Records(world.schema, drawn).unseen


@pytest.mark.parametrize("name", ["compas", "german"])
def test_samples_keep_kinds_categories_and_what_goes_together(name: str):
    table = load_sample(name)
    frame, schema = table.frame[:1000], table.schema()
    drawn = FeatureDistribution(frame, schema).sample(1000, seed=1)
    assert drawn.dtypes.equals(frame.dtypes)
    for feature in schema.features:
        mine, theirs = drawn[feature.name], frame[feature.name]
        assert set(mine.dropna()) <= set(theirs.dropna())
        if feature.is_categorical:
            shares = mine.value_counts(normalize=True) - theirs.value_counts(normalize=True)
            assert shares.abs().max() < 0.06
        else:
            assert np.mean(mine == theirs.mode()[0]) == pytest.approx(
                np.mean(theirs == theirs.mode()[0]), abs=0.06
            )
    numbers = [feature.name for feature in schema.features if not feature.is_categorical]
    apart = drawn[numbers].corr("spearman") - frame[numbers].corr("spearman")
    assert apart.abs().max().max() < 0.15


def test_same_seed_same_records():
    distribution = FeatureDistribution(customers(100), BANK)
    pd.testing.assert_frame_equal(distribution.sample(80, 3), distribution.sample(80, 3))
    assert not distribution.sample(80, 3).equals(distribution.sample(80, 4))


def test_noise_is_added():
    frame = customers(200)
    drawn = FeatureDistribution(frame, BANK).sample(200)
    assert len(drawn.merge(frame)) < 50


@pytest.mark.parametrize("frame", [{"x": [3.5]}, {"x": [1.0] * 6}, {"x": [1.0, 2.0]}])
def test_tables_with_hardly_anything_in_them(frame: dict):
    schema = Schema((Feature("x", "numeric"),), ("a", "b"))
    drawn = FeatureDistribution(pd.DataFrame(frame), schema).sample(20)
    assert set(drawn["x"]) <= set(frame["x"])


def test_tables_of_categories_alone_and_of_columns_that_repeat():
    texts = pd.DataFrame({"c": ["u", "v"] * 10})
    drawn = FeatureDistribution(texts, Schema.of(texts, ["a", "b"])).sample(30)
    assert set(drawn["c"]) == {"u", "v"}
    twins = pd.DataFrame({"x": np.arange(20.0), "y": np.arange(20.0)})
    drawn = FeatureDistribution(twins, Schema.of(twins, ["a", "b"])).sample(200)
    assert drawn.corr().loc["x", "y"] > 0.9


def test_the_black_box_labels_where_it_can_be_asked():
    distribution = FeatureDistribution(customers(150), BANK)
    rules = [BANK.rule({}, "ask")]
    reference = synthetic_reference(distribution, rules, 120, black_box=bank_box(), seed=2)
    assert reference.size == 120
    expected = bank_box().labels(distribution.sample(120, 2))
    assert reference.labels.tolist() == expected.tolist()


def test_the_local_rule_with_the_best_evidence_labels_where_it_cannot():
    frame = pd.DataFrame({"x": range(10)})
    schema = Schema.of(frame, ["a", "b"])
    wide, narrow = schema.rule({"x": (0, 6)}, "a"), schema.rule({"x": (4, 8)}, "b")
    records = Records(schema, frame)
    for agreed, expected in ((90, "aaaaaabbbb"), (99, "aaaabbbbbb")):
        made = [LocalRule(wide, 0, 100, 95, 500), LocalRule(narrow, 1, 100, agreed, 500)]
        made.append(LocalRule(narrow, 2, 100, agreed, 500))
        assert "".join(labels_by_rules(made, records)) == expected


def test_plain_rules_are_held_against_each_other():
    """Two rules against one where they differ: the one alone is right on 2 of 4 records."""
    frame = pd.DataFrame({"x": range(10)})
    schema = Schema.of(frame, ["a", "b"])
    wide, again = schema.rule({"x": (0, 6)}, "a"), schema.rule({"x": (1, 6)}, "a")
    alone = schema.rule({"x": (4, 8)}, "b")
    labels = labels_by_rules([wide, again, alone], Records(schema, frame))
    assert "".join(labels) == "aaaaaabbaa"


@settings(max_examples=30)
@given(worlds())
def test_labels_by_rules_are_outcomes_of_covering_rules(world: World):
    records = Records(world.schema, world.frame)
    labels = labels_by_rules(world.rules, records)
    assert labels_by_rules(world.rules[::-1], records).tolist() == labels.tolist()
    for place, label in enumerate(labels):
        said = {rule.outcome for rule in world.rules if records.coverage(rule) >> place & 1}
        assert label in said or not said


def test_theories_merged_without_records_still_answer_like_the_black_box():
    frame, held_out = customers(150), customers(1_000, seed=1)
    box = bank_box()
    local = local_rules(frame, box, BANK, background=customers(400, seed=2))
    distribution = FeatureDistribution(frame, BANK)
    test = Reference(Records(BANK, held_out), box.labels(held_out))
    for asked in (box, None):
        reference = synthetic_reference(distribution, local, 150, black_box=asked)
        hierarchy = Hierarchy.start((each.rule for each in local), reference)
        assert list(iter_merges(hierarchy, reference))
        theory = RankedTheory.of(select(hierarchy, reference, budget=10), reference)
        assert theory.fidelity(test) > 0.93


def test_what_cannot_be_is_said():
    with pytest.raises(GLocalXError, match="no records"):
        FeatureDistribution(customers(0), BANK)
    with pytest.raises(GLocalXError, match="0 records"):
        FeatureDistribution(customers(5), BANK).sample(0)
    with pytest.raises(GLocalXError, match="no local rules"):
        labels_by_rules([], Records(BANK, customers(5)))


def test_the_estimator_merges_on_drawn_records():
    frame, box = customers(150), bank_box()
    labels = box.labels(frame)
    rules = [made.rule for made in local_rules(frame, box, BANK, background=frame)]
    asked = GLocalX(synthetic=True, seed=2).fit(
        frame, labels, rules=rules, schema=BANK, black_box=box
    )
    blind = GLocalX(synthetic=True, seed=2).fit(frame, labels, rules=rules, schema=BANK)
    usual = GLocalX(seed=2).fit(frame, labels, rules=rules, schema=BANK)
    prints = {model.reference_.fingerprint() for model in (asked, usual)}
    assert len(prints) == 2
    assert asked.reference_.size == blind.reference_.size == len(frame)
    assert asked.score(frame, labels) > 0.9
    assert blind.score(frame, labels) > 0.8
    with pytest.raises(GLocalXError, match="only with synthetic=True"):
        GLocalX().fit(frame, labels, rules=rules, schema=BANK, black_box=box)


def test_gaps_that_nobody_knows_of_cannot_be_drawn_from():
    frame = customers(20)
    number = next(each.name for each in BANK.features if not each.is_categorical)
    frame[number] = frame[number].astype(float)
    frame.loc[4, number] = np.nan
    with pytest.raises(GLocalXError, match="1 empty cell"):
        FeatureDistribution(frame, BANK)


def test_gaps_are_drawn_as_often_as_they_occur_and_with_what_goes_with_them():
    frame = applicants(1_500)
    frame.loc[frame["owner"] == "no", "income"] = np.nan
    drawn = FeatureDistribution(frame, LENDER).sample(1_500, seed=1)
    assert drawn.dtypes.equals(frame.dtypes)
    for name in ("income", "job", "owner"):
        assert drawn[name].isna().mean() == pytest.approx(frame[name].isna().mean(), abs=0.05)
        assert set(drawn[name].dropna()) <= set(frame[name].dropna())
    assert drawn.loc[drawn["owner"] == "no", "income"].isna().mean() > 0.9
    assert drawn.loc[drawn["owner"] == "yes", "income"].isna().mean() < 0.4


def test_rules_about_gaps_are_merged_on_drawn_records():
    frame, held_out, box = applicants(200), applicants(1_000, seed=1), lender_box()
    local = local_rules(frame, box, LENDER, background=applicants(600, seed=2))
    reference = synthetic_reference(FeatureDistribution(frame, LENDER), local, 200, black_box=box)
    hierarchy = Hierarchy.start((each.rule for each in local), reference)
    assert list(iter_merges(hierarchy, reference))
    theory = RankedTheory.of(select(hierarchy, reference, budget=10), reference)
    test = Reference(Records(LENDER, held_out), box.labels(held_out))
    assert theory.fidelity(test) > 0.93
    assert any(premise.missing for rule in theory.rules for _, premise in rule.premises)
