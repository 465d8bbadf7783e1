"""Batches: stratified, with a place for every outcome, repeatable and always new."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.merging.batch import BatchSampler
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from tests.bits import records_in
from tests.strategies import World, worlds


def labelled(**counts: int) -> Reference:
    """Records of one feature, so many of each outcome."""
    labels = [name for name, count in counts.items() for _ in range(count)]
    frame = pd.DataFrame({"x": range(len(labels))})
    return Reference(Records(Schema.of(frame, labels), frame), labels)


@given(worlds(max_records=40), st.integers(1, 60), st.integers(0, 5))
def test_a_batch_is_stratified_and_has_every_outcome(world: World, batch_size: int, number: int):
    reference = world.reference
    batch = BatchSampler(reference, batch_size, seed=3, stream=1).draw(number)
    occurring = [bits for bits in reference.having.values() if bits]
    wanted = min(max(batch_size, len(occurring)), reference.size)
    assert batch.bit_count() == wanted
    exact = [bits.bit_count() * wanted / reference.size for bits in occurring]
    for bits, share in zip(occurring, exact, strict=True):
        assert 1 <= (batch & bits).bit_count() < share + 1
        if min(exact) >= 1:  # else those with more than one place pay for the others
            assert (batch & bits).bit_count() > share - 1


@pytest.mark.parametrize(
    ("counts", "batch_size", "places"),
    [
        ({"no": 90, "yes": 10}, 15, {"no": 14, "yes": 1}),
        ({"no": 1510, "yes": 5}, 128, {"no": 127, "yes": 1}),
        ({"a": 70, "b": 20, "c": 10}, 5, {"a": 3, "b": 1, "c": 1}),
        ({"a": 70, "b": 20, "c": 10}, 1, {"a": 1, "b": 1, "c": 1}),
        ({"a": 3, "b": 3}, 6, {"a": 3, "b": 3}),
        ({"a": 3, "b": 3}, 99, {"a": 3, "b": 3}),
    ],
)
def test_places_of_each_outcome(counts, batch_size, places):
    reference = labelled(**counts)
    sampler = BatchSampler(reference, batch_size, seed=0, stream=0)
    for number in range(4):
        batch = sampler.draw(number)
        found = {name: (batch & bits).bit_count() for name, bits in reference.having.items()}
        assert found == places


def test_five_overlapping_rules_for_five_rare_cases_become_one():
    """The outcome has 0.33 % of the records: less than half a place among 128."""
    frame = pd.DataFrame({"amount": [*range(1510), *range(2000, 2005)]})
    labels = ["honest"] * 1510 + ["fraud"] * 5
    schema = Schema.of(frame, labels)
    rules = [schema.rule({"amount": (1900 + i, 2100 + i)}, "fraud") for i in range(5)]
    reference = Reference(Records(schema, frame), labels)
    hierarchy = Hierarchy.start(rules, reference)
    assert len(hierarchy.local_rules) == 5
    for _ in iter_merges(hierarchy, reference):
        pass
    assert list(hierarchy.rules()) == [schema.rule({"amount": (1900, 2104)}, "fraud")]


def test_a_batch_depends_on_seed_stream_and_number_alone():
    reference = labelled(a=120, b=80)
    drawn = {
        (seed, stream, number): BatchSampler(reference, 20, seed, stream).draw(number)
        for seed in range(3)
        for stream in range(3)
        for number in range(3)
    }
    assert len(set(drawn.values())) == 27
    sampler = BatchSampler(reference, 20, 1, 2)
    backwards = [sampler.draw(number) for number in (2, 0, 1, 2)]
    assert backwards == [drawn[1, 2, number] for number in (2, 0, 1, 2)]


def test_records_are_dealt_out_and_then_shuffled_anew():
    """In one deal no record comes twice; the next deal has all of them in another order."""
    reference = labelled(a=12, b=6)
    sampler = BatchSampler(reference, 6, seed=0, stream=0)
    deals = [[set(records_in(sampler.draw(3 * deal + i))) for i in range(3)] for deal in range(4)]
    for deal in deals:
        assert sorted(record for batch in deal for record in batch) == list(range(18))
    assert len({frozenset(map(frozenset, deal)) for deal in deals}) == 4


def test_outcomes_are_dealt_out_by_themselves():
    """A rare outcome goes round sooner than a frequent one; both go on with new records."""
    reference = labelled(a=30, b=2)
    sampler = BatchSampler(reference, 11, seed=0, stream=0)
    batches = [mask(sampler.draw(number), 32) for number in range(12)]
    assert all(batch[:30].sum() == 10 and batch[30:].sum() == 1 for batch in batches)
    for number in range(0, 12, 3):
        assert sum(batches[number : number + 3])[:30].tolist() == [1] * 30
    for number in range(0, 12, 2):
        assert sum(batches[number : number + 2])[30:].tolist() == [1, 1]


def test_outcomes_of_one_size_are_not_shuffled_alike():
    reference = labelled(a=20, b=20)
    batches = [mask(BatchSampler(reference, 8, 0, 0).draw(number), 40) for number in range(5)]
    assert any((batch[:20] != batch[20:]).any() for batch in batches)


def mask(bits: int, size: int) -> np.ndarray:
    return np.array([bits >> i & 1 for i in range(size)])
