"""An exported run as a file: unpacked, read whole and written anew in a child process.

The child reads the table of the run and each result with the readers of our own files. What goes
back to the server is written from what was read: nothing else that stood in the files is in it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from glocalx.confined.child import Loaded
from glocalx.confined.handed_file import HandedFile, Limits, read_confined
from glocalx.errors import GLocalXError
from glocalx.file_bytes import opened_zip, zip_names
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
from glocalx.workspace.run import FILES, brought_files, object_in

KIND = "glocalx/run"
VERSION = 1
ABOUT = "run.json"
MOST_BYTES = 600 * 2**20
MOST_PARTS = 20
_BROKEN = "This is not a run that GLocalX exported, or it is cut off. Export it again."
Line: TypeAlias = Mapping[str, Any]


def unpack_run(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is said of a run, and its files; read in a child process."""
    limits = Limits(memory_mb=4 * (MOST_BYTES >> 20))
    told = read_confined(HandedFile("run", f"{__name__}:load_run", data, {}, limits, "run"))
    about = told.header["about"].get("run")
    files = {name: part for name, part in told.arrays.items() if isinstance(part, np.ndarray)}
    if not isinstance(about, dict):
        raise GLocalXError(_BROKEN)
    return about, {name: part.tobytes() for name, part in files.items()}


def parts_of_zip(data: bytes) -> frozenset[str]:
    """The names of what is in a zip file, as a child process tells them."""
    told = read_confined(HandedFile("zip", f"{__name__}:load_names", data, {}, kind="file"))
    return frozenset(map(str, told.header["about"]["names"]))


def load_names(content: bytes, options: dict[str, Any]) -> Loaded:
    """In the child: what is in a zip file."""
    return Loaded({"names": sorted(zip_names(content))[:10_000]})


def load_run(content: bytes, options: dict[str, Any]) -> Loaded:
    """In the child: the run, the files that its settings name, and its results, read through."""
    with opened_zip(content, _BROKEN) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > MOST_BYTES:
            raise GLocalXError("This file unpacks to more than 600 MB. Bring a smaller run.")
        if len(members) > MOST_PARTS:
            raise GLocalXError(_BROKEN)
        files = {member.filename: archive.read(member) for member in members}
        try:
            about = json.loads(files.pop(ABOUT))
            json.dumps(about, ensure_ascii=False).encode()  # half a character cannot be saved
        except RecursionError:
            raise GLocalXError(_BROKEN) from None
    if not isinstance(about, dict) or about.get("format") != KIND:
        raise GLocalXError("This is not a run that GLocalX exported. Export it again.")
    if about.get("version") != VERSION:
        raise GLocalXError(
            f"This run is of version {about.get('version')} and this program reads version "
            f"{VERSION}. Export it again with this program."
        )
    settings = RunSettings.from_dict(about.get("settings", {}))
    for name in brought_files(settings):
        if name not in files:
            raise GLocalXError(f"The run lacks its file “{name}”. Export it again.")
    brought = {name: files[name] for name in brought_files(settings)}
    kept = brought | _checked_results(settings.with_contents(brought), files)
    arrays = {name: np.frombuffer(part, dtype=np.uint8) for name, part in kept.items()}
    return Loaded({"run": about}, arrays)


def _checked_results(settings: RunSettings, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The results that these settings have, each whole; others do not count and are left out."""
    kept: dict[str, bytes] = {}
    reading: _Results | None = None
    for stage in EVERY_STAGE:
        name = FILES[stage]
        first = files.get(name, b"").split(b"\n", 1)[0]
        if object_in(first).get("key") != settings.key(stage):
            break
        try:
            reading = reading or _Results(settings, _split(settings, files))
            kept[name] = reading.written(stage, files[name])
        except (GLocalXError, KeyError, TypeError, ValueError, OverflowError, RecursionError):
            raise GLocalXError(
                f"The part “{name}” of this run is damaged. Export it again."
            ) from None
    return kept


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
        for local in reader.made:
            if not (0 <= local.record < records and local.covered >= 0 and local.judged >= 0):
                raise ValueError("a rule of a record that is not there")
        self._rules = [local.rule for local in reader.made]
        return [_head(reader), *map(local_rule_to_dict, reader.made), *_end(reader.finished)]

    def _hierarchy(self, content: bytes) -> list[Line]:
        barred = self._settings.selection.barred_from_start
        start = Hierarchy.start(without_barred(self._rules, barred), self._labelled.reference)
        reader = HierarchyReader(Path(FILES["merge"]), self._labelled.schema, start.local_rules)
        reader.take(content)
        made = reader.made
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
        return [_head(reader), *map(resample_to_dict, reader.made), *_end(finished)]


def _head(reader: JournalReader[Any]) -> Line:
    head = reader.head or {}
    return {name: head[name] for name in ("format", "version", "key")}


def _end(finished: bool) -> tuple[Line, ...]:
    return ({"finished": True},) if finished else ()
