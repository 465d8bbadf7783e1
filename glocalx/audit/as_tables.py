"""An audit as plain rows, for JSON, CSV and whoever draws it. What is undefined is None."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from glocalx.audit.audit import Audit
from glocalx.audit.intervals import Estimate
from glocalx.audit.responsibility import Disparity
from glocalx.audit.subgroups import GroupAnswers, Subgroup
from glocalx.words.wording import Wording

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]


def audit_tables(audit: Audit, wording: Wording | None = None) -> dict[str, list[Row]]:
    """Every table of an audit by name; rules are counted from 1, as people do.

    Parameters
    ----------
    wording
        How rules read; with records, thresholds are rounded as far as these allow.
    """
    wording = wording or Wording(audit.theory.schema)
    return {
        "traits": list(_traits(audit)),
        "rules": list(_rules(audit, wording)),
        "overlaps": list(_overlaps(audit)),
        "proxies": list(_proxies(audit)),
        "subgroups": list(_subgroups(audit)),
        "responsibility": list(_responsibilities(audit)),
        "what_if": list(_ablations(audit)),
        "notes": [{"note": note} for note in audit.notes],
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _estimate(name: str, estimate: Estimate) -> Row:
    return {
        name: _number(estimate.value),
        f"{name}_low": _number(estimate.low),
        f"{name}_high": _number(estimate.high),
    }


def _traits(audit: Audit) -> Iterator[Row]:
    table = audit.traits
    for trait, line in zip(table.traits, table.figures, strict=True):
        for group, figures in zip(table.groups, line, strict=True):
            yield {
                "column": trait.column,
                "category": trait.category,
                "group": group.kind,
                "outcome": group.outcome,
                "rule": _counted_from_one(group.rule),
                "records": group.records,
                "known": figures.known,
                "mean": _number(figures.mean),
                "deviation": _number(figures.deviation),
                **_estimate("difference", figures.difference),
                "effect": _number(figures.effect),
            }


def _rules(audit: Audit, wording: Wording) -> Iterator[Row]:
    for profile in audit.rules:
        close = profile.close_proxies()
        yield {
            "rule": profile.place + 1,
            "text": wording.rule(profile.rule),
            "outcome": profile.rule.outcome,
            "covered": profile.covered,
            "decided": profile.decided,
            **_estimate("agrees", profile.agrees),
            **_estimate("right", profile.right),
            **_estimate("decided_agrees", profile.decided_agrees),
            **_estimate("decided_right", profile.decided_right),
            "features": ", ".join(profile.features),
            "sensitive": ", ".join(profile.sensitive),
            "close_proxies": ", ".join(f"{each.column} → {each.sensitive}" for each in close),
        }


def _overlaps(audit: Audit) -> Iterator[Row]:
    for profile in audit.rules:
        for overlap in profile.overlaps:
            yield {
                "rule": profile.place + 1,
                "other": overlap.rule + 1,
                "records": overlap.records,
                "share": overlap.share,
                "same_outcome": overlap.same_outcome,
            }


def _proxies(audit: Audit) -> Iterator[Row]:
    for each in audit.associations:
        yield {
            "column": each.column,
            "sensitive": each.sensitive,
            "measure": each.measure,
            "strength": _number(each.strength),
            "information_bits": _number(each.information),
            "share_known": _number(each.share_known),
            "records": each.records,
            "close": each.is_close(),
        }


def _subgroups(audit: Audit) -> Iterator[Row]:
    for group in audit.subgroups.subgroups:
        for answerer, answers in group.answers.items():
            yield {
                **_group(group),
                "records": group.size,
                "answers_by": answerer,
                "known": answers.known,
                **_rates(answers),
                **_comparison(answers),
                **_estimate("fidelity", group.fidelity),
                **_estimate("fidelity_difference", group.fidelity_difference),
            }


def _group(group: Subgroup | Disparity) -> Row:
    return {"columns": " × ".join(group.columns), "group": " · ".join(group.groups)}


def _rates(answers: GroupAnswers) -> Row:
    row = _estimate("selected", answers.selected)
    for outcome, estimate in answers.shares.items():
        row |= _estimate(f"share of {outcome}", estimate)
    row |= _estimate("true_positive_rate", answers.true_positive)
    return row | _estimate("false_positive_rate", answers.false_positive)


def _comparison(answers: GroupAnswers) -> Row:
    comparison = answers.comparison
    nothing = Estimate(math.nan)
    return {
        "against": comparison.against if comparison else None,
        **_estimate("difference", comparison.difference if comparison else nothing),
        **_estimate("ratio", comparison.ratio if comparison else nothing),
        "ratio_band": comparison.band if comparison else None,
        **_estimate(
            "true_positive_difference", comparison.true_positive if comparison else nothing
        ),
        **_estimate(
            "false_positive_difference", comparison.false_positive if comparison else nothing
        ),
        "p_value": _number(comparison.p_value) if comparison else None,
        "p_adjusted": _number(comparison.adjusted) if comparison else None,
        "verdict": comparison.verdict if comparison else "compared with",
    }


def _responsibilities(audit: Audit) -> Iterator[Row]:
    for each in audit.responsibilities:
        yield {
            "columns": " × ".join(each.columns),
            "group": " · ".join(each.groups),
            "rule": _counted_from_one(each.rule),
            "decided": each.decided,
            **_estimate("of_outcome", each.of_outcome),
            **_estimate("of_group", each.of_group),
            "contribution": _number(each.contribution),
        }


def _ablations(audit: Audit) -> Iterator[Row]:
    for ablation in audit.ablations:
        for disparity in ablation.disparities:
            yield {
                "without_rule": _counted_from_one(ablation.rule),
                "without_feature": ablation.feature,
                "rules_changed": ablation.rules_changed,
                "fidelity_before": _number(ablation.fidelity_before.value),
                "fidelity_after": _number(ablation.fidelity_after.value),
                **_group(disparity),
                **_estimate("difference_before", disparity.before),
                **_estimate("difference_after", disparity.after),
            }


def _counted_from_one(place: int | None) -> int | None:
    return None if place is None else place + 1


def json_ready(audit: Audit, wording: Wording | None = None) -> Mapping[str, object]:
    """The audit as JSON can hold it: what it was about, and every table."""
    settings = audit.settings
    return {
        "outcome": settings.outcome,
        "by": list(settings.by),
        "groups": {axis.name: list(axis.groups) for axis in audit.axes},
        "compared_with": settings.against
        if isinstance(settings.against, str)
        else dict(settings.against),
        "enough": settings.enough,
        "records": audit.records,
        **audit_tables(audit, wording),
    }
