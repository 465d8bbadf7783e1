"""Journals: local rules and hierarchies written line by line while they are made.

A journal is a text file with one JSON object a line, the first of which says what it belongs to.
Lines are only ever added, so a killed process loses at most the line it was writing: a cut last
line is not read, and it is removed when the work goes on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import LocalRule
from glocalx.files.document import VERSION, refusing
from glocalx.files.hierarchies import StepReader, StepWriter, ending
from glocalx.files.rules import local_rule_from_dict, local_rule_to_dict
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.search import MergeSettings
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema

LOCAL_RULES = "glocalx/local-rules-journal"
HIERARCHY = "glocalx/hierarchy-journal"


class Journal:
    """A file to which lines are added; opening it again goes on behind its last whole line.

    Parameters
    ----------
    path
        The file.
    kind, head
        What it is and what it belongs to: the content of its first line. A file with another
        first line is begun anew.
    """

    def __init__(self, path: Path, kind: str, head: Mapping[str, Any]) -> None:
        first = _line({"format": kind, "version": VERSION, **head})
        whole = _whole_length(path)
        fresh = whole == 0 or not _starts_with(path, first)
        try:
            self._file: BinaryIO = path.open("wb" if fresh else "r+b")
            if fresh:
                self._file.write(first)
            else:
                self._file.truncate(whole)
                self._file.seek(0, os.SEEK_END)
            self._file.flush()
        except OSError as error:
            raise GLocalXError(
                f"“{path}” cannot be written: {error.strerror}. Choose another folder."
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def add(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Add lines; they are in the file when this returns."""
        self._file.write(b"".join(map(_line, items)))
        self._file.flush()


class JournalReader:
    """Reads a journal that may still be growing: each call reads what is new.

    Parameters
    ----------
    path, kind
        The file, and what it must be.
    """

    def __init__(self, path: Path, kind: str) -> None:
        self.path = path
        self.kind = kind
        self._read = 0
        self.head: dict[str, Any] | None = None

    def new_lines(self) -> Iterator[dict[str, Any]]:
        """The whole lines that were added since the last call, the first line left out."""
        for line in self._new_bytes().splitlines():
            item = json.loads(line)
            if self.head is None:
                if item.get("format") != self.kind or item.get("version") != VERSION:
                    raise GLocalXError(f"it is no “{self.kind}” of version {VERSION}.")
                self.head = item
            else:
                yield item

    def _new_bytes(self) -> bytes:
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


class LocalRulesReader:
    """The local rules in a journal, as far as it goes."""

    def __init__(self, path: Path, schema: Schema) -> None:
        self.rules: list[LocalRule] = []
        self.finished = False
        self._schema = schema
        self._journal = JournalReader(path, LOCAL_RULES)

    @property
    def head(self) -> dict[str, Any] | None:
        return self._journal.head

    def refresh(self) -> list[LocalRule]:
        """Read what is new, and give all rules so far."""
        with refusing(self._journal.path):
            for item in self._journal.new_lines():
                if "finished" in item:
                    self.finished = True
                else:
                    self.rules.append(local_rule_from_dict(item, self._schema))
        return self.rules


class HierarchyReader:
    """The hierarchy in a journal, as far as it goes.

    Parameters
    ----------
    path
        The journal.
    local_rules
        The rules that were merged; the journal holds only what came of them.
    """

    def __init__(self, path: Path, schema: Schema, rules: Iterable[Rule]) -> None:
        self.hierarchy: Hierarchy | None = None
        self._rules = tuple(rules)
        self._schema = schema
        self._journal = JournalReader(path, HIERARCHY)
        self._steps: StepReader | None = None

    @property
    def head(self) -> dict[str, Any] | None:
        return self._journal.head

    def refresh(self) -> Hierarchy | None:
        """Read what is new, and give the hierarchy so far; None where it was not begun."""
        with refusing(self._journal.path):
            for item in self._journal.new_lines():
                self._begin()
                assert self._steps is not None  # _begin has made it
                self._steps.read(item)
            if self.head is not None:
                self._begin()
        return self.hierarchy

    def _begin(self) -> None:
        if self.hierarchy is None:
            assert self.head is not None  # it was read before any line
            settings = MergeSettings(**self.head["settings"])
            self.hierarchy = Hierarchy(self._rules, settings, str(self.head["fingerprint"]))
            self._steps = StepReader(self.hierarchy, self._schema)


class LocalRulesJournal(Journal):
    """Writes local rules as they come."""

    def __init__(self, path: Path, head: Mapping[str, Any]) -> None:
        super().__init__(path, LOCAL_RULES, head)

    def add_rules(self, rules: Iterable[LocalRule]) -> None:
        self.add(map(local_rule_to_dict, rules))

    def finish(self) -> None:
        """The last line."""
        self.add([{"finished": True}])


class HierarchyJournal(Journal):
    """Writes the steps of a hierarchy as they come.

    Parameters
    ----------
    path, head
        The file and what it belongs to.
    hierarchy
        With the steps that the file has already.
    """

    def __init__(self, path: Path, head: Mapping[str, Any], hierarchy: Hierarchy) -> None:
        facts = {"settings": hierarchy.settings.to_dict(), "fingerprint": hierarchy.fingerprint}
        super().__init__(path, HIERARCHY, {**head, **facts})
        self._hierarchy = hierarchy
        self._writer = StepWriter(hierarchy)

    def add_steps(self, steps: Iterable[MergeStep]) -> None:
        self.add([self._writer.step_with_new_rules(step) for step in steps])

    def finish(self) -> None:
        """The last line: how the pieces ended."""
        self.add([ending(self._hierarchy)])


def _line(item: Mapping[str, Any]) -> bytes:
    text = json.dumps(item, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f"{text}\n".encode()


def _whole_length(path: Path) -> int:
    """Bytes up to the end of the last whole line; 0 where there is no file."""
    try:
        return path.read_bytes().rfind(b"\n") + 1
    except FileNotFoundError:
        return 0


def _starts_with(path: Path, first: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(first)) == first
