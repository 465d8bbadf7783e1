"""A report as plain values; how it looks is another matter."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from glocalx.audit import Audit
from glocalx.audit.classifier_audit import ClassifierAudit
from glocalx.errors import GLocalXError
from glocalx.evaluation.verdict import Verdict, verdict_of_audit
from glocalx.questions.curves import FeatureCurve
from glocalx.questions.reliance import Reliance
from glocalx.report.facts import HeldOut, MethodUsed, Prepared, Provenance
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.theory import named_features
from glocalx.words.phrases import listing, shown
from glocalx.words.wording import Wording

PACKAGES = ("glocalx", "numpy", "scipy", "pandas", "scikit-learn", "duckdb")

NOTHING_EXPLAINED = Provenance()
NO_METHOD = MethodUsed()
NOBODY_SAID = Prepared()


@dataclass(frozen=True, slots=True)
class RuleReach:
    """How many records a rule covers, and where the black box says the same.

    Parameters
    ----------
    total
        Of how many; None where that is not known.
    agrees
        NaN where it is not known.
    """

    covered: int
    total: int | None
    agrees: float

    @property
    def share(self) -> float | None:
        return self.covered / self.total if self.total else None

    @property
    def agreed(self) -> float:
        """The share of all records that it covers and agrees on, as far as is known."""
        return (self.share or 0.0) * (1.0 if math.isnan(self.agrees) else self.agrees)


@dataclass(frozen=True, slots=True)
class ReportContent:
    """Everything that a report says; :func:`collect_report` tells what each of it is.

    What nobody knows is None; `made` is a text.
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
    rests_on: Reliance | None = None
    curves: tuple[FeatureCurve, ...] = ()
    prepared: Prepared = NOBODY_SAID
    classifier: ClassifierAudit | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The rules in words, in the order in which they decide."""
        return tuple(self.wording.sentence(rule) for rule in self.theory.rules)

    @property
    def named(self) -> frozenset[str]:
        """The features that rules name."""
        return named_features(self.theory.rules)

    @property
    def asked(self) -> str:
        """The outcome asked about, as people call it."""
        return self.wording.outcome(self.outcome)

    @property
    def question(self) -> str | None:
        """What was asked of the groups, in a sentence; None where nothing was."""
        return None if self.audit is None else self.audit.settings.question(self.audit.title)

    def reaches(self) -> list[RuleReach]:
        """What each rule covers, of the audited records or else of those it was made from."""
        if self.audit is not None:
            rules, total = self.audit.rules, self.audit.records
            return [RuleReach(each.covered, total, each.agrees.value) for each in rules]
        known = (self.method.split or {}).get("explaining")
        counts = [(each.covered, each.agreed) for each in self.theory.ranked]
        return [RuleReach(n, known, agreed / n if n else math.nan) for n, agreed in counts]

    @property
    def verdict(self) -> Verdict | None:
        """Whether the rules may stand in for the black box; None where nobody can tell.

        Judged on held-out records where there are any, else on those that were audited.
        """
        if self.held_out is not None:
            return self.held_out.verdict
        return None if self.audit is None else verdict_of_audit(self.audit)

    def to_dict(self) -> dict[str, object]:
        """The same as JSON can hold it, but for the audit, which has its own."""
        return {
            "title": self.title,
            "made": self.made,
            "prepared": asdict(self.prepared),
            "question": self.question,
            "outcome": self.outcome,
            "rules": list(self.sentences),
            "by_hand": [self.wording.by_hand(each.mark) for each in self.theory.ranked],
            "returns": [asdict(each.returns) for each in self.theory.ranked if each.returns],
            "steering": self.wording.steered(self.theory.steering),
            "default": self.theory.default,
            "never_decide": list(range(self.theory.may_decide + 1, self.theory.size + 1)),
            "fills": self.theory.schema.fills,
            "explained": asdict(self.explained),
            "method": asdict(self.method),
            "verdict": None if self.verdict is None else self.verdict.to_dict(self.wording.outcome),
            "held_out": None if self.held_out is None else _figures(self.held_out),
            "rests_on": None if self.rests_on is None else self.rests_on.to_dict(),
            "curves": [curve.to_dict() for curve in self.curves],
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
    rests_on: Reliance | None = None,
    curves: Iterable[FeatureCurve] = (),
    prepared: Prepared = NOBODY_SAID,
    classifier: ClassifierAudit | None = None,
    versions: Mapping[str, str] | None = None,
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
    rests_on
        What the black box's answers rest on, where it was asked.
    curves
        How its answers move along a few features, where it was asked.
    prepared
        Who prepared the report, and for what.
    classifier
        What auditors of classifiers ask besides, of the same records.
    versions
        Of the programs that made it, by name; by default those that run.
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
        versions=versions or program_versions(),
        rests_on=rests_on,
        curves=tuple(curves),
        prepared=prepared,
        classifier=None if classifier is None or classifier.is_empty else classifier,
    )


def _figures(held_out: HeldOut) -> dict[str, object]:
    """All but the verdict, which stands above them."""
    return {name: value for name, value in asdict(held_out).items() if name != "verdict"}


def _outcome(theory: RankedTheory, wanted: str | None) -> str:
    outcomes = theory.schema.outcomes
    if wanted is None:
        return next((name for name in outcomes if name != theory.default), theory.default)
    if wanted not in outcomes:
        raise GLocalXError(f"{shown(wanted)} is none of the outcomes: {listing(outcomes)}.")
    return wanted


def program_versions() -> dict[str, str]:
    """The versions of what makes a report, by name."""
    found = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # run from a folder that was never installed
            continue
    return found
