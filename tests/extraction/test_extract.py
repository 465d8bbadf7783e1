import numpy as np
import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.extraction.extract import Extraction
from glocalx.extraction.settings import EXTRACTORS, ExtractionSettings
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from tests.extraction.small_worlds import BANK, Stubborn, bank_box, customers, sample_world

QUICK = {
    "neighbourhood": ExtractionSettings(neighbours=200),
    "lore": ExtractionSettings(extractor="lore", neighbours=60, generations=4),
}


@pytest.mark.parametrize("extractor", EXTRACTORS)
@pytest.mark.parametrize("sample", ["compas", "adult", "german", "diva"])
def test_every_rule_covers_its_record_and_carries_its_label(sample, extractor):
    world = sample_world(sample)
    work = Extraction(
        world.frame, world.box, world.schema, background=world.background, settings=QUICK[extractor]
    )
    labels = world.box.labels(world.frame)
    records = Records(world.schema, world.frame)
    for local in work.rules(range(25)):
        assert local.rule.outcome == labels[local.record]
        assert records.coverage(local.rule) >> local.record & 1
        assert 0 <= local.agreed <= local.covered < local.judged == len(world.frame) - 1


def test_precision_and_coverage_are_those_of_the_other_records():
    frame = customers(301, seed=2)
    labels = bank_box().labels(frame)
    work = Extraction(frame, bank_box(), BANK, background=customers(500, seed=1))
    records = Records(BANK, frame)
    for local in work.rules([0, 7]):
        covered = records.coverage(local.rule)
        rows = [place for place in range(301) if covered >> place & 1 and place != local.record]
        assert (local.covered, local.judged) == (len(rows), 300)
        assert local.agreed == (labels[rows] == local.rule.outcome).sum()
        assert local.coverage == len(rows) / 300
        assert local.precision == local.agreed / local.covered


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_rules_find_what_the_black_box_does(extractor):
    frame = customers(40)
    settings = ExtractionSettings(extractor=extractor, neighbours=400, generations=4)
    work = Extraction(
        frame, bank_box(), BANK, background=customers(1_500, seed=1), settings=settings
    )
    rules = work.rules(range(40))
    assert np.mean([local.precision for local in rules if local.covered]) > 0.97
    denied = next(local.rule for local in rules if local.rule.outcome == "deny")
    assert set(denied.features) == {"amount", "job"}
    assert denied.premise("job") == BANK["job"].allowed(["none"])


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_counterfactuals_are_what_the_record_misses(extractor):
    frame = customers(40)
    work = Extraction(
        frame, bank_box(), BANK, background=customers(800, seed=1), settings=QUICK[extractor]
    )
    seen = 0
    for local in work.rules(range(40)):
        record = frame.iloc[local.record]
        assert len(local.counterfactuals) <= 3
        for other in local.counterfactuals:
            assert other.rule.outcome != local.rule.outcome
            assert other.changes
            moved = frame.iloc[[local.record]].astype({"age": float})
            for change in other.changes:
                assert record[change.feature] == change.before
                assert change.before not in other.rule.premise(change.feature)
                assert change.after in other.rule.premise(change.feature)
                moved[change.feature] = [change.after]
            assert Records(BANK, moved).coverage(other.rule) == 1
            assert other.confirmed == (bank_box().labels(moved)[0] == other.rule.outcome)
            seen += other.confirmed
    assert seen > 20


def test_one_label_everywhere_gives_the_rule_without_premises():
    work = Extraction(customers(5), bank_box(Stubborn()), BANK, background=customers(50, seed=1))
    (local,) = work.rules([3])
    assert local.rule == Rule((), "accept")
    assert local.counterfactuals == ()
    assert (local.covered, local.agreed, local.judged) == (4, 4, 4)


def test_one_label_among_the_neighbours_is_held_against_real_records():
    """Nothing near an old owner changes the answer, but a rule for everybody would be wrong."""
    frame = pd.DataFrame({"age": [70], "amount": [10.0], "job": ["chief"], "owner": ["yes"]})
    frame = frame.astype({"job": "str", "owner": "str"})
    work = Extraction(
        pd.concat([frame, customers(400, seed=3)], ignore_index=True),
        bank_box(),
        BANK,
        background=customers(1_000, seed=1),
        settings=ExtractionSettings(neighbours=10, resample=0.01),
    )
    (local,) = work.rules([0])
    assert len(local.rule)
    assert local.precision > 0.93
    assert local.counterfactuals  # found among the background


def test_a_rule_does_not_depend_on_the_other_records_asked_for():
    work = Extraction(customers(30), bank_box(), BANK, background=customers(300, seed=1))
    together = work.rules(range(12))
    assert work.rules([7]) == together[7:8]
    assert work.rules([11, 2]) == (together[11], together[2])


def test_more_background_than_evidence_is_sampled_by_the_seed():
    settings = ExtractionSettings(evidence=100, neighbours=50)
    background = customers(400, seed=1)
    made = [
        Extraction(
            customers(10), bank_box(), BANK, background=background, settings=settings, seed=seed
        )
        for seed in (0, 0, 1)
    ]
    assert [len(work.evidence.rows) for work in made] == [100, 100, 100]
    np.testing.assert_array_equal(made[0].evidence.rows, made[1].evidence.rows)
    assert (made[0].evidence.rows != made[2].evidence.rows).any()


def test_without_refining_the_rule_is_the_path_of_the_tree():
    world = sample_world("compas")
    made = {}
    for refine in (True, False):
        settings = ExtractionSettings(neighbours=300, refine=refine)
        work = Extraction(
            world.frame, world.box, world.schema, background=world.background, settings=settings
        )
        made[refine] = work.rules(range(40))
    records, labels = Records(world.schema, world.frame), world.box.labels(world.frame)
    for local in made[False]:
        assert records.coverage(local.rule) >> local.record & 1
        assert local.rule.outcome == labels[local.record]
    lengths = {refine: np.mean([len(local.rule) for local in made[refine]]) for refine in made}
    assert lengths[True] < lengths[False]
    assert len({local.rule for local in made[True]}) < len({local.rule for local in made[False]})


def test_without_evidence_the_neighbours_alone_decide():
    settings = ExtractionSettings(evidence=0)
    work = Extraction(
        customers(10), bank_box(), BANK, background=customers(400, seed=1), settings=settings
    )
    rules = work.rules(range(10))
    assert all(local.rule.premises for local in rules)
    stubborn = Extraction(
        customers(10), bank_box(Stubborn()), BANK, background=customers(40), settings=settings
    )
    assert stubborn.rules([0])[0].rule == Rule((), "accept")


def test_what_cannot_be_explained_is_said():
    frame = customers(5)
    with pytest.raises(GLocalXError, match="no background"):
        Extraction(frame, bank_box(), BANK, background=frame[:0])
    with pytest.raises(GLocalXError, match="records to explain lacks the column “job”"):
        Extraction(frame.drop(columns="job"), bank_box(), BANK, background=frame)
    with pytest.raises(GLocalXError, match="seed is -1"):
        Extraction(frame, bank_box(), BANK, background=frame, seed=-1)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"extractor": "magic"}, "“magic” is not known"),
        ({"neighbours": 3}, "at least 10"),
        ({"precision": 1.5}, "up to 1"),
        ({"resample": 0}, "above 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong, said):
    with pytest.raises(GLocalXError, match=said):
        ExtractionSettings(**wrong)
