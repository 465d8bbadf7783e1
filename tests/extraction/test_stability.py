import numpy as np
import pytest

from glocalx.errors import GLocalXError
from glocalx.extraction.iterate import seconds_per_rule
from glocalx.extraction.settings import ExtractionSettings
from glocalx.extraction.stability import Steadiness, agreement, rules_over_seeds
from glocalx.rules.coverage import Records
from tests.extraction.small_worlds import BANK, Stubborn, bank_box, customers

QUICK = ExtractionSettings(neighbours=100)


def stability(frame, box, schema, **options):
    """For each record how alike its rules are over the seeds."""
    runs = rules_over_seeds(frame, box, schema, **options)
    table = Records(schema, frame)
    return np.array([agreement(rules, table) for rules in zip(*runs, strict=True)])


def test_a_black_box_with_one_answer_is_perfectly_stable():
    options = {"background": customers(50, seed=1), "settings": QUICK}
    same = stability(customers(6), bank_box(Stubborn()), BANK, **options)
    assert same.tolist() == [1.0] * 6


def test_stability_is_a_share_for_each_record():
    options = {"background": customers(400, seed=1), "settings": QUICK, "records": [1, 5, 9]}
    shares = stability(customers(60), bank_box(), BANK, seeds=range(3), **options)
    assert shares.shape == (3,)
    assert ((shares >= 0) & (shares <= 1)).all()
    assert shares.mean() > 0.3


def test_one_seed_has_nothing_to_be_compared_with():
    with pytest.raises(GLocalXError, match="at least two seeds"):
        stability(customers(6), bank_box(), BANK, background=customers(50), seeds=[4, 4])


def test_the_steadiness_of_one_record_counts_its_rules():
    frame, options = customers(60), {"background": customers(400, seed=1), "settings": QUICK}
    over = rules_over_seeds(frame, bank_box(), BANK, seeds=range(4), records=[5], **options)
    steady = Steadiness.of([of_seed[0] for of_seed in over], Records(BANK, frame))
    counts = [seeds for _, seeds in steady.rules]
    assert sum(counts) == 4
    assert counts == sorted(counts, reverse=True)
    assert steady.similarity == pytest.approx(
        stability(frame, bank_box(), BANK, seeds=range(4), records=[5], **options)[0]
    )


def test_what_a_rule_costs_is_found_by_writing_some():
    options = {"background": customers(50, seed=1), "settings": QUICK}
    assert 0 < seconds_per_rule(customers(8), bank_box(), BANK, **options) < 10
