"""What is known about the rules of a report: where they come from, how well they do.

Every part that somebody may not know is optional. What is None is said to be not known, never
left out in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from glocalx.evaluation import Evaluation
from glocalx.evaluation.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Provenance:
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
class Prepared:
    """Who prepared a report, and for what; None where nobody said."""

    by: str | None = None
    purpose: str | None = None


@dataclass(frozen=True, slots=True)
class MethodUsed:
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
    verdict
        Whether the rules may stand in for the black box.
    enough
        From how many rules on nothing is gained.
    """

    rules: Evaluation
    baselines: Mapping[str, Evaluation] = field(default_factory=dict)
    majority: float | None = None
    black_box_accuracy: float | None = None
    unseen_by_black_box: bool = True
    verdict: Verdict | None = None
    enough: int | None = None

    @property
    def methods(self) -> dict[str, Evaluation]:
        """The rules and the baselines, as the report calls them."""
        return {"The rules of this report": self.rules, **self.baselines}
