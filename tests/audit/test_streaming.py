"""The streamed audit is the audit in memory, whatever columns and categories are called."""

import math
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

from glocalx.audit import (
    AuditSettings,
    FrameSource,
    audit_tables,
    open_database,
    open_files,
    run_audit,
    streamed_columns,
    streaming,
)
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from glocalx.rules.sql import quoted_name
from tests.audit.audited import Audited, audits, compas
from tests.export.hostile import hostile_worlds, ranked

LABELS = {"black_box": "the answer", "truth": "the truth"}


def with_labels(work: Audited) -> pd.DataFrame:
    return work.frame.assign(**{"the answer": work.black_box, "the truth": work.truth})


def same_tables(one, other) -> None:
    """Equal texts and counts, and numbers to the last digit that matters."""
    left, right = audit_tables(one), audit_tables(other)
    assert left.keys() == right.keys()
    for name, rows in left.items():
        assert len(rows) == len(right[name]), name
        for row, twin in zip(rows, right[name], strict=True):
            assert row.keys() == twin.keys()
            for column, value in row.items():
                if isinstance(value, float):
                    assert twin[column] == pytest.approx(value, rel=1e-9, abs=1e-9), (name, column)
                else:
                    assert twin[column] == value, (name, column)


def test_compas_from_parquet_and_csv_and_a_database(tmp_path: Path):
    work = compas()
    frame, asked = with_labels(work), AuditSettings("High", ("race", "sex", "age"))
    in_memory = run_audit(work.source, work.theory, asked)
    parquet, text, base = (tmp_path / name for name in ("c.parquet", "c.csv", "c.duckdb"))
    frame.to_parquet(parquet)
    frame.to_csv(text, index=False)
    with duckdb.connect(str(base)) as connection:
        connection.execute(f"CREATE TABLE \"it's; --\" AS SELECT * FROM '{parquet}'")
    with open_files([parquet], work.schema, **LABELS) as source:
        same_tables(in_memory, run_audit(source, work.theory, asked))
    with open_files([text], work.schema, **LABELS) as source:
        same_tables(in_memory, run_audit(source, work.theory, asked))
    with open_database(base, "it's; --", work.schema, **LABELS) as source:
        same_tables(in_memory, run_audit(source, work.theory, asked))


@settings(max_examples=10)
@given(work=audits(gaps=True))
def test_random_records_with_gaps(tmp_path_factory, work: Audited):
    path = tmp_path_factory.mktemp("streamed") / "records.parquet"
    with_labels(work).to_parquet(path)
    asked = AuditSettings(
        work.schema.outcomes[0],
        ("tribe", "age"),
        features=("pay", "tribe", "score", "city"),
        ablation="premises",
        enough=5,
    )
    with open_files([path], work.schema, threads=2, **LABELS) as source:
        streamed = run_audit(source, work.theory, asked)
    same_tables(run_audit(work.source, work.theory, asked), streamed)


@settings(max_examples=30)
@given(world=hostile_worlds())
def test_hostile_names(tmp_path_factory, world):
    schema, frame, rules = world
    theory, (text, number, _) = ranked(schema, rules), schema.names
    path = tmp_path_factory.mktemp("hostile") / 'it\'s "here"; --.parquet'
    frame.to_parquet(path)
    in_memory = FrameSource(schema, frame)
    with open_files([path], schema) as source:
        axes = [in_memory.axis(text), in_memory.axis(number, [0.2, 0.30000000000000004])]
        assert source.axis(text) == axes[0]
        assert cells(source.tally(theory.rules, axes)) == cells(in_memory.tally(theory.rules, axes))


def cells(tally) -> set:
    columns = (tally.groups, tally.black_box[:, None], tally.truth[:, None], tally.covers)
    table = np.concatenate([*columns, tally.count[:, None]], axis=1)
    return set(map(tuple, table.tolist()))


