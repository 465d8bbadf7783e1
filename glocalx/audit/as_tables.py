"""An audit as plain rows, for JSON, CSV and whoever draws it. What is undefined is None."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from glocalx.audit.audit import Audit
from glocalx.audit.comparison import NOT_COMPARED
from glocalx.audit.flips import FlipResult
from glocalx.audit.grouping import NamedGroup
from glocalx.audit.intervals import Estimate
from glocalx.audit.subgroups import GroupAnswers
from glocalx.words.wording import Wording

Cell: TypeAlias = str | int | float | bool | None
Row: TypeAlias = dict[str, Cell]
Rows: TypeAlias = Iterator[dict[str, Any]]
"""Rows whose figures still have their intervals."""


def audit_tables(audit: Audit, wording: Wording | None = None) -> dict[str, list[Row]]:
    """Every table of an audit by name; rules are counted from 1, as people do.

    Parameters
    ----------
    wording
        How rules read; with records, thresholds are rounded as far as these allow.
    """
    tables: dict[str, Rows] = {
        "traits": _traits(audit),
        "rules": _rules(audit, wording or Wording(audit.theory.schema)),
        "overlaps": _overlaps(audit),
        "proxies": _proxies(audit),
        "subgroups": _subgroups(audit),
        "responsibility": _responsibilities(audit),
        "what_if": _ablations(audit),
        "flips": _flips(audit),
        "flips_by_rule": _flips_by_rule(audit),
        "notes": ({"note": note} for note in audit.notes),
    }
    return {name: [flat_row(row) for row in rows] for name, rows in tables.items()}


def flat_row(row: Mapping[str, Any]) -> Row:
    """A figure and the ends of its interval in cells of their own."""
    cells: Row = {}
    for name, value in row.items():
        if isinstance(value, Estimate):
            cells |= {name: value.value, f"{name}_low": value.low, f"{name}_high": value.high}
        else:
            cells[name] = value
    undefined = [name for name, cell in cells.items() if isinstance(cell, float) and cell != cell]
    return cells | dict.fromkeys(undefined)


def _figures(found: object, *names: str) -> dict[str, Any]:
    """What files call as we do."""
    return {name: getattr(found, name) for name in names}


def _traits(audit: Audit) -> Rows:
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
                **_figures(figures, "known", "mean", "deviation", "difference", "effect"),
            }


def _rules(audit: Audit, wording: Wording) -> Rows:
    for profile in audit.rules:
        close = profile.close_proxies()
        yield {
            "rule": profile.place + 1,
            "text": wording.rule(profile.rule),
            "outcome": profile.rule.outcome,
            **_figures(profile, "covered", "decided", "agrees", "right"),
            **_figures(profile, "decided_agrees", "decided_right"),
            "features": ", ".join(profile.rule.features),
            "sensitive": ", ".join(profile.sensitive),
            "close_proxies": ", ".join(f"{each.column} → {each.sensitive}" for each in close),
            "by_hand": wording.by_hand(audit.theory.ranked[profile.place].mark),
        }


def _overlaps(audit: Audit) -> Rows:
    for profile in audit.rules:
        for overlap in profile.overlaps:
            yield {
                "rule": profile.place + 1,
                "other": overlap.rule + 1,
                **_figures(overlap, "records", "share", "same_outcome"),
            }


def _proxies(audit: Audit) -> Rows:
    for each in audit.associations:
        yield {
            **_figures(each, "column", "sensitive", "measure", "strength"),
            "information_bits": each.information,
            **_figures(each, "share_known", "records"),
            "close": each.is_close(),
        }


def _subgroups(audit: Audit) -> Rows:
    for group in audit.subgroups.subgroups:
        for answerer, answers in group.answers.items():
            yield {
                **group_cells(group),
                "records": group.size,
                "answers_by": answerer,
                "known": answers.known,
                "selected": answers.selected,
                **{f"share of {outcome}": share for outcome, share in answers.shares.items()},
                "true_positive_rate": answers.true_positive,
                "false_positive_rate": answers.false_positive,
                **_comparison(answers),
                "fidelity": group.fidelity,
                "fidelity_difference": group.fidelity_difference,
                **{f"black box gives {name}": each.size for name, each in group.found.items()},
                **{f"rules find of {name}": each.hits for name, each in group.found.items()},
            }


def group_cells(group: NamedGroup) -> dict[str, Any]:
    """By which columns a group is made, and which it is."""
    return {"columns": " × ".join(group.columns), "group": group.title}


def _comparison(answers: GroupAnswers) -> dict[str, Any]:
    found = answers.comparison or NOT_COMPARED
    return {
        "against": found.against or None,
        "difference": found.difference,
        "ratio": found.ratio,
        "favourable_ratio": found.favourable,
        "favourable_band": found.band,
        "true_positive_difference": found.true_positive,
        "false_positive_difference": found.false_positive,
        "p_value": found.p_value,
        "p_adjusted": found.adjusted,
        "p_equivalence": found.equivalence,
        "p_equivalence_adjusted": found.equivalence_adjusted,
        "verdict": found.verdict,
    }


def _responsibilities(audit: Audit) -> Rows:
    for each in audit.responsibilities:
        yield {
            **group_cells(each),
            "rule": _counted_from_one(each.rule),
            **_figures(each, "decided", "of_outcome", "of_group", "contribution"),
        }


def _ablations(audit: Audit) -> Rows:
    for ablation in audit.ablations:
        for disparity in ablation.disparities:
            yield {
                "without_rule": _counted_from_one(ablation.rule),
                "without_feature": ablation.feature,
                "rules_changed": ablation.rules_changed,
                "fidelity_before": ablation.fidelity_before.value,
                "fidelity_after": ablation.fidelity_after.value,
                **group_cells(disparity),
                "difference_before": disparity.before,
                "difference_after": disparity.after,
            }


def _flips(audit: Audit) -> Rows:
    for flip in audit.flips.flips if audit.flips else ():
        for answerer, count in (("black box", flip.model), ("theory", flip.rules)):
            if count is not None:
                yield {
                    **_flip(flip),
                    "group_records": flip.group_size,
                    "records": flip.records,
                    "answers_by": answerer,
                    "changed": count.changed.hits,
                    "share": count.changed.rate(),
                    f"to {audit.settings.outcome}": count.gained,
                    f"from {audit.settings.outcome}": count.lost,
                    "p_value": count.p_value,
                    "p_adjusted": count.adjusted,
                    "both_change": flip.both,
                    "not_read": ", ".join(flip.unread),
                }


def _flips_by_rule(audit: Audit) -> Rows:
    for flip in audit.flips.flips if audit.flips else ():
        for each in flip.by_rule:
            yield {
                **_flip(flip),
                "rule": _counted_from_one(each.rule),
                **_figures(each, "records", "by_model", "by_rules"),
            }


def _flip(flip: FlipResult) -> dict[str, Any]:
    return {
        "columns": " × ".join(flip.plan.columns),
        "from": " · ".join(flip.plan.group),
        "to": " · ".join(each.after for each in flip.plan.changes),
        "along": ", ".join(flip.plan.along),
    }


def _counted_from_one(place: int | None) -> int | None:
    return None if place is None else place + 1


def json_ready(audit: Audit, wording: Wording | None = None) -> Mapping[str, object]:
    """The audit as JSON can hold it: what it was about, and every table."""
    settings = audit.settings
    against = settings.against
    return {
        "outcome": settings.outcome,
        "favourable": settings.favourable,
        "answers_by": audit.answers,
        "by": list(settings.by),
        "groups": {axis.name: list(axis.groups) for axis in audit.axes},
        "compared_with": against if isinstance(against, str) else dict(against),
        "combinations": settings.combinations,
        "enough": settings.enough,
        "tolerance": settings.tolerance,
        "records": audit.records,
        **audit_tables(audit, wording),
    }
