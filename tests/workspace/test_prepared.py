"""The samples' runs that come with the project are what the program would make today."""

from glocalx.extraction.iterate import local_rules
from glocalx.workspace.black_boxes import open_black_box
from glocalx.workspace.opening import OpenedRun
from glocalx.workspace.prepared import open_sample
from glocalx.workspace.stages import figures, iter_run


def test_the_first_sample_opens_finished(workspace):
    run = open_sample(workspace, "me", "compas")
    assert run.missing("merge") == []
    assert run.figures["rules"] <= 10
    assert run.figures["fidelity"] > 0.85


def test_the_prepared_rules_are_those_that_are_made_today(workspace):
    run = open_sample(workspace, "me", "compas")
    saved = run.file("model").read_bytes()
    opened = OpenedRun(run)
    list(iter_run(run, "merge", 1, lambda: False, opened))  # trains the black box again
    assert run.file("model").read_bytes() == saved
    shared, facts = opened.shared, opened.facts
    made = local_rules(
        shared.explain,
        open_black_box(run, shared, facts.answers.facts),
        facts.schema,
        background=shared.train,
        settings=run.settings.rules.extraction,
        seed=shared.parts.seed,
        records=range(40),
    )
    assert list(made) == opened.local_rules[:40]
    assert figures(opened) == run.figures
