"""Resamples, written one by one while they are made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from glocalx.files.journals import Journal, JournalReader
from glocalx.files.rules import rule_to_dict, rules_from
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema

RESAMPLES = "glocalx/resamples-journal"


class ResampleLine(NamedTuple):
    """One draw: its number, the rules that a budget chooses, those that merging left, and those
    that alpha takes together.
    """

    number: int
    path: tuple[Rule, ...]
    left: tuple[Rule, ...]
    together: tuple[Rule, ...] = ()


class ResamplesJournal(Journal):
    """Writes resamples as they come."""

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        super().__init__(path, RESAMPLES, head)

    def add_resample(self, line: ResampleLine) -> None:
        """Add what came of one draw."""
        self.add([resample_to_dict(line)])

    def finish(self) -> None:
        """Say that no more will come."""
        self.add([{"finished": True}])


def resample_to_dict(line: ResampleLine) -> dict[str, Any]:
    """What came of one draw, as plain data."""
    rules = {"path": line.path, "left": line.left, "together": line.together}
    plain = {name: list(map(rule_to_dict, each)) for name, each in rules.items()}
    return {"number": line.number, **plain}


class ResamplesReader(JournalReader):
    """The resamples in a journal, as far as it goes."""

    kind = RESAMPLES

    def __init__(self, path: Path, schema: Schema) -> None:
        super().__init__(path)
        self.resamples: list[ResampleLine] = []
        self._schema = schema

    def refresh(self) -> list[ResampleLine]:
        """Read what is new, and give all so far."""
        self._read_on()
        return self.resamples

    def _add(self, item: dict[str, Any]) -> None:
        if "finished" not in item:
            item.setdefault("together", [])  # journals of earlier versions do not have it
            path, left, together = (
                tuple(rules_from(item[name], self._schema)) for name in ("path", "left", "together")
            )
            self.resamples.append(ResampleLine(int(item["number"]), path, left, together))
