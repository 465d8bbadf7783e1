"""Shares of groups that rules cover or decide, counted again in another way."""

import numpy as np
import pytest

from glocalx.audit.group_shares import group_shares, leaning
from glocalx.rules.coverage import mask_of
from glocalx.rules.turns import rule_turns
from tests.plots.drawn import audited_compas, compas


@pytest.fixture(scope="module")
def run():
    return compas()


@pytest.fixture(scope="module")
def audited():
    return audited_compas()


def test_group_shares_as_pandas_counts_them(run, audited):
    found = group_shares(audited[1])
    for place, rule in enumerate(run.theory.rules):
        covered = mask_of(run.records.coverage(rule), run.records.size)
        expected = run.frame.assign(covered=covered).groupby("race")["covered"].mean()
        named = zip(found.columns, found.groups, found.shares[:, place], strict=True)
        shares = {group: share for column, group, share in named if column == "race"}
        assert shares == pytest.approx(expected.to_dict())
        assert found.overall[place] == pytest.approx(covered.mean())


def test_decided_shares_add_up_to_what_rules_decide(run, audited):
    found = group_shares(audited[1], "decided")
    chosen = np.array(found.columns) == "sex"
    decided = (found.shares * np.array(found.sizes)[:, None])[chosen].sum()
    turns = rule_turns(run.theory, run.reference)
    assert decided == pytest.approx(sum(turn.decided for turn in turns[:-1]))


def test_leaning_is_capped_and_small_rules_stay_pale():
    lean = leaning(np.array([[0.5, 0.01, 0.1]]), np.array([0.01, 0.005, 0.1]))
    assert lean[0, 0] == 2
    assert 0 < lean[0, 1] < 0.5
    assert lean[0, 2] == 0
