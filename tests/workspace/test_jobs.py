"""Work in processes of its own: done, stopped, killed, resumed."""

import os
import signal
import time

import pytest

from glocalx.workspace.jobs import Jobs
from glocalx.workspace.run import PROGRESS
from glocalx.workspace.settings import BoxSettings


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


def test_work_is_done_in_the_background(workspace, jobs, small_run):
    run = small_run()
    assert jobs.state(run).state == "idle"
    jobs.start(run, "merge")
    jobs.start(run, "merge")
    assert jobs.state(run).busy
    assert wait(jobs, run, idle).state == "done"
    assert run.missing("merge") == []
    assert workspace.run(run.id).figures["fidelity"] > 0.9


def test_work_stops_when_asked_and_goes_on_later(jobs, small_run):
    run = small_run(records=80)
    jobs.start(run, "merge")
    wait(jobs, run, lambda state: state.stage is not None)
    jobs.stop(run)
    state = wait(jobs, run, idle)
    assert state.state in ("stopped", "done")
    assert state.until == "merge"
    jobs.start(run, "merge")
    assert wait(jobs, run, idle).state == "done"


def test_a_second_run_waits_for_its_turn(jobs, small_run):
    first, second = small_run(), small_run()
    jobs.start(first, "merge")
    jobs.start(second, "model")
    assert jobs.state(second).state == "waiting"
    assert wait(jobs, second, idle).state == "done"
    assert jobs.state(first).state == "done"


def test_what_a_person_can_put_right_is_a_sentence(workspace, jobs, small_run):
    run = small_run()
    settings = run.settings
    run = workspace.save(run, settings=type(settings)(settings.data, BoxSettings(source="model")))
    jobs.start(run, "merge")
    state = wait(jobs, run, idle)
    assert state.state == "failed"
    assert "No model file" in state.sentence


def test_work_of_a_dead_server_ends_and_goes_on(workspace, small_run):
    run = small_run(records=80)
    dead = Jobs(workspace, ready_after=None)
    dead.start(run, "merge")
    wait(dead, run, lambda state: state.stage is not None)
    process = dead._working[run.id]
    process.stdin.close()  # what the end of the server does
    process.wait(30)
    jobs = Jobs(workspace, ready_after=None)
    assert jobs.state(run).state in ("interrupted", "done")
    jobs.start(run, "merge")
    assert wait(jobs, run, idle).state == "done"
    jobs.close()
    dead.close()


def test_a_killed_worker_counts_as_interrupted(jobs, small_run):
    run = small_run()
    jobs.start(run, "merge")
    wait(jobs, run, lambda state: (run.folder / PROGRESS).exists())
    os.kill(jobs._working[run.id].pid, signal.SIGKILL)
    assert wait(jobs, run, idle).state in ("interrupted", "done")
    jobs.start(run, "merge")
    assert wait(jobs, run, idle).state == "done"
