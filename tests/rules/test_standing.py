"""What each rule does among the others."""

import pytest

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.scoring import Reference
from glocalx.rules.turns import conflicts, standings
from tests.rules.two_rules import two_rules


@pytest.fixture
def theory() -> tuple[RankedTheory, Reference]:
    return two_rules()


def test_who_decides_before_whom(theory):
    ranked, reference = theory
    first, second = standings(ranked, reference, reference)
    assert (first.covered, first.agreed, first.decided) == (3, 3, 3)
    assert first.losers == ((1, 1),)
    assert (second.covered, second.agreed, second.decided) == (3, 2, 2)
    assert second.losers == ()
    assert (second.tested, second.confirmed) == (3, 2)
    assert list(conflicts((first, second))) == [(0, 1, 1)]
