"""Settings, and what they make invalid."""

from dataclasses import asdict as as_is
from dataclasses import replace

import pytest

from glocalx.errors import GLocalXError
from glocalx.extraction.settings import ExtractionSettings
from glocalx.merging.search import MergeSettings
from glocalx.pipeline.settings import (
    BoxSettings,
    DataSettings,
    RuleSettings,
    RunSettings,
    SelectionSettings,
)

PLAIN = RunSettings()
OLD_BROUGHT = "2a4fb546ff8e7c6a"
KEYS = {"model": "354cc29ca0a5d80b", "rules": "72fed64cbff8c3de", "merge": "6e368060b749a27c"}


def test_settings_survive_a_file():
    settings = RunSettings(
        data=DataSettings(
            sample="compas", roles={"a": "ignored"}, labels={"a": "Ä"}, gaps="keep", drawn=True
        ),
        box=BoxSettings(source="model", file="model", trusted=("x.Y",), outcomes={"0": "no"}),
        rules=RuleSettings(ExtractionSettings(neighbours=50), records=7, pool=3),
        merge=MergeSettings(batch_size=5, patience=3),
        selection=SelectionSettings("alpha", 5, together=True),
    )
    assert RunSettings.from_dict(settings.to_dict()) == settings


@pytest.mark.parametrize(
    ("changed", "invalid"),
    [
        (replace(PLAIN, data=DataSettings(seed=1)), {"model", "rules", "merge"}),
        (replace(PLAIN, data=DataSettings(gaps="keep")), {"model", "rules", "merge"}),
        (replace(PLAIN, box=BoxSettings(kind="mlp")), {"model", "rules", "merge"}),
        (replace(PLAIN, rules=RuleSettings(records=5)), {"rules", "merge"}),
        (replace(PLAIN, merge=MergeSettings(batch_size=5)), {"merge"}),
        (replace(PLAIN, selection=SelectionSettings("alpha", 4)), set()),
        (replace(PLAIN, data=DataSettings(labels={"a": "A"}, positive="yes", name="x")), set()),
        (replace(PLAIN, data=DataSettings(sensitive={"a": True})), set()),
        (replace(PLAIN, data=DataSettings(left_out={"a": "feature"})), set()),
        (replace(PLAIN, data=DataSettings(may_change={"a": "up"})), set()),
    ],
)
def test_a_change_invalidates_what_depends_on_it_and_nothing_else(changed, invalid):
    stages = ("model", "rules", "merge")
    assert {stage for stage in stages if changed.key(stage) != PLAIN.key(stage)} == invalid


def test_rules_that_were_drawn_anew_count_for_their_price_alone():
    priced = replace(PLAIN, selection=SelectionSettings(price=0.03))
    assert priced.key("resamples") != PLAIN.key("resamples")
    assert priced.key("merge") == PLAIN.key("merge")


@pytest.mark.parametrize(
    "damaged",
    [{"data": {"strange": 1}}, {"data": 3}, {"rules": {"extraction": []}}, {"merge": {"x": 1}}],
)
def test_damaged_settings_are_refused_with_a_sentence(damaged):
    with pytest.raises(GLocalXError, match="Start a new run"):
        RunSettings.from_dict(damaged)


def test_keys_are_those_of_runs_that_were_made_long_ago():
    """A change here makes every stored run invalid: give what is new an empty default instead."""
    assert {stage: PLAIN.key(stage) for stage in KEYS} == KEYS
    stored = PLAIN.to_dict()
    del stored["data"]["gaps"]  # runs that were made before one could choose filled them
    assert RunSettings.from_dict(stored) == PLAIN
    assert PLAIN.data.gaps == "fill"


def test_a_brought_black_box_needs_no_records_to_train_on():
    brought = PLAIN.with_box(BoxSettings("predictions"))
    assert (brought.data.train, brought.data.explain) == (0.0, 0.7)
    assert brought.with_box(BoxSettings("model")).data == brought.data
    assert brought.with_box(BoxSettings()) == PLAIN


def test_a_stored_run_with_a_brought_model_keeps_its_shares_and_so_its_key():
    old = RunSettings(box=BoxSettings("model", file="model", content="abc"))
    assert RunSettings.from_dict(old.to_dict()) == old
    assert old.key("model") == OLD_BROUGHT


def test_a_model_has_not_seen_what_the_person_says_and_what_it_was_not_trained_on_here():
    assert PLAIN.unseen
    brought = PLAIN.with_box(BoxSettings("model"))
    assert not brought.unseen
    marked = replace(brought.data, roles={"part": "seen"})
    assert replace(brought, data=marked).unseen
    assert not replace(PLAIN, box=BoxSettings("model"), data=replace(marked, train=0.7)).unseen


def test_keys_are_worked_out_once(monkeypatch):
    asked = []

    def counted(each):
        asked.append(each)
        return as_is(each)

    settings = RunSettings(data=DataSettings(sample="compas"))
    monkeypatch.setattr("glocalx.pipeline.settings.asdict", counted)
    keys = [settings.key(stage) for _ in range(10) for stage in KEYS]
    assert len(set(keys)) == 3
    assert asked == [settings]
