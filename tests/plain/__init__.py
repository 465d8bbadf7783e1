"""The whole method once more, written from its specification, plainly and slowly.

Nothing of the product is imported: rules are read into tuples and frozensets, records are looked
at one by one, and every number is worked out here. What the product computes with bits, queues and
memory is compared with this.

A *premise* is a pair: the values it allows, and whether a record without a value satisfies it. The
values are `(low, high)`, the numbers with `low <= x < high`, or a frozenset. Where missing is all
that is allowed they are `NO_NUMBER` or empty. A *rule* is a pair: a frozenset of pairs of feature
and premise, and an outcome. A *theory* is a frozenset of rules. Records are known by their places
from 0.
"""

from tests.plain.merging import PlainRun, PlainStep, PlainTable, PlainTrial, predict
from tests.plain.rules import (
    NO_NUMBER,
    PlainRule,
    PlainTheory,
    Premise,
    bic,
    covered,
    covers,
    cut,
    holds,
    jaccard,
    join,
    order,
    pieces,
    read,
    satisfies,
)

__all__ = [
    "NO_NUMBER",
    "PlainRule",
    "PlainRun",
    "PlainStep",
    "PlainTable",
    "PlainTheory",
    "PlainTrial",
    "Premise",
    "bic",
    "covered",
    "covers",
    "cut",
    "holds",
    "jaccard",
    "join",
    "order",
    "pieces",
    "predict",
    "read",
    "satisfies",
]
