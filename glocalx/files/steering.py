"""Steps of steering as plain data: in a theory's file, in a run's settings, in a file of its own.

A step reads `{"bar": "race"}`, `{"direction": {"feature": "priors", "never": "lowers", "outcome":
"High"}}`, `{"pin": RULE}`, `{"remove": RULE}`, `{"change": RULE, "to": RULE}` or `{"write": RULE}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.files.document import uncapitalised
from glocalx.files.rules import rule_from_dict, rule_to_dict
from glocalx.rules.schema import Schema
from glocalx.rules.steering import (
    BarFeature,
    ChangeRule,
    HandMark,
    PinRule,
    RemoveRule,
    SayDirection,
    Steering,
    SteeringStep,
    WriteRule,
)
from glocalx.rules.step_check import checked_step

PlainStep = Mapping[str, Any]
_NEVER = {"lowers": True, "raises": False}
_KINDS = ("pinned", "changed", "written")


def steering_to_list(steering: Steering) -> list[dict[str, Any]]:
    """The steps as JSON holds them."""
    return [_step_to_dict(step) for step in steering.steps]


def steering_from_list(items: Sequence[PlainStep], schema: Schema) -> Steering:
    """The inverse of :func:`steering_to_list`; what is wrong with a step is said with its place."""
    steering = Steering()
    for place, item in enumerate(items, start=1):
        try:
            step = checked_step(_step(item, schema), steering, schema)
        except GLocalXError as error:
            raise GLocalXError(f"in step {place}, {uncapitalised(str(error))}") from error
        except (KeyError, TypeError, ValueError, AttributeError):
            raise GLocalXError(f"step {place} of the steering cannot be read.") from None
        steering = steering.and_then(step)
    return steering


def fitting_steering(items: Iterable[PlainStep], schema: Schema) -> Steering:
    """The steps that fit a table; others were made for columns that it no longer has."""
    steering = Steering()
    for item in items:
        try:
            step = checked_step(_step(item, schema), steering, schema)
        except (GLocalXError, KeyError, TypeError, ValueError, AttributeError):
            continue
        steering = steering.and_then(step)
    return steering


def _step_to_dict(step: SteeringStep) -> dict[str, Any]:
    match step:
        case BarFeature(feature, from_start):
            return {"bar": feature, **({"from_start": True} if from_start else {})}
        case SayDirection(feature, rises, outcome):
            never = "lowers" if rises else "raises"
            return {"direction": {"feature": feature, "never": never, "outcome": outcome}}
        case PinRule(rule):
            return {"pin": rule_to_dict(rule)}
        case RemoveRule(rule):
            return {"remove": rule_to_dict(rule)}
        case ChangeRule(rule, to):
            return {"change": rule_to_dict(rule), "to": rule_to_dict(to)}
        case WriteRule(rule):
            return {"write": rule_to_dict(rule)}


def _step(item: PlainStep, schema: Schema) -> SteeringStep:
    match dict(item):
        case {"bar": str(feature)}:
            return BarFeature(feature, item.get("from_start") is True)
        case {"direction": {"feature": str(feature), "never": never, "outcome": str(outcome)}}:
            return SayDirection(feature, _NEVER[never], outcome)
        case {"pin": rule}:
            return PinRule(rule_from_dict(rule, schema))
        case {"remove": rule}:
            return RemoveRule(rule_from_dict(rule, schema))
        case {"change": rule, "to": to}:
            return ChangeRule(rule_from_dict(rule, schema), rule_from_dict(to, schema))
        case {"write": rule}:
            return WriteRule(rule_from_dict(rule, schema))
    raise ValueError(item)


def mark_to_dict(mark: HandMark) -> dict[str, Any]:
    """What of a rule is by hand."""
    was = {} if mark.was is None else {"was": rule_to_dict(mark.was)}
    return {"kind": mark.kind, **was}


def mark_from_dict(item: Mapping[str, Any] | None, schema: Schema) -> HandMark | None:
    """The inverse of :func:`mark_to_dict`; None where nothing is said."""
    if item is None:
        return None
    kind = _KINDS[_KINDS.index(item["kind"])]
    was = rule_from_dict(item["was"], schema) if "was" in item else None
    return HandMark(kind, was)  # type: ignore[arg-type]  # one of the kinds
