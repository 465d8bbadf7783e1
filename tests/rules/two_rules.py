"""Six records, and two rules that disagree about one of them."""

import pandas as pd

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference


def two_rules() -> tuple[RankedTheory, Reference]:
    frame = pd.DataFrame({"=age": [20, 30, 40, 50, 60, 70]})
    labels = ["no", "no", "yes", "yes", "yes", "no"]
    schema = Schema.of(frame, labels)
    reference = Reference(Records(schema, frame), labels)
    rules = [schema.rule({"=age": (35, 65)}, "yes"), schema.rule({"=age": (15, 45)}, "no")]
    return RankedTheory.of(rules, reference), reference
