"""Runs handed on as one file."""

import io
import json
import zipfile
from dataclasses import replace

import pandas as pd
import pytest
import skops.io
from sklearn.tree import DecisionTreeClassifier

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import BoxSettings
from glocalx.workspace.exchange import ABOUT, export_run, import_run, versions
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.run import FILES
from glocalx.workspace.store import Workspace
from tests.workspace.conftest import small_settings, small_table

TREE = "sklearn.tree._tree.Tree"


def finish(run):
    return list(OpenedRun(run).iter_to("merge"))


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


def damaged() -> bytes:
    """A run whose compressed settings are spoilt in the middle."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(ABOUT, json.dumps({**GOOD, "name": "x" * 999}))
    spoilt = bytearray(data.getvalue())
    start = 30 + len(ABOUT)  # behind the header of the only file
    spoilt[start : start + 8] = b"\xff" * 8
    return bytes(spoilt)


GOOD = {"format": "glocalx/run", "version": 1, "name": "x", "settings": {}}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not a run"),
        (b"PK\x03\x04 cut", "not a run"),
        (damaged(), "not a run"),
        (packed([]), "not a run"),
        (packed({"format": "other"}), "not a run"),
        (packed({**GOOD, "settings": {"data": {"name": "\ud800"}}}), "not a run"),
        (packed({**GOOD, "version": 9}), "version 9"),
        (packed({**GOOD, "settings": {"data": {"file": "../../x"}}}), "“data.file” of this run is"),
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


def with_figures(data: bytes, given: object) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return packed({**json.loads(files.pop(ABOUT)), "figures": given}, **files)


def test_only_figures_that_a_run_can_have_are_taken(workspace, small_run):
    run = small_run()
    finish(run)
    data = export_run(workspace.save(run, figures=OpenedRun(run).figures()))
    told = workspace.run(run.id).figures
    assert import_run(workspace, "you", data).figures == told
    lies = {
        "different_rules": "9",
        "local_rules": True,
        "rules": -1,
        "merges": 1.5,
        "fidelity": float("nan"),
        "black_box": ["x"],
        "records": None,
        "strange": 1,
    }
    for name, lie in lies.items():
        arrived = import_run(workspace, "you", with_figures(data, {**told, name: lie}))
        assert arrived.figures == {k: v for k, v in told.items() if k != name}
    assert import_run(workspace, "you", with_figures(data, [1])).figures == {}


def test_figures_without_results_are_not_taken(workspace, small_run):
    data = with_figures(export_run(small_run()), {"rules": 3, "fidelity": 0.99})
    assert import_run(workspace, "you", data).figures == {}


def test_consent_to_a_model_is_not_handed_on(workspace):
    people = pd.read_csv(io.BytesIO(small_table()))
    tree = DecisionTreeClassifier(max_depth=2).fit(people[["age"]], people["answer"])
    box = BoxSettings("model", file="model", name="m.skops", trusted=(TREE,), columns=("age",))
    files = {"table": small_table(), "model": skops.io.dumps(tree)}
    run = workspace.create("me", "People", replace(small_settings(), box=box), files)
    finish(run)
    with pytest.raises(GLocalXError, match="you may bring none to this server"):
        import_run(workspace, "you", export_run(run), models=False)
    arrived = import_run(workspace, "you", export_run(run))
    assert arrived.settings.box.trusted == ()
    assert arrived.missing("merge") == []
    with pytest.raises(GLocalXError, match="need your consent"):
        _ = OpenedRun(arrived).black_box


def changed_part(data: bytes, part: str, line: int, **changes: object) -> bytes:
    """An exported run in which one line of one part says something else."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    lines = files[part].splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **changes}).encode()
    return packed(json.loads(files.pop(ABOUT)), **files | {part: b"\n".join(lines) + b"\n"})


@pytest.fixture(scope="module")
def finished_run(tmp_path_factory):
    """A run that was merged to its end, as a file, with the results that are in it."""
    workspace = Workspace(tmp_path_factory.mktemp("finished"))
    run = workspace.create("me", "People", small_settings(20), {"table": small_table()})
    finish(run)
    made = [file for file in run.folder.iterdir() if file.name in FILES.values()]
    return export_run(run), {file.name: file.read_bytes() for file in made}


@pytest.mark.parametrize(
    ("part", "line", "changes"),
    [
        ("black_box.json", 0, {"explain": [0]}),
        ("black_box.json", 0, {"test": "x"}),
        ("black_box.json", 0, {"outcomes": [["no"], "yes"]}),
        ("black_box.json", 0, {"outcomes": ["no", "no"]}),
        ("black_box.json", 0, {"columns": [1]}),
        ("black_box.json", 0, {"notes": [{}]}),
        ("black_box.json", 0, {"trained": {"parameters": 1}}),
        ("black_box.json", 0, {"trained": {"agreement": "much"}}),
        ("local_rules.jsonl", 1, {"record": 10**6}),
        ("local_rules.jsonl", 1, {"record": -1}),
        ("local_rules.jsonl", 1, {"if": {"age": {"from": "x"}}}),
        ("hierarchy.jsonl", 0, {"settings": {"fidelity_weight": "x"}}),
        ("hierarchy.jsonl", 0, {"version": 7}),
        ("hierarchy.jsonl", 1, {"out": [10**6]}),
        ("hierarchy.jsonl", 1, {"trial": [0, 0]}),
        ("hierarchy.jsonl", 1, {"cuts": [None]}),
    ],
)
def test_damaged_results_do_not_reach_the_server(workspace, finished_run, part, line, changes):
    """They are read in the child, by the readers that the pages have."""
    data, _ = finished_run
    with pytest.raises(GLocalXError, match=rf"The part “{part}” of this run is damaged"):
        import_run(workspace, "me", changed_part(data, part, line, **changes))
    assert workspace.runs("me") == []


def test_what_was_read_is_written_and_nothing_else(workspace, finished_run):
    data, made = finished_run
    run = import_run(workspace, "me", data)
    assert {name: (run.folder / name).read_bytes() for name in made} == made
    for part in made:
        more = changed_part(data, part, 0, junk=[[0] * 99] * 99)
        arrived = import_run(workspace, "me", more)
        assert (arrived.folder / part).read_bytes() == made[part]


def test_results_of_other_settings_are_left_out(workspace, finished_run):
    data, _ = finished_run
    run = import_run(workspace, "me", changed_part(data, "local_rules.jsonl", 0, key="other"))
    assert run.missing("merge") == ["rules", "merge"]
    assert not run.file("merge").exists()
