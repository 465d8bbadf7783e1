"""Hierarchies as files, finished or half built; a half-built one goes on from its file.

Every rule is written once; steps name rules by their place in that list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.files.document import check_document, number, read_document, refusing, write_document
from glocalx.files.rules import rule_to_dict, rules_from
from glocalx.hierarchy import Hierarchy
from glocalx.operators import Cut, Join
from glocalx.rule import Rule
from glocalx.schema import Schema
from glocalx.search import MergeSettings, Trial
from glocalx.step import MergeStep

HIERARCHY = "glocalx/hierarchy"


def write_hierarchy(path: Path, hierarchy: Hierarchy, schema: Schema) -> None:
    """Write a hierarchy, finished or not; :func:`read_hierarchy` goes on from there."""
    places: dict[Rule, int] = {rule: i for i, rule in enumerate(hierarchy.local_rules)}

    def place(rule: Rule) -> int:
        return places.setdefault(rule, len(places))

    def trial(tried: Trial) -> list[float]:
        bics = (tried.bic_union, tried.bic_merged)
        fidelities = (tried.fidelity_union, tried.fidelity_merged)
        return [tried.left, tried.right, tried.similarity, *bics, *fidelities]

    steps = [
        {
            "trial": trial(step.trial),
            "out": [place(rule) for rule in step.rules_out],
            "in": [place(rule) for rule in step.rules_in],
            "joins": [[[place(rule) for rule in j.parts], place(j.result)] for j in step.joins],
            "cuts": [
                [place(c.dominant), place(c.before), place(c.after) if c.after else None]
                for c in step.cuts
            ],
            "rejected": [trial(tried) for tried in step.rejected],
            "piece": step.piece,
            "rules_left": step.rules_left,
        }
        for step in hierarchy.steps
    ]
    content = {
        "settings": hierarchy.settings.to_dict(),
        "fingerprint": hierarchy.fingerprint,
        "finished": hierarchy.finished,
        "local_rules": len(hierarchy.local_rules),
        "rules": [rule_to_dict(rule) for rule in places],
        "steps": steps,
        "endings": {str(k): [trial(t) for t in v] for k, v in hierarchy.endings.items()},
    }
    write_document(path, HIERARCHY, schema, content)


def read_hierarchy(path: Path) -> tuple[Hierarchy, Schema]:
    """Read a hierarchy, to look at it or to go on with it on its own reference records."""
    document = read_document(path)
    with refusing(path):
        check_document(document, HIERARCHY)
        schema = Schema.from_dict(document["schema"])
        rules = list(rules_from(document["rules"], schema))
        hierarchy = Hierarchy(
            tuple(rules[: int(document["local_rules"])]),
            MergeSettings(**document["settings"]),
            str(document["fingerprint"]),
            endings={int(k): tuple(map(_trial, v)) for k, v in document["endings"].items()},
            finished=bool(document["finished"]),
        )
        alive = set(range(len(hierarchy.local_rules)))
        for item in document["steps"]:
            step = _step(hierarchy, rules, item)
            if not {step.left, step.right} <= alive or step.left == step.right:
                raise GLocalXError(f"step {step.number} merges a theory that is not there.")
            alive -= {step.left, step.right}
            alive.add(step.theory)
            hierarchy.steps.append(step)
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
