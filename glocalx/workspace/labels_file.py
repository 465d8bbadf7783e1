"""What the black box of a run said: one small file in the run's folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from glocalx.blackbox.base import Labels
from glocalx.errors import GLocalXError
from glocalx.file_bytes import write_whole
from glocalx.files.document import read_text
from glocalx.pipeline.tables import LabelledTable, SplitTable
from glocalx.workspace.run import Run

_FACTS = (
    *("format", "version", "key", "name", "outcomes", "columns", "explain", "test", "train"),
    *("notes", "trained", "table"),
)
_MOST_TRAINED = 100_000  # characters of what is known of its training


def read_labels(run: Run, split: SplitTable) -> LabelledTable:
    """The records with what the black box of a run said of them; its stage must be done."""
    facts = json.loads(read_text(run.file("model")))
    if facts["key"] != run.settings.key("model"):
        raise GLocalXError("This run was changed in another window. Load the page again.")
    return labels_from(facts, split)


def labels_from(facts: Mapping[str, Any], split: SplitTable) -> LabelledTable:
    """The records with what is said in these facts."""
    names = np.array(facts["outcomes"], dtype=object)
    explain, test = (names[np.array(facts[part], dtype=int)] for part in ("explain", "test"))
    background = names[np.array(facts["train"], dtype=int)] if "train" in facts else None
    schema = split.table.schema(facts["outcomes"], facts.get("columns"))  # older ones: all
    return LabelledTable.of(split, facts["name"], schema, (explain, test), facts, background)


def checked_facts(facts: Any, split: SplitTable) -> dict[str, Any]:
    """What a stranger's file says, if it can be said of these records, and nothing else of it."""
    trained = facts.get("trained") or {}
    sizes = {"explain": split.explain, "test": split.test, "train": split.train}
    _check(_texts(facts["outcomes"]) and len(set(facts["outcomes"])) == len(facts["outcomes"]))
    _check(facts.get("columns") is None or _texts(facts["columns"]))
    _check(_texts(facts.get("notes", [])) and _texts([facts["name"], facts["key"]]))
    for part, records in sizes.items():
        if part != "train" or part in facts:
            places, outcomes = facts[part], range(len(facts["outcomes"]))
            _check(isinstance(places, list) and len(places) == len(records))
            _check(all(type(place) is int and place in outcomes for place in places))
    _check(isinstance(trained, dict) and len(json.dumps(trained)) <= _MOST_TRAINED)
    _check(isinstance(trained.get("parameters") or {}, dict))
    _check(type(trained.get("agreement")) in (float, int, type(None)))
    return {name: facts[name] for name in _FACTS if name in facts} | {"finished": True}


def _check(holds: bool) -> None:
    if not holds:
        raise GLocalXError("What the black box said is damaged. Export the run again.")


def _texts(given: object) -> bool:
    return isinstance(given, list) and all(isinstance(text, str) for text in given)


def write_labels(run: Run, labelled: LabelledTable, more: Mapping[str, Any]) -> None:
    """Write what it said, and `more` that is known of it; whole or not at all.

    Where the stage was done before, the black box was made again: what the rules explain stays,
    and if the new one says otherwise, that is noted.
    """
    outcomes, background = labelled.schema.outcomes, labelled.background
    facts = {
        "format": "glocalx/black-box",
        "version": 1,
        "key": run.settings.key("model"),
        "name": labelled.box_name,
        "outcomes": list(outcomes),
        "columns": list(labelled.schema.names),
        "explain": _places(labelled.reference.labels, outcomes),
        "test": _places(labelled.held_out.labels, outcomes),
        **({} if background is None else {"train": _places(background, outcomes)}),
        **more,
        "table": labelled.split.table.fingerprint(),
        "finished": True,
    }
    file = run.file("model")
    if run.done("model"):
        facts = _made_again(json.loads(read_text(file)), facts)
    write_whole(file, facts_text(facts))


def facts_text(facts: Mapping[str, Any]) -> str:
    """What it said as it stands in the file."""
    return json.dumps(facts, ensure_ascii=False, default=str) + "\n"


def write_background(run: Run, labels: Labels) -> None:
    """Add what it said of the background to the file of a run that was made without."""
    facts = json.loads(read_text(run.file("model")))
    facts["train"] = _places(labels, facts["outcomes"])
    write_whole(run.file("model"), facts_text(facts))


def _places(labels: Labels, outcomes: Sequence[str]) -> list[int]:
    place = {name: code for code, name in enumerate(outcomes)}
    return [place[label] for label in labels]


def _made_again(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    pairs = [
        (a, b) for part in ("explain", "test") for a, b in zip(old[part], new[part], strict=True)
    ]
    other = sum(a != b for a, b in pairs)
    if not other:
        return new
    note = (
        f"The black box was trained again on this machine and answers {other:,} of "
        f"{len(pairs):,} records otherwise than the one that these rules explain."
    )
    return {**old, "trained": new["trained"], "notes": [*new["notes"], note]}
