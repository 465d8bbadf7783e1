"""The queue of pairs over a long run: more theories than rows, coming and going."""

import numpy as np
import pytest

from glocalx.merging import pairs
from glocalx.merging.pairs import PairQueue
from glocalx.rules.coverage import bits_of
from tests.merging.test_pairs import drained, plain_order


def masks(rng, number: int, size: int):
    """Some like others, some alike, some empty, some of one record."""
    dense = rng.random((number, size)) < rng.random((number, 1)) ** 2 * 0.4
    dense[::9] = dense[0]
    dense[5::17] = False
    return {i: bits_of(mask) for i, mask in enumerate(dense)}


@pytest.mark.parametrize(("nearest", "most"), [(2, 1), (5, 3), (256, 32)])
@pytest.mark.parametrize("seed", range(3))
def test_merges_among_many_keep_the_order(monkeypatch, seed, nearest, most):
    monkeypatch.setattr(pairs, "NEAREST", nearest)
    monkeypatch.setattr(pairs, "MOST", most)
    rng = np.random.default_rng(seed)
    coverages = masks(rng, 70, 100)
    queue, created = PairQueue(100, coverages.items()), len(coverages)
    for _ in range(45):
        order = plain_order(coverages)
        if not order:
            break
        taken = min(int(rng.integers(1, 12)), len(order))
        popped = [queue.pop() for _ in range(taken)]
        assert popped == order[:taken]
        queue.push_back(popped[:-1])  # the last is merged, the others were turned down
        _, a, b = popped[-1]
        queue.remove(a)
        queue.remove(b)
        coverages[created] = coverages.pop(a) | coverages.pop(b)
        queue.add(created, coverages[created])
        created += 1
    assert drained(queue) == plain_order(coverages)


@pytest.mark.parametrize("size", [1, 63, 64, 65, 128, 129])
def test_records_fill_any_number_of_words(size):
    coverages = {0: 1 << (size - 1), 1: (1 << size) - 1, 2: 1}
    assert drained(PairQueue(size, coverages.items())) == plain_order(coverages)


@pytest.mark.parametrize("number", [64, 65, 66, 150])
def test_there_is_room_for_any_number_of_living_theories(number):
    coverages = {i: 0b111 << (i % 50) for i in range(number)}
    assert drained(PairQueue(52, coverages.items())) == plain_order(coverages)


def test_of_a_partition_only_the_place_that_is_promised_is_relied_on(monkeypatch):
    """Below and above that place numpy may leave the values in any order."""
    rng = np.random.default_rng(0)

    def argpartition(values, kth):
        order = np.argsort(values)
        place = kth % len(values)
        rng.shuffle(order[:place])
        rng.shuffle(order[place + 1 :])
        return order

    monkeypatch.setattr(np, "argpartition", argpartition)
    monkeypatch.setattr(pairs, "NEAREST", 5)
    coverages = masks(rng, 60, 100)
    assert drained(PairQueue(100, coverages.items())) == plain_order(coverages)
