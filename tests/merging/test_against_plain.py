"""Merging against a plain, slow implementation of its specification: the same in every detail."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.merging.batch import BatchSampler
from glocalx.merging.hierarchy import Hierarchy, MergeStep
from glocalx.merging.iterate import iter_merges
from glocalx.merging.operators import cut, join
from glocalx.merging.search import MergeSettings, Trial
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Premise, Rule
from glocalx.rules.schema import Feature, Schema
from tests import plain
from tests.bits import records_in
from tests.plain import (
    NO_NUMBER,
    PlainRule,
    PlainRun,
    PlainStep,
    PlainTable,
    PlainTheory,
    PlainTrial,
    order,
    pieces,
    read,
)
from tests.strategies import World, worlds

CITIES = ("Bari", "Como", "Enna", "Pisa")


def both(world: World, settings: MergeSettings) -> tuple[Hierarchy, PlainRun]:
    """The run of the product and the plain one, on the same batches."""
    reference = world.reference
    hierarchy = Hierarchy.start(world.rules, reference, settings)
    for _ in iter_merges(hierarchy, reference):
        pass
    sampler = BatchSampler(world.reference, settings.batch_size, settings.seed, stream=0)
    run = PlainRun(
        table_of(world),
        map(read, world.rules),
        lambda number: list(records_in(sampler.draw(number))),
        settings.bic_on,
        settings.fidelity_weight,
        settings.complexity_weight,
        settings.patience,
    )
    return hierarchy, run


def table_of(world: World) -> PlainTable:
    outcomes, gaps = world.schema.outcomes, gaps_of(world.schema)
    return PlainTable(world.frame, world.labels, outcomes, domains(world.schema), gaps)


def domains(schema: Schema) -> dict[str, frozenset[str]]:
    return {
        each.name: frozenset(each.categories) for each in schema.features if each.is_categorical
    }


def gaps_of(schema: Schema) -> set[str]:
    return {feature.name for feature in schema.features if feature.gaps}


def assert_same(hierarchy: Hierarchy, run: PlainRun) -> None:
    for ours, theirs in zip(hierarchy.steps, run.steps, strict=False):
        assert_same_step(ours, theirs)
    assert len(hierarchy.steps) == len(run.steps)
    assert_same_trials(hierarchy.endings[0], run.ending)
    assert hierarchy.finished


def assert_same_step(ours: MergeStep, theirs: PlainStep) -> None:
    assert_same_trials((ours.trial,), (theirs.trial,))
    assert_same_trials(ours.rejected, theirs.rejected)
    assert theory(ours.rules) == theirs.rules
    assert theory(ours.rules_out) == theirs.rules_out
    assert theory(ours.rules_in) == theirs.rules_in
    assert {(theory(done.parts), read(done.result)) for done in ours.joins} == theirs.joins
    assert {(read(c.dominant), read(c.before), maybe(c.after)) for c in ours.cuts} == theirs.cuts
    assert (len(ours.joins), len(ours.cuts)) == (len(theirs.joins), len(theirs.cuts))
    results = [order(read(done.result)) for done in ours.joins]
    assert results == sorted(results)
    assert (ours.theories_left, ours.rules_left) == (theirs.theories_left, theirs.rules_left)


def assert_same_trials(ours: Iterable[Trial], theirs: Iterable[PlainTrial]) -> None:
    assert [figures(trial) for trial in ours] == [figures(trial) for trial in theirs]


def figures(trial: Trial | PlainTrial) -> tuple[float, ...]:
    """All of a trial; the BICs to twelve digits, as the two add up in another order."""
    bics = (float(f"{bic:.12g}") for bic in (trial.bic_union, trial.bic_merged))
    fidelities = (trial.fidelity_union, trial.fidelity_merged)
    return (trial.left, trial.right, trial.similarity, *bics, *fidelities)


def theory(rules: Iterable[Rule]) -> PlainTheory:
    return frozenset(map(read, rules))


def maybe(rule: Rule | None) -> PlainRule | None:
    return None if rule is None else read(rule)


def town(seed: int, rules: int, records: int) -> World:
    """A table with three uneven outcomes that depend on three features, and rules around records.

    The rules have ends on a coarse grid, so that pairs are equally similar, and a rule that is
    made may be one that another theory has.
    """
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, records),
            "score": rng.random(records).round(3),
            "city": rng.choice(CITIES, records),
        }
    )
    high = (frame["age"] > 45) ^ (frame["city"] == "Pisa")
    labels = np.where(frame["score"] > 0.85, "rare", np.where(high, "high", "low"))
    schema = Schema(
        (
            Feature("age", "integer"),
            Feature("score", "numeric"),
            Feature("city", "categorical", CITIES),
        ),
        ("high", "low", "rare"),
    )
    made: dict[Rule, None] = {}
    while len(made) < rules:
        place = rng.integers(records)
        made[_around(frame.iloc[place], labels[place], schema, rng)] = None
    return World(schema, frame, tuple(labels), tuple(made))


def _around(row: pd.Series, label: str, schema: Schema, rng: np.random.Generator) -> Rule:
    """A rule that covers a record, narrow or wide."""
    low, high = rng.choice([0, 0, 1, 3], 2)
    values = {row["city"], *rng.choice(CITIES, rng.integers(0, 3))}
    premises = {
        "age": ((row["age"] // 8 - low) * 8, (row["age"] // 8 + 1 + high) * 8),
        "score": ((row["score"] * 8 // 1 - low) / 8, (row["score"] * 8 // 1 + 1 + high) / 8),
        "city": sorted(values),
    }
    kept = {name: premise for name, premise in premises.items() if rng.random() < 0.6}
    return schema.rule(kept, label)


def with_gaps(world: World, seed: int) -> World:
    """The same, with values missing in every feature; a missing age decides the label.

    A premise stays as it is, includes missing or turns into “is missing”.
    """
    rng = np.random.default_rng(seed)
    holes = rng.random(world.frame.shape) < 0.15
    frame = world.frame.astype({"age": float}).mask(holes)
    outcomes = world.schema.outcomes
    labels = np.where(holes[:, 0], outcomes[-1], world.labels)
    schema = Schema(tuple(replace(each, gaps=True) for each in world.schema.features), outcomes)
    said = {
        rule: {name: _with_gap(premise, rng) for name, premise in rule.premises}
        for rule in world.rules
    }
    rules = dict.fromkeys(schema.rule(premises, rule.outcome) for rule, premises in said.items())
    return World(schema, frame, tuple(labels), tuple(rules))


def _with_gap(premise: Premise, rng: np.random.Generator) -> Premise | None:
    drawn = rng.random()
    if drawn < 0.2:
        return None
    return replace(premise, missing=True) if drawn < 0.6 else premise


WORLDS = {
    "all": (7, MergeSettings()),
    "all, small batches": (4, MergeSettings(batch_size=12, seed=1)),
    "all, long rules dear": (0, MergeSettings(batch_size=40, complexity_weight=2.0)),
    "batch": (4, MergeSettings(batch_size=30, bic_on="batch")),
    "batch, fidelity cheap": (
        4,
        MergeSettings(batch_size=20, bic_on="batch", fidelity_weight=0.3, seed=2),
    ),
    "whole": (7, MergeSettings(batch_size=30, bic_on="whole", complexity_weight=0.05)),
    "whole, small batches": (6, MergeSettings(batch_size=12, bic_on="whole", seed=1)),
}
GAPS = {
    "all, gaps": (0, MergeSettings(batch_size=60)),
    "batch, gaps": (
        1,
        MergeSettings(batch_size=40, bic_on="batch", complexity_weight=0.5, seed=1),
    ),
    "whole, gaps": (7, MergeSettings(batch_size=12, bic_on="whole", seed=1)),
}


@cache
def runs(name: str) -> tuple[Hierarchy, PlainRun]:
    seed, chosen = {**WORLDS, **GAPS}[name]
    few = (
        chosen.bic_on == "whole"
    )  # every trial is a look at every rule, and plainly that takes long
    world = town(seed, rules=30, records=150) if few else town(seed, rules=45, records=220)
    return both(with_gaps(world, seed) if name in GAPS else world, chosen)


@pytest.mark.parametrize("name", [*WORLDS, *GAPS])
def test_a_run_is_that_of_the_plain_method(name: str):
    assert_same(*runs(name))


@pytest.mark.parametrize("name", [*WORLDS, *GAPS])
def test_pairs_were_turned_down_and_merged_later(name: str):
    """Else the run above would not show that refused pairs are tried again after each merge."""
    _, run = runs(name)
    refused: set[tuple[int, int]] = set()
    later, again = 0, 0
    for step in run.steps:
        later += pair(step.trial) in refused
        again += len(refused & {*map(pair, step.rejected)})
        refused |= {*map(pair, step.rejected)}
    assert later
    assert again


def test_the_worlds_have_all_that_can_happen():
    """Cuts that leave both sides, of which either stays; rules dropped, kept whole, shared."""
    happened: set[str] = set()
    for hierarchy, run in map(runs, WORLDS):
        for step in run.steps:
            happened |= {fate for done in step.cuts for fate in fates(*done)}
        shared = (hierarchy.rules_of(s.left) & hierarchy.rules_of(s.right) for s in hierarchy.steps)
        happened |= {"shared"} if any(shared) else set()
    assert happened >= {"lower side", "upper side", "dropped", "whole", "shared"}


def test_the_worlds_with_gaps_have_all_that_can_happen_to_them():
    """Missing is joined in; cut away, left with a side or a set, or all that is left."""
    happened: set[str] = set()
    for _, run in map(runs, GAPS):
        for step in run.steps:
            happened |= {fate for done in step.cuts for fate in fates_of_gaps(*done)}
            happened |= {fate for parts, _ in step.joins for fate in joined_gaps(parts)}
    numbers = {"number taken", "number kept", "number alone", "number joined"}
    assert happened >= numbers | {fate.replace("number", "set") for fate in numbers}


def fates_of_gaps(dominant: PlainRule, before: PlainRule, after: PlainRule | None) -> Iterable[str]:
    """What a cut did to the missing values that a rule included."""
    theirs, left = dict(dominant[0]), dict(after[0] if after else ())
    for name, (values, missing) in before[0]:
        if missing and name in theirs and left.get(name, (values, True)) != (values, True):
            kind = "set" if isinstance(values, frozenset) else "number"
            alone = left[name][0] in (frozenset(), NO_NUMBER)
            yield f"{kind} {'taken' if not left[name][1] else 'alone' if alone else 'kept'}"


def joined_gaps(parts: PlainTheory) -> Iterable[str]:
    """Features on which some of the joined rules include missing values and others do not."""
    every = [dict(premises) for premises, _ in parts]
    for name in set.intersection(*map(set, every)):
        if len({premises[name][1] for premises in every}) == 2:
            yield f"{'set' if isinstance(every[0][name][0], frozenset) else 'number'} joined"


def pair(trial: PlainTrial) -> tuple[int, int]:
    return trial.left, trial.right


def fates(dominant: PlainRule, before: PlainRule, after: PlainRule | None) -> Iterable[str]:
    """What a cut did to a rule."""
    if after is None or after == before:
        yield "whole" if after else "dropped"
        return
    theirs, left = dict(dominant[0]), dict(after[0])
    for name, premise in before[0]:
        if name in theirs and len(pieces(premise, theirs[name])) == 2:
            yield "lower side" if left[name][0][0] == premise[0][0] else "upper side"


def any_worlds(**most: int) -> st.SearchStrategy[World]:
    return worlds(**most) | st.builds(with_gaps, worlds(**most), st.integers(0, 99))


@settings(max_examples=30)
@given(
    any_worlds(max_rules=10, max_records=30),
    st.builds(
        MergeSettings,
        batch_size=st.sampled_from([1, 3, 8, 128]),
        seed=st.integers(0, 3),
        fidelity_weight=st.sampled_from([0.0, 0.5, 1.0]),
        complexity_weight=st.sampled_from([0.0, 0.1, 1.0]),
        bic_on=st.sampled_from(["all", "batch", "whole"]),
        patience=st.sampled_from([None, 1, 4]),
        shards=st.just(1),
    ),
)
def test_any_small_run_is_that_of_the_plain_method(world: World, settings: MergeSettings):
    assert_same(*both(world, settings))


@given(any_worlds())
def test_a_join_is_the_plain_one(world: World):
    for outcome in {rule.outcome for rule in world.rules}:
        rules = [rule for rule in world.rules if rule.outcome == outcome]
        assert read(join(rules)) == plain.join(
            [*map(read, rules)], domains(world.schema), gaps_of(world.schema)
        )


@given(any_worlds())
def test_a_cut_is_the_plain_one(world: World):
    records, table = Records(world.schema, world.frame), table_of(world)
    for lesser, dominant in permutations(world.rules, 2):
        ours = cut(lesser, dominant, lambda rule: records.coverage(rule).bit_count())
        theirs = plain.cut(read(lesser), read(dominant), lambda rule: len(table.covered(rule)))
        assert maybe(ours) == theirs
