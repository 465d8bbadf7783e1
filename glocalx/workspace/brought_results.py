"""The results in a run that somebody brings: read whole in the child, and written anew there.

The child reads the table of the run and each result with the readers of our own files. What goes
back to the server is written from what was read: nothing else that stood in the files is in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from glocalx.errors import GLocalXError
from glocalx.files.hierarchies import StepWriter, ending
from glocalx.files.journals import (
    HierarchyReader,
    JournalReader,
    LocalRulesReader,
    ResamplesReader,
    journal_line,
    resample_to_dict,
)
from glocalx.files.rules import local_rule_to_dict
from glocalx.merging.hierarchy import Hierarchy
from glocalx.pipeline.settings import EVERY_STAGE, RunSettings, Stage
from glocalx.pipeline.tables import LabelledTable, SplitTable, split_table, understood
from glocalx.pipeline.theories import without_barred
from glocalx.rules.rule import Rule
from glocalx.table import Choices
from glocalx.table.confined_table import parse_plain
from glocalx.table.samples import read_sample
from glocalx.workspace.labels_file import checked_facts, facts_text, labels_from
from glocalx.workspace.run import FILES

Line: TypeAlias = Mapping[str, Any]


def checked_results(settings: RunSettings, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The results that these settings have, each whole; others do not count and are left out.

    Raises
    ------
    GLocalXError
        Where one is damaged.
    """
    kept: dict[str, bytes] = {}
    reading: _Results | None = None
    for stage in EVERY_STAGE:
        name = FILES[stage]
        if _key(files.get(name, b"")) != settings.key(stage):
            break
        try:
            reading = reading or _Results(settings, _split(settings, files))
            kept[name] = reading.written(stage, files[name])
        except (GLocalXError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
            raise GLocalXError(
                f"The part “{name}” of this run is damaged. Export it again."
            ) from None
    return kept


def _key(content: bytes) -> object:
    try:
        first = json.loads(content.split(b"\n", 1)[0])
    except (ValueError, RecursionError):
        return None
    return first.get("key") if isinstance(first, dict) else None


def _split(settings: RunSettings, files: Mapping[str, bytes]) -> SplitTable:
    data = settings.data
    if data.sample is not None:
        raw, choices = read_sample(data.sample)
    else:
        raw, choices = parse_plain(files[str(data.file)], data.name), Choices()
    return split_table(understood(raw, choices, data), data)


class _Results:
    """One result after the other, each of which rests on those before it."""

    def __init__(self, settings: RunSettings, split: SplitTable) -> None:
        self._settings = settings
        self._split = split
        self._labelled: LabelledTable
        self._rules: list[Rule] = []

    def written(self, stage: Stage, content: bytes) -> bytes:
        """A result as this program writes it."""
        if stage == "model":
            return self._labels(content)
        ways: dict[Stage, Callable[[bytes], Iterable[Line]]] = {
            "rules": self._local_rules,
            "merge": self._hierarchy,
            "resamples": self._resamples,
        }
        return b"".join(map(journal_line, ways[stage](content)))

    def _labels(self, content: bytes) -> bytes:
        facts = checked_facts(json.loads(content), self._split)
        self._labelled = labels_from(facts, self._split)
        return facts_text(facts).encode()

    def _local_rules(self, content: bytes) -> list[Line]:
        reader = LocalRulesReader(Path(FILES["rules"]), self._labelled.schema)
        reader.take(content)
        records = len(self._split.explain)
        for local in reader.rules:
            if not (0 <= local.record < records and local.covered >= 0 and local.judged >= 0):
                raise ValueError("a rule of a record that is not there")
        self._rules = [local.rule for local in reader.rules]
        return [_head(reader), *map(local_rule_to_dict, reader.rules), *_end(reader.finished)]

    def _hierarchy(self, content: bytes) -> list[Line]:
        barred = self._settings.selection.barred_from_start
        start = Hierarchy.start(without_barred(self._rules, barred), self._labelled.reference)
        reader = HierarchyReader(Path(FILES["merge"]), self._labelled.schema, start.local_rules)
        reader.take(content)
        made = reader.hierarchy
        if made is None or made.settings != self._settings.merge:
            raise ValueError("it was merged otherwise")
        writer = StepWriter(start)
        facts = {
            "local_rules": len(start.local_rules),
            "settings": made.settings.to_dict(),
            "fingerprint": made.fingerprint,
        }
        steps = [writer.step_with_new_rules(step) for step in made.steps]
        return [{**_head(reader), **facts}, *steps, *([ending(made)] if made.finished else ())]

    def _resamples(self, content: bytes) -> list[Line]:
        reader = ResamplesReader(Path(FILES["resamples"]), self._labelled.schema)
        reader.take(content)
        finished = b'"finished"' in content.rstrip(b"\n").rsplit(b"\n", 1)[-1]
        return [_head(reader), *map(resample_to_dict, reader.resamples), *_end(finished)]


def _head(reader: JournalReader) -> Line:
    head = reader.head or {}
    return {name: head[name] for name in ("format", "version", "key")}


def _end(finished: bool) -> tuple[Line, ...]:
    return ({"finished": True},) if finished else ()
