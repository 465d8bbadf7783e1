"""Small tables by hand: the labels as they are, every record explained, nothing held out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from glocalx.__main__ import main
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import BoxSettings, DataSettings, RunSettings, settings_for

TABLES = {
    "eight.csv": "age,job,said\n25,clerk,no\n31,clerk,yes\n45,none,no\n52,clerk,yes\n38,none,no\n"
    "29,chief,yes\n60,chief,yes\n23,none,no\n",
    "twelve.csv": "long,wide,kind,said\n"
    + "".join(
        f"{1 + i % 4 / 10 + i // 4},{0.2 + i // 4},{('wild', 'tame')[i % 2]},{'abc'[i // 4]}\n"
        for i in range(12)
    ),
    "twenty.csv": "x,y,said\n"
    + "".join(f"{i},{i * 7 % 20},{'in' if 5 < i < 15 else 'out'}\n" for i in range(20)),
}
LABELS = BoxSettings(source="labels")


def _road(folder: Path, name: str) -> Road:
    (folder / name).write_text(TABLES[name], encoding="utf-8")
    data = DataSettings(file=name, name=name, roles={"said": "target"}, gaps="keep")
    return Road(settings_for(data).with_box(LABELS), folder)


@pytest.mark.parametrize("name", TABLES)
def test_every_record_is_explained_and_the_rules_are_judged_on_the_same(tmp_path: Path, name: str):
    road = _road(tmp_path, name)
    size = road.split.table.size
    assert [len(part) for part in road.split.parts.alone] == [0, size, 0]
    assert road.split.parts.nothing_held_out
    assert len(road.local_rules) == size == road.labelled.held_out.size
    assert road.labelled.judged_name == "record"
    assert road.labelled.held_out.labels.tolist() == road.split.table.target.tolist()
    assert all(  # each rule answers its own record as the table does
        local.rule.outcome == road.split.table.target[local.record] for local in road.local_rules
    )
    assert road.theory.fidelity(road.labelled.held_out) == 1.0


def test_other_black_boxes_get_their_shares_back():
    start = RunSettings()
    labels = start.with_box(LABELS)
    assert (labels.data.train, labels.data.explain) == (0.0, 1.0)
    assert labels.with_box(BoxSettings()) == start
    predictions = labels.with_box(BoxSettings(source="predictions"))
    assert (predictions.data.train, predictions.data.explain) == (0.0, 0.7)
    odd = replace(start, data=replace(start.data, explain=0.123456789))
    assert odd.with_box(BoxSettings(kind="gb")).data == odd.data
    assert RunSettings.from_dict(labels.to_dict()) == labels


def test_the_command_says_that_nothing_is_held_out(tmp_path: Path, capsys):
    (tmp_path / "t.csv").write_text(TABLES["eight.csv"], encoding="utf-8")
    out = str(tmp_path / "out")
    arguments = ["--target", "said", "--predictions", "said", "--out", out, "--jobs", "1"]
    assert main(["explain", str(tmp_path / "t.csv"), *arguments]) == 0
    told = capsys.readouterr().out
    assert "Nothing is held out" in told
    assert "the nearest record gives its label" in told
    assert not {"held-out", "unseen", "right"} & set(told.split())
