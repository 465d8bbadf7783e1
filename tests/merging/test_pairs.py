"""The queue of pairs against a plain sort of all pairs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.merging import pairs
from glocalx.merging.pairs import PairQueue
from glocalx.rules.coverage import bits_of, similarity


def plain_order(coverages):
    found = [
        (similarity(coverages[a], coverages[b]), a, b)
        for a, b in combinations(sorted(coverages), 2)
    ]
    return sorted((p for p in found if p[0] > 0), key=lambda p: (-p[0], p[1], p[2]))


def drained(queue):
    taken = []
    while (pair := queue.pop()) is not None:
        taken.append(pair)
    return taken


@pytest.fixture(params=[(1, 32), (2, 2), (256, 32), (256, 3)])
def nearest(request, monkeypatch):
    nearest, most = request.param
    monkeypatch.setattr(pairs, "NEAREST", nearest)
    monkeypatch.setattr(pairs, "MOST", most)


@pytest.mark.usefixtures("nearest")
@pytest.mark.parametrize("seed", range(6))
def test_pairs_come_in_the_order_of_a_plain_sort(seed):
    rng = np.random.default_rng(seed)
    masks = rng.random((30, 70)) < rng.random((30, 1)) * 0.5
    coverages = {i: bits_of(mask) for i, mask in enumerate(masks)}
    assert drained(PairQueue(70, coverages.items())) == plain_order(coverages)


@given(st.data(), st.sampled_from([1, 3, 256]), st.sampled_from([1, 4, 32]))
def test_any_history_of_merges_keeps_the_order(data, nearest, most):
    """Take, reject, merge at random; what comes next is always what a plain sort says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs, "NEAREST", nearest)
        patch.setattr(pairs, "MOST", most)
        size = data.draw(st.integers(1, 80))
        sets = st.integers(0, (1 << size) - 1)
        coverages = dict(enumerate(data.draw(st.lists(sets, min_size=2, max_size=12))))
        queue = PairQueue(size, coverages.items())
        created = len(coverages)
        for _ in range(data.draw(st.integers(0, 6))):
            order = plain_order(coverages)
            taken = data.draw(st.integers(0, len(order)))
            popped = [queue.pop() for _ in range(taken)]
            assert popped == order[:taken]
            queue.push_back(popped)
            if not popped:
                break
            _, a, b = popped[-1]
            queue.remove(a)
            queue.remove(b)
            coverages[created] = coverages.pop(a) | coverages.pop(b)
            queue.add(created, coverages[created])
            created += 1
        assert drained(queue) == plain_order(coverages)
