"""Baselines on records with gaps: each of them sees them and speaks of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.baselines.base import Task, reference_of
from glocalx.baselines.gain import best_question
from glocalx.baselines.items import half_items_of, item_masks, items_of
from glocalx.baselines.registry import available_baselines, fit_baseline
from glocalx.baselines.tree import fit_tree, grow, tree_matrix
from glocalx.errors import GLocalXError
from glocalx.rules.branches import TreeColumns
from glocalx.rules.coverage import Records, mask_of
from tests.lender import LENDER, applicants, lender_box

FRAME, OTHERS = applicants(600), applicants(400, seed=1)
LABELS = lender_box().labels(FRAME)
KEYS = sorted(set(available_baselines(LENDER)) - {"union"})


@settings(max_examples=25)
@given(st.integers(0, 2**16), st.sampled_from([{}, {"max_depth": 3}, {"max_leaves": 5}]))
def test_rules_answer_as_the_tree_and_part_any_records(seed, size):
    frame, others = applicants(60, seed=seed), applicants(60, seed=seed + 1)
    others.loc[::9, "job"] = "never seen"
    labels = lender_box().labels(frame)
    rules = fit_tree(Task(frame, labels, LENDER, seed=3), **size)
    columns = TreeColumns(LENDER)
    theirs = grow(reference_of(Task(frame, labels, LENDER)), columns, seed=3, **size)
    records = Records(LENDER, frame)
    expected = np.array(LENDER.outcomes)[theirs.predict(tree_matrix(columns, records))]
    assert rules.predict(records).tolist() == expected.tolist()
    for rows in (frame, others[others["job"] != "never seen"]):
        records = Records(LENDER, rows)
        covered = sum(mask_of(records.coverage(r), records.size).astype(int) for r in rules.rules)
        assert (covered == 1).all()
    strange = tree_matrix(columns, Records(LENDER, others))
    assert not strange[others["job"] == "never seen", 3:7].any()


@pytest.mark.parametrize("key", KEYS)
def test_every_baseline_learns_what_gaps_mean(key):
    local = fit_tree(Task(FRAME, LABELS, LENDER), max_leaves=12).rules
    asked = {"black_box": lender_box(), "most_rules": 12, "local_rules": local}
    made = fit_baseline(key, Task(FRAME, LABELS, LENDER, **asked))
    agrees = made.predict(Records(LENDER, OTHERS)) == lender_box().labels(OTHERS)
    assert agrees.mean() > 0.85
    assert any(premise.missing for rule in made.rules for _, premise in rule.premises)


def test_items_part_the_records_and_halves_come_in_pairs():
    reference = reference_of(Task(FRAME, LABELS, LENDER))
    items = items_of(reference)
    masks = item_masks(items, reference)
    for name in ("income", "job", "owner"):
        of_feature = masks[[item.feature == name for item in items]]
        assert (of_feature.sum(axis=0) == 1).all()
    halves = half_items_of(reference)
    masks = item_masks(halves, reference)
    assert (masks[0::2] != masks[1::2]).all()


@given(st.integers(0, 2**16))
def test_a_question_and_its_answer_no_part_the_records(seed):
    frame = applicants(50, seed=seed)
    columns = [Records(LENDER, frame).values(name) for name in LENDER.names]
    rows = np.column_stack(columns).astype(float)
    rows[:, 2:] = np.where(rows[:, 2:] < 0, [3, 2], rows[:, 2:])
    outcomes = (lender_box().labels(frame) == "deny").astype(int)
    question = best_question(LENDER, rows, outcomes, 1)
    if question is None:
        return
    name = LENDER.names[question.place]
    for value in frame[name].astype(object):
        assert (value in question.yes) != (value in question.no)


def test_what_no_rule_could_speak_of_is_refused():
    strange = FRAME.copy()
    strange.loc[3, "job"] = "king"
    with pytest.raises(GLocalXError, match="“job” has no usable value in row 4"):
        reference_of(Task(strange, LABELS, LENDER))
    strange = FRAME.copy()
    strange.loc[5, "income"] = np.inf
    with pytest.raises(GLocalXError, match="“income” has no usable value in row 6"):
        reference_of(Task(strange, LABELS, LENDER))
