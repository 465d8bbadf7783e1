"""The whole audit of a theory on a table, collected as plain values; showing it is elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from glocalx.audit.axis import Axis
from glocalx.audit.comparison import Share
from glocalx.audit.flip_plans import FlipTest, flip_test, usual_plans
from glocalx.audit.flips import FlipRecords
from glocalx.audit.intervals import Estimate
from glocalx.audit.notes import notes_on
from glocalx.audit.proxies import Association, associations
from glocalx.audit.responsibility import (
    Ablation,
    Ablations,
    Responsibility,
    responsibilities,
)
from glocalx.audit.rule_profile import RuleProfile, rule_profiles
from glocalx.audit.sensitive_table import SensitiveTable, sensitive_table
from glocalx.audit.settings import Answerer, AuditSettings
from glocalx.audit.source import Source
from glocalx.audit.subgroups import (
    Subgroup,
    SubgroupTable,
    answers_of,
    check_outcome,
    subgroup_table,
)
from glocalx.audit.tally import Tally
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.theory import named_features

MORE_TRAITS = 2


@dataclass(frozen=True, slots=True)
class Audit:
    """All that was found.

    Parameters
    ----------
    records
        Number of records.
    tally
        The records, counted.
    notes
        Sentences on what was missing, unknown, banded or too small.
    flips
        Whose answer changes with the sensitive value alone; None where nobody could be asked.
    """

    settings: AuditSettings
    theory: RankedTheory
    tally: Tally = field(repr=False)
    traits: SensitiveTable
    rules: tuple[RuleProfile, ...]
    associations: tuple[Association, ...]
    subgroups: SubgroupTable
    responsibilities: tuple[Responsibility, ...]
    ablations: tuple[Ablation, ...]
    notes: tuple[str, ...]
    flips: FlipTest | None = None

    @property
    def records(self) -> int:
        """Number of records."""
        return self.tally.size

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The sensitive columns with their groups."""
        return self.tally.axes

    @property
    def titles(self) -> dict[str, str]:
        """How people call each of the sensitive columns."""
        return {axis.name: axis.title for axis in self.axes}

    def title(self, columns: Sequence[str]) -> str:
        """How people call the columns that make groups."""
        titles = self.titles
        return " × ".join(titles[column] for column in columns)

    @property
    def answers(self) -> Answerer:
        """Whose answers are audited; the rules explain those of the black box."""
        own: Answerer = "black box" if self.tally.has_black_box else "theory"
        return self.settings.answers or own

    def selected(self, answerer: Answerer) -> Share:
        """How many get the outcome asked about, of how many with an answer."""
        given = answers_of(self.tally, self.theory.default)[answerer]
        wanted = self.tally.outcomes.index(self.settings.outcome)
        return Share.of(self.tally, given == wanted, given >= 0)

    def shares_of(self, group: Subgroup) -> list[Responsibility]:
        """What each rule that gives the outcome, or the default, has to do with a group."""
        return [each for each in self.responsibilities if each.named == group.named]

    @property
    def fidelity(self) -> Estimate:
        """Agreement with the black box over all audited records."""
        return self.agreement.rate()

    @property
    def agreement(self) -> Share:
        """Records on which rules and black box agree, of those with its answer."""
        given, labels = answers_of(self.tally, self.theory.default)["theory"], self.tally.black_box
        return Share.of(self.tally, given == labels, labels >= 0)


def usual_traits(theory: RankedTheory, by: Sequence[str]) -> tuple[str, ...]:
    """What to tell of those behind each answer: the columns, and what rules name most often."""
    named = Counter(name for rule in theory.rules for name in rule.features if name not in by)
    return (*by, *(name for name, _ in named.most_common(MORE_TRAITS)))


def run_audit(
    source: Source,
    theory: RankedTheory,
    settings: AuditSettings,
    changeable: FlipRecords | None = None,
) -> Audit:
    """The whole audit at once; see :func:`iter_audit`."""
    steps = iter_audit(source, theory, settings, changeable)
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            audit: Audit = stop.value
            return audit


def iter_audit(
    source: Source,
    theory: RankedTheory,
    settings: AuditSettings,
    changeable: FlipRecords | None = None,
) -> Generator[str, None, Audit]:
    """The audit step by step: yields what it does next, and returns the :class:`Audit`.

    Parameters
    ----------
    source
        The records, in memory or streamed.
    theory
        Any rules in the order in which they decide.
    settings
        What to look at.
    changeable
        The same records, or some of them, in memory: to be changed, and asked about again.
    """
    yield "counting the records"
    axes = [source.axis(name, settings.bands.get(name)) for name in settings.by]
    features = settings.by if settings.features is None else settings.features
    columns = dict.fromkeys(each if isinstance(each, str) else each[0] for each in features)
    numbers = [name for name in columns if not source.feature(name).is_categorical]
    tally = source.tally(theory.rules, axes, numbers=numbers)  # one pass that serves every part
    check_outcome(tally, settings.outcome)
    yield "measuring who is covered"
    traits = sensitive_table(source, theory, features, counting=settings.counting, tally=tally)
    yield "looking for proxies"
    used = sorted(named_features(theory.rules))
    measured = associations(source, used, axes)
    profiles = rule_profiles(tally, settings.by, measured)
    yield "comparing groups"
    table = subgroup_table(tally, theory.default, settings)
    yield "finding the rules responsible"
    shares = responsibilities(tally, theory.default, settings)
    work = Ablations(tally, theory, settings)
    ablations = [work.without_rule(place) for place in range(theory.size)]
    ablations += [work.without_feature(name, source) for name in used]
    notes = notes_on(source, tally, table, settings, used)
    flips = None
    if changeable is not None:
        yield "changing what is sensitive alone"
        plans = settings.flips or usual_plans(changeable.source, axes, settings)
        flips = flip_test(changeable, theory, axes, settings.outcome, plans)
    return Audit(
        settings,
        theory,
        tally,
        traits,
        profiles,
        measured,
        table,
        shares,
        tuple(ablations),
        notes,
        flips,
    )
