"""Files: round trips, going on from a file, and refusing what is broken, in one sentence."""

import contextlib
import json
import math
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.errors import GLocalXError
from glocalx.extraction.local_rule import Counterfactual, LocalRule
from glocalx.files import (
    read_hierarchy,
    read_local_rules,
    read_rules,
    read_theory,
    write_hierarchy,
    write_local_rules,
    write_rules,
    write_theory,
)
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.iterate import iter_merges
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.what_if import ValueChange
from tests.merging.test_hierarchy import grown, many_rules, merge_settings
from tests.strategies import World, worlds


@given(worlds())
def test_rules_round_trip(tmp_path_factory, world: World):
    path = tmp_path_factory.mktemp("files") / "rules.json"
    write_rules(path, world.rules, world.schema)
    assert read_rules(path) == (list(world.rules), world.schema)


@given(worlds(), st.booleans())
def test_local_rules_round_trip_with_all_that_is_known(tmp_path_factory, world: World, confirmed):
    path = tmp_path_factory.mktemp("files") / "local_rules.json"
    other, texts = world.rules[-1], ("city", "sex")
    changes = tuple(
        ValueChange(name, *(("Pisa", "Rome") if name in texts else (1.5, 3.0)))
        for name in other.features
    )
    counterfactual = Counterfactual(other, changes, confirmed)
    local = [
        LocalRule(rule, place, 9, 8, 20, (counterfactual,) if place else ())
        for place, rule in enumerate(world.rules)
    ]
    write_local_rules(path, local, world.schema)
    assert read_local_rules(path) == (local, world.schema)
    assert read_rules(path) == (list(world.rules), world.schema)


@given(worlds())
def test_theory_round_trip(tmp_path_factory, world: World):
    path = tmp_path_factory.mktemp("files") / "theory.json"
    theory = RankedTheory.of(world.rules, world.reference)
    write_theory(path, theory)
    assert read_theory(path) == theory


@given(worlds(), merge_settings, st.data())
def test_a_half_built_hierarchy_goes_on_from_its_file(tmp_path_factory, world, settings, data):
    path = tmp_path_factory.mktemp("files") / "hierarchy.json"
    whole = grown(world, settings)
    half = Hierarchy.start(world.rules, world.reference, settings)
    steps = data.draw(st.integers(0, len(whole.steps)))
    list(islice(iter_merges(half, world.reference), steps))
    write_hierarchy(path, half, world.schema)
    resumed, schema = read_hierarchy(path)
    assert resumed == half
    assert schema == world.schema
    for _ in iter_merges(resumed, world.reference):
        pass
    assert resumed == whole
    write_hierarchy(path, resumed, schema)
    assert read_hierarchy(path)[0] == whole


COLUMNS = Schema((Feature("age", "integer"), Feature("income", "numeric")), ("0", "1"))


def test_published_rules_cover_low_exclusive_to_high_inclusive(tmp_path):
    path = tmp_path / "rules.json"
    path.write_text('[{"0": [24, 43.5], "1": [-Infinity, 10.5], "label": 1}, {"label": 0}]')
    (rule, always), _ = read_rules(path, schema=COLUMNS)
    assert rule.premise("age") == COLUMNS["age"].interval(25, 44)
    assert 10.5 in rule.premise("income")
    assert rule.premise("income").high == math.nextafter(10.5, math.inf)
    assert rule.outcome == "1"
    assert always == COLUMNS.rule({}, "0")


def test_infinite_ends_of_published_rules_stay_infinite(tmp_path):
    path = tmp_path / "rules.json"
    path.write_text('[{"0": [-Infinity, Infinity], "1": [-Infinity, 3], "label": 1}]')
    (rule,), _ = read_rules(path, schema=COLUMNS)
    assert rule == COLUMNS.rule({"income": COLUMNS["income"].at_most(3)}, "1")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[{"0": [0, 1], "0": [2, 3], "label": 0}]', "the name “0” stands twice"),
        ('[{"2": [0, 1], "label": 0}]', "in rule 1, there is no column number 2"),
        ('[{"age": [0, 1], "label": 0}]', "in rule 1, there is no column number age"),
        ('[{"0": [0, 1], "label": 7}]', "in rule 1, a rule gives the outcome “7”"),
        ('[{"0": [5, 1], "label": 0}]', "in rule 1, an interval"),
        ('[{"0": [0, NaN], "label": 0}]', "in rule 1, “nan” stands where a number should"),
        ('[{"0": [0], "label": 0}]', "damaged or incomplete"),
        ('[{"0": [0, 1]}]', "rule 1"),
        ("[3]", "rule 1"),
        ("{}", "no rules"),
        ("", "cannot be used"),
        ("\x00\x01", "cannot be used"),
        ("[" * 100_000, "cannot be used"),
    ],
)
def test_broken_rules_are_refused_in_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "rules.json"
    path.write_text(text)
    with pytest.raises(GLocalXError, match=sentence) as refusal:
        read_rules(path, schema=COLUMNS)
    assert "rules.json" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_published_rules_need_their_table(tmp_path):
    path = tmp_path / "rules.json"
    path.write_text("[]")
    with pytest.raises(GLocalXError, match="need their table"):
        read_rules(path)


