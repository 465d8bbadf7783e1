"""Work in processes of its own: done, stopped, killed, resumed."""

import os
import signal
import time

import pytest

from glocalx.pipeline.settings import BoxSettings
from glocalx.workspace.jobs import Jobs


@pytest.fixture
def jobs(workspace):
    running = Jobs(workspace, at_once=1, ready_after=None)
    yield running
    running.close()


def wait(jobs, run, until, seconds=240):
    deadline = time.monotonic() + seconds
    while not until(state := jobs.state(run)):
        assert time.monotonic() < deadline, state
        time.sleep(0.02)
    return state


def idle(state):
    return not state.busy


def at_work(state):
    return state.stage is not None


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
    jobs.start(run, "merge")
    jobs.start(waiting, "model")
    jobs.stop(waiting)
    assert jobs.state(waiting).state == "stopped"
    wait(jobs, run, at_work)
    jobs.stop(run)
    state = wait(jobs, run, idle)
    assert state.state in ("stopped", "done")
    assert state.until == "merge"
    jobs.start(run, "merge")
    assert wait(jobs, run, idle).state == "done"


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
    dead.start(working, "merge")
    dead.start(waiting, "rules")
    wait(dead, working, at_work)
    process = dead._working[working.id]
    process.stdin.close()  # what the end of the server does
    process.wait(60)
    assert jobs.state(working).state in ("interrupted", "done")
    state = jobs.state(waiting)
    assert (state.state, state.until) == ("interrupted", "rules")
    jobs.start(working, "merge")
    jobs.start(waiting, state.until)
    assert wait(jobs, waiting, idle).state == "done"
    assert jobs.state(working).state == "done"
    assert waiting.missing("rules") == []


def test_a_killed_worker_counts_as_interrupted(jobs, small_run):
    run = small_run()
    jobs.start(run, "merge")
    wait(jobs, run, at_work)
    os.kill(jobs._working[run.id].pid, signal.SIGKILL)
    assert wait(jobs, run, idle).state in ("interrupted", "done")
    jobs.start(run, "merge")
    assert wait(jobs, run, idle).state == "done"
