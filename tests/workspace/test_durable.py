"""A workspace that neither lies nor locks out: other versions, cut-off saves, full disks."""

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from glocalx.errors import GLocalXError
from glocalx.file_bytes import sweep_beside
from glocalx.files.journals import LocalRulesJournal
from glocalx.workspace import database
from glocalx.workspace.exchange import export_unreadable, run_from_upload
from glocalx.workspace.jobs import NOT_WRITTEN, Jobs
from glocalx.workspace.store import Workspace
from glocalx.workspace.worker import Stop, work
from glocalx.workspace.workers import Worker
from tests.confined.processes import soon
from tests.workspace.conftest import small_settings, small_table

NEW_TABLE = b"age,job,answer\n1,clerk,yes\n2,chief,no\n"


def change_row(workspace, run, **values) -> None:
    with sqlite3.connect(workspace.folder / "runs.sqlite") as opened:
        for name, value in values.items():
            opened.execute(f"UPDATE runs SET {name} = ? WHERE id = ?", (value, run.id))
    opened.close()


def with_setting(run, part: str, name: str, value: object) -> str:
    settings = run.settings.to_dict()
    settings[part][name] = value
    return json.dumps(settings)


def test_one_run_of_another_version_hides_no_other(workspace, small_run):
    good, strange, broken = small_run(), small_run(), small_run()
    change_row(workspace, strange, settings=with_setting(strange, "data", "colour", "red"))
    change_row(workspace, broken, settings="{")
    assert [run.id for run in workspace.runs("me")] == [good.id]
    lost = {run.id: run for run in workspace.unreadable("me")}
    assert set(lost) == {strange.id, broken.id}
    assert "“data.colour”, which this version does not know" in lost[strange.id].sentence
    assert "damaged" in lost[broken.id].sentence
    assert b"settings.json" in export_unreadable(lost[strange.id])
    workspace.delete(lost[strange.id])
    assert not strange.folder.exists()
    with pytest.raises(GLocalXError, match="damaged"):
        workspace.run(broken.id)


def test_a_further_column_changes_nothing(workspace, small_run):
    with sqlite3.connect(workspace.folder / "runs.sqlite") as opened:
        opened.execute("ALTER TABLE runs ADD COLUMN colour TEXT")
    opened.close()
    run = small_run()
    assert workspace.runs("me") == [run]


def test_a_database_of_a_later_version_is_refused_and_an_earlier_one_goes_on(workspace, small_run):
    run = small_run()
    with sqlite3.connect(workspace.folder / "runs.sqlite") as opened:
        opened.execute("ALTER TABLE runs DROP COLUMN link")
        opened.execute("PRAGMA user_version = 0")
    opened.close()
    assert Workspace(workspace.folder).runs("me") == [run]
    with sqlite3.connect(workspace.folder / "runs.sqlite") as opened:
        opened.execute("PRAGMA user_version = 99")
    opened.close()
    with pytest.raises(GLocalXError, match="kept in version 99, and this program knows"):
        Workspace(workspace.folder)


def test_a_save_that_fails_leaves_file_and_row_as_they_were(workspace, small_run, monkeypatch):
    """The file was new, the row old, and the old results counted for the new file."""
    run = small_run()
    work(workspace, run, "model", 1, Stop())
    assert run.done("model")
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    holding = sqlite3.connect(workspace.folder / "runs.sqlite")
    holding.execute("BEGIN IMMEDIATE")
    with pytest.raises(GLocalXError, match="Another program is busy with the list of runs"):
        workspace.save(run, files={"table": NEW_TABLE})
    holding.close()
    assert (run.folder / "table").read_bytes() == small_table()
    assert workspace.run(run.id).done("model")
    assert not list(run.folder.glob(".*coming"))
    changed = workspace.save(run, files={"table": NEW_TABLE})
    assert (run.folder / "table").read_bytes() == NEW_TABLE
    assert not changed.done("model")


