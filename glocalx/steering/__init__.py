"""Theories that people steer: what is chosen with their steps in mind, and what a step changes.

The steps themselves are values in :mod:`glocalx.rules.steering`, which a theory carries with it.
"""

from glocalx.steering.choosing import (
    iter_steered,
    may_be_chosen,
    restricted,
    steered_theory,
    with_hand,
)
from glocalx.steering.effect import ChangedAnswer, SteeringEffect, effect_of

__all__ = [
    "ChangedAnswer",
    "SteeringEffect",
    "effect_of",
    "iter_steered",
    "may_be_chosen",
    "restricted",
    "steered_theory",
    "with_hand",
]
