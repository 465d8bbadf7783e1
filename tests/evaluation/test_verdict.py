"""The verdict on an explanation: its figures, its bounds, its words."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, precision_score, recall_score

from glocalx.evaluation.verdict import FEW, enough_rules, enough_said, verdict_of

OUTCOMES = ("a", "b", "c")
answers = st.lists(st.tuples(st.sampled_from(OUTCOMES), st.sampled_from(OUTCOMES)), min_size=1)


def judged(*cells: tuple[str, str, int]):
    """A verdict from how often the rules said and the model gave what."""
    said = np.array([s for s, _, times in cells for _ in range(times)], dtype=object)
    given_ = np.array([g for _, g, times in cells for _ in range(times)], dtype=object)
    return verdict_of(said, given_, tuple(sorted({*said, *given_})))


@given(answers)
def test_its_figures_are_those_of_scikit_learn(pairs):
    said, model = (np.array(each, dtype=object) for each in zip(*pairs, strict=True))
    verdict = verdict_of(said, model, OUTCOMES)
    assert verdict.agreeing == int((said == model).sum())
    recalls = recall_score(model, said, labels=OUTCOMES, average=None, zero_division=np.nan)
    precisions = precision_score(model, said, labels=OUTCOMES, average=None, zero_division=np.nan)
    for each, recall, precision in zip(verdict.outcomes, recalls, precisions, strict=True):
        np.testing.assert_allclose(each.recall.value, recall)
        np.testing.assert_allclose(each.precision.value, precision)
    if math.isnan(verdict.kappa):
        assert len({*said, *model}) == 1
    else:
        assert verdict.kappa == pytest.approx(cohen_kappa_score(said, model))


def test_the_three_verdicts_of_compas():
    """The figures that were drawn before anything was built."""
    good = judged(("H", "H", 47), ("L", "H", 13), ("L", "L", 582), ("H", "L", 7))
    assert good.headline() == "These rules can stand in for the model on records like these."
    assert (good.agreeing, good.records) == (629, 649)
    assert "96.9 % (95.3 % to 98.0 %). Always answering L would agree for 90.8 %." in (
        good.evidence()
    )
    missing = judged(("H", "H", 38), ("L", "H", 22), ("L", "L", 582), ("H", "L", 7))
    assert missing.headline({"H": "High risk"}.get) == (
        "These rules agree often, but miss much of what the model calls High risk."
    )
    assert missing.evidence().endswith("Of 60 that it calls H they find 38.")
    poor = judged(("H", "H", 15), ("L", "H", 45), ("L", "L", 588), ("H", "L", 1))
    assert poor.headline() == "Do not rely on these rules."
    assert not poor.beats_guessing


@pytest.mark.parametrize(("found", "level"), [(75, "stands in"), (74, "misses much")])
def test_three_of_four_is_enough(found, level):
    cells = (("y", "y", found), ("n", "y", 100 - found), ("n", "n", 100))
    assert judged(*cells).level == level


@pytest.mark.parametrize(("found", "level"), [(50, "misses much"), (49, "do not rely")])
def test_one_of_two_is_the_least(found, level):
    assert judged(("y", "y", found), ("n", "y", 100 - found), ("n", "n", 100)).level == level


def test_four_outcomes_at_half_are_no_success():
    """57 % with ten rules, no better than one rule."""
    given_, said = [], []
    for outcome, size, found in (("a", 114, 110), ("b", 40, 2), ("c", 30, 1), ("d", 30, 2)):
        given_ += [outcome] * size
        said += [outcome] * found + ["a" if outcome != "a" else "b"] * (size - found)
    verdict = verdict_of(
        np.array(said, dtype=object), np.array(given_, dtype=object), ("a", "b", "c", "d")
    )
    assert verdict.level == "do not rely"


def test_no_better_than_guessing_is_not_relied_on():
    """Both outcomes found well enough, and yet always giving one agrees as often."""
    verdict = judged(("y", "y", 24), ("n", "y", 8), ("n", "n", 480), ("y", "n", 100))
    assert verdict.worst.recall.value >= 0.75
    assert verdict.level == "do not rely"


def test_a_rare_outcome_is_not_judged():
    almost = judged(("y", "y", 1), ("n", "y", FEW - 2), ("n", "n", 500))
    assert almost.level == "too few"
    assert almost.headline() == "There are too few records to judge these rules."
    assert almost.evidence().endswith(f"The model calls only {FEW - 1} of them y.")
    assert judged(("y", "y", 1), ("n", "y", FEW - 1), ("n", "n", 500)).level == "do not rely"
    assert judged(("n", "n", 10)).level == "too few"


def test_without_records_nobody_can_tell():
    nothing = np.array([], dtype=object)
    verdict = verdict_of(nothing, nothing, ("a", "b"))
    assert verdict.level == "too few"
    assert verdict.evidence() == "No records were held out to judge them on."
    assert verdict.to_dict()["kappa"] is None


def agreeing(*counts: int, records: int = 100) -> dict[int, np.ndarray]:
    """The first records agree, so many for one rule, for two, …"""
    return {size: np.arange(records) < count for size, count in enumerate(counts, start=1)}


def test_from_which_number_of_rules_on_nothing_is_gained():
    assert enough_rules(agreeing(57, 57, 57, 57)) == 1
    assert enough_rules(agreeing(40, 60, 80, 81)) == 3
    assert enough_rules(agreeing(40, 60, 80, 86)) == 4  # six more of six are beyond chance
    assert enough_rules(agreeing(40, 60, 80, 85)) == 3
    assert enough_rules(agreeing(80, 60, 40)) == 1


def test_it_is_said_beside_the_rules_that_were_chosen():
    assert "From 1 rule on nothing is gained" in enough_said(1, 10)
    assert "1 agrees about as often as these 10" in enough_said(1, 10)
    assert enough_said(6, 6).startswith("More rules would gain nothing")
    assert enough_said(12, 6).startswith("More rules agree more often, up to 12")
