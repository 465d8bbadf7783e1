"""The whole, changed bit by bit, against the whole counted anew."""

from hypothesis import given
from hypothesis import strategies as st

from glocalx.merging.whole import Whole
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from tests.strategies import World, worlds


def counted(theories: list[frozenset[Rule]], reference: Reference) -> tuple[int, int]:
    rules = frozenset().union(*theories)
    return sum(len(rule) + 1 for rule in rules), reference.agreement(rules)


@given(worlds(max_rules=12, max_records=40), st.data())
def test_whatever_is_replaced_the_whole_is_what_it_would_be_anew(world: World, data):
    """Any rules may come in the place of any two theories, also such as others hold already."""
    reference = world.reference
    some = st.frozensets(st.sampled_from(world.rules), max_size=4)
    theories = data.draw(st.lists(some, min_size=2, max_size=6))
    whole = Whole(theories, reference)
    assert whole.size == counted(theories, reference)
    while len(theories) > 1:
        left, right = theories.pop(), theories.pop(0)
        for rules in (data.draw(some), data.draw(some)):
            after = counted([*theories, rules], reference)
            assert whole.size_with(left, right, rules) == after
        whole.replace(left, right, rules)
        theories.append(rules)
        assert whole.size == after
