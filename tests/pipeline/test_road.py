"""The road in memory: its order, its parts, and that it is the one that stored runs go."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from glocalx.blackbox.predictions import StandIn
from glocalx.errors import GLocalXError
from glocalx.files import write_rules
from glocalx.pipeline import tables
from glocalx.pipeline.extracting import NO_RECORD, seed_of
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import STAGES, BoxSettings, DataSettings, RuleSettings, RunSettings
from glocalx.pipeline.theories import labelled_reference
from glocalx.table import read_table, understanding
from glocalx.workspace.opened_run import OpenedRun
from tests.workspace.conftest import small_settings, small_table


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "table").write_bytes(small_table())
    return tmp_path


def test_stages_come_in_order_and_each_once(folder):
    road = Road(small_settings(), folder)
    assert road.missing("merge") == list(STAGES)
    gone = [progress.stage for progress in road.iter_to("rules")]
    assert list(dict.fromkeys(gone)) == ["model", "rules"]
    assert road.missing("merge") == ["merge"]
    assert {progress.stage for progress in road.iter_to("merge")} == {"merge"}
    assert list(road.iter_to("merge")) == []


def test_asking_for_the_end_goes_all_the_way_as_a_stored_run_does(folder, workspace):
    road = Road(small_settings(), folder)
    theory = road.theory
    run = workspace.create("me", "People", small_settings(), {"table": small_table()})
    stored = OpenedRun(run)
    for _ in stored.iter_to("merge"):
        pass
    again = OpenedRun(run)
    assert again.local_rules == road.local_rules
    assert again.hierarchy.steps == road.hierarchy.steps
    assert again.theory == theory
    assert again.labelled.reference.fingerprint() == road.labelled.reference.fingerprint()
    assert again.figures()["fidelity"] == theory.fidelity(road.labelled.held_out)


def test_all_that_is_labelled_already_can_be_merged_on(folder, workspace):
    settings = small_settings()
    wide = replace(settings, merge=replace(settings.merge, bic_on="whole", reference="labelled"))
    assert wide.key("rules") == settings.key("rules")
    assert wide.key("merge") != settings.key("merge")
    road = Road(wide, folder)
    explained, train = road.labelled.reference, road.split.train
    known = road.reference
    assert known.size == explained.size + len(train)
    assert list(known.labels) == [*explained.labels, *road.black_box.labels(train)]
    run = workspace.create("me", "People", wide, {"table": small_table()})
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    assert OpenedRun(run).hierarchy == road.hierarchy
    assert OpenedRun(run).theory == road.theory
    file = run.file("model")
    facts = json.loads(file.read_text("utf-8"))
    del facts["train"]  # as runs of earlier versions are
    file.write_text(json.dumps(facts), "utf-8")
    assert OpenedRun(run).reference.fingerprint() == known.fingerprint()


def test_of_many_labelled_records_some_are_merged_on_and_every_explained_one(folder):
    labelled = Road(small_settings(), folder).labelled
    explained, train = labelled.reference, len(labelled.split.train)
    some = labelled_reference(labelled, explained.size + 5)
    assert some.size == explained.size + 5 < explained.size + train
    assert list(some.labels[: explained.size]) == list(explained.labels)
    again = labelled_reference(labelled, explained.size + 5)
    assert some.fingerprint() == again.fingerprint()
    assert labelled_reference(labelled, 1) is explained


def test_a_table_is_parsed_once_and_each_column_understood_once(folder, monkeypatch):
    parsed, understood = [], []

    def parse(path, name):
        parsed.append(name)
        return read_table(path, name)

    def understand(raw, name, *more):
        understood.append(name)
        return understanding.read_column(raw, name, *more)

    tables._read.cache_clear()
    monkeypatch.setattr(tables, "read_table", parse)
    monkeypatch.setattr("glocalx.table.table.read_column", understand)
    data = replace(small_settings().data, roles={"answer": "target", "job": "sensitive"})
    _ = Road(replace(small_settings(), data=data), folder).split
    assert parsed == ["people.csv"]
    assert sorted(understood) == ["age", "answer", "job"]
    tables.open_table(small_settings().data, folder)  # the roles are others, the file is not
    assert parsed == ["people.csv"]
    (folder / "table").write_bytes(small_table(300))
    assert tables.open_table(small_settings().data, folder).size == 300


def test_a_table_that_is_split_already_is_not_opened(folder):
    split = Road(small_settings(), folder).split
    assert Road(RunSettings(box=BoxSettings(kind="svm")), split=split).labelled.split is split


def test_rules_made_elsewhere_are_merged_as_they_stand(folder):
    settings = small_settings()
    schema = Road(settings, folder).labelled.schema
    rules = [schema.rule({"job": ["none"]}, "no"), schema.rule({"age": (40, 200)}, "yes")]
    write_rules(folder / "rules", rules, schema)
    road = Road(replace(settings, rules=RuleSettings(file="rules")), folder)
    assert road.rules == road.brought == rules
    assert {local.record for local in road.local_rules} == {NO_RECORD}
    assert road.local_rules[0].precision == 1
    assert road.hierarchy.finished


def with_predictions(folder):
    frame = pd.read_csv(folder / "table")
    frame.assign(said=frame["answer"].where(frame["age"] < 70, "no")).to_csv(
        folder / "table", index=False
    )
    data = replace(small_settings().data, roles={"answer": "target", "said": "predictions"})
    return replace(small_settings(), data=data, box=BoxSettings(source="predictions"))


def test_predictions_are_explained_as_they_are_given(folder):
    road = Road(with_predictions(folder), folder)
    said = road.split.table.predictions
    assert isinstance(road.black_box, StandIn)
    assert (road.labelled.reference.labels == said[road.split.parts.explain]).all()
    assert (road.labelled.held_out.labels == said[road.split.parts.test]).all()


@pytest.mark.parametrize("stood_in_for", [False, True])
def test_drawn_records_are_merged_on_where_that_is_asked_for(folder, stood_in_for):
    settings = with_predictions(folder) if stood_in_for else small_settings()
    road = Road(replace(settings, synthetic=True), folder)
    assert road.reference is not road.labelled.reference
    assert road.hierarchy.fingerprint == road.reference.fingerprint()
    assert road.theory.fidelity(road.labelled.held_out) > 0.8
    assert replace(settings, synthetic=True).key("merge") != settings.key("merge")
    assert replace(settings, synthetic=True).key("rules") == settings.key("rules")


def test_what_is_wrong_is_a_sentence(folder):
    with pytest.raises(GLocalXError, match="No table is chosen"):
        _ = Road(RunSettings()).split
    with pytest.raises(GLocalXError, match="is no longer there"):
        _ = Road(RunSettings(data=DataSettings(file="none", name="n.csv")), folder).split
    with pytest.raises(GLocalXError, match="at least 1 record"):
        _ = Road(small_settings(0), folder).local_rules


def test_a_pool_explains_each_record_from_several_seeds(folder, workspace):
    settings = small_settings(30)
    pooled = replace(settings, rules=replace(settings.rules, pool=3))
    one, road = Road(settings, folder), Road(pooled, folder)
    assert pooled.key("model") == settings.key("model")
    assert pooled.key("rules") != settings.key("rules")
    progress = [step for step in road.iter_to("rules") if step.stage == "rules"]
    assert (progress[-1].done, progress[-1].total) == (90, 90)
    assert road.local_rules[:30] == one.local_rules  # the first seed is the run's own
    records = [local.record for local in one.local_rules]
    assert [local.record for local in road.local_rules] == records * 3
    draws = [
        [local.rule for local in road.local_rules[start : start + 30]] for start in (0, 30, 60)
    ]
    assert draws[0] != draws[1] != draws[2] != draws[0]
    assert set(road.hierarchy.local_rules) == {rule for draw in draws for rule in draw}
    run = workspace.create("me", "People", pooled, {"table": small_table()})
    stages = OpenedRun(run).iter_to("rules")
    while (begun := next(stages)).stage != "rules" or begun.done < 1:  # stopped in the midst
        pass
    stages.close()
    for _ in OpenedRun(run).iter_to("rules"):
        pass
    assert OpenedRun(run).local_rules == road.local_rules


def test_no_two_pools_share_a_seed():
    seeds = [seed_of(seed, draw) for seed in range(40) for draw in range(10)]
    assert len(set(seeds)) == len(seeds)
    assert [seed_of(seed, 0) for seed in range(40)] == list(range(40))


def test_a_pool_of_nothing_is_refused():
    with pytest.raises(GLocalXError, match="at least 1 seed"):
        RuleSettings(pool=0)


def test_drawn_records_are_explained_in_the_place_of_the_tables_own(folder, workspace):
    settings = small_settings(40)
    drawn = replace(settings, data=replace(settings.data, drawn=True))
    assert replace(drawn, data=replace(drawn.data, drawn=None)).key("model") == settings.key(
        "model"
    )
    assert drawn.key("model") != settings.key("model")
    own, road = Road(settings, folder), Road(drawn, folder)
    assert road.split.drawn
    assert not own.split.drawn
    assert len(road.split.explain) == len(own.split.explain)
    assert not road.split.explain.equals(own.split.explain)
    assert road.split.test.equals(own.split.test)  # scored on records of the table
    assert list(road.labelled.reference.labels) == list(road.black_box.labels(road.split.explain))
    assert any("drawn from the distribution" in f.sentence for f in road.split.table.findings)
    assert road.theory.size
    run = workspace.create("me", "People", drawn, {"table": small_table()})
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    assert OpenedRun(run).theory == road.theory
    answers = replace(drawn.data, roles={"answer": "target", "job": "predictions"})
    with pytest.raises(GLocalXError, match="no model to ask"):
        _ = Road(replace(drawn, data=answers, box=BoxSettings("predictions")), folder).labelled