def test_columns_of_every_type_read_as_the_table_reads_them(tmp_path: Path):
    path = tmp_path / "types.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT * FROM (VALUES "
            "(DATE '2020-01-01', true, 1.0::DOUBLE, ' a ', 'NaN'::FLOAT),"
            "(DATE '2021-01-01', false, 2.5, 'n/a', 3::FLOAT), (NULL, NULL, NULL, NULL, NULL)) "
            f"t(day, flag, code, text, number)) TO '{path}' (FORMAT parquet)"
        )
    schema = Schema(
        (
            Feature("day", "date"),
            Feature("flag", "categorical", ("False", "True")),
            Feature("code", "categorical", ("1", "2.5")),
            Feature("text", "categorical", ("a", "b")),
            Feature("number", "numeric"),
        ),
        ("x", "y"),
    )
    rules = [
        schema.rule({"day": (18_262, 18_263)}, "x"),
        schema.rule({"flag": ["True"]}, "x"),
        schema.rule({"code": ["1"]}, "x"),
        schema.rule({"text": ["a"]}, "x"),
        schema.rule({"number": (-5, math.inf)}, "x"),
    ]
    with open_files([path], schema) as source:
        tally = source.tally(rules)
        assert (tally.count @ tally.covers).tolist() == [1, 1, 1, 1, 1]
        assert tally.covers[:, :4].all(axis=1).sum() == 1
        assert source.gaps(schema.names) == {"day": 1, "flag": 1, "code": 1, "text": 2, "number": 2}
        assert source.unseen(schema.names) == {}


def test_columns_that_rules_do_not_know(tmp_path: Path):
    path = tmp_path / "extra.csv"
    path.write_text("x,whole,real,word,empty\n1,3,0.5,u,\n2,4,1.5,v,\n", encoding="utf-8")
    with open_files([path], Schema((Feature("x", "integer"),), ("a", "b"))) as source:
        kinds = [source.feature(name).kind for name in ("whole", "real", "word")]
        assert kinds == ["integer", "numeric", "categorical"]
        assert source.axis("whole").edges == (4,)
        with pytest.raises(GLocalXError, match=r"“empty” of .* is empty"):
            source.feature("empty")
        with pytest.raises(GLocalXError, match="no column “nothing”"):
            source.axis("nothing")
        with pytest.raises(GLocalXError, match="cannot have bands"):
            source.axis("word", [1])


def test_bands_of_many_numbers_are_those_in_memory(tmp_path: Path, monkeypatch):
    values = np.random.default_rng(0).normal(size=997)
    frame = pd.DataFrame({"x": np.where(values < -1, -1, values), "row": range(997)})
    frame.to_parquet(tmp_path / "many.parquet")
    schema = Schema((), ("a", "b"))
    monkeypatch.setattr(streamed_columns, "MAX_LISTED", 50)
    with open_files([tmp_path / "many.parquet"], schema) as source:
        for parts in (2, 3, 7, 10):
            in_memory = FrameSource(schema, frame)
            assert source.axis("x", parts=parts) == in_memory.axis("x", parts=parts)
            assert source.axis("row", parts=parts) == in_memory.axis("row", parts=parts)


def test_more_rules_than_bits_in_a_number(tmp_path: Path):
    schema = Schema((Feature("x", "integer"),), ("a", "b"))
    rules = [schema.rule({"x": (place, place + 1)}, "a") for place in range(130)]
    pd.DataFrame({"x": np.arange(200)}).to_parquet(tmp_path / "x.parquet")
    with open_files([tmp_path / "x.parquet"], schema) as source:
        tally = source.tally(rules)
    assert (tally.count @ tally.covers == 1).all()


def test_several_files_are_one_table(tmp_path: Path):
    schema = Schema((Feature("x", "integer"),), ("a", "b"))
    paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for path in paths:
        pd.DataFrame({"x": [1, 2]}).to_parquet(path)
    with open_files(paths, schema) as source:
        assert source.size == 4


SCHEMA = Schema((Feature("x", "integer"),), ("a", "b"))


def test_what_cannot_be_read_is_said_in_a_sentence(tmp_path: Path):
    broken, words = tmp_path / "broken.parquet", tmp_path / "words.csv"
    broken.write_bytes(b"PAR1 nothing")
    words.write_text("x,y\n1,a\nmany,b\n", encoding="utf-8")
    with (
        pytest.raises(GLocalXError, match=r"“broken\.parquet” cannot be read"),
        open_files([broken], SCHEMA),
    ):
        pass
    with (
        open_files([words], SCHEMA) as source,
        pytest.raises(
            GLocalXError,
            match=r"“x” of “words\.csv” should hold numbers, but 1 record holds .* “many”",
        ),
    ):
        source.tally([SCHEMA.rule({"x": (0, 1)}, "a")])
    with pytest.raises(GLocalXError, match="no file"), open_files([tmp_path / "none.csv"], SCHEMA):
        pass
    with pytest.raises(GLocalXError, match="No file is given"), open_files([], SCHEMA):
        pass
    with (
        pytest.raises(GLocalXError, match="streamed together"),
        open_files([broken, words], SCHEMA),
    ):
        pass