def test_rules_that_lore_printed_are_read(tmp_path):
    path = tmp_path / "lore.txt"
    path.write_text("[{'y': '1'}, {'age': '>23', 'income': '<=10.5'}, [5.0, 1.0]]")
    (rule,), _ = read_rules(path, schema=COLUMNS)
    assert rule.premise("age") == COLUMNS["age"].interval(24, math.inf)
    assert rule.premise("income") == COLUMNS["income"].at_most(10.5)
    assert rule.outcome == "1"


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(GLocalXError, match="There is no file"):
        read_rules(tmp_path / "none.json")
    with pytest.raises(GLocalXError, match="cannot be read"):
        read_rules(tmp_path)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    world = many_rules()
    hierarchy = grown(world)
    write_hierarchy(folder / "hierarchy.json", hierarchy, world.schema)
    write_theory(folder / "theory.json", RankedTheory.of(hierarchy.rules(), world.reference))
    write_rules(folder / "rules.json", world.rules, world.schema)
    return folder


READERS = {
    "rules.json": read_rules,
    "theory.json": read_theory,
    "hierarchy.json": read_hierarchy,
}


@pytest.mark.parametrize("name", READERS)
def test_another_version_and_another_kind_are_refused(files, tmp_path, name):
    document = json.loads((files / name).read_text())
    for change, sentence in [
        ({"version": 2}, "of version 2 and this program reads version 1"),
        ({"format": "glocalx/other"}, "“glocalx/other”"),
    ]:
        (tmp_path / name).write_text(json.dumps(document | change))
        with pytest.raises(GLocalXError, match=sentence):
            READERS[name](tmp_path / name)


@pytest.mark.parametrize("name", READERS)
def test_a_file_cut_short_or_tampered_with_never_gives_a_traceback(files, tmp_path, name):
    text = (files / name).read_text()
    document = json.loads(text)
    strangers = (None, 7, "x", [], {}, [None], {"a": 1})
    changed = (document | {key: value} for key in document for value in strangers)
    for content in (text[: len(text) // 2], *map(json.dumps, changed)):
        (tmp_path / name).write_text(content)
        with contextlib.suppress(GLocalXError):  # anything else is a traceback for the user
            READERS[name](tmp_path / name)


def test_categories_must_be_a_list(files, tmp_path):
    schema = {"features": [{"name": "c", "kind": "categorical", "categories": ["p", "q"]}]}
    document = {
        "format": "glocalx/rules",
        "version": 1,
        "schema": {**schema, "outcomes": ["a", "b"]},
        "rules": [{"if": {"c": {"in": "pq"}}, "then": "a"}],
    }
    (tmp_path / "r.json").write_text(json.dumps(document))
    with pytest.raises(GLocalXError, match="needs a list of categories"):
        read_rules(tmp_path / "r.json")


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(tmp_path):
    world = many_rules()
    (tmp_path / "rules.json").mkdir()
    with pytest.raises(GLocalXError, match="cannot be written"):
        write_rules(tmp_path / "rules.json", world.rules, world.schema)
    assert [path.name for path in tmp_path.iterdir()] == ["rules.json"]


def test_what_is_no_file_is_not_read(tmp_path):
    with pytest.raises(GLocalXError, match="it is not a file"):
        read_rules(Path("/dev/zero"))


@pytest.mark.parametrize("pair", [(0, 2), (2, 2), (-1, 2)])
def test_steps_that_do_not_follow_are_refused(files, tmp_path, pair):
    document = json.loads((files / "hierarchy.json").read_text())
    first, second = document["steps"][:2]
    first["trial"][:2] = (0, 1)
    second["trial"][:2] = pair
    (tmp_path / "h.json").write_text(json.dumps(document))
    with pytest.raises(GLocalXError, match="step 2 merges a theory that is not there"):
        read_hierarchy(tmp_path / "h.json")


def test_a_killed_writer_leaves_the_old_file_whole(files, monkeypatch):
    before = (files / "rules.json").read_text()
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    world = many_rules()
    with pytest.raises(KeyboardInterrupt):
        write_rules(files / "rules.json", world.rules[:1], world.schema)
    assert (files / "rules.json").read_text() == before
