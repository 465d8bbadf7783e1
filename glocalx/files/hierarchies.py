"""Hierarchies as files, finished or half built; a half-built one goes on from its file.

Every rule is written once; steps name rules by their place in that list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.files.document import document_text, number, opened_document, write_document
from glocalx.files.rules import rule_to_dict, rules_from
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.operators import Cut, Join
from glocalx.merging.search import MergeSettings, Trial
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema

HIERARCHY = "glocalx/hierarchy"
_values = attrgetter(*(each.name for each in fields(Trial)))


class StepWriter:
    """Turns the steps of a hierarchy into plain data in which every rule stands once.

    Rules that `hierarchy` holds already are known to whoever reads; new ones are written out.
    """

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy = hierarchy
        self.places: dict[Rule, int] = {rule: i for i, rule in enumerate(hierarchy.local_rules)}
        for step in hierarchy.steps:
            self.step(step)

    def step(self, step: MergeStep) -> dict[str, Any]:
        """One step; rules by their places."""
        place = self._place
        return {
            "trial": _values(step.trial),
            "out": [place(rule) for rule in step.rules_out],
            "in": [place(rule) for rule in step.rules_in],
            "joins": [[[place(rule) for rule in j.parts], place(j.result)] for j in step.joins],
            "cuts": [
                [place(c.dominant), place(c.before), place(c.after) if c.after else None]
                for c in step.cuts
            ],
            "rejected": [_values(tried) for tried in step.rejected],
            "piece": step.piece,
            "rules_left": step.rules_left,
        }

    def step_with_new_rules(self, step: MergeStep) -> dict[str, Any]:
        """One step; under `new` the rules that no step before it had, in the order of places."""
        known = len(self.places)
        item = self.step(step)
        return {"new": [rule_to_dict(rule) for rule in islice(self.places, known, None)], **item}

    def _place(self, rule: Rule) -> int:
        return self.places.setdefault(rule, len(self.places))


def ending(hierarchy: Hierarchy) -> dict[str, Any]:
    """How the pieces ended, and whether all have."""
    endings = hierarchy.endings.items()
    return {
        "finished": hierarchy.finished,
        "endings": {str(piece): [_values(t) for t in tried] for piece, tried in endings},
    }


class StepReader:
    """Adds steps that :class:`StepWriter` wrote to a hierarchy.

    Parameters
    ----------
    hierarchy
        Without steps.
    rules
        By their places, as far as they are known; by default the local rules.
    """

    def __init__(
        self, hierarchy: Hierarchy, schema: Schema, rules: Sequence[Rule] | None = None
    ) -> None:
        self._hierarchy = hierarchy
        self._schema = schema
        self._rules = list(hierarchy.local_rules if rules is None else rules)
        self._alive = set(range(len(hierarchy.local_rules)))

    def read(self, item: Mapping[str, Any]) -> None:
        """Add one step, or the endings."""
        if "endings" in item:
            endings = item["endings"].items()
            self._hierarchy.endings = {int(k): tuple(map(_trial, v)) for k, v in endings}
            self._hierarchy.finished = bool(item["finished"])
            return
        self._rules += rules_from(item.get("new", ()), self._schema)
        step = _step(self._hierarchy, self._rules, item)
        if not {step.left, step.right} <= self._alive or step.left == step.right:
            raise GLocalXError(f"step {step.number} merges a theory that is not there.")
        self._alive -= {step.left, step.right}
        self._alive.add(step.theory)
        self._hierarchy.steps.append(step)


def write_hierarchy(path: Path, hierarchy: Hierarchy, schema: Schema) -> None:
    """Write a hierarchy, finished or not; :func:`read_hierarchy` goes on from there."""
    writer = StepWriter(Hierarchy(hierarchy.local_rules, hierarchy.settings, ""))
    steps = [writer.step(step) for step in hierarchy.steps]
    content = {
        "settings": hierarchy.settings.to_dict(),
        "fingerprint": hierarchy.fingerprint,
        "local_rules": len(hierarchy.local_rules),
        "rules": [rule_to_dict(rule) for rule in writer.places],
        "steps": steps,
        **ending(hierarchy),
    }
    write_document(path, document_text(HIERARCHY, schema, content))


def read_hierarchy(path: Path) -> tuple[Hierarchy, Schema]:
    """Read a hierarchy, to look at it or to go on with it on its own reference records."""
    with opened_document(path, HIERARCHY) as document:
        schema = Schema.from_dict(document["schema"])
        rules = list(rules_from(document["rules"], schema))
        hierarchy = Hierarchy(
            tuple(rules[: int(document["local_rules"])]),
            MergeSettings(**document["settings"]),
            str(document["fingerprint"]),
        )
        reader = StepReader(hierarchy, schema, rules)
        for item in (*document["steps"], document):
            reader.read(item)
        return hierarchy, schema


def _step(hierarchy: Hierarchy, rules: Sequence[Rule], item: Mapping[str, Any]) -> MergeStep:
    trial = _trial(item["trial"])
    out = tuple(rules[i] for i in item["out"])
    into = tuple(rules[i] for i in item["in"])
    union = hierarchy.rules_of(trial.left) | hierarchy.rules_of(trial.right)
    count, leaves = len(hierarchy.steps) + 1, len(hierarchy.local_rules)
    return MergeStep(
        number=count,
        trial=trial,
        theory=leaves + count - 1,
        rules=(union - frozenset(out)) | frozenset(into),
        rules_out=out,
        rules_in=into,
        joins=tuple(Join(tuple(rules[i] for i in parts), rules[r]) for parts, r in item["joins"]),
        cuts=tuple(
            Cut(rules[d], rules[b], None if a is None else rules[a]) for d, b, a in item["cuts"]
        ),
        rejected=tuple(map(_trial, item["rejected"])),
        piece=int(item["piece"]),
        theories_left=leaves - count,
        rules_left=int(item["rules_left"]),
        progress=count / max(leaves - 1, 1),
    )


def _trial(values: Sequence[float]) -> Trial:
    left, right, *measures = values
    return Trial(int(left), int(right), *map(number, measures))