def test_labels_and_records_have_to_be_there(tmp_path: Path):
    path = tmp_path / "labels.parquet"
    pd.DataFrame({"x": [1], "y": ["c"]}).to_parquet(path)
    with (
        open_files([path], SCHEMA, truth="y") as source,
        pytest.raises(GLocalXError, match="“c” is none of the outcomes"),
    ):
        source.tally([])
    pd.DataFrame({"x": np.array([], dtype=int)}).to_parquet(path)
    with pytest.raises(GLocalXError, match="no records"), open_files([path], SCHEMA):
        pass


def test_a_database_is_looked_at_and_nothing_else(tmp_path: Path):
    base, secret = tmp_path / "base.duckdb", tmp_path / "secret.csv"
    secret.write_text("x\n1\n", encoding="utf-8")
    with duckdb.connect(str(base)) as connection:
        connection.execute("CREATE TABLE here (x INTEGER)")
        connection.execute(f"CREATE VIEW elsewhere AS SELECT * FROM read_csv('{secret}')")
    with (
        pytest.raises(GLocalXError, match="no table “there”"),
        open_database(base, "there", SCHEMA),
    ):
        pass
    with (
        pytest.raises(GLocalXError, match="cannot be read"),
        open_database(base, "elsewhere", SCHEMA),
    ):
        pass
    with pytest.raises(GLocalXError, match="no file"), open_database(secret / "x", "y", SCHEMA):
        pass


def test_limits_are_said(tmp_path: Path, monkeypatch):
    path = tmp_path / "wide.parquet"
    pd.DataFrame({"x": range(20), "word": [f"w{i}" for i in range(20)]}).to_parquet(path)
    monkeypatch.setattr(streamed_columns, "MAX_CATEGORIES", 10)
    monkeypatch.setattr(streaming, "MAX_CELLS", 1)
    with open_files([path], SCHEMA) as source:
        with pytest.raises(GLocalXError, match="more than 10 categories"):
            source.axis("word")
        with pytest.raises(GLocalXError, match="1 rule overlap in more than 1"):
            source.tally([SCHEMA.rule({"x": (0, 5)}, "a")])


def test_quoted_names_reach_the_file(tmp_path: Path):
    path = tmp_path / "quoted.csv"
    path.write_text('" select ","a""b"\n1,2\n', encoding="utf-8")
    schema = Schema((Feature("select", "integer"), Feature('a"b', "integer")), ("a", "b"))
    rule = schema.rule({"select": (1, 2), 'a"b': (2, 3)}, "a")
    with open_files([path], schema) as source:
        assert source.tally([rule]).covers.tolist() == [[True]]
    assert quoted_name('a"b') == '"a""b"'


def test_a_column_that_is_called_like_a_name_of_ours(tmp_path):
    (tmp_path / "t.csv").write_text("job,V\nclerk,1\n,2\nchief,3\n")
    schema = Schema((Feature("job", "categorical", ("clerk",)),), ("no", "yes"))
    with open_files([tmp_path / "t.csv"], schema) as source:
        assert source.axis("job").groups == ("chief", "clerk")


def test_numbers_and_dates_as_germans_write_them_are_read(tmp_path: Path):
    """As a table is read that is explained; what could be a thousand as well is not guessed."""
    rows = ["day;x;n", *(f"{day:02}.05.2024;1.{day:03},5;{day},500" for day in range(1, 29))]
    (tmp_path / "t.csv").write_text("\n".join([*rows, ";;"]) + "\n")
    features = (Feature("day", "date"), Feature("x", "numeric"), Feature("n", "numeric"))
    schema = Schema(features, ("a", "b"))
    first = (pd.Timestamp("2024-05-01") - pd.Timestamp(0)).days
    rules = [schema.rule({"day": (first, first + 9)}, "a"), schema.rule({"x": (1010, 1021)}, "b")]
    with open_files([tmp_path / "t.csv"], schema) as source:
        tally = source.tally(rules)
        assert (tally.covers * tally.count[:, None]).sum(axis=0).tolist() == [9, 11]
        with pytest.raises(GLocalXError, match=r"“n” .* should hold numbers"):
            source.tally([schema.rule({"n": (0, 5)}, "a")])
