"""Rules, theories and hierarchies as versioned JSON files.

Each file carries the schema of the table it belongs to. A file that is broken, from another
version or of another kind is refused with one sentence. A rule reads
`{"if": {"age": {"from": 25, "below": 45}, "job": {"in": ["clerk"]}}, "then": "deny"}`.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from glocalx.classifier import RankedRule, RankedTheory
from glocalx.errors import GLocalXError
from glocalx.hierarchy import Hierarchy, MergeStep
from glocalx.operators import Cut, Join
from glocalx.rule import Categories, Premise, Rule
from glocalx.schema import Feature, Schema
from glocalx.search import MergeSettings, Trial

VERSION = 1
RULES, THEORY, HIERARCHY = "glocalx/rules", "glocalx/theory", "glocalx/hierarchy"


def write_rules(path: Path, rules: Iterable[Rule], schema: Schema) -> None:
    """Write rules with the schema of their table."""
    _write(path, RULES, schema, {"rules": [rule_to_dict(rule) for rule in rules]})


def read_rules(path: Path, *, schema: Schema | None = None) -> tuple[list[Rule], Schema]:
    """Read rules, in our format or in that of the published GLocalX code.

    Parameters
    ----------
    path
        The file.
    schema
        Of the table; needed for the published format, which has column numbers alone.
    """
    document = _load(path)
    with _refusing(path):
        if isinstance(document, list):
            if schema is None:
                raise GLocalXError("rules by column number need the table they were made on.")
            return list(_published_rules(document, schema)), schema
        _check(document, RULES)
        own = Schema.from_dict(document["schema"])
        return list(_rules(document["rules"], own)), own


def write_theory(path: Path, theory: RankedTheory) -> None:
    """Write a theory with the order of its rules and what the reference records say of them."""
    rules = [
        {
            **rule_to_dict(ranked.rule),
            "accuracy": ranked.accuracy,
            "fidelity": ranked.fidelity,
            "covered": ranked.covered,
            "agreed": ranked.agreed,
        }
        for ranked in theory.ranked
    ]
    _write(path, THEORY, theory.schema, {"default": theory.default, "rules": rules})


def read_theory(path: Path) -> RankedTheory:
    """Read a theory."""
    document = _load(path)
    with _refusing(path):
        _check(document, THEORY)
        schema = Schema.from_dict(document["schema"])
        items = document["rules"]
        ranked = tuple(
            RankedRule(
                rule,
                _number(item["accuracy"]),
                _number(item["fidelity"]),
                int(item["covered"]),
                int(item["agreed"]),
            )
            for item, rule in zip(items, _rules(items, schema), strict=True)
        )
        if document["default"] not in schema.outcomes:
            raise GLocalXError(f"the default “{document['default']}” is none of the outcomes.")
        return RankedTheory(schema, ranked, document["default"])


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
    _write(path, HIERARCHY, schema, content)


def read_hierarchy(path: Path) -> tuple[Hierarchy, Schema]:
    """Read a hierarchy, to look at it or to go on with it on its own reference records."""
    document = _load(path)
    with _refusing(path):
        _check(document, HIERARCHY)
        schema = Schema.from_dict(document["schema"])
        rules = list(_rules(document["rules"], schema))
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
    return Trial(int(left), int(right), *map(_number, measures))


def rule_to_dict(rule: Rule) -> dict[str, Any]:
    """A rule as plain data."""
    return {
        "if": {name: _premise_to_dict(premise) for name, premise in rule.premises},
        "then": rule.outcome,
    }


def rule_from_dict(data: Mapping[str, Any], schema: Schema) -> Rule:
    """The inverse of :func:`rule_to_dict`."""
    premises = {name: _premise(schema[name], item) for name, item in data["if"].items()}
    return schema.rule(premises, data["then"])


def _premise_to_dict(premise: Premise) -> dict[str, Any]:
    if isinstance(premise, Categories):
        return {"in": sorted(premise.values)}
    ends = {"from": premise.low, "below": premise.high}
    return {end: bound for end, bound in ends.items() if math.isfinite(bound)}


def _premise(feature: Feature, item: Mapping[str, Any]) -> Premise:
    if "in" in item:
        return feature.allowed(map(str, item["in"]))
    unknown = set(item) - {"from", "below"}
    if unknown:
        raise GLocalXError(f"“{feature.name}” has the unknown condition “{min(unknown)}”.")
    low, high = item.get("from", -math.inf), item.get("below", math.inf)
    return feature.interval(_number(low), _number(high))


def _rules(items: Sequence[Mapping[str, Any]], schema: Schema) -> Iterator[Rule]:
    for place, item in enumerate(items, start=1):
        with _at_rule(place):
            yield rule_from_dict(item, schema)


def _published_rules(items: Sequence[Mapping[str, Any]], schema: Schema) -> Iterator[Rule]:
    """Rules as `{"<column number>": [low, high], ..., "label": 0}`, covering low < x ≤ high."""
    for place, item in enumerate(items, start=1):
        with _at_rule(place):
            premises = {}
            for column, (low, high) in ((k, v) for k, v in item.items() if k != "label"):
                feature = _by_number(schema, column)
                ends = (math.nextafter(_number(end), math.inf) for end in (low, high))
                premises[feature.name] = feature.interval(*ends)
            yield schema.rule(premises, str(item["label"]))


def _by_number(schema: Schema, column: str) -> Feature:
    if not column.isdecimal() or int(column) >= len(schema.features):
        raise GLocalXError(
            f"there is no column number {column}: the table has {len(schema.features)} columns "
            "besides the labels, counted from 0."
        )
    return schema.features[int(column)]


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise GLocalXError(f"“{value}” stands where a number should.")
    return float(value)


@contextmanager
def _at_rule(place: int) -> Iterator[None]:
    try:
        yield
    except GLocalXError as error:
        raise GLocalXError(f"in rule {place}, {_uncapitalised(str(error))}") from error


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """One sentence about the file for whatever is wrong in it."""
    try:
        yield
    except GLocalXError as error:
        raise GLocalXError(
            f"The file “{path.name}” cannot be used: {_uncapitalised(str(error))}"
        ) from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        raise GLocalXError(
            f"The file “{path.name}” is damaged or incomplete. Write it again where it came from."
        ) from error


def _uncapitalised(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def _check(document: Any, kind: str) -> None:
    found = document.get("format") if isinstance(document, dict) else None
    if found != kind:
        what = f"it is “{found}”" if isinstance(found, str) else "it is no GLocalX file"
        raise GLocalXError(f"{what}, and “{kind}” is needed here.")
    if document.get("version") != VERSION:
        raise GLocalXError(
            f"it is of version {document.get('version')} and this program reads version "
            f"{VERSION}. Write it again with this program."
        )


def _load(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise GLocalXError(f"There is no file “{path}”. Check the name.") from None
    except OSError as error:
        raise GLocalXError(f"The file “{path}” cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise GLocalXError(
            f"The file “{path.name}” is not JSON. Give a file that GLocalX wrote."
        ) from None


def _write(path: Path, kind: str, schema: Schema, content: Mapping[str, Any]) -> None:
    """Write beside the file, then put it in place: a killed process leaves the old one whole."""
    document = {"format": kind, "version": VERSION, "schema": schema.to_dict(), **content}
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(
        json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")),
        encoding="utf-8",
    )
    beside.replace(path)
