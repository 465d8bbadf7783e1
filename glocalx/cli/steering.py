"""Options that steer the theory: bar, direction, pin, remove, change, write."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from glocalx.errors import GLocalXError
from glocalx.evaluation.returning import with_returns
from glocalx.extraction.importing.anchors import anchored
from glocalx.files.document import read_document, refusing
from glocalx.files.steering import steering_from_list
from glocalx.pipeline.road import Road
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.steering import (
    NOTHING_STEERED,
    BarFeature,
    ChangeRule,
    PinRule,
    RemoveRule,
    SayDirection,
    Steering,
    SteeringStep,
    WriteRule,
)
from glocalx.rules.step_check import checked_step
from glocalx.steering import effect_of, iter_steered, steered_theory
from glocalx.words.phrases import listing, shown
from glocalx.words.wording import Wording

EXAMPLE = '"age < 30 and priors >= 3 -> High"'
WAYS = {"up": True, "down": False}


def add_steering_options(parser: argparse.ArgumentParser, *, resamples: bool = False) -> None:
    """Options that change the theory by hand; RULE is a number, or a rule in words.

    `resamples`: local rules are made here, so that it can be told which rules stay.
    """
    if resamples:
        parser.add_argument(
            "--resamples",
            action="store_true",
            help="draw the records anew ten times, and say how often each rule returns",
        )
    group = parser.add_argument_group(
        "steering",
        "Change the theory by hand. RULE is the number of a rule as it is printed without these "
        f"options, or a rule such as {EXAMPLE}. Each option may be given several times.",
    )
    group.add_argument(
        "--bar",
        action="append",
        default=[],
        metavar="FEATURE",
        help="no rule may name it; the black box still reads it",
    )
    group.add_argument(
        "--direction",
        action="append",
        default=[],
        nargs=3,
        metavar=("FEATURE", "up|down", "OUTCOME"),
        help="more of the feature never lowers (up) or never raises (down) the outcome",
    )
    group.add_argument("--pin", action="append", default=[], metavar="RULE", help="it stays")
    group.add_argument("--remove", action="append", default=[], metavar="RULE", help="it goes")
    group.add_argument(
        "--change",
        action="append",
        default=[],
        nargs=2,
        metavar=("RULE", "NEW"),
        help="another rule stands for it",
    )
    group.add_argument("--write", action="append", default=[], metavar="RULE", help="a new one")
    group.add_argument(
        "--steer",
        type=Path,
        metavar="FILE",
        help="the steps in a theory.json, or a JSON list of steps, before those given here",
    )


@dataclass(frozen=True, slots=True)
class SteeringOptions:
    """What was asked for, read against the columns of a table."""

    options: argparse.Namespace
    schema: Schema

    def restrictions(self) -> Steering:
        """What can be known before anything is merged: the file, bars and directions."""
        steering = Steering()
        if self.options.steer:
            steering = self._from_file(self.options.steer)
        for step in self._restrictions():
            steering = steering.and_then(checked_step(step, steering, self.schema))
        return steering

    def check(self) -> None:
        """Refuse rules that cannot be read, before the long work begins."""
        options = self.options
        changed = [text for pair in options.change for text in pair]
        for text in (*options.pin, *options.remove, *changed, *options.write):
            if not text.isdecimal():
                self._read(text)

    def steering(self, theory: RankedTheory) -> Steering:
        """All steps; numbers are those of the rules of `theory`."""
        steering = self.restrictions()
        for step in self._rules(theory):
            steering = steering.and_then(checked_step(step, steering, self.schema))
        return steering

    def _from_file(self, path: Path) -> Steering:
        document = read_document(path)
        with refusing(path):
            steps = document.get("steering", []) if isinstance(document, dict) else document
            if not isinstance(steps, list):
                raise GLocalXError("it holds no list of steps.")
            return steering_from_list(steps, self.schema)

    def _restrictions(self) -> Iterator[SteeringStep]:
        for feature in self.options.bar:
            yield BarFeature(feature, from_start=True)
        for feature, way, outcome in self.options.direction:
            if way not in WAYS:
                raise GLocalXError(
                    f"“--direction {feature} {way}” has no direction. Write it as "
                    "--direction priors up High, or with down."
                )
            yield SayDirection(feature, WAYS[way], outcome)

    def _rules(self, theory: RankedTheory) -> Iterator[SteeringStep]:
        for text in self.options.pin:
            yield PinRule(self._rule(text, theory))
        for before, after in self.options.change:
            yield ChangeRule(self._rule(before, theory), self._read(after))
        for text in self.options.write:
            yield WriteRule(self._read(text))
        for text in self.options.remove:
            yield RemoveRule(self._rule(text, theory))

    def _rule(self, text: str, theory: RankedTheory) -> Rule:
        if not text.isdecimal():
            return self._read(text)
        if not 1 <= int(text) <= theory.size:
            raise GLocalXError(
                f"There is no rule {text}: the theory has {theory.size}, counted from 1."
            )
        return theory.rules[int(text) - 1]

    def _read(self, text: str) -> Rule:
        """A rule in words; conditions as Anchors writes them."""
        conditions, arrow, outcome = re.sub(r"→|=>|->", "→", text).rpartition("→")
        if not arrow:
            raise GLocalXError(f"“{text}” has no outcome. Write a rule as {EXAMPLE}.")
        if outcome.strip() not in self.schema.outcomes:
            raise GLocalXError(
                f"“{text}” gives {shown(outcome.strip())}, which is none of the outcomes: "
                f"{listing(self.schema.outcomes)}."
            )
        item: dict[str, Any] = {
            "names": [each.strip() for each in conditions.split(" and ") if each.strip()],
            "prediction": outcome.strip(),
        }
        return anchored(item, self.schema, f"the rule “{text}”")


def steer_road(road: Road, asked: SteeringOptions) -> dict[str, Any]:
    """Take the steps on a road that is merged; what they changed, for its summary."""
    chosen = road.settings.selection.to_options()
    plain = steered_theory(road.hierarchy, road.reference, NOTHING_STEERED, **chosen)
    road.steer(asked.steering(plain))
    steering = road.theory.steering
    theories = list(iter_steered(road.hierarchy, road.reference, steering, chosen))
    wording = Wording(road.labelled.schema, road.reference.records)
    return steering_facts(theories, wording, road.reference, road.labelled.held_out)


def steady(road: Road) -> RankedTheory:
    """The theory of a road, each rule with how often it returns in its resamples."""
    chosen, reference = road.settings.selection, road.reference
    seed = road.settings.data.seed
    rules = [each.chosen(chosen, reference, seed) for each in road.resamples]
    return with_returns(road.theory, rules, reference, road.labelled.held_out)


def steering_facts(
    theories: Sequence[tuple[SteeringStep | None, RankedTheory]],
    wording: Wording,
    explained: Reference,
    held_out: Reference,
) -> dict[str, Any]:
    """For each step what it changed: fidelity before and after, and how many answers.

    `theories`: see :func:`glocalx.steering.iter_steered`.
    """
    facts = []
    for (_, before), (step, after) in pairwise(theories):
        assert step is not None  # only the first has none
        effect = effect_of(before, after, explained)
        facts.append(
            {
                "step": wording.step(step),
                "explained": list(effect.fidelity),
                "held_out": [before.fidelity(held_out), after.fidelity(held_out)],
                "answers_changed": len(effect.answers),
                "said": effect.sentence,
            }
        )
    return {"steering": facts} if facts else {}


def steering_lines(summary: Mapping[str, Any], theory: RankedTheory) -> list[str]:
    """The same for a person, and a sentence for each rule by hand that breaks a direction."""
    wording = Wording(theory.schema)
    lines = [
        f"{each['step']} Records it is chosen on: {each['explained'][0]:.1%} → "
        f"{each['explained'][1]:.1%}; {each['said'][:1].lower()}{each['said'][1:]} "
        f"Held out: {each['held_out'][0]:.1%} → {each['held_out'][1]:.1%}."
        for each in summary.get("steering", [])
    ]
    broken = [
        f"Note: rule {place + 1}, {wording.by_hand(theory.ranked[place].mark)}, breaks what was "
        f"said: {wording.direction(direction)}."
        for place, direction in theory.steering.breaking(theory.rules)
    ]
    return [*lines, *broken]
