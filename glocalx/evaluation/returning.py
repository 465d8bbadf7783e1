"""Rules that stay: in how many resamples one like each rule of a theory returns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from glocalx.audit.intervals import share
from glocalx.rules.classifier import RankedRule, RankedTheory
from glocalx.rules.coverage import similarity
from glocalx.rules.returns import NEARLY, RuleReturns
from glocalx.rules.rule import Rule
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import enumeration


def with_returns(
    theory: RankedTheory,
    resamples: Sequence[Iterable[Rule]],
    reference: Reference,
    held_out: Reference,
    limit: float = NEARLY,
) -> RankedTheory:
    """The theory, each rule with how often it returns and an interval for its precision.

    Parameters
    ----------
    reference
        The records on which coverages are compared.
    held_out
        The records on which precision is measured.
    limit
        From which Jaccard similarity on two rules of one outcome are nearly the same.
    """
    coverages = [
        [(rule.outcome, reference.records.coverage(rule)) for rule in rules] for rules in resamples
    ]

    def returns(ranked: RankedRule) -> RuleReturns:
        rule, mark = ranked.rule, ranked.mark
        covered = held_out.records.coverage(rule)
        agreed = (covered & held_out.having[rule.outcome]).bit_count()
        ends = share(agreed, covered.bit_count())
        own = reference.records.coverage(rule)
        times = sum(
            any(
                outcome == rule.outcome and similarity(own, bits) >= limit for outcome, bits in each
            )
            for each in coverages
        )
        return RuleReturns(
            None if mark is not None and mark.kind != "pinned" else times,
            len(coverages),
            limit,
            (ends.low, ends.high) if covered else None,
        )

    marked = tuple(replace(each, returns=returns(each)) for each in theory.ranked)
    return replace(theory, ranked=marked)


def steadiness_said(theory: RankedTheory) -> tuple[str, str]:
    """Which rules never return, in a sentence, and what that means; empty where all do.

    Examples
    --------
    >>> from types import SimpleNamespace as Any
    >>> rules = [Any(returns=RuleReturns(times, 10)) for times in (9, 0, None)]
    >>> steadiness_said(Any(ranked=rules))[0]
    'Rule 2 never returns.'
    """
    never = [
        str(place)
        for place, each in enumerate(theory.ranked, start=1)
        if each.returns is not None and each.returns.times == 0
    ]
    if not never:
        return "", ""
    many = len(never) > 1
    return (
        f"Rule{'s' if many else ''} {enumeration(never)} never return{'' if many else 's'}.",
        f"Another sample would have given other rules here. Read {'them' if many else 'it'} as "
        "one example among several.",
    )
