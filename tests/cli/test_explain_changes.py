"""`glocalx explain`: changes that work, and what may change."""

import csv
import re

import numpy as np
import pandas as pd
import pytest

from glocalx.__main__ import main
from glocalx.cli.explain import settings_from
from glocalx.pipeline.road import Road


def explained(capsys, tmp_path, *arguments):
    code = main(
        ["explain", "german", "--records", "15", "--jobs", "1", "--out", str(tmp_path), *arguments]
    )
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def test_changes_are_written_and_every_one_is_confirmed(capsys, tmp_path):
    code, said = explained(
        capsys, tmp_path, "--changes", "8", "--fixed", "credit_amount", "--only-up", "duration"
    )
    assert code == 0
    assert "each confirmed by the black box: found for" in said
    assert "left alone because" in said
    assert "The model also uses" in said
    assert "no rule names it" in said
    rows = list(csv.DictReader((tmp_path / "changes.csv").read_text(encoding="utf-8").splitlines()))
    assert rows
    road = german_road()
    frame, box = road.split.table.frame, road.black_box
    for row in rows:
        record = frame.iloc[[int(row["record"]) - 1]].reset_index(drop=True)
        assert box.labels(record)[0] == row["answer"]
        for change in row["changes"].split("; "):
            name, after, before = re.fullmatch(r"(.+?): (.*) \(was (.*)\)", change).groups()
            assert name != "credit_amount"
            assert name not in road.split.table.sensitive
            if name == "duration":
                assert float(after) > float(before)
            is_number = pd.api.types.is_numeric_dtype(record[name])
            record[name] = record[name].dtype.type(float(after)) if is_number else after
        assert box.labels(record)[0] == row["answer then"] != row["answer"]
    assert np.mean([int(row["features"]) for row in rows]) < 4


def german_road() -> Road:
    """The road that the command goes."""
    import argparse

    from glocalx.cli import explain

    parser = argparse.ArgumentParser()
    explain.add_to(parser.add_subparsers())
    options = parser.parse_args(["explain", "german", "--records", "15", "--out", "x"])
    return Road(settings_from(options))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--fixed", "credit_amount", "--only-up", "credit_amount"], "named in two options"),
        (["--fixed", "nothing"], "“nothing” is said to change in some way, but is no feature"),
        (["--only-up", "purpose"], "“purpose” holds categories, which have no up and down"),
    ],
)
def test_what_cannot_be_meant_is_refused(capsys, tmp_path, arguments, sentence):
    code, said = explained(capsys, tmp_path, *arguments)
    assert code == 2
    assert sentence in said
    assert not (tmp_path / "changes.csv").exists()


def test_without_changes_there_is_no_file(capsys, tmp_path):
    code, said = explained(capsys, tmp_path, "--changes", "0")
    assert code == 0
    assert "Changes that work" not in said
    assert not (tmp_path / "changes.csv").exists()
