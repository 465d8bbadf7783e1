"""The whole audit of a theory on a table, collected as plain values; showing it is elsewhere."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from glocalx.audit.axis import Axis
from glocalx.audit.comparison import ENOUGH, Share
from glocalx.audit.flip_plans import FlipTest, flip_test, usual_plans
from glocalx.audit.flips import FlipPlan, FlipRecords
from glocalx.audit.grouping import Against
from glocalx.audit.intervals import Estimate
from glocalx.audit.notes import notes_on
from glocalx.audit.proxies import Association, associations
from glocalx.audit.responsibility import (
    Ablation,
    AblationKind,
    Ablations,
    Responsibility,
    responsibilities,
)
from glocalx.audit.rule_profile import RuleProfile, rule_profiles
from glocalx.audit.sensitive_table import Counting, SensitiveTable, sensitive_table
from glocalx.audit.source import Source
from glocalx.audit.subgroups import (
    Answerer,
    Subgroup,
    SubgroupTable,
    answers_of,
    check_outcome,
    subgroup_table,
)
from glocalx.audit.table_source import RecordPart
from glocalx.audit.tally import Tally
from glocalx.errors import GLocalXError
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.theory import named_features
from glocalx.words.phrases import listing, shown

MORE_TRAITS = 2

Combinations: TypeAlias = Literal["none", "pairs", "all"]


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """What to look at.

    Parameters
    ----------
    outcome
        The outcome asked about.
    by
        The sensitive columns.
    bands
        Where bands of a number begin; without, three bands of about the same size.
    favourable
        The outcome that is good for those who get it; None where nobody said.
    combinations
        Which columns are also looked at together: none, every two of them, or as many as there are.
    against
        Whom to compare groups with.
    enough
        Number of records below which there are not enough records.
    features
        Lines of the table of traits; by default the sensitive columns.
    counting
        Whether that table looks at what rules cover or at what they decide.
    ablation
        What happens to rules that name a feature that is taken away.
    tolerance
        A difference of shares that whoever asks holds to be none, such as 0.05; that differences
        are smaller is then tested, too.
    flips
        Which flips to make where records can be changed; by default the usual ones.
    part
        Which records, where they were shared out.
    answers
        Whose answers are audited; by default those of the black box where they are at hand, else
        those of the rules that explain it.
    """

    outcome: str
    by: tuple[str, ...]
    bands: Mapping[str, Sequence[float]] = field(default_factory=dict)
    favourable: str | None = None
    combinations: Combinations = "pairs"
    against: Against = "everyone else"
    enough: int = ENOUGH
    features: tuple[str | tuple[str, str], ...] | None = None
    counting: Counting = "covered"
    ablation: AblationKind = "rules"
    tolerance: float | None = None
    flips: tuple[FlipPlan, ...] = ()
    part: RecordPart = "all"
    answers: Answerer | None = None

    def __post_init__(self) -> None:
        if not self.by:
            raise GLocalXError("No sensitive column is chosen. Choose at least one.")
        if len(set(self.by)) != len(self.by):
            raise GLocalXError("A sensitive column is named twice. Name each once.")
        if self.tolerance is not None and not 0 < self.tolerance < 1:
            raise GLocalXError("A tolerance is a difference of shares, between 0 and 100 points.")

    @property
    def column_sets(self) -> tuple[tuple[str, ...], ...]:
        """Each column alone and, where wanted, every two, three, … of them together."""
        most = {"none": 1, "pairs": 2, "all": len(self.by)}[self.combinations]
        sizes = range(1, most + 1)
        return tuple(chosen for size in sizes for chosen in itertools.combinations(self.by, size))

    def question(self, title: Callable[[Sequence[str]], str]) -> str:
        """What is asked, as one sentence.

        Parameters
        ----------
        title
            How people call columns.
        """
        columns = listing([title([name]) for name in self.by])
        return (
            f"How often does each group by {columns} get {shown(self.outcome)}, beside {self.whom}?"
        )

    @property
    def whom(self) -> str:
        """Whom groups are compared with, as within a sentence."""
        if isinstance(self.against, str):
            return "the largest group" if self.against == "largest group" else "everyone else"
        return "the chosen group"


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
    asked = (settings.outcome, settings.column_sets)
    against = settings.against
    table = subgroup_table(
        tally,
        theory.default,
        *asked,
        against=against,
        enough=settings.enough,
        favourable=settings.favourable,
        tolerance=settings.tolerance,
    )
    yield "finding the rules responsible"
    shares = responsibilities(tally, theory.default, *asked, against)
    work = Ablations(tally, theory, *asked, against)
    ablations = [work.without_rule(place) for place in range(theory.size)]
    ablations += [work.without_feature(name, source, settings.ablation) for name in used]
    notes = notes_on(source, tally, table, used)
    flips = None
    if changeable is not None:
        yield "changing what is sensitive alone"
        plans = settings.flips or usual_plans(
            changeable.source,
            axes,
            against=against,
            enough=settings.enough,
            together=settings.combinations != "none",
        )
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
