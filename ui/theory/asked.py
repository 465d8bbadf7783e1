"""One record that is asked about, and everything that is needed to speak about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pandas as pd

from glocalx.blackbox.base import BlackBox
from glocalx.pipeline.tables import LabelledTable
from glocalx.plots import OutcomeColours
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import is_missing
from glocalx.rules.what_if import Record, as_seen
from glocalx.words.wording import Wording
from glocalx.workspace.run import Run
from ui.opened import kept
from ui.text import badge

Answer: TypeAlias = tuple[str, float | None]
MOST_KEPT = 5_000


@dataclass(frozen=True, slots=True, eq=False)
class AskedRecord:
    """Everything that is needed to speak about one record."""

    run: Run
    facts: LabelledTable
    theory: RankedTheory
    wording: Wording
    colours: OutcomeColours
    box: BlackBox | None

    def badge(self, outcome: str) -> str:
        return badge(outcome, self.colours, self.wording.outcome(outcome))

    def answers(self, records: Sequence[Record]) -> list[Answer]:
        """What the black box says about records, and with which probability.

        Every move of a slider asks about much the same records, so answers are kept.
        """
        assert self.box is not None  # the page looks first
        return answers_of(self.run, self.facts, self.box, records)


def answers_of(
    run: Run, facts: LabelledTable, box: BlackBox, records: Sequence[Record]
) -> list[Answer]:
    """What the black box says about records, and with which probability; answers are kept."""
    known = _known_answers(run)
    if len(known) > MOST_KEPT:
        known.clear()
    asked = {_key(record): record for record in records}
    found = {key: answer for key in asked if (answer := known.get(key))}
    new = {key: record for key, record in asked.items() if key not in found}
    if new:
        found |= zip(new, _ask(facts, box, list(new.values())), strict=True)
        known.update(found)
    return [found[key] for key in map(_key, records)]


def _ask(facts: LabelledTable, box: BlackBox, records: Sequence[Record]) -> list[Answer]:
    seen = [as_seen(record, facts.schema) for record in records]
    frame = as_frame(seen, facts.split.test[list(facts.schema.names)])
    labels, shares = box.labels(frame), box.probabilities(frame)
    outcomes = list(box.outcomes)
    return [
        (label, None if shares is None else float(shares[i, outcomes.index(label)]))
        for i, label in enumerate(map(str, labels))
    ]


def plain_values(record: Record) -> tuple[tuple[str, Any], ...]:
    """A record as a value that can be told apart from others; None where it is missing."""
    return tuple((name, None if is_missing(value) else value) for name, value in record.items())


def _key(record: Record) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(plain_values(record), key=lambda pair: pair[0]))


@kept("model", most=20)
def _known_answers(run: Run) -> dict[tuple[tuple[str, Any], ...], Answer]:
    """What the black box of a run was asked before, to be added to."""
    return {}


def as_frame(records: Sequence[Record], like: pd.DataFrame) -> pd.DataFrame:
    """Records as the black box wants them: the columns and types of a table."""
    frame = pd.DataFrame({name: [each[name] for each in records] for name in like.columns})
    return frame.astype(dict(like.dtypes.items()))


def record_at(facts: LabelledTable, place: int) -> dict[str, Any]:
    """A held-out record: numbers, and texts for categories; None where it is missing."""
    row = facts.split.test.iloc[place]
    values: dict[str, Any] = {}
    for feature in facts.schema.features:
        value = row[feature.name]
        known = str if feature.is_categorical else float
        values[feature.name] = None if is_missing(value) else known(value)
    return values
