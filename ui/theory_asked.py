"""One record that is asked about, and everything that is needed to speak about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.classifier import RankedTheory
from glocalx.plots import OutcomeColours
from glocalx.what_if import Record
from glocalx.wording import Wording
from glocalx.workspace.opening import Explained
from glocalx.workspace.run import Run
from ui.text import badge


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Everything that is needed to speak about one record."""

    run: Run
    facts: Explained
    theory: RankedTheory
    wording: Wording
    colours: OutcomeColours
    box: BlackBox | None

    def badge(self, outcome: str) -> str:
        return badge(outcome, self.colours, self.wording.outcome(outcome))

    def answers(self, records: Sequence[Record]) -> list[tuple[str, float | None]]:
        """What the black box says about records, and with which probability."""
        assert self.box is not None
        frame = as_frame(records, self.facts.shared.test)
        labels, shares = self.box.labels(frame), self.box.probabilities(frame)
        outcomes = list(self.box.outcomes)
        return [
            (label, None if shares is None else float(shares[i, outcomes.index(label)]))
            for i, label in enumerate(map(str, labels))
        ]


def as_frame(records: Sequence[Record], like: pd.DataFrame) -> pd.DataFrame:
    """Records as the black box wants them: the columns and types of a table."""
    frame = pd.DataFrame({name: [each[name] for each in records] for name in like.columns})
    return frame.astype(dict(like.dtypes.items()))


def record_at(facts: Explained, place: int) -> dict[str, Any]:
    """A held-out record: numbers, and texts for categories."""
    row = facts.shared.test.iloc[place]
    return {
        feature.name: str(row[feature.name]) if feature.is_categorical else float(row[feature.name])
        for feature in facts.schema.features
    }
