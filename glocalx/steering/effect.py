"""What a step changes: how many answers agree, and which records are answered otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from glocalx.rules.classifier import RankedTheory
from glocalx.rules.scoring import Reference
from glocalx.words.phrases import counted


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A record that is answered otherwise.

    Parameters
    ----------
    record
        Its place among the records, from 0.
    before, after
        What the rules said and say.
    black_box
        What the black box says.
    """

    record: int
    before: str
    after: str
    black_box: str

    @property
    def better(self) -> bool:
        """Whether the rules say now what the black box says."""
        return self.after == self.black_box

    @property
    def worse(self) -> bool:
        """Whether they did so before. Neither: both answers are others than the black box's."""
        return self.before == self.black_box


@dataclass(frozen=True, slots=True)
class SteeringEffect:
    """Two theories on the same records.

    Parameters
    ----------
    records
        How many there are.
    agreed
        On how many rules and black box agree, before and after.
    found
        By outcome: of the records that the black box gives it, those that the rules find before
        and after, and how many there are.
    answers
        The records that are answered otherwise, those that became better first.
    """

    records: int
    agreed: tuple[int, int]
    found: Mapping[str, tuple[int, int, int]]
    answers: tuple[ChangedAnswer, ...]

    @property
    def fidelity(self) -> tuple[float, float]:
        """Share of the records where rules and black box agree, before and after."""
        before, after = self.agreed
        return before / self.records, after / self.records

    @property
    def sentence(self) -> str:
        """How many answers change, and to which good.

        Examples
        --------
        >>> SteeringEffect(9, (7, 7), {}, ()).sentence
        'No answer changes.'
        """
        if not self.answers:
            return "No answer changes."
        better = sum(each.better for each in self.answers)
        worse = sum(each.worse for each in self.answers)
        other = len(self.answers) - better - worse
        verb = "changes" if len(self.answers) == 1 else "change"
        parts = [f"{better:,} better", f"{worse:,} worse"]
        parts += [f"{other:,} wrong both times"] if other else []
        return f"{counted(len(self.answers), 'answer')} {verb}: {', '.join(parts)}."


def effect_of(before: RankedTheory, after: RankedTheory, reference: Reference) -> SteeringEffect:
    """What it changes to put one theory in the place of another."""
    said = [theory.predict(reference.records) for theory in (before, after)]
    right = [answers == reference.labels for answers in said]
    changed = np.flatnonzero(said[0] != said[1])
    answers = [
        ChangedAnswer(int(i), str(said[0][i]), str(said[1][i]), str(reference.labels[i]))
        for i in changed
    ]
    found = {}
    for outcome in reference.outcomes:
        given = reference.labels == outcome
        counts = (int((each & given).sum()) for each in right)
        found[outcome] = (*counts, int(given.sum()))
    return SteeringEffect(
        reference.size,
        (int(right[0].sum()), int(right[1].sum())),
        found,  # type: ignore[arg-type]  # two counts and their total
        tuple(sorted(answers, key=lambda each: (not each.better, each.worse, each.record))),
    )
