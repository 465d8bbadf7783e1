"""The samples' runs that come with the project are what the program would make today."""

from glocalx.pipeline.extracting import iter_rules
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.sample_runs import open_loans, open_sample


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


def test_the_loans_have_a_cut_that_narrows_and_open_once(workspace):
    run = open_loans(workspace, "me")
    assert open_loans(workspace, "me").id == run.id
    assert open_loans(workspace, "somebody else").id != run.id
    opened = OpenedRun(run)
    for _ in opened.iter_to("merge"):
        pass
    cuts = [cut for step in opened.hierarchy.steps for cut in step.cuts]
    assert len([cut for cut in cuts if cut.after not in (None, cut.before)]) == 2
    assert opened.reference.size == len(opened.local_rules) == 20
