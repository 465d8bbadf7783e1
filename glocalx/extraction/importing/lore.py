"""Rules of LORE, in three forms.

lore_sa's explanations, `{"rule": {"premises": [{"attr", "val", "op"}], "consequence": …}, …}`;
the older `{"premise": [{"att", "op", "thr"}], "cons": …}`; and what the first release prints,
`[{"outcome": 1}, {"age": ">23"}, [505.0, 15.1]]`. Only the rule is read: other fields, such as the
pickled tree `dt`, are never looked at.
"""

from __future__ import annotations

import re
from typing import Any

from glocalx.extraction.importing.conditions import Conditions
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_COMPARED = re.compile(rf"(<=|>=|<|>)\s*({_NUMBER}|-?inf)")
_BETWEEN = re.compile(rf"({_NUMBER}|-?inf)\s*(<=|<)\s*.*?\s*(<=|<)\s*({_NUMBER}|-?inf)")


def is_explanation(item: Any) -> bool:
    """Whether this looks like one rule of lore_sa, new or older."""
    return isinstance(item, dict) and bool(
        {"premises", "premise"} & item.keys() or isinstance(item.get("rule"), dict)
    )


def is_printed(item: Any) -> bool:
    """Whether this looks like one rule as the first release prints it."""
    return (
        isinstance(item, list)
        and len(item) in (2, 3)
        and all(isinstance(part, dict) for part in item[:2])
        and not any(isinstance(value, dict | list) for part in item[:2] for value in part.values())
        and len(item[0]) == 1
        and all(isinstance(part, list) for part in item[2:])
    )


def explained(item: dict[str, Any], schema: Schema, place: str) -> Rule:
    """The rule of one explanation."""
    conditions = Conditions(schema, place)
    own = item["rule"] if isinstance(item.get("rule"), dict) else item
    premises = own.get("premises", own.get("premise"))
    consequence = own.get("consequence", own.get("cons"))
    if not isinstance(premises, list) or consequence is None:
        raise conditions.refuse(
            "has no premises or no consequence", "Give explanations of lore_sa as they are."
        )
    for premise in premises:
        _add(premise, conditions, schema)
    if isinstance(consequence, dict):
        consequence = _field(consequence, ("val", "thr"), conditions)
    return conditions.rule(consequence)


def _add(premise: Any, conditions: Conditions, schema: Schema) -> None:
    if not isinstance(premise, dict):
        raise conditions.refuse(
            f"has the premise “{premise}”, which is not a dict", "Give it with attr, op and val."
        )
    name = str(_field(premise, ("attr", "att"), conditions))
    sign = str(_field(premise, ("op",), conditions))
    value = _field(premise, ("val", "thr"), conditions)
    feature, mark, category = name.partition("=")
    if name not in schema and mark and feature in schema:  # a one-hot column: job=clerk <= 0.5
        conditions.equal(feature, category, negated=_is_absence(sign, value))
    elif sign in ("=", "==", "!="):
        conditions.equal(name, value, negated=sign == "!=")
    else:
        conditions.compare(name, sign, value)


def _is_absence(sign: str, value: Any) -> bool:
    """Whether a test of a one-hot column says that the category is absent."""
    if sign in ("=", "==", "!="):
        return (str(value).lower() in ("0", "0.0", "false")) != (sign == "!=")
    return sign in ("<", "<=")


def _field(item: dict[str, Any], names: tuple[str, ...], conditions: Conditions) -> Any:
    for name in names:
        if name in item:
            return item[name]
    raise conditions.refuse(
        f"has a part without “{names[0]}”", "Give the rules as LORE wrote them."
    )


def printed(item: list[Any], schema: Schema, place: str) -> Rule:
    """A rule as the first release prints it."""
    conditions = Conditions(schema, place)
    for name, condition in item[1].items():
        _add_printed(str(name), condition, conditions)
    return conditions.rule(next(iter(item[0].values())))


def _add_printed(name: str, condition: Any, conditions: Conditions) -> None:
    text = str(condition).strip()
    if conditions.feature(name).is_categorical:
        conditions.equal(name, condition)
    elif one := _COMPARED.fullmatch(text):
        conditions.compare(name, one[1], one[2])
    elif two := _BETWEEN.fullmatch(text):
        conditions.between(two[1], two[2], name, two[3], two[4])
    else:
        conditions.equal(name, condition)