def cut_off(monkeypatch, where: str, do: Callable[[], object]) -> None:
    """Do it in a process that ends where this function of the store would be called."""
    with monkeypatch.context() as patched:
        patched.setattr(f"glocalx.workspace.store.{where}", lambda *_, **__: os._exit(9))
        process = os.fork()
        if not process:
            do()
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 9


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_save_that_is_cut_off_is_finished_or_taken_back_at_the_next_start(
    workspace, small_run, monkeypatch, when
):
    """Killed before its row was written, or between that and the file's place."""
    run = small_run()
    where = {"before": "_json", "after": "put_in_place"}[when]
    cut_off(monkeypatch, where, lambda: workspace.save(run, files={"table": NEW_TABLE}))
    assert (run.folder / "table").read_bytes() == small_table()
    assert list(run.folder.glob(".*coming"))
    now = Workspace(workspace.folder).run(run.id)
    assert not list(run.folder.glob(".*coming"))
    expected = {"before": small_table(), "after": NEW_TABLE}[when]
    assert (run.folder / "table").read_bytes() == expected
    assert now.settings == now.settings.with_contents({"table": expected})


@pytest.mark.parametrize(("where", "whole"), [("write", 0), ("put_in_place", 1)])
def test_a_run_that_was_being_made_is_there_whole_or_not_at_all(
    workspace, monkeypatch, where, whole
):
    files = {"table": small_table()}
    cut_off(monkeypatch, where, lambda: workspace.create("me", "N", small_settings(), files))
    assert len(list((workspace.folder / "runs").glob(".*coming"))) == 1
    runs = Workspace(workspace.folder).runs("me")
    assert len(runs) == whole
    assert sorted((workspace.folder / "runs").iterdir()) == [run.folder for run in runs]
    assert all((run.folder / "table").read_bytes() == small_table() for run in runs)


def test_a_run_that_was_being_deleted_is_gone_at_the_next_start(workspace, small_run, monkeypatch):
    run, other = small_run(), small_run()
    cut_off(monkeypatch, "shutil.rmtree", lambda: workspace.delete(run))
    assert len(list((workspace.folder / "runs").iterdir())) == 2
    assert Workspace(workspace.folder).runs("me") == [other]
    assert list((workspace.folder / "runs").iterdir()) == [other.folder]


def test_what_a_killed_writer_left_is_swept_and_what_a_living_one_writes_stays(tmp_path):
    ended = subprocess.Popen([sys.executable, "-Ic", ""])
    ended.wait()
    for name in (f".progress.json.{ended.pid}", f".progress.json.{os.getpid()}", ".lock", "table"):
        (tmp_path / name).touch()
    sweep_beside(tmp_path)
    left = {file.name for file in tmp_path.iterdir()}
    assert left == {f".progress.json.{os.getpid()}", ".lock", "table"}


def full(*_args: object, **_options: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    "where", ["mkdir", "write_bytes", "database"], ids=["folder", "file", "row"]
)
def test_a_full_disk_leaves_nothing_half_made(workspace, small_run, monkeypatch, where):
    run = small_run()
    before = sorted((workspace.folder / "runs").iterdir())
    if where == "database":
        shut = sqlite3.OperationalError("database or disk is full")
        monkeypatch.setattr(Workspace, "_database", lambda _: _raising(shut))
    else:
        monkeypatch.setattr(Path, where, full)
    for attempt in (
        lambda: workspace.create("me", "New", small_settings(), {"table": b"x"}),
        lambda: run_from_upload(workspace, "me", "a.csv", NEW_TABLE),
    ):
        with pytest.raises(GLocalXError, match="no room left on the disk"):
            attempt()
    if where != "mkdir":
        with pytest.raises(GLocalXError, match="no room left on the disk"):
            workspace.save(run, files={"table": b"x"})
    monkeypatch.undo()
    assert sorted((workspace.folder / "runs").iterdir()) == before
    assert workspace.runs("me") == [run]
    assert (run.folder / "table").read_bytes() == small_table()


def _raising(error: sqlite3.Error):
    raise GLocalXError(database._sentence(error)) from error


def test_a_copy_that_does_not_fit_is_taken_back(workspace, small_run, monkeypatch):
    run = small_run()
    monkeypatch.setattr(shutil, "copy2", full)
    with pytest.raises(GLocalXError, match="no room left on the disk"):
        workspace.duplicate(run, "me")
    assert workspace.runs("me") == [run]
    assert len(list((workspace.folder / "runs").iterdir())) == 1


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("attempt to write a readonly database", "cannot be written to"),
        ("unable to open database file", "cannot be written to"),
        ("database is locked", "Another program is busy"),
        ("file is not a database", "cannot be read (file is not a database)"),
    ],
)
def test_what_is_wrong_with_the_database_is_said(said, sentence):
    assert sentence in database._sentence(sqlite3.OperationalError(said))


