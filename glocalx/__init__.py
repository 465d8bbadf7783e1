"""GLocalX: from local rules to a global explanation of a black box.

The way through: a table of explained records with their black-box labels (:class:`Reference`),
local rules built with its :class:`Schema`, a :class:`Hierarchy` of merges, and a
:class:`RankedTheory` that says how the black box decides. :class:`GLocalX` does it all at once.

Names are imported when they are first asked for: a process that needs a part of the library does
not wait for all of it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_HOMES = {
    "classifier": ("RankedTheory", "RecordExplanation"),
    "coverage": ("Records",),
    "errors": ("GLocalXError",),
    "hierarchy": ("Hierarchy",),
    "merges": ("iter_merges",),
    "model": ("GLocalX",),
    "rule": ("Categories", "Interval", "Rule"),
    "schema": ("Feature", "Schema"),
    "scoring": ("Reference",),
    "search": ("MergeSettings",),
    "selection": ("iter_budget", "select"),
    "step": ("MergeStep",),
    "theory": ("Theory",),
    "wording": ("Wording",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

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


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"glocalx.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
