"""Models of other libraries go the road: what they read is explained, and nothing else."""

import numpy as np
import pytest

from glocalx.audit.table_source import group_columns
from tests.blackbox.brought_models import BROUGHT, INPUTS, UNREAD, loans
from tests.roads import brought_road

MODELS = pytest.mark.parametrize("brought", BROUGHT, ids=lambda each: each.name)


@MODELS
def test_rules_speak_of_what_the_model_reads_alone(brought):
    road = brought_road(brought.name)
    assert set(road.labelled.schema.names) == set(brought.reads)
    assert set(UNREAD) <= set(road.labelled.unread)
    named = {name for rule in (*road.rules, *road.theory.rules) for name in rule.features}
    assert named
    assert named <= set(brought.reads)
    others = [other for each in road.local_rules for other in each.counterfactuals]
    assert {name for other in others for name in other.rule.features} <= set(brought.reads)
    assert set(UNREAD) <= set(group_columns(road.split.table)), "the audit can group by them"


@MODELS
def test_nobody_is_trained_and_what_the_model_has_seen_is_not_held_out(brought):
    road = brought_road(brought.name)
    split, sample = road.split, loans()["Sample"].to_numpy()
    assert len(split.train) == 0
    assert len(split.explain) + len(split.test) == len(loans())
    assert set(sample[split.table.rows[split.parts.test]]) == {"test"}
    assert road.settings.unseen


@MODELS
def test_columns_are_matched_and_that_is_said(brought):
    box = brought_road(brought.name).black_box
    assert box.columns == tuple(dict.fromkeys(brought.reads))
    if brought.columns is None:
        pairs = ", ".join(f"{model} = {table}" for model, table in INPUTS.items())
        assert box.notes == (f"Matched: {pairs}.",)
    else:
        assert box.notes == ()


@MODELS
def test_complete_records_are_answered_as_at_home(brought):
    road = brought_road(brought.name)
    labelled, parts = road.labelled, road.split.parts
    complete = loans()[list(brought.reads)].notna().all(axis=1).to_numpy()
    for places, said in (
        (parts.explain, labelled.reference.labels),
        (parts.test, labelled.held_out.labels),
    ):
        asked = complete[places]
        assert (np.asarray(said)[asked] == brought.answers[places][asked]).all()
