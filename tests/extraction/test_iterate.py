import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.extraction.iterate import iter_local_rules, local_rules
from glocalx.extraction.settings import ExtractionSettings
from tests.extraction.small_worlds import BANK, bank_box, customers, sample_world

QUICK = ExtractionSettings(neighbours=100)


def blocks(**options):
    options = {"background": customers(300, seed=1), "settings": QUICK} | options
    return iter_local_rules(customers(30), bank_box(), BANK, **options)


def rules_of(made):
    return [local for block in made for local in block.rules]


def test_rules_come_in_order_with_progress():
    made = list(blocks(block=8))
    assert [(block.done, block.total) for block in made] == [(8, 30), (16, 30), (24, 30), (30, 30)]
    assert [local.record for local in rules_of(made)] == list(range(30))


@pytest.mark.parametrize("extractor", ["neighbourhood", "lore"])
def test_any_jobs_and_any_blocks_give_the_same_rules(extractor):
    world = sample_world("german")
    settings = ExtractionSettings(extractor=extractor, neighbours=60, generations=3)

    def run(**options):
        return rules_of(
            iter_local_rules(
                world.frame,
                world.box,
                world.schema,
                background=world.background,
                settings=settings,
                records=range(24),
                **options,
            )
        )

    expected = run()
    assert run(block=1) == expected
    assert run(block=7, jobs=2) == expected
    assert run(jobs=2) == expected


def test_another_seed_gives_other_rules():
    assert rules_of(blocks()) == rules_of(blocks())
    assert rules_of(blocks()) != rules_of(blocks(seed=1))


def test_some_records_in_any_order():
    expected = rules_of(blocks())
    assert rules_of(blocks(records=[20, 3])) == [expected[20], expected[3]]
    assert list(blocks(records=[])) == []


def test_nothing_is_asked_before_the_first_block_is_drawn_nor_after_the_last_one_wanted():
    class Counting:
        name, outcomes, calls = "counting", BANK.outcomes, 0

        def labels(self, frame):
            self.calls += 1
            return bank_box().labels(frame)

        def probabilities(self, frame):
            return None

    box = Counting()
    made = iter_local_rules(
        customers(30), box, BANK, background=customers(100, seed=1), settings=QUICK, block=5
    )
    assert box.calls == 0
    next(made)
    asked = box.calls
    made.close()
    assert box.calls == asked
    assert list(made) == []


def test_processes_stop_when_the_caller_does():
    made = blocks(block=1, jobs=2)
    assert next(made).done == 1
    made.close()
    assert list(made) == []


def test_all_at_once():
    options = {"background": customers(300, seed=1), "settings": QUICK}
    assert local_rules(customers(30), bank_box(), BANK, **options) == rules_of(blocks())


def test_records_outside_the_table_are_named():
    with pytest.raises(GLocalXError, match="Record 30 was asked for"):
        list(blocks(records=[2, 30]))


def test_no_jobs_are_too_few():
    with pytest.raises(GLocalXError, match="number of jobs is 0"):
        list(blocks(jobs=0))


def test_a_black_box_that_cannot_travel_is_named():
    class Locked:
        name, outcomes = "locked", BANK.outcomes

        def labels(self, frame: pd.DataFrame):
            return bank_box().labels(frame)

        def probabilities(self, frame):
            return None

        def __reduce__(self):
            raise TypeError("no")

    made = iter_local_rules(
        customers(8), Locked(), BANK, background=customers(50), settings=QUICK, jobs=2
    )
    with pytest.raises(GLocalXError, match="“locked” cannot be sent to other processes"):
        list(made)
