"""Rules without what costs them least, as a benchmark tries them."""

from hypothesis import given

from benchmarks.ways import widened
from glocalx.rules.rule import Rule
from tests.strategies import World, worlds


@given(worlds(max_rules=6))
def test_wider_rules_lose_the_condition_that_costs_least_accuracy_again_and_again(world: World):
    reference = world.reference
    found = set(widened(world.rules, reference))
    expected = set()
    for rule in world.rules:
        expected.add(rule)
        while len(rule) > 1:
            wider = [
                Rule(tuple(each for each in rule.premises if each != gone), rule.outcome)
                for gone in rule.premises
            ]
            accuracies = [reference.score(each).accuracy for each in wider]
            rule = wider[accuracies.index(max(accuracies))]
            expected.add(rule)
    assert found == expected
