"""Whole numbers in proportion, against what they promise."""

from hypothesis import given
from hypothesis import strategies as st

from glocalx.apportionment import apportioned


@given(st.lists(st.integers(1, 500), min_size=1, max_size=6), st.data())
def test_they_add_up_keep_their_least_values_and_are_as_near_as_these_let(weights, data):
    total = sum(weights)
    size = data.draw(st.integers(len(weights), max(total, len(weights))))
    least = data.draw(st.lists(st.integers(0, 1), min_size=len(weights), max_size=len(weights)))
    exact = [weight * size / total for weight in weights]
    counts = apportioned(size, exact, least)
    assert sum(counts) == size
    assert all(count >= low for count, low in zip(counts, least, strict=True))
    if all(share >= low for share, low in zip(exact, least, strict=True)):
        assert all(abs(count - share) < 1 for count, share in zip(counts, exact, strict=True))
    for giver, count in enumerate(counts):  # no place would be nearer anywhere else
        if count > least[giver]:
            lacking = [exact[i] - counts[i] for i in range(len(counts)) if i != giver]
            assert count - exact[giver] + max(lacking, default=0) <= 1 + 1e-9


def test_of_equal_remainders_the_first_is_rounded_up():
    assert apportioned(2, [0.5, 0.5, 0.5, 0.5], [0, 0, 0, 0]) == [1, 1, 0, 0]
    assert apportioned(3, [1.5, 1.5], [0, 0]) == [2, 1]


def test_a_least_value_is_paid_for_by_those_who_have_most_over():
    assert apportioned(4, [2.9, 0.9, 0.1, 0.1], [1, 1, 1, 1]) == [1, 1, 1, 1]
    assert apportioned(10, [5.6, 4.2, 0.1, 0.1], [0, 0, 1, 1]) == [5, 3, 1, 1]
