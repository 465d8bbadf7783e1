"""Runs handed on as one file."""

import io
import json
import zipfile

import pytest

from glocalx.errors import GLocalXError
from glocalx.workspace.exchange import ABOUT, export_run, import_run, versions
from glocalx.workspace.stages import iter_run


def finish(run):
    return list(iter_run(run, "merge", 1, lambda: False))


def test_a_run_arrives_whole_and_trains_its_model_again(workspace, small_run):
    run = small_run()
    finish(run)
    data = export_run(run)
    arrived = import_run(workspace, "you", data)
    assert arrived.settings == run.settings
    assert arrived.missing("merge") == []
    assert not arrived.has_black_box
    answers = arrived.file("model").read_bytes()
    finish(arrived)
    assert arrived.has_black_box
    assert arrived.file("model").read_bytes() == answers
    assert export_run(arrived)[:4] == data[:4]


def test_a_model_that_answers_otherwise_is_told(workspace, small_run):
    run = small_run()
    finish(run)
    arrived = import_run(workspace, "you", export_run(run))
    facts = json.loads(arrived.file("model").read_text())
    facts["explain"] = [1 - code for code in facts["explain"]]
    arrived.file("model").write_text(json.dumps(facts) + "\n")
    finish(arrived)
    kept = json.loads(arrived.file("model").read_text())
    assert kept["explain"] == facts["explain"]
    assert any("otherwise" in note for note in kept["notes"])


def test_versions_are_written_down(small_run):
    with zipfile.ZipFile(io.BytesIO(export_run(small_run()))) as archive:
        about = json.loads(archive.read(ABOUT))
    assert about["versions"] == versions()
    assert {"python", "glocalx", "scikit-learn"} <= set(about["versions"])


def packed(about: object, **files: bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(ABOUT, json.dumps(about))
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


GOOD = {"format": "glocalx/run", "version": 1, "name": "x", "settings": {}}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not a run"),
        (b"PK\x03\x04 cut", "not a run"),
        (packed([]), "not a run"),
        (packed({"format": "other"}), "not a run"),
        (packed({**GOOD, "version": 9}), "version 9"),
        (packed({**GOOD, "settings": {"data": {"file": "../../x"}}}), "names files"),
        (packed({**GOOD, "settings": {"data": {"file": "table"}}}), "lacks its file"),
        (packed({**GOOD, "settings": {"data": {"nonsense": 1}}}), "damaged"),
    ],
)
def test_what_is_no_run_is_refused(workspace, data, sentence):
    with pytest.raises(GLocalXError, match=sentence):
        import_run(workspace, "me", data)
    assert workspace.runs("me") == []


def test_other_files_in_the_archive_are_left_there(workspace):
    data = packed(GOOD, **{"black_box.skops": b"evil", "../up": b"evil", "notes.txt": b"hello"})
    run = import_run(workspace, "me", data)
    assert list(run.folder.iterdir()) == []
    assert not (run.folder.parent / "up").exists()
