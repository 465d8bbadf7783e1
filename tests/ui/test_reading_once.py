"""A click on a finished run opens none of its files again: they have not been written since."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ui.reading import button

_opened: Counter[str] = Counter()
_watched: list[Path] = []


def _note(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and _watched and str(arguments[0]).startswith(str(_watched[0])):
        _opened[Path(str(arguments[0])).name] += 1


sys.addaudithook(_note)  # nobody can take it back; it notes nothing unless a folder is watched


@contextmanager
def opens_in(folder: Path) -> Iterator[Counter[str]]:
    """How often each file in a folder is opened."""
    _opened.clear()
    _watched.append(folder)
    try:
        yield _opened
    finally:
        _watched.clear()


def step(at):
    button(at, "Step").click().run()
    assert not at.exception


def test_a_step_opens_no_file_that_was_read_before(page, finished_run):
    at = page("merge.py", finished_run, step="100")
    step(at)
    with opens_in(finished_run.folder) as opened:
        step(at)
    assert not opened


def test_a_step_works_no_key_of_the_settings_out_again(page, finished_run, monkeypatch):
    at = page("merge.py", finished_run, step="100")
    worked_out: list[object] = []
    monkeypatch.setattr("glocalx.pipeline.settings._digest", worked_out.append)
    step(at)
    assert not worked_out


def test_the_count_sees_a_file_that_is_opened(finished_run):
    with opens_in(finished_run.folder) as opened:
        finished_run.file("merge").read_bytes()
    assert opened == {finished_run.file("merge").name: 1}


def test_a_result_that_was_written_again_is_read_again(page, finished_run, apart):
    at = page("merge.py", finished_run, step="100")
    finished_run.file("merge").unlink()
    at.run()
    assert any("different rules" in each.value for each in at.markdown)  # before the first merge


@pytest.mark.parametrize("file", ["global_theory.py", "audit.py", "compare.py", "local_rules.py"])
def test_no_page_reads_a_finished_run_twice(page, finished_run, file):
    at = page(file, finished_run)
    with opens_in(finished_run.folder) as opened:
        at.run()
    assert not opened
