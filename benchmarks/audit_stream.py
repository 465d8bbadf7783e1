"""An audit of 20 rules on 10 million records, streamed from Parquet."""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit import AuditSettings, FrameSource, iter_audit, open_files
from glocalx.audit.flip_plans import flip_test, usual_plans
from glocalx.audit.flips import FlipRecords
from glocalx.audit.streaming import StreamedSource
from glocalx.cli.asked_model import MOST_RECORDS
from glocalx.rules.classifier import RankedRule, RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema

RECORDS = int(os.environ.get("AUDIT_RECORDS", "10_000_000"))
RULES = 20
BY = ("race", "sex", "age")
RACES = ("Amber", "Blue", "Cyan", "Dun", "Ecru", "Fawn")
JOBS = ("clerk", "chief", "none", "other")
OUTCOMES = ("High", "Low")


def main() -> None:
    """a streamed audit by three sensitive columns: under 30 s and 1 GB on 2 cores"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.parquet"
        _write(path)
        print(f"{RECORDS:,} records × 12 columns, {path.stat().st_size / 2**20:,.0f} MB of Parquet")
        # A process of its own, so that its peak memory is the audit's alone.
        subprocess.run([sys.executable, "-m", "benchmarks.audit_stream", str(path)], check=True)


def _write(path: Path) -> None:
    """Records whose columns depend on their number alone."""

    def chosen(values: tuple[str, ...], salt: int) -> str:
        listed = ", ".join(f"'{value}'" for value in values)
        return f"[{listed}][1 + CAST(hash(i * {salt}) % {len(values)} AS BIGINT)]"

    columns = [
        "CAST(18 + hash(i) % 70 AS INTEGER) AS age",
        "CAST(sqrt(hash(i * 3) % 1600) AS INTEGER) AS priors",
        "CAST(hash(i * 23) % 1000000 AS DOUBLE) / 1000 AS income",
        "CAST(hash(i * 29) % 1000000 AS DOUBLE) / 10000 AS debt",
        "CAST(hash(i * 31) % 365 AS INTEGER) AS days",
        "CAST(hash(i * 37) % 12 AS INTEGER) AS months",
        f"{chosen(('Female', 'Male'), 5)} AS sex",
        f"{chosen(RACES, 7)} AS race",
        f"{chosen(JOBS, 11)} AS job",
        f"{chosen(('no', 'yes'), 13)} AS owner",
        f"{chosen(OUTCOMES, 17)} AS answer",
        f"{chosen(OUTCOMES, 19)} AS truth",
    ]
    query = f"SELECT {', '.join(columns)} FROM range({RECORDS}) AS numbers(i)"
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")


def _theory() -> RankedTheory:
    schema = Schema(
        (
            *(Feature(name, "integer") for name in ("age", "priors", "days", "months")),
            *(Feature(name, "numeric") for name in ("income", "debt")),
            Feature("sex", "categorical", ("Female", "Male")),
            Feature("race", "categorical", RACES),
            Feature("job", "categorical", JOBS),
            Feature("owner", "categorical", ("no", "yes")),
        ),
        OUTCOMES,
    )
    generator = np.random.default_rng(0)
    rules = [_rule(schema, generator) for _ in range(RULES)]
    return RankedTheory(schema, tuple(RankedRule(rule, 0.9, 0.9, 1, 1) for rule in rules), "Low")


def _rule(schema: Schema, generator: np.random.Generator) -> Rule:
    ends = {"age": 88, "priors": 40, "days": 365, "months": 12, "income": 1000, "debt": 100}
    premises: dict[str, object] = {}
    for place in generator.choice(len(schema.features), 4, replace=False):
        feature = schema.features[place]
        if feature.is_categorical:
            size = int(generator.integers(1, len(feature.categories)))
            premises[feature.name] = generator.choice(feature.categories, size, False).tolist()
        else:
            low = float(generator.random() * ends[feature.name] * 0.6)
            premises[feature.name] = (low, math.inf)
    return schema.rule(premises, OUTCOMES[int(generator.integers(2))])


def _audit(path: Path) -> None:
    theory, settings = _theory(), AuditSettings("High", BY)
    begun = previous = time.perf_counter()
    with open_files([path], theory.schema, black_box="answer", truth="truth", threads=2) as source:
        doing = "opening the file"
        for step in iter_audit(source, theory, settings):
            now = time.perf_counter()
            print(f"{doing:>32}: {now - previous:6.2f} s", flush=True)
            doing, previous = step, now
        seconds = time.perf_counter() - begun
        print(f"{doing:>32}: {time.perf_counter() - previous:6.2f} s")
        used = resource.getrusage(resource.RUSAGE_SELF)
        _flip(source, theory, settings.outcome)
    print(f"{theory.size} rules by {' × '.join(BY)}: {seconds:.1f} s (aim: 30 s for 10 million),")
    print(f"{used.ru_utime + used.ru_stime:.1f} s of processor time on two threads,")
    print(f"peak memory of the whole process {used.ru_maxrss / 1024:,.0f} MB (aim: 1,024 MB)")


def _flip(source: StreamedSource, theory: RankedTheory, outcome: str) -> None:
    """Flip tests with a model at hand: of records that are drawn, as the command does it."""
    begun = time.process_time()
    drawn = source.drawn(theory.schema.names, MOST_RECORDS)
    own = FrameSource(theory.schema, drawn.frame, drawn.black_box, drawn.truth)
    records = FlipRecords(own, drawn.frame, _model, theory.schema.names)
    axes = [own.axis(name) for name in BY]
    asked = AuditSettings(outcome, BY, combinations="none", enough=1)
    found = flip_test(records, theory, axes, outcome, usual_plans(own, axes, asked))
    seconds = time.process_time() - begun
    print(f"flips, of {len(drawn.frame):,} records drawn from {source.size:,}: the model was asked")
    print(f"{found.asked:,} times, {seconds:.1f} s of processor time besides")


def _model(frame: pd.DataFrame) -> npt.NDArray[Any]:
    high = (frame["priors"] > 20) | (frame["race"] == RACES[0])
    return np.where(high, *OUTCOMES).astype(object)


if __name__ == "__main__":
    _audit(Path(sys.argv[1]))
