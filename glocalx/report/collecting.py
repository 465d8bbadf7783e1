"""Putting together what a report says."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from glocalx.audit import Audit
from glocalx.errors import GLocalXError
from glocalx.report.content import Explained, HeldOut, Method, ReportContent
from glocalx.rules.classifier import RankedTheory
from glocalx.words.phrases import listing, shown
from glocalx.words.wording import Wording

PACKAGES = ("glocalx", "numpy", "scipy", "pandas", "scikit-learn", "duckdb")

NOTHING_EXPLAINED = Explained()
NO_METHOD = Method()


def collect_report(
    theory: RankedTheory,
    *,
    title: str | None = None,
    outcome: str | None = None,
    audit: Audit | None = None,
    held_out: HeldOut | None = None,
    explained: Explained = NOTHING_EXPLAINED,
    method: Method = NO_METHOD,
    wording: Wording | None = None,
    made: datetime | None = None,
) -> ReportContent:
    """Everything that is known, ready to be rendered.

    Parameters
    ----------
    theory
        The rules in the order in which they decide.
    title
        The heading; by default the name of the run.
    outcome
        The outcome asked about; by default that of the audit, else the first that is not what
        happens without a rule.
    audit
        Whom the rules cover; must be of the same rules.
    held_out, explained, method
        What is known of the run.
    wording
        How rules read; with records, thresholds are rounded as far as these allow.
    made
        When; by default now.
    """
    if audit is not None and audit.theory.rules != theory.rules:
        raise GLocalXError("The audit is of other rules than the report. Audit these rules first.")
    moment = (made or datetime.now(UTC)).astimezone(UTC)
    return ReportContent(
        title=title or explained.run or "How a black box decides, in a handful of rules",
        made=f"{moment:%Y-%m-%d %H:%M} UTC",
        outcome=_outcome(theory, outcome or (audit.settings.outcome if audit else None)),
        theory=theory,
        wording=wording or Wording(theory.schema),
        explained=explained,
        method=method,
        held_out=held_out,
        audit=audit,
        versions=_versions(),
    )


def _outcome(theory: RankedTheory, wanted: str | None) -> str:
    outcomes = theory.schema.outcomes
    if wanted is None:
        return next((name for name in outcomes if name != theory.default), theory.default)
    if wanted not in outcomes:
        raise GLocalXError(f"{shown(wanted)} is none of the outcomes: {listing(outcomes)}.")
    return wanted


def _versions() -> dict[str, str]:
    found = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from a folder that was never installed
            continue
    return found
