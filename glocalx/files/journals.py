"""Journals: local rules, hierarchies and resamples written line by line while they are made.

A journal is a text file with one JSON object a line, the first of which says what it belongs to.
Lines are only ever added, so a killed process loses at most the line it was writing: a cut last
line is not read, and it is removed when the work goes on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Generic, NamedTuple, Self, TypeVar

from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import LocalRule
from glocalx.files.document import VERSION, refusing
from glocalx.files.hierarchies import StepReader, StepWriter, ending
from glocalx.files.rules import (
    local_rule_from_dict,
    local_rule_to_dict,
    rule_to_dict,
    rules_from,
)
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.search import MergeSettings
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema

LOCAL_RULES = "glocalx/local-rules-journal"
HIERARCHY = "glocalx/hierarchy-journal"
RESAMPLES = "glocalx/resamples-journal"

Made = TypeVar("Made")


class Journal:
    """A file to which lines are added; opening it again goes on behind its last whole line.

    `head`: what it belongs to; its first line says that and its kind. A file with another first
    line is begun anew. A disk that cannot be written is an :class:`OSError`: whoever does the work
    knows to whom it is told.
    """

    kind: ClassVar[str]

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        first = journal_line({"format": self.kind, "version": VERSION, **head})
        written = path.read_bytes() if path.is_file() else b""
        whole = written.rfind(b"\n") + 1
        fresh = whole == 0 or not written.startswith(first)
        self._file: BinaryIO = path.open("wb" if fresh else "r+b")
        if fresh:
            self._file.write(first)
        else:
            self._file.truncate(whole)
            self._file.seek(0, os.SEEK_END)
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Add lines; they are in the file when this returns."""
        self._file.write(b"".join(map(journal_line, items)))
        self._file.flush()

    def finish(self) -> None:
        """The last line: no more will come."""
        self.add([{"finished": True}])


class JournalReader(Generic[Made]):
    """Reads a journal that may still be growing: each time what is new.

    Each kind of journal has a reader of its own. `made`: what stands in it, as far as it was read.
    """

    kind: ClassVar[str]
    made: Made

    def __init__(self, path: Path, schema: Schema) -> None:
        self.path = path
        self._schema = schema
        self.head: dict[str, Any] | None = None
        self._read = 0

    def refresh(self) -> Made:
        """Read what is new, and give all so far."""
        self.take(self._new_bytes())
        return self.made

    def take(self, lines: bytes) -> None:
        """Take in these lines."""
        with refusing(self.path):
            for line in lines.splitlines():
                item = json.loads(line)
                if self.head is not None:
                    self._add(item)
                    continue
                if item.get("format") != self.kind or item.get("version") != VERSION:
                    raise GLocalXError(f"it is no “{self.kind}” of version {VERSION}.")
                self._begin(item)
                self.head = item

    def _begin(self, head: dict[str, Any]) -> None:
        """The first line."""

    def _add(self, item: dict[str, Any]) -> None:
        """Any other line."""
        raise NotImplementedError

    def _new_bytes(self) -> bytes:
        """The whole lines that were added since the last time."""
        try:
            if self.path.stat().st_size == self._read:
                return b""
            with self.path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
        except FileNotFoundError:
            return b""
        whole = data.rfind(b"\n") + 1
        self._read += whole
        return data[:whole]


class LocalRulesReader(JournalReader[list[LocalRule]]):
    """The local rules in a journal, as far as it goes."""

    kind = LOCAL_RULES

    def __init__(self, path: Path, schema: Schema) -> None:
        super().__init__(path, schema)
        self.made = []
        self.finished = False

    def _add(self, item: dict[str, Any]) -> None:
        if "finished" in item:
            self.finished = True
        else:
            self.made.append(local_rule_from_dict(item, self._schema))


class HierarchyReader(JournalReader[Hierarchy | None]):
    """The hierarchy in a journal, as far as it goes; None where it was not begun.

    `rules`: the rules that were merged; the journal holds only what came of them.
    """

    kind = HIERARCHY

    def __init__(self, path: Path, schema: Schema, rules: Iterable[Rule]) -> None:
        super().__init__(path, schema)
        self.made = None
        self._rules = tuple(rules)

    def _begin(self, head: dict[str, Any]) -> None:
        settings = MergeSettings(**head["settings"])
        self.made = Hierarchy(self._rules, settings, str(head["fingerprint"]))
        self._steps = StepReader(self.made, self._schema)

    def _add(self, item: dict[str, Any]) -> None:
        self._steps.read(item)


class ResampleLine(NamedTuple):
    """One draw: its number, the rules that a budget chooses, those that merging left, and those
    that alpha takes together.
    """

    number: int
    path: tuple[Rule, ...]
    left: tuple[Rule, ...]
    together: tuple[Rule, ...] = ()


class ResamplesReader(JournalReader[list[ResampleLine]]):
    """The resamples in a journal, as far as it goes."""

    kind = RESAMPLES

    def __init__(self, path: Path, schema: Schema) -> None:
        super().__init__(path, schema)
        self.made = []

    def _add(self, item: dict[str, Any]) -> None:
        if "finished" not in item:
            item.setdefault("together", [])  # journals of earlier versions do not have it
            path, left, together = (
                tuple(rules_from(item[name], self._schema)) for name in ("path", "left", "together")
            )
            self.made.append(ResampleLine(int(item["number"]), path, left, together))


class LocalRulesJournal(Journal):
    """Writes local rules as they come."""

    kind = LOCAL_RULES

    def add_rules(self, rules: Iterable[LocalRule]) -> None:
        self.add(map(local_rule_to_dict, rules))


class HierarchyJournal(Journal):
    """Writes the steps of a hierarchy as they come.

    `hierarchy`: with the steps that the file has already.
    """

    kind = HIERARCHY

    def __init__(self, path: Path, head: Mapping[str, Any], hierarchy: Hierarchy) -> None:
        facts = {"settings": hierarchy.settings.to_dict(), "fingerprint": hierarchy.fingerprint}
        super().__init__(path, {**head, **facts})
        self._hierarchy = hierarchy
        self._writer = StepWriter(hierarchy)

    def add_steps(self, steps: Iterable[MergeStep]) -> None:
        self.add([self._writer.step_with_new_rules(step) for step in steps])

    def finish(self) -> None:
        """The last line: how the pieces ended."""
        self.add([ending(self._hierarchy)])


class ResamplesJournal(Journal):
    """Writes resamples as they come."""

    kind = RESAMPLES

    def add_resample(self, line: ResampleLine) -> None:
        """Add what came of one draw."""
        self.add([resample_to_dict(line)])


def resample_to_dict(line: ResampleLine) -> dict[str, Any]:
    """What came of one draw, as plain data."""
    rules = {"path": line.path, "left": line.left, "together": line.together}
    plain = {name: list(map(rule_to_dict, each)) for name, each in rules.items()}
    return {"number": line.number, **plain}


def journal_line(item: Mapping[str, Any]) -> bytes:
    """One line of a journal."""
    text = json.dumps(item, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"{text}\n".encode()
