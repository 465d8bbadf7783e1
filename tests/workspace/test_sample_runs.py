"""The samples' runs that come with the project are what the program would make today."""

from glocalx.pipeline.extracting import iter_rules
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.sample_runs import open_sample


def test_the_first_sample_opens_finished(workspace):
    run = open_sample(workspace, "me", "compas")
    assert run.missing("merge") == []
    assert run.figures["rules"] <= 10
    assert run.figures["fidelity"] > 0.85


def test_the_prepared_rules_are_those_that_are_made_today(workspace):
    run = open_sample(workspace, "me", "compas")
    saved = run.file("model").read_bytes()
    opened = OpenedRun(run)
    list(opened.iter_to("merge"))  # trains the black box again
    assert run.file("model").read_bytes() == saved
    blocks = iter_rules(opened.labelled, opened.black_box, run.settings.rules, records=range(40))
    made = [rule for block in blocks for rule in block.rules]
    assert made == opened.local_rules[:40]
    assert opened.figures() == run.figures
