"""The list of runs and their folders."""

import threading
from dataclasses import replace

import pytest

from glocalx.errors import GLocalXError
from glocalx.merging.search import MergeSettings
from glocalx.pipeline.settings import BoxSettings, SelectionSettings
from glocalx.workspace.store import Workspace
from glocalx.workspace.worker import Stop, work


def test_a_run_is_found_again_by_another_server(workspace, small_run):
    run = small_run()
    again = Workspace(workspace.folder).run(run.id)
    assert again == run
    assert (again.folder / "table").read_bytes().startswith(b"age,job")


def test_runs_belong_to_their_owner_newest_first(workspace, small_run):
    first, second, other = small_run(), small_run(), small_run(owner="you")
    workspace.save(first, name="Renamed")
    assert [run.id for run in workspace.runs("me")] == [first.id, second.id]
    assert [run.id for run in workspace.runs("you")] == [other.id]
    assert workspace.runs("nobody") == []
    assert workspace.run(first.id).name == "Renamed"


def other_merge(run):
    return replace(run.settings, merge=MergeSettings(batch_size=7))


def test_figures_are_added_and_settings_replaced(workspace, small_run):
    run = workspace.save(small_run(), figures={"local_rules": 3})
    run = workspace.save(run, settings=other_merge(run), figures={"fidelity": 0.5})
    assert run.figures == {"local_rules": 3, "fidelity": 0.5}
    assert run.settings.merge.batch_size == 7


def test_figures_hold_as_long_as_the_settings_they_were_made_with(workspace, small_run):
    run = workspace.save(small_run(), figures={"black_box": "SVM", "local_rules": 9, "rules": 3})
    merged_otherwise = workspace.save(run, settings=other_merge(run))
    assert merged_otherwise.figures == {"black_box": "SVM", "local_rules": 9}
    trained_otherwise = replace(run.settings, box=BoxSettings(kind="rf"))
    assert workspace.save(run, settings=trained_otherwise).figures == {}
    assert workspace.save(run, settings=run.settings).figures == run.figures
    assert workspace.duplicate(run, "me").figures == run.figures
    assert workspace.duplicate(run, "me", trained_otherwise).figures == {}


def test_figures_of_work_that_began_before_a_change_do_not_hold_after_it(workspace, small_run):
    before = small_run()
    workspace.save(before, settings=other_merge(before))
    assert workspace.save(before, figures={"rules": 3, "records": 400}).figures == {"records": 400}


def test_work_tells_the_figures_of_the_theory_chosen_meanwhile(workspace, small_run):
    at_start = small_run()
    chosen = replace(at_start.settings, selection=SelectionSettings("alpha", 1))
    workspace.save(at_start, settings=chosen)
    work(workspace, at_start, "merge", 1, Stop())
    assert workspace.run(at_start.id).figures["rules"] == 2  # 1 by the budget


def test_other_content_under_the_same_name_is_another_setting(workspace, small_run):
    run = small_run()
    again = workspace.save(run, files={"table": b"age,job,answer\n"})
    assert again.settings.data.content != run.settings.data.content
    assert again.settings.key("model") != run.settings.key("model")
    assert workspace.save(again, name="x").settings == again.settings


def test_a_copy_has_the_files_and_its_own_life(workspace, small_run):
    run = small_run()
    copy = workspace.duplicate(run, "you")
    assert copy.owner == "you"
    assert copy.name == "People (copy)"
    assert (copy.folder / "table").read_bytes() == (run.folder / "table").read_bytes()
    workspace.delete(run)
    assert workspace.run(copy.id) == copy
    assert not run.folder.exists()


def test_a_deleted_run_is_gone(workspace, small_run):
    run = small_run()
    workspace.delete(run)
    with pytest.raises(GLocalXError, match="no such run"):
        workspace.run(run.id)


@pytest.mark.parametrize("identity", ["../../etc", "", "a/b", "x" * 100, "ümlaut-ümlaut"])
def test_an_id_is_never_a_path(workspace, identity):
    with pytest.raises(GLocalXError, match="no such run"):
        workspace.folder_of(identity)


def test_a_name_is_one_line_and_never_empty(workspace, small_run):
    assert workspace.save(small_run(), name=" two\nlines " + "x" * 200).name.startswith("two lines")
    with pytest.raises(GLocalXError, match="needs a name"):
        workspace.save(small_run(), name=" \n ")


def test_many_sessions_write_at_once_and_none_undoes_another(workspace, small_run):
    run = small_run()

    def write(changes):
        for change in changes:
            workspace.save(run, **change)

    sessions = [
        [{"figures": {"rules": number}} for number in range(30)],
        [{"figures": {"fidelity": number / 30}} for number in range(31)],
        [{"name": f"n{number}"} for number in range(30)],
    ]
    threads = [threading.Thread(target=write, args=(changes,)) for changes in sessions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    now = workspace.run(run.id)
    assert (now.name, now.figures) == ("n29", {"rules": 29, "fidelity": 1.0})


def test_a_folder_that_cannot_be_used_is_said(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(GLocalXError, match="GLOCALX_WORKSPACE"):
        Workspace(tmp_path / "file")
