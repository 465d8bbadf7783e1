"""What is asked of an audit."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from glocalx.audit.comparison import ENOUGH
from glocalx.audit.flips import FlipPlan
from glocalx.audit.grouping import Against
from glocalx.audit.sensitive_table import Counting
from glocalx.audit.table_source import RecordPart
from glocalx.errors import GLocalXError
from glocalx.words.phrases import listing, shown

Combinations: TypeAlias = Literal["none", "pairs", "all"]

Answerer: TypeAlias = Literal["theory", "black box", "truth"]

AblationKind: TypeAlias = Literal["rules", "premises"]
"""How a feature is barred: rules that name it go, or they stay without that premise, and all are
ranked anew by their accuracy on these records, or keep their order where the black box's labels
are not known."""


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
