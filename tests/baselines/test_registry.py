"""Baselines by name, with and without the packages of others."""

import random

import numpy as np
import pandas as pd
import pytest

from glocalx.baselines import (
    BASELINES,
    FROM_LOCAL_RULES,
    Task,
    available_baselines,
    fit_baseline,
    registry,
)
from glocalx.baselines.base import RuleSet, rarer_outcome, reference_of
from glocalx.errors import GLocalXError
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from tests.extraction.small_worlds import BANK, bank_box, customers

EXTRAS = {"ripper", "brcg", "bayesian-list"}


def _two_outcomes() -> Task:
    frame = customers(300)
    labels = np.where(bank_box().labels(frame) == "accept", "accept", "deny")
    return Task(frame, labels, Schema(BANK.features, ("accept", "deny")))


def test_every_baseline_that_is_there_answers_for_every_record():
    task = _two_outcomes()
    local = fit_baseline("small-tree", task).rules
    box = bank_box()
    for key in available_baselines(task.schema):
        given = {"black_box": box} if key == "trepan" else {}
        given |= {"local_rules": local} if key in FROM_LOCAL_RULES else {}
        labels = box.labels(task.frame) if key == "trepan" else task.labels
        schema = BANK if key == "trepan" else task.schema
        made = fit_baseline(key, Task(task.frame, labels, schema, **given))
        predicted = made.predict(Records(schema, task.frame))
        assert set(predicted) <= set(schema.outcomes), key
        assert made.size == len(made.rules), key
        assert made.name, key
        assert np.mean(predicted == labels) > 0.7, key


def test_extras_leave_the_random_numbers_of_the_process_alone():
    task = _two_outcomes()
    for key in EXTRAS & set(available_baselines()):
        random.seed(1)
        np.random.seed(1)
        first = fit_baseline(key, task)
        drawn = random.random(), np.random.random()
        random.seed(1)
        np.random.seed(1)
        assert drawn == (random.random(), np.random.random()), key
        random.seed(2)
        assert fit_baseline(key, task) == first, key


def test_extras_are_absent_where_they_are_not_installed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    assert set(available_baselines()) == set(BASELINES) - EXTRAS
    with pytest.raises(GLocalXError, match="RIPPER needs “wittgenstein” to be installed"):
        fit_baseline("ripper", _two_outcomes())


def test_more_outcomes_leave_out_what_tells_two_apart(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: object())
    assert set(available_baselines()) == set(BASELINES)
    assert set(available_baselines(BANK)) == set(BASELINES) - EXTRAS
    frame = customers(30)
    labels = ["accept", "ask", "deny"] * 10
    with pytest.raises(GLocalXError, match="tells two outcomes apart, and there are 3"):
        rarer_outcome(reference_of(Task(frame, labels, BANK)), "RIPPER")


def test_what_is_lacking_is_said():
    task = _two_outcomes()
    with pytest.raises(GLocalXError, match="no baseline “oracle”"):
        fit_baseline("oracle", task)
    with pytest.raises(GLocalXError, match="Trepan asks the black box"):
        fit_baseline("trepan", task)
    for key in FROM_LOCAL_RULES:
        with pytest.raises(GLocalXError, match="no local rules"):
            fit_baseline(key, task)


def test_a_rule_list_decides_in_its_own_order():
    frame = pd.DataFrame({"x": range(10)})
    labels = ["a"] * 5 + ["b"] * 5
    schema = Schema.of(frame, labels)
    reference = reference_of(Task(frame, labels, schema))
    poor, sharp = schema.rule({"x": (0, 8)}, "a"), schema.rule({"x": (5, 10)}, "b")
    listed = RuleSet.in_order("list", [poor, sharp], "a", reference)
    ranked = RuleSet.of("ranked", [poor, sharp], reference)
    assert listed.predict(reference.records).tolist() == ["a"] * 8 + ["b"] * 2
    assert ranked.predict(reference.records).tolist() == labels
