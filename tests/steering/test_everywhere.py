"""A theory says what is by hand everywhere it goes, and old files read as before."""

import json

import duckdb
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.export import theory_to_markdown, theory_to_python
from glocalx.files import read_theory, write_theory
from glocalx.files.steering import fitting_steering, steering_from_list, steering_to_list
from glocalx.report import collect_report, render_report, report_files
from glocalx.rules.coverage import Records
from glocalx.rules.schema import Schema
from glocalx.rules.scoring import Reference
from glocalx.rules.steering import (
    BarFeature,
    ChangeRule,
    PinRule,
    RemoveRule,
    SayDirection,
    Steering,
    WriteRule,
)
from glocalx.steering import with_hand
from tests.export.hostile import hostile_worlds
from tests.merging.test_hierarchy import many_rules
from tests.steering.test_choosing import theory_of
from tests.strategies import rules, worlds


def steered():
    plain, schema = theory_of(), many_rules().schema
    return theory_of(
        SayDirection("x", True, "high"),
        PinRule(plain.rules[1]),
        ChangeRule(plain.rules[0], schema.rule({"x": (30, 50)}, "high")),
        WriteRule(schema.rule({"x": (40, 50)}, "high")),
        RemoveRule(plain.rules[2]),
    )


def test_a_file_brings_back_the_same_theory_and_its_steps(tmp_path):
    theory = steered()
    write_theory(tmp_path / "theory.json", theory)
    assert read_theory(tmp_path / "theory.json") == theory


def test_a_file_without_steps_is_as_it_ever_was(tmp_path):
    theory = theory_of()
    write_theory(tmp_path / "theory.json", theory)
    document = json.loads((tmp_path / "theory.json").read_text())
    assert document.keys() == {"format", "version", "schema", "default", "rules"}
    assert "by_hand" not in document["rules"][0]
    assert read_theory(tmp_path / "theory.json") == theory


@pytest.mark.parametrize(
    "step", [{}, {"bar": 3}, {"pin": {}}, {"direction": {"feature": "x"}}, {"write": "x > 3"}]
)
def test_a_broken_step_is_told_with_its_place_and_a_run_passes_over_it(step):
    schema = many_rules().schema
    with pytest.raises(GLocalXError, match="step 2"):
        steering_from_list([{"bar": "y"}, step], schema)
    assert fitting_steering([step, {"bar": "y"}], schema) == Steering((BarFeature("y"),))


@given(worlds(), st.data())
def test_steps_come_back_from_plain_data(world, data):
    drawn = rules(world.schema).filter(len)
    step = st.one_of(
        st.builds(PinRule, drawn),
        st.builds(RemoveRule, drawn),
        st.builds(WriteRule, drawn),
        st.builds(ChangeRule, drawn, drawn),
        st.builds(SayDirection, st.just("age"), st.booleans(), st.just(world.schema.outcomes[0])),
    )
    steering = Steering()
    for each in data.draw(st.lists(step, max_size=6)):
        steering = steering.and_then(each)
    items = json.loads(json.dumps(steering_to_list(steering)))
    assert steering_from_list(items, world.schema) == steering
    theory = with_hand(world.rules, steering, world.reference)
    assert set(steering.by_hand) <= set(theory.rules)
    assert not set(steering.removed) & set(theory.rules)


def test_markdown_python_sql_and_the_report_say_it():
    theory = steered()
    report = collect_report(theory)
    markdown, html = theory_to_markdown(theory), render_report(report)
    for text in (markdown, html):
        assert "pinned" in text
        assert "written by hand" in text
        assert "changed by hand, was" in text
        assert "1 rule pinned, 1 rule changed, 1 rule written and 1 rule removed" in text
    for source in (theory.to_sql(), theory_to_python(theory)):
        assert "More “x” never lowers “high”." in source
        assert "written by hand" in source
    assert "pinned" in report.to_dict()["by_hand"]
    assert b"written by hand" in report_files(report)["theory.md"]
    assert "hand" not in theory_to_markdown(theory_of())
    assert "hand" not in theory_of().to_sql()


@settings(max_examples=30)
@given(hostile_worlds())
def test_comments_of_hostile_names_stay_comments(world):
    schema, frame, given_rules = world
    steps = [BarFeature(schema.names[0]), *(WriteRule(each) for each in given_rules)]
    reference = with_labels(schema, frame)
    theory = with_hand([], Steering(tuple(steps)), reference)
    connection = duckdb.connect()
    connection.register("records", frame)
    found = connection.execute(theory.to_sql(table="records", outcome="; result")).df()
    assert found["; result"].tolist() == theory.predict(reference.records).tolist()
    names: dict = {}
    exec(theory_to_python(theory), names)  # our own source
    assert names["predict"](dict.fromkeys(schema.names)) in schema.outcomes


def test_a_quote_in_a_comment_opens_nothing():
    """DuckDB looks for quotes before it looks for comments where a space is not ASCII."""
    frame = pd.DataFrame({'a"b': ["x", "y"], "it's *\0/": [1, 2], "\xa0": [0, 1]})
    schema = Schema.of(frame, ["no", "yes"])
    steps = [BarFeature(name) for name in schema.names[:2]]
    steps.append(WriteRule(schema.rule({"\xa0": (0, 1)}, "yes")))
    reference = with_labels(schema, frame)
    theory = with_hand([], Steering(tuple(steps)), reference)
    connection = duckdb.connect()
    connection.register("records", frame)
    found = connection.execute(theory.to_sql(table="records")).df()
    assert found["outcome"].tolist() == theory.predict(reference.records).tolist()


def with_labels(schema, frame) -> Reference:
    labels = [schema.outcomes[place % len(schema.outcomes)] for place in range(len(frame))]
    return Reference(Records(schema, frame), labels)
