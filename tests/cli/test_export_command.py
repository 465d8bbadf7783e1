"""`glocalx export`: the same rules in other languages."""

import sqlite3
from contextlib import closing

import pytest

from glocalx.__main__ import main
from glocalx.files import write_theory
from glocalx.rules.schema import Feature, Schema
from tests.export.hostile import ranked

SCHEMA = Schema((Feature("a.b", "numeric"),), ("no", "yes"))


@pytest.fixture
def theory(tmp_path):
    write_theory(tmp_path / "theory.json", ranked(SCHEMA, [SCHEMA.rule({"a.b": (0.1, 3)}, "yes")]))
    return tmp_path


def exported(capsys, folder, *options):
    code = main(["export", str(folder / "theory.json"), *options])
    return code, capsys.readouterr()


def test_sql_for_a_database(capsys, theory):
    file = theory / "rules.sql"
    options = ("--dialect", "sqlite", "--table", "main.t", "--out", str(file))
    code, told = exported(capsys, theory, *options)
    assert (code, told.err) == (0, "")
    assert "1 rule, written to" in told.out
    with closing(sqlite3.connect(":memory:")) as lite:
        lite.execute("CREATE TABLE t (`a.b` REAL)")
        lite.executemany("INSERT INTO t VALUES (?)", [(0.1,), (3,), (None,)])
        assert [row[1] for row in lite.execute(file.read_text())] == ["yes", "no", "no"]


def test_python_and_markdown(capsys, theory):
    assert exported(capsys, theory, "--out", str(theory / "rules.py"))[0] == 0
    space: dict = {}
    exec((theory / "rules.py").read_text(), space)
    assert space["predict"]({"a.b": "0.5"}) == "yes"
    assert exported(capsys, theory, "--out", str(theory / "rules.md"))[0] == 0
    assert "| 1 |" in (theory / "rules.md").read_text()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--out", "rules.txt"], "should end in one of .sql, .py, .md"),
        (["--dialect", "sqlite", "--out", "rules.py"], "are for SQL"),
        (["--dialect", "bigquery", "--out", "rules.sql"], "BigQuery allows no “.”"),
        (["--out", "nowhere/rules.sql"], "cannot be written"),
    ],
)
def test_what_cannot_be_is_told(capsys, theory, options, sentence, monkeypatch):
    monkeypatch.chdir(theory)
    code, told = exported(capsys, theory, *options)
    assert code == 2
    assert sentence in told.err
