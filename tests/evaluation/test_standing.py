"""What each rule does among the others."""

import pandas as pd
import pytest

from glocalx.evaluation.standing import conflicts, standings
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference


@pytest.fixture
def theory() -> tuple[RankedTheory, Reference]:
    frame = pd.DataFrame({"=age": [20, 30, 40, 50, 60, 70]})
    labels = ["no", "no", "yes", "yes", "yes", "no"]
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    rules = [schema.rule({"=age": (35, 65)}, "yes"), schema.rule({"=age": (15, 45)}, "no")]
    return RankedTheory.of(rules, reference), reference


def test_who_decides_before_whom(theory):
    ranked, reference = theory
    first, second = standings(ranked, reference, reference)
    assert (first.covered, first.agreed, first.decided) == (3, 3, 3)
    assert first.losers == ((1, 1),)
    assert (second.covered, second.agreed, second.decided) == (3, 2, 2)
    assert second.losers == ()
    assert (second.tested, second.confirmed) == (3, 2)
    assert list(conflicts((first, second))) == [(0, 1, 1)]
