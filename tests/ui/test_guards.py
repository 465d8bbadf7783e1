"""What pages that need a run, or merged rules, say and offer where there are none yet."""

import pytest

from glocalx.workspace.jobs import JobState
from tests.ui.reading import labels, texts
from ui import work

ON_MERGED_RULES = ("global_theory.py", "audit.py", "compare.py")


@pytest.mark.parametrize("file", ["local_rules.py", *ON_MERGED_RULES])
def test_without_a_run_the_page_says_where_to_start(page, file):
    assert "No run is open yet" in texts(page(file))


@pytest.mark.parametrize("file", ON_MERGED_RULES)
def test_before_the_merge_it_sends_to_the_merge(page, new_run, file):
    test = page(file, new_run())
    assert "not merged yet" in texts(test)
    assert "Go to Merge" in labels(test)
    assert not test.metric


@pytest.mark.parametrize("file", ON_MERGED_RULES)
def test_while_merging_it_shows_the_progress_and_nothing_else(
    page, finished_run, monkeypatch, file
):
    path = finished_run.file("merge")
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:41]))
    busy = JobState("running", "merge", "merge", 40, 251, 3.0)
    monkeypatch.setattr(work, "watch", lambda run, until: busy)
    test = page(file, finished_run)
    assert "not merged yet" not in texts(test)
    assert not test.metric
