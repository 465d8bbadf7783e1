"""The operators that Cosmic Ray lacks do what their examples say."""

import pytest
from cosmic_ray.mutating import mutate_code

from tests.mutants.operators import DropElement, DropStatement, SwapName, operators


@pytest.mark.parametrize("operator", [SwapName, DropStatement, DropElement])
def test_examples(operator):
    for example in operator.examples():
        code = mutate_code(example.pre_mutation_code, operator(), example.occurrence)
        assert code == example.post_mutation_code


def test_operators_are_known_to_cosmic_ray():
    assert len(operators()) == len({type(each) for each in operators()}) > 20
