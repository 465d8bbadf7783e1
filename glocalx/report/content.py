"""What a report says, as plain values; how it looks is another matter.

Every part that somebody may not know is optional. What is None is said to be not known, never
left out in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from glocalx.audit import Audit
from glocalx.evaluation import Evaluation
from glocalx.rules.classifier import RankedTheory
from glocalx.words.wording import Wording


@dataclass(frozen=True, slots=True)
class Explained:
    """What was explained.

    Parameters
    ----------
    run
        What the run is called.
    table, table_fingerprint
        Name and fingerprint of the table.
    records, features
        How many of them the table has.
    target
        The column that was explained.
    black_box, black_box_fingerprint
        Name and fingerprint of the model.
    stand_in_agreement
        Where there were only answers and no model: how often the model fitted in its place gives
        the same.
    theory_fingerprint
        Of the file that the rules were read from.
    findings
        Sentences on what was imputed, set aside or dropped.
    """

    run: str | None = None
    table: str | None = None
    table_fingerprint: str | None = None
    records: int | None = None
    features: int | None = None
    target: str | None = None
    black_box: str | None = None
    black_box_fingerprint: str | None = None
    stand_in_agreement: float | None = None
    theory_fingerprint: str | None = None
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Method:
    """How the rules were made.

    Parameters
    ----------
    split
        How many records were for what: `{"training": 5050, "explaining": 1515, "held out": 649}`.
    seed
        With which everything can be repeated.
    local_rules
        How many different ones there were.
    extraction, merging, selection
        The settings of each, by name; `{"budget": 10}`, with `candidates` where it is known what
        the rules were chosen from.
    """

    split: Mapping[str, int] | None = None
    seed: int | None = None
    local_rules: int | None = None
    extraction: Mapping[str, object] | None = None
    merging: Mapping[str, object] | None = None
    selection: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Figures on records that nothing was made from.

    Parameters
    ----------
    rules
        The rules of the report.
    baselines
        Other explanations of the same black box on the same records, by name.
    majority
        How often the most common answer alone would agree with the black box.
    black_box_accuracy
        How often the black box is right.
    unseen_by_black_box
        Whether it is known that the black box was not trained on them either.
    """

    rules: Evaluation
    baselines: Mapping[str, Evaluation] = field(default_factory=dict)
    majority: float | None = None
    black_box_accuracy: float | None = None
    unseen_by_black_box: bool = True


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
    explained: Explained
    method: Method
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

    def column(self, name: str) -> str:
        """A column as people call it, whether rules know it or not."""
        if name in self.theory.schema:
            return self.wording.name(name)
        axes = self.audit.axes if self.audit is not None else ()
        return next((axis.title for axis in axes if axis.name == name), name)

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
