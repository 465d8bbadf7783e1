"""Whom the six rules on COMPAS cover: the paper's table 3."""

from __future__ import annotations

import math
from typing import Any

from glocalx.audit import FrameSource
from glocalx.audit.sensitive_table import sensitive_table
from glocalx.rules.classifier import RankedTheory
from study.explained_cell import ExplainedCell

RULES_SHOWN = 6
TRAITS: dict[str, str | tuple[str, str]] = {
    "prior offences": "priors_count",
    "past recidivous": ("is_recid", "yes"),
    "violent recidivous": ("is_violent_recid", "yes"),
    "African-American": ("race", "African-American"),
    "Caucasian": ("race", "Caucasian"),
}


def whom_rules_cover(work: ExplainedCell, theory: RankedTheory) -> dict[str, Any]:
    """For each trait its mean and deviation among the explained records of each outcome's rules.

    Empty where the table is not COMPAS.
    """
    if work.cell.dataset != "compas":
        return {}
    source = FrameSource(work.schema, work.explain)
    table = sensitive_table(source, theory, list(TRAITS.values()))
    return {
        group.outcome or "everyone": {
            "records": group.records,
            **{
                name: _known(figures[place].mean, figures[place].deviation)
                for name, figures in zip(TRAITS, table.figures, strict=True)
            },
        }
        for place, group in enumerate(table.groups)
        if group.kind != "rule"
    }


def _known(*numbers: float) -> list[float | None]:
    """JSON has no NaN: nobody covered, nothing known."""
    return [None if math.isnan(number) else number for number in numbers]
