"""Rates of a group: fairlearn's selection rate on counted cells, with Wilson intervals.

The count of a cell is the weight of its one row. True and false positive rates are the selection
rates among the records for which the outcome is true, or is not: what fairlearn's own functions
give, without the confusion matrix that they build for every group. fairlearn has 0 for a rate of
nobody; here such a rate is undefined.
"""

from __future__ import annotations

from dataclasses import replace

from fairlearn.metrics import selection_rate  # type: ignore[import-untyped]

from glocalx.audit.intervals import Estimate, share
from glocalx.audit.tally import Bools, Ints


def selection(given: Bools, count: Ints) -> Estimate:
    """Share of the records to which the outcome is given."""
    estimate = share(int(count[given].sum()), int(count.sum()))
    if not estimate.is_defined:
        return estimate
    rate = selection_rate(given, given, pos_label=True, sample_weight=count)
    return replace(estimate, value=float(rate))


def true_positives(truth: Bools, given: Bools, count: Ints) -> Estimate:
    """Of the records for which the outcome is true the share to which it is given."""
    return selection(given[truth], count[truth])


def false_positives(truth: Bools, given: Bools, count: Ints) -> Estimate:
    """Of the records for which the outcome is not true the share to which it is given."""
    return selection(given[~truth], count[~truth])
