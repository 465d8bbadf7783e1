"""The work of a run: to the end, stopped and resumed, with the same result."""

from dataclasses import replace
from itertools import islice

import pytest

from glocalx.errors import GLocalXError
from glocalx.files import write_rules
from glocalx.merging.search import MergeSettings
from glocalx.pipeline import tables
from glocalx.pipeline.extracting import NO_RECORD
from glocalx.pipeline.settings import BoxSettings, DataSettings, RuleSettings
from glocalx.table import read_table
from glocalx.workspace.opened_run import OpenedRun


def finish(run):
    return list(OpenedRun(run).iter_to("merge"))


def facts_of(run):
    return OpenedRun(run).labelled


def test_a_run_goes_from_table_to_hierarchy(small_run):
    run = small_run()
    assert run.missing("merge") == ["model", "rules", "merge"]
    stages = [progress.stage for progress in finish(run)]
    assert sorted(set(stages), key=stages.index) == ["model", "rules", "merge"]
    assert run.missing("merge") == []
    opened = OpenedRun(run)
    records = [rule.record for rule in opened.local_rules]
    assert records == sorted(set(records))
    assert len(records) == 60
    assert opened.hierarchy.finished
    made = opened.figures()
    assert made["local_rules"] == 60
    assert made["different_rules"] == len(opened.hierarchy.local_rules)
    assert made["fidelity"] > 0.9


def test_the_table_is_read_once_and_the_figures_are_those_of_the_files(small_run, monkeypatch):
    run, read = small_run(), []
    monkeypatch.setattr(
        tables, "read_table", lambda *given: read.append(given) or read_table(*given)
    )
    opened = OpenedRun(run)
    list(opened.iter_to("merge"))
    made = opened.figures()
    assert len(read) == 1
    assert made == OpenedRun(run).figures()


def test_nothing_is_done_twice(small_run):
    run = small_run()
    finish(run)
    before = {file.name: file.stat().st_mtime_ns for file in run.folder.iterdir()}
    assert finish(run) == []
    assert {file.name: file.stat().st_mtime_ns for file in run.folder.iterdir()} == before


@pytest.mark.parametrize("drawn", [0, 1, 6, 7, 8, 9])
def test_stopped_anywhere_it_goes_on_to_the_same_result(small_run, drawn, monkeypatch):
    monkeypatch.setattr("glocalx.pipeline.extracting.ROWS_PER_BLOCK", 1000)
    monkeypatch.setattr("glocalx.workspace.opened_run.FLUSH_SECONDS", 0)
    whole, parts = small_run(), small_run()
    finish(whole)
    work = OpenedRun(parts).iter_to("merge")
    list(islice(work, drawn))
    work.close()
    finish(parts)
    for stage in ("model", "rules", "merge"):
        assert parts.file(stage).read_bytes() == whole.file(stage).read_bytes()


def test_a_cut_line_is_written_again(small_run):
    whole, cut = small_run(), small_run()
    finish(whole)
    finish(cut)
    for stage in ("rules", "merge"):
        data = cut.file(stage).read_bytes()
        cut.file(stage).write_bytes(data[: len(data) * 2 // 3])
        assert not cut.done(stage)
        assert cut.begun(stage)
    finish(cut)
    for stage in ("rules", "merge"):
        assert cut.file(stage).read_bytes() == whole.file(stage).read_bytes()


def test_other_settings_make_only_what_depends_on_them_again(workspace, small_run):
    run = small_run()
    finish(run)
    rules = run.file("rules").read_bytes()
    run = workspace.save(run, settings=replace(run.settings, merge=MergeSettings(batch_size=4)))
    assert run.missing("merge") == ["merge"]
    assert {progress.stage for progress in finish(run)} == {"merge"}
    assert run.file("rules").read_bytes() == rules


def test_rules_made_elsewhere_are_measured_here(workspace, small_run):
    run = small_run()
    finish(run)
    facts = facts_of(run)
    path = run.folder / "rules"
    rule = facts.schema.rule({"job": ["none"]}, "no")
    write_rules(path, [rule, rule], facts.schema)
    settings = replace(run.settings, rules=RuleSettings(file="rules", name="other.json"))
    run = workspace.save(run, settings=settings)
    finish(run)
    (local,) = OpenedRun(run).local_rules
    assert local.record == NO_RECORD
    assert local.judged == facts.reference.size
    assert local.precision == 1


def test_a_column_of_predictions_needs_no_model(workspace, small_run):
    run = small_run()
    table = (run.folder / "table").read_text().splitlines()
    lines = [f"{line},{line.split(',')[-1] if i else 'said'}" for i, line in enumerate(table)]
    data = replace(run.settings.data, roles={"answer": "target", "said": "predictions"})
    settings = replace(run.settings, data=data, box=BoxSettings(source="predictions"))
    run = workspace.save(run, settings=settings, files={"table": "\n".join(lines).encode()})
    finish(run)
    facts = facts_of(run)
    assert facts.facts["trained"]["agreement"] > 0.9
    assert facts.reference.size == len(facts.reference.labels)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"data": DataSettings()}, "No table is chosen"),
        ({"data": DataSettings(file="table", name="g.csv")}, "is no longer there"),
        ({"box": BoxSettings(source="model")}, "No model file is chosen"),
        ({"box": BoxSettings(source="model", file="model", name="m.onnx")}, "Bring it again"),
        ({"box": BoxSettings(source="predictions")}, "No column holds the predictions"),
    ],
)
def test_what_is_missing_is_said(workspace, small_run, settings, sentence):
    run = small_run()
    run = workspace.save(run, settings=replace(run.settings, **settings))
    if "no longer" in sentence:
        (run.folder / "table").unlink()
    with pytest.raises(GLocalXError, match=sentence):
        finish(run)
