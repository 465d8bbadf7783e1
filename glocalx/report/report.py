"""A report as plain values; how it looks is another matter."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from glocalx.audit import Audit
from glocalx.errors import GLocalXError
from glocalx.report.facts import HeldOut, MethodUsed, Provenance
from glocalx.rules.classifier import RankedTheory
from glocalx.words.phrases import listing, shown
from glocalx.words.wording import Wording

PACKAGES = ("glocalx", "numpy", "scipy", "pandas", "scikit-learn", "duckdb")

NOTHING_EXPLAINED = Provenance()
NO_METHOD = MethodUsed()


@dataclass(frozen=True, slots=True)
class ReportContent:
    """Everything that a report says.

    Parameters
    ----------
    title
        Its heading.
    made
        When, as text.
    outcome
        The outcome asked about.
    wording
        How rules read.
    versions
        Of the programs that made it, by name.
    """

    title: str
    made: str
    outcome: str
    theory: RankedTheory
    wording: Wording
    explained: Provenance
    method: MethodUsed
    held_out: HeldOut | None
    audit: Audit | None
    versions: Mapping[str, str]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The rules in words, in the order in which they decide."""
        return tuple(self.wording.sentence(rule) for rule in self.theory.rules)

    @property
    def asked(self) -> str:
        """The outcome asked about, as people call it."""
        return self.wording.outcome(self.outcome)

    def to_dict(self) -> dict[str, object]:
        """The same as JSON can hold it, but for the audit, which has its own."""
        return {
            "title": self.title,
            "made": self.made,
            "outcome": self.outcome,
            "rules": list(self.sentences),
            "default": self.theory.default,
            "explained": asdict(self.explained),
            "method": asdict(self.method),
            "held_out": None if self.held_out is None else asdict(self.held_out),
            "versions": dict(self.versions),
        }


def collect_report(
    theory: RankedTheory,
    *,
    title: str | None = None,
    outcome: str | None = None,
    audit: Audit | None = None,
    held_out: HeldOut | None = None,
    explained: Provenance = NOTHING_EXPLAINED,
    method: MethodUsed = NO_METHOD,
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
