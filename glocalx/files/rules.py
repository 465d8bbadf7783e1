"""Rules and local rules as files, and the format of the published GLocalX code.

A rule reads `{"if": {"age": {"from": 25, "below": 45}, "job": {"in": ["clerk"]}}, "then": "deny"}`;
a local rule has besides the record it explains, how well it holds on other records, and its
counterfactual rules.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.extraction.importing import import_rules
from glocalx.extraction.local_rule import Counterfactual, LocalRule
from glocalx.files.document import (
    check_document,
    document_text,
    number,
    opened_document,
    read_text,
    refusing,
    uncapitalised,
    without_repeats,
    write_document,
)
from glocalx.rules.rule import Categories, Premise, Rule, canonical_rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.what_if import ValueChange

RULES = "glocalx/rules"
_COUNTS = ("record", "covered", "agreed", "judged")  # of a local rule


def write_rules(path: Path, rules: Iterable[Rule], schema: Schema) -> None:
    """Write rules with the schema of their table."""
    items = [rule_to_dict(rule) for rule in rules]
    write_document(path, document_text(RULES, schema, {"rules": items}))


def read_rules(path: Path, *, schema: Schema | None = None) -> tuple[list[Rule], Schema]:
    """Read rules: ours, those of the published GLocalX code, of LORE or of Anchors.

    `schema`: of the table; needed for all formats but ours, which do not say what their columns
    are.
    """
    return parse_rules(read_text(path), path.name, schema)


def parse_rules(text: str, name: str, schema: Schema | None) -> tuple[list[Rule], Schema]:
    """The rules in a text, see :func:`read_rules`."""
    with refusing(Path(name)):
        document = _json(text)
        own = _own_schema(document)
        if own is not None:
            return list(rules_from(document["rules"], own)), own
        if schema is None:
            raise GLocalXError("it is no GLocalX file. Rules made elsewhere need their table.")
        if _is_published(document):
            return list(_published_rules(document, schema)), schema
        return import_rules(text, schema), schema


def _json(text: str) -> Any:
    """The content where it is JSON, else None: other programs print their rules as Python."""
    try:
        return json.loads(text, object_pairs_hook=without_repeats)
    except GLocalXError:
        raise
    except (ValueError, RecursionError):
        return None


def _is_published(document: Any) -> bool:
    return isinstance(document, list) and all(
        isinstance(item, dict) and "label" in item for item in document
    )


def schema_of_rules(path: Path) -> Schema | None:
    """The schema that a rules file of ours carries; None for the formats of others."""
    text = read_text(path)
    with refusing(path):
        return _own_schema(_json(text))


def _own_schema(document: Any) -> Schema | None:
    if not isinstance(document, dict) or "format" not in document:
        return None
    check_document(document, RULES)
    return Schema.from_dict(document["schema"])


def write_local_rules(path: Path, local_rules: Iterable[LocalRule], schema: Schema) -> None:
    """Write local rules; see :func:`local_rules_text`."""
    write_document(path, local_rules_text(local_rules, schema))


def local_rules_text(local_rules: Iterable[LocalRule], schema: Schema) -> str:
    """Local rules with all that is known about them, as :func:`read_rules` reads them."""
    items = [local_rule_to_dict(local) for local in local_rules]
    return document_text(RULES, schema, {"rules": items})


def read_local_rules(path: Path) -> tuple[list[LocalRule], Schema]:
    """Read local rules that :func:`write_local_rules` wrote."""
    with opened_document(path, RULES) as document:
        schema = Schema.from_dict(document["schema"])
        items = document["rules"]
        rules = rules_from(items, schema)
        return [_local(i, r, schema) for i, r in zip(items, rules, strict=True)], schema


def local_rule_to_dict(local: LocalRule) -> dict[str, Any]:
    """A local rule as plain data."""
    return {
        **rule_to_dict(local.rule),
        **{name: getattr(local, name) for name in _COUNTS},
        "counterfactuals": [
            {
                **rule_to_dict(other.rule),
                "confirmed": other.confirmed,
                "changes": [[c.feature, c.before, c.after] for c in other.changes],
            }
            for other in local.counterfactuals
        ],
    }


def _local(item: Mapping[str, Any], rule: Rule, schema: Schema) -> LocalRule:
    return LocalRule(
        rule,
        **{name: int(item[name]) for name in _COUNTS},
        counterfactuals=tuple(_counterfactual(other, schema) for other in item["counterfactuals"]),
    )


def local_rule_from_dict(item: Mapping[str, Any], schema: Schema) -> LocalRule:
    """The inverse of :func:`local_rule_to_dict`."""
    return _local(item, rule_from_dict(item, schema), schema)


def _counterfactual(item: Mapping[str, Any], schema: Schema) -> Counterfactual:
    rule = rule_from_dict(item, schema)
    changes = []
    for name, value, to in item["changes"]:
        premise = rule.premise(name)
        if premise is None:
            raise GLocalXError(f"a change of “{name}” is not asked for by its rule.")
        kinds: Any = str if isinstance(premise, Categories) else int | float
        if not all(isinstance(each, kinds | None) for each in (value, to)):
            raise GLocalXError(f"a change of “{name}” is from or to what it cannot be.")
        changes.append(ValueChange(name, value, to))
    return Counterfactual(rule, tuple(changes), bool(item["confirmed"]))


def rule_to_dict(rule: Rule) -> dict[str, Any]:
    """A rule as plain data."""
    return {
        "if": {name: _premise_to_dict(premise) for name, premise in rule.premises},
        "then": rule.outcome,
    }


def rule_from_dict(data: Mapping[str, Any], schema: Schema) -> Rule:
    """The inverse of :func:`rule_to_dict`."""
    schema.check_outcome(data["then"])
    premises = {name: _premise(schema[name], item) for name, item in data["if"].items()}
    return canonical_rule(premises, data["then"])


def _premise_to_dict(premise: Premise) -> dict[str, Any]:
    missing = {"missing": True} if premise.missing else {}
    if premise.is_only_missing:
        return missing
    if isinstance(premise, Categories):
        return {"in": sorted(premise.values), **missing}
    ends = {"from": premise.low, "below": premise.high}
    known = {end: bound for end, bound in ends.items() if math.isfinite(bound)}
    return {**known, **missing} or {"missing": False}


def _premise(feature: Feature, item: Mapping[str, Any]) -> Premise:
    missing = item.get("missing", False)
    if missing not in (True, False):
        raise GLocalXError(f"“{feature.name}” needs true or false after “missing”.")
    if dict(item) == {"missing": True}:
        return feature.only_missing
    if "in" in item:
        if not isinstance(item["in"], list):
            raise GLocalXError(f"“{feature.name}” needs a list of categories after “in”.")
        return feature.allowed(map(str, item["in"]), missing)
    unknown = set(item) - {"from", "below", "missing"}
    if unknown:
        raise GLocalXError(f"“{feature.name}” has the unknown condition “{min(unknown)}”.")
    if feature.is_categorical and dict(item) == {"missing": False}:
        return feature.allowed(feature.categories)
    low, high = item.get("from", -math.inf), item.get("below", math.inf)
    return feature.interval(number(low), number(high), missing)


def rules_from(items: Sequence[Mapping[str, Any]], schema: Schema) -> Iterator[Rule]:
    """The rules of a file; what is wrong with one is said with its place."""
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
                ends = _just_above(number(low)), _just_above(number(high))
                premises[feature.name] = feature.interval(*ends)
            yield schema.rule(premises, str(item["label"]))


def _just_above(bound: float) -> float:
    return math.nextafter(bound, math.inf) if math.isfinite(bound) else bound


def _by_number(schema: Schema, column: str) -> Feature:
    if not column.isdecimal() or int(column) >= len(schema.features):
        raise GLocalXError(
            f"there is no column number {column}: the table has {len(schema.features)} columns "
            "besides the labels, counted from 0."
        )
    return schema.features[int(column)]


@contextmanager
def _at_rule(place: int) -> Iterator[None]:
    try:
        yield
    except GLocalXError as error:
        raise GLocalXError(f"in rule {place}, {uncapitalised(str(error))}") from error