def test_work_on_a_full_disk_says_so(workspace, small_run, monkeypatch, capfd):
    run = small_run()
    monkeypatch.setattr("glocalx.workspace.opened_run.write_labels", full)
    work(workspace, run, "model", 1, Stop())
    jobs = Jobs(workspace, ready_after=None)
    state = jobs.state(run)
    assert (state.state, "no room left" in state.sentence) == ("failed", True)
    assert "Traceback" not in capfd.readouterr().err


def test_a_journal_that_cannot_be_written_does_not_tell_where_it_is(tmp_path):
    (tmp_path / "rules.jsonl").mkdir()
    with pytest.raises(OSError, match="directory") as raised:
        LocalRulesJournal(tmp_path / "rules.jsonl", {"key": "a"})
    said = database.disk_sentence(raised.value)
    assert said.endswith("Try again.")
    assert str(tmp_path) not in said


def test_work_that_cannot_even_say_so_is_not_silent(workspace, small_run):
    run = small_run()
    jobs = Jobs(workspace, ready_after=None)
    hears, says = os.pipe(), os.pipe()
    jobs._working[run.id] = Worker(hears[1], says[0])
    os.write(says[1], f"1\n{NOT_WRITTEN}\n".encode())
    for opened in (hears[0], says[1]):
        os.close(opened)
    assert soon(lambda: not jobs.state(run).busy)
    state = jobs.state(run)
    assert (state.state, "no room left" in state.sentence) == ("failed", True)


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("data", "roles", [1]),
        ("data", "roles", {"age": "king"}),
        ("data", "seed", -1),
        ("data", "seed", True),
        ("data", "train", "x"),
        ("data", "train", 0.9),
        ("data", "bands", [None]),
        ("data", "file", "../../x"),
        ("data", "most_rows", 0),
        ("box", "kind", "os.system"),
        ("box", "trusted", "abc"),
        ("box", "columns", [1]),
        ("box", "renamed", {"a": 1}),
        ("rules", "records", -3),
        ("merge", "batch_size", 1.5),
        ("merge", "fidelity_weight", float("nan")),
        ("selection", "value", "many"),
        ("selection", "steering", [7]),
        ("selection", "conditions", 0),
    ],
)
def test_settings_of_a_run_are_checked_like_a_persons(small_run, part, name, value):
    from glocalx.pipeline.settings import RunSettings

    settings = small_run().settings
    data = settings.to_dict()
    assert RunSettings.from_dict(data) == settings
    data[part][name] = value
    with pytest.raises(GLocalXError, match=rf"“{part}\.\w+” of this run is .*Start a new run"):
        RunSettings.from_dict(data)


def test_every_setting_has_its_check():
    """One that is added without is refused in every run that is opened again."""
    from dataclasses import fields
    from typing import get_args

    from glocalx.blackbox.presets import ModelKind, Preset
    from glocalx.pipeline import settings_check
    from glocalx.pipeline.settings import RunSettings
    from glocalx.questions.permissions import MayChange
    from glocalx.table.kinds import COLUMN_KINDS
    from glocalx.table.roles import ROLES

    default = RunSettings()
    assert {part.name for part in fields(default)} == set(settings_check._PARTS)
    for part, table in settings_check._TABLES.items():
        assert {each.name for each in fields(getattr(default, part))} == set(table), part
    extraction = {each.name for each in fields(default.rules.extraction)}
    assert extraction == set(settings_check._EXTRACTION)
    assert set(ROLES) == set(settings_check.ROLES)
    assert set(COLUMN_KINDS) == set(settings_check.KINDS)
    assert set(get_args(MayChange)) == set(settings_check.MAY_CHANGE)
    for kind in get_args(ModelKind):
        assert settings_check._TABLES["box"]["kind"](kind)
    for preset in get_args(Preset):
        assert settings_check._TABLES["box"]["preset"](preset)
    assert RunSettings.from_dict(replace(default, synthetic=True).to_dict()).synthetic
