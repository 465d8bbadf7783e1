"""Rules of Anchors: anchor-exp's `exp_map` and alibi's `to_json()`.

Conditions are texts: `f = v`, `f <= 5.00`, `f > 5.00`, `a < f <= b`. Thresholds were rounded to
two decimals when they were printed, so a rule says what the text says, which may differ from what
the program searched with. A category with `<` or `>` in it is printed without its feature.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.extraction.importing.conditions import Conditions
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema, outcome_text

_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|-?inf)"
Reading = Callable[[Conditions], None]


def is_anchor(item: Any) -> bool:
    """Whether this looks like one anchor."""
    return isinstance(item, dict) and ("names" in item or "anchor" in item or "data" in item)


def anchored(item: dict[str, Any], schema: Schema, place: str) -> Rule:
    """The rule of one anchor.

    Parameters
    ----------
    item
        The `exp_map`, or what alibi's JSON holds. Anchors numbers the classes; `labelNames` holds
        what they are called, in its order.
    place
        Which rule this is, for sentences.
    """
    conditions = Conditions(schema, place)
    data = _inner(item, "data")
    raw = _inner(data, "raw")
    names = data.get("anchor", data.get("names", raw.get("names")))
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise conditions.refuse("has no list of conditions", "Give anchors with their “names”.")
    for text in names:
        _read(text, schema, conditions)(conditions)
    prediction = raw.get("prediction", data.get("prediction"))
    told = item.get("labelNames") or data.get("labelNames")
    return conditions.rule(_outcome(prediction, told, schema, conditions))


def _inner(item: dict[str, Any], name: str) -> dict[str, Any]:
    inner = item.get(name)
    return inner if isinstance(inner, dict) else item


def _outcome(prediction: Any, class_names: Any, schema: Schema, conditions: Conditions) -> str:
    while isinstance(prediction, list) and len(prediction) == 1:
        prediction = prediction[0]
    if prediction is None or isinstance(prediction, list):
        raise conditions.refuse("has no single prediction", "Give anchors with “prediction”.")
    text = outcome_text(prediction)
    if not isinstance(class_names, list) or not class_names:
        if text in schema.outcomes:
            return text
        raise conditions.refuse(
            f"predicts class number {text}, and nothing tells which outcome that is",
            "Add “labelNames” to it: the class names in the order that Anchors was given.",
        )
    if text in map(outcome_text, class_names):
        return text
    if not text.isdigit() or int(text) >= len(class_names):
        raise conditions.refuse(
            f"predicts class number {text}, but there are {len(class_names)} class names",
            "Give all class names in the order that Anchors was given.",
        )
    return outcome_text(class_names[int(text)])


def _read(text: str, schema: Schema, conditions: Conditions) -> Reading:
    """The one way to read a condition; none, or several, are refused."""
    readings = [
        reading for feature in schema.features for reading in _readings(text.strip(), feature)
    ]
    readings = [reading for reading in readings if _holds(reading, schema)]
    if not readings:
        readings = [_has(feature, text) for feature in schema.features if text in feature.domain]
    if len(readings) == 1:
        return readings[0]
    how = "cannot be read" if not readings else "can be read in several ways"
    raise conditions.refuse(
        f"has the condition “{text}”, which {how} with the columns of the table",
        "Make the rules for this table, with its own column names and categories.",
    )


def _readings(text: str, feature: Feature) -> list[Reading]:
    name = re.escape(feature.name)
    found: list[Reading] = []
    if equal := re.fullmatch(rf"{name} = (.*)", text, re.DOTALL):
        found.append(_has(feature, equal[1]))
    if feature.is_categorical:
        return found
    if one := re.fullmatch(rf"{name} (<=|>=|<|>) {_NUMBER}", text):
        found.append(lambda into: into.compare(feature.name, one[1], one[2]))
    if two := re.fullmatch(rf"{_NUMBER} (<=|<) {name} (<=|<) {_NUMBER}", text):
        found.append(lambda into: into.between(two[1], two[2], feature.name, two[3], two[4]))
    return found


def _has(feature: Feature, value: str) -> Reading:
    return lambda into: into.equal(feature.name, value)


def _holds(reading: Reading, schema: Schema) -> bool:
    """Whether a reading makes sense at all: its category exists, its numbers are numbers."""
    try:
        reading(Conditions(schema, ""))
    except GLocalXError:
        return False
    return True
