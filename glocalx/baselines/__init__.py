"""What else a person could use: trees, CPAR, the union of the local rules, Trepan, and more."""

from glocalx.baselines.base import RuleSet, Task
from glocalx.baselines.registry import (
    BASELINES,
    FROM_LOCAL_RULES,
    Recipe,
    available_baselines,
    fit_baseline,
)

__all__ = [
    "BASELINES",
    "FROM_LOCAL_RULES",
    "Recipe",
    "RuleSet",
    "Task",
    "available_baselines",
    "fit_baseline",
]
