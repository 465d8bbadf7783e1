"""UNI: all local rules side by side, and nothing merged."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from glocalx.baselines.base import Labels, RuleSet, reference_of
from glocalx.errors import GLocalXError
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema


def fit_union(
    frame: pd.DataFrame, labels: Labels, schema: Schema, *, local_rules: Iterable[Rule]
) -> RuleSet:
    """The union of the local rules, as a theory: the most accurate covering rule decides.

    Parameters
    ----------
    frame, labels, schema
        Clean records, their black-box labels, on which the rules are ranked, and what the
        columns are.
    local_rules
        One for each explained record; equal ones count once.
    """
    rules = [schema.rule(dict(rule.premises), rule.outcome) for rule in local_rules]
    if not rules:
        raise GLocalXError("There are no local rules to put side by side. Give at least one.")
    return RuleSet.of("union of local rules", rules, reference_of(frame, labels, schema))
