"""GLocalX: from local rules to a global explanation of a black box.

The way through: a table of explained records with their black-box labels (:class:`Reference`),
local rules built with its :class:`Schema`, a :class:`Hierarchy` of merges, and a
:class:`RankedTheory` that says how the black box decides. :class:`GLocalX` does it all at once.
"""

from glocalx.classifier import RankedTheory, RecordExplanation
from glocalx.coverage import Records
from glocalx.errors import GLocalXError
from glocalx.hierarchy import Hierarchy
from glocalx.merges import iter_merges
from glocalx.model import GLocalX
from glocalx.rule import Categories, Interval, Rule
from glocalx.schema import Feature, Schema
from glocalx.scoring import Reference
from glocalx.search import MergeSettings
from glocalx.selection import iter_budget, select
from glocalx.step import MergeStep
from glocalx.theory import Theory
from glocalx.wording import Wording

__all__ = [
    "Categories",
    "Feature",
    "GLocalX",
    "GLocalXError",
    "Hierarchy",
    "Interval",
    "MergeSettings",
    "MergeStep",
    "RankedTheory",
    "RecordExplanation",
    "Records",
    "Reference",
    "Rule",
    "Schema",
    "Theory",
    "Wording",
    "iter_budget",
    "iter_merges",
    "select",
]
