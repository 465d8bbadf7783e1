"""How good theories are: measures on held-out records, intervals, and tests of significance."""

from glocalx.evaluation.bootstrap import Bounds, share_intervals
from glocalx.evaluation.measures import Evaluation, RuleClassifier, evaluate
from glocalx.evaluation.paired import PairedComparison, mcnemar

__all__ = [
    "Bounds",
    "Evaluation",
    "PairedComparison",
    "RuleClassifier",
    "evaluate",
    "mcnemar",
    "share_intervals",
]
