"""Conditions that keep hardly anybody out, and rules without them.

A join ends at the lowest and the highest number of the rules joined. That is often where the
records end: "no more than 31 days before" is true of nearly everyone and not worth words. Such an
end or condition leaves a rule before rules are chosen, so that page, file, SQL and Python agree.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from glocalx.rules.coverage import Records
from glocalx.rules.rule import Interval, Premise, Rule, canonical_rule
from glocalx.rules.scoring import Reference
from glocalx.rules.theory import Theory

IDLE_SHARE = 0.1
"""Of the known records: a condition that keeps no more of them out may go.

By folds inside the explained records this costs 0.08 ± 0.03 points of fidelity; at 0.05 it costs
nothing, and "at least −31 days", which 94 % of those who have such a number meet, is still said
(`python -m benchmarks idle`).
"""


def without_idle(rules: Iterable[Rule], reference: Reference, share: float = IDLE_SHARE) -> Theory:
    """The rules, each without its idle conditions; equal ones count once.

    Idle is what nine of ten known records meet, if the rule is no less accurate without it.

    Examples
    --------
    >>> import pandas as pd
    >>> from glocalx.rules.coverage import Records
    >>> from glocalx.rules.schema import Schema
    >>> frame = pd.DataFrame({"age": [20, 30, 50, 60]})
    >>> schema = Schema.of(frame, ["no", "yes"])
    >>> known = Reference(Records(schema, frame), ["no", "no", "yes", "yes"])
    >>> without_idle([schema.rule({"age": (20, 45)}, "no")], known).rules[0].premises
    (('age', Interval(low=-inf, high=45.0, missing=False)),)
    """
    return Theory.of(_plainer(rule, reference, share) for rule in rules)


def _plainer(rule: Rule, reference: Reference, share: float) -> Rule:
    """Conditions go one by one, whole or an end of their interval, while they are idle."""
    for name, premise in rule.premises:
        for ends in _wider_ends(premise):
            now = rule.premise(name)
            if now is None:
                break
            wider = replace(now, **ends)
            if _coming_in(name, premise, wider, reference.records) > share * reference.size:
                continue
            tried = canonical_rule({**dict(rule.premises), name: wider}, rule.outcome)
            if reference.score(tried).accuracy >= reference.score(rule).accuracy:
                rule = tried
    return rule


def _coming_in(name: str, premise: Premise, wider: Premise, records: Records) -> int:
    """How many records; one whose category is new meets no condition but none."""
    meeting = records.everything if wider.is_everything else records.satisfying(name, wider)
    return (meeting & ~records.satisfying(name, premise)).bit_count()


def _wider_ends(premise: Premise) -> Iterator[dict[str, Any]]:
    """What makes a condition go altogether, and an interval lose its low or its high end."""
    if isinstance(premise, Interval):
        yield {"low": -math.inf, "high": math.inf, "missing": premise.gaps}
        if math.isfinite(premise.low):
            yield {"low": -math.inf}
        if math.isfinite(premise.high):
            yield {"high": math.inf}
    else:
        yield {"values": premise.domain, "missing": premise.gaps}
