"""Work in processes of its own: done, stopped, killed, resumed."""

import os
import signal
import time

import pytest

from glocalx.errors import GLocalXError
from glocalx.pipeline.road import Progress
from glocalx.pipeline.settings import BoxSettings
from glocalx.workspace.jobs import Jobs
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.quota import Quota
from glocalx.workspace.run import read_progress
from glocalx.workspace.worker import ProgressFile, work
from tests.confined.processes import soon
from tests.patience import PATIENCE
from tests.workspace.kept_waiting import kept_waiting


@pytest.fixture
def jobs(workspace):
    running = Jobs(workspace, at_once=1, ready_after=None)
    yield running
    running.close()


def wait(jobs, run, until):
    deadline = time.monotonic() + PATIENCE
    while not until(state := jobs.state(run)):
        assert time.monotonic() < deadline, state
        time.sleep(0.02)
    return state


def idle(state):
    return not state.busy


def test_work_is_done_in_the_background_one_run_after_the_other(workspace, jobs, small_run):
    first, second = small_run(), small_run()
    assert jobs.state(first).state == "idle"
    jobs.start(first, "merge")
    jobs.start(first, "merge")
    jobs.start(second, "model")
    assert jobs.state(first).state == "running"
    assert jobs.state(second).state == "waiting"
    assert wait(jobs, second, idle).state == "done"
    assert jobs.state(first).state == "done"
    assert first.missing("merge") == []
    assert workspace.run(first.id).figures["fidelity"] > 0.9


def test_work_stops_when_asked_and_goes_on_later(jobs, small_run):
    run, waiting = small_run(records=80), small_run()
    with kept_waiting(run.folder):
        jobs.start(run, "merge")
        jobs.start(waiting, "model")
        jobs.stop(waiting)
        assert jobs.state(waiting).state == "stopped"
        assert jobs.state(run).state == "running"
        jobs.stop(run)
    state = wait(jobs, run, idle)
    assert (state.state, state.until) == ("stopped", "merge")
    assert "merge" in run.missing("merge")
    jobs.start(run, "merge")
    assert wait(jobs, run, idle).state == "done"
    assert run.missing("merge") == []


class StopAfter:
    """Asks the work to stop when it has been asked so often whether to."""

    state = "stopped"

    def __init__(self, often):
        self.left = often

    def __call__(self):
        self.left -= 1
        return self.left < 0


def test_work_stops_in_the_middle_of_a_stage(workspace, small_run):
    run = small_run()
    stop = StopAfter(3)
    work(workspace, run, "merge", 1, stop)
    assert stop.left < 0
    assert read_progress(run.folder)["state"] == "stopped"
    assert "merge" in run.missing("merge")
    work(workspace, run, "merge", 1, StopAfter(10**9))
    assert read_progress(run.folder)["state"] == "done"
    assert run.missing("merge") == []


def test_what_a_person_can_put_right_is_a_sentence(workspace, jobs, small_run):
    run = small_run()
    settings = run.settings
    run = workspace.save(run, settings=type(settings)(settings.data, BoxSettings(source="model")))
    jobs.start(run, "merge")
    state = wait(jobs, run, idle)
    assert state.state == "failed"
    assert "No model file" in state.sentence
    mended = workspace.save(run, settings=settings)
    assert jobs.state(mended).state == "idle"  # the sentence was about other settings


def test_work_that_was_done_or_waited_in_a_dead_server_goes_on(workspace, jobs, small_run):
    working, waiting = small_run(records=80), small_run(records=20)
    dead = Jobs(workspace, at_once=1, ready_after=None)
    with kept_waiting(working.folder):
        dead.start(working, "merge")
        dead.start(waiting, "rules")
        worker = dead._working[working.id]
        worker.let_go()  # what the end of the server does
    assert worker.wait(PATIENCE)
    assert jobs.state(working).state == "interrupted"
    state = jobs.state(waiting)
    assert (state.state, state.until) == ("interrupted", "rules")
    jobs.start(working, "merge")
    jobs.start(waiting, state.until)
    assert wait(jobs, waiting, idle).state == "done"
    assert jobs.state(working).state == "done"
    assert waiting.missing("rules") == []


def test_a_killed_worker_counts_as_interrupted(jobs, small_run):
    run = small_run()
    with kept_waiting(run.folder):
        jobs.start(run, "merge")
        worker = jobs._working[run.id]
        assert soon(lambda: worker.process_id)
        os.kill(worker.process_id, signal.SIGKILL)
        assert wait(jobs, run, idle).state == "interrupted"
    jobs.start(run, "merge")
    assert wait(jobs, run, idle).state == "done"


def test_the_time_that_is_left_is_that_of_the_pace_not_of_getting_ready(small_run, monkeypatch):
    run, clock = small_run(), iter([100.0, 104.0])
    file = ProgressFile(run, "rules")
    monkeypatch.setattr("glocalx.workspace.worker.time.time", lambda: next(clock))
    file.note(Progress("rules", 0, 50))  # a minute of getting ready
    assert read_progress(run.folder)["left"] is None
    file.note(Progress("rules", 10, 50))
    assert read_progress(run.folder)["left"] is None
    file.note(Progress("rules", 30, 50))
    assert read_progress(run.folder)["left"] == pytest.approx(4.0)
    file.note(Progress("rules", 20, 50))  # a block that was counted before
    assert read_progress(run.folder)["done"] == 30


@pytest.mark.parametrize("jobs", [1, 2])
def test_rules_are_counted_inside_a_block(small_run, jobs, monkeypatch):
    monkeypatch.setattr("glocalx.pipeline.extracting.ONE_CORE_RECORDS", 0)
    monkeypatch.setattr("glocalx.extraction.iterate._LOOK_SECONDS", 0.001)
    run, told = small_run(), []
    for _ in OpenedRun(run, jobs=jobs, tell=told.append).iter_to("rules"):
        pass
    counts = [each.done for each in told]
    assert counts == sorted(counts)
    assert len({*counts} - {0}) > 1


def test_the_queue_is_fair_and_tells_the_place(workspace, small_run):
    """Whoever brings many runs does not keep others waiting for all of them."""
    jobs = Jobs(workspace, at_once=1, ready_after=None)
    many = [small_run(owner="many") for _ in range(3)]
    single = small_run(owner="single")
    try:
        with kept_waiting(many[0].folder):
            for run in (*many, single):
                jobs.start(run, "model")
            assert jobs.state(many[0]).state == "running"
            assert [jobs.state(run).place for run in (single, *many[1:])] == [1, 2, 3]
            for run in (single, *many):
                jobs.stop(run)
    finally:
        jobs.close()


def test_there_is_an_end_to_what_one_person_can_have_waiting(workspace, small_run):
    workspace.quota = Quota(waiting=1)
    jobs = Jobs(workspace, at_once=1, ready_after=None)
    first, second, third, other = (small_run(owner=who) for who in ("me", "me", "me", "you"))
    try:
        with kept_waiting(first.folder):
            jobs.start(first, "model")
            jobs.start(second, "model")
            with pytest.raises(GLocalXError, match="1 of your runs are waiting already"):
                jobs.start(third, "model")
            jobs.start(other, "model")
            assert jobs.state(other).state == "waiting"
            for run in (first, second, other):
                jobs.stop(run)
    finally:
        jobs.close()
