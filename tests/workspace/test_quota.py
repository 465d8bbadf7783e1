"""What one person may keep on a server that is shared."""

import pytest

from glocalx.errors import GLocalXError
from glocalx.workspace.quota import Quota
from glocalx.workspace.store import Workspace
from tests.workspace.conftest import small_settings


def test_each_person_has_so_many_runs_and_bytes(tmp_path):
    shared = Workspace(tmp_path, Quota(runs=2, megabytes=1))
    run = shared.create("me", "One", small_settings(), {"table": bytes(800_000)})
    with pytest.raises(GLocalXError, match="would take 2 MB, and may take 1 MB"):
        shared.create("me", "Too large", small_settings(), {"table": bytes(800_000)})
    shared.create("me", "Two", small_settings())
    with pytest.raises(GLocalXError, match="You have 2 runs, and may have 2"):
        shared.create("me", "Three", small_settings())
    shared.create("you", "Another person's", small_settings())
    shared.delete(run)
    assert shared.create("me", "In its place", small_settings()).name == "In its place"


def test_a_larger_file_in_a_run_counts_too(tmp_path):
    shared = Workspace(tmp_path, Quota(megabytes=1))
    run = shared.create("me", "One", small_settings(), {"table": bytes(800_000)})
    with pytest.raises(GLocalXError, match="would take 2 MB, and may take 1 MB"):
        shared.save(run, files={"model": bytes(800_000)})
    shared.save(run, files={"table": bytes(900_000)})  # in place of the old one
    assert not (run.folder / "model").exists()


def test_a_quota_is_a_number():
    assert Quota.from_environment({}) == Quota()
    assert Quota.from_environment({"GLOCALX_MOST_WAITING": "3"}) == Quota(waiting=3)
    with pytest.raises(GLocalXError, match="GLOCALX_MOST_RUNS is “many”"):
        Quota.from_environment({"GLOCALX_MOST_RUNS": "many"})
