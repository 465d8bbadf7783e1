"""How far a run has come, and what it costs to ask."""

from pathlib import Path

import pytest

from glocalx.pipeline.settings import STAGES
from glocalx.workspace import run as run_module
from glocalx.workspace.sample_runs import open_sample


@pytest.fixture
def opened(monkeypatch):
    """The files that were opened."""
    files = []
    plain = Path.open

    def counted(path, *arguments, **options):
        files.append(path.name)
        return plain(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", counted)
    return files


def test_a_result_is_read_once_as_long_as_it_stays(workspace, opened):
    run = open_sample(workspace, "me", "compas")
    run_module._read_result.cache_clear()
    opened.clear()
    for _ in range(10):
        again = workspace.run(run.id)
        assert again.missing("merge") == []
        assert all(again.begun(stage) for stage in STAGES)
    assert sorted(opened) == sorted(run.file(stage).name for stage in STAGES)


def test_a_result_that_changes_is_read_again(workspace):
    run = open_sample(workspace, "me", "compas")
    whole = run.file("merge").read_bytes()
    run.file("merge").write_bytes(whole[: len(whole) // 2])
    assert (run.done("merge"), run.begun("merge")) == (False, True)
    run.file("merge").write_bytes(whole)
    assert run.done("merge")
    run.file("merge").write_bytes(whole.replace(run.settings.key("merge").encode(), b"0" * 16, 1))
    assert not run.begun("merge")
    run.file("merge").unlink()
    assert run.missing("merge") == ["merge"]


def test_settings_that_nobody_changed_are_one_object(workspace):
    run = open_sample(workspace, "me", "compas")
    assert workspace.run(run.id).settings is workspace.run(run.id).settings
    assert workspace.save(run, name="Other").settings == run.settings
