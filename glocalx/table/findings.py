"""What was found in a table, in sentences that can be shown as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from glocalx.words.phrases import listing

Severity: TypeAlias = Literal["info", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person should know about a table.

    Parameters
    ----------
    topic
        What it is about, one word for programs: `missing`, `constant`, `duplicate column`, ...
    severity
        `warning` where the result may be wrong or a column was set aside, else `info`.
    column
        The column it concerns; None for the table as a whole.
    sentence
        What was found and what was done about it.
    """

    topic: str
    severity: Severity
    column: str | None
    sentence: str


def told_once(findings: Sequence[Finding]) -> list[Finding]:
    """How many columns write their numbers becomes one sentence, in the place of the first."""
    same = [each for each in findings if each.topic == "number form"]
    if len(same) < 2:
        return list(findings)
    first, others = same[0], listing(each.column for each in same[1:])
    sentence = f"{first.sentence} {len(same) - 1:,} more write them in such a form: {others}."
    together = Finding(first.topic, first.severity, None, sentence)
    return [together if each is first else each for each in findings if each not in same[1:]]
