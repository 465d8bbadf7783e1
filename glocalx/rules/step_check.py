"""Whether a step of steering fits a table; what does not is refused in a sentence."""

from __future__ import annotations

from glocalx.errors import GLocalXError
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.steering import (
    BarFeature,
    ChangeRule,
    PinRule,
    RemoveRule,
    SayDirection,
    Steering,
    SteeringStep,
    WriteRule,
)
from glocalx.words.phrases import listing, shown


def checked_step(step: SteeringStep, steering: Steering, schema: Schema) -> SteeringStep:
    """The step, in the table's own form.

    Raises
    ------
    GLocalXError
        Where it speaks of what the table does not have, or of a feature that is barred.
    """
    match step:
        case BarFeature(feature):
            _known(feature, schema)
            return step
        case SayDirection(feature, _, outcome):
            if _known(feature, schema).is_categorical:
                raise GLocalXError(
                    f"{shown(feature)} has categories, and these have no direction. "
                    "Choose a feature with numbers."
                )
            if outcome not in schema.outcomes:
                raise GLocalXError(
                    f"{shown(outcome)} is none of the outcomes: {listing(schema.outcomes)}."
                )
            return step
        case PinRule(rule):
            return PinRule(_fitting(rule, schema))
        case RemoveRule(rule):
            return RemoveRule(_fitting(rule, schema))
        case ChangeRule(rule, to):
            return ChangeRule(_fitting(rule, schema), _allowed(to, steering, schema))
        case WriteRule(rule):
            return WriteRule(_allowed(rule, steering, schema))


def _known(feature: str, schema: Schema) -> Feature:
    if feature not in schema:
        raise GLocalXError(
            f"There is no feature {shown(feature)}. There are: {listing(schema.names)}."
        )
    return schema[feature]


def _fitting(rule: Rule, schema: Schema) -> Rule:
    return schema.rule(dict(rule.premises), rule.outcome)


def _allowed(rule: Rule, steering: Steering, schema: Schema) -> Rule:
    made = _fitting(rule, schema)
    if not len(made):
        raise GLocalXError(
            "A rule without a condition would answer for everybody. Give it at least one."
        )
    barred = [name for name in made.features if name in steering.barred]
    if barred:
        raise GLocalXError(
            f"No rule may name {shown(barred[0])}: it is barred. Lift the bar first."
        )
    return made
