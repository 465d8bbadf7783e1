"""Changes that work: ours beside dice-ml, on the same records and black box, in one run.

Each change is put to the black box once more here. dice-ml runs in an environment of its own
(`other_extractors.sh`), one call for each record as its page shows it, with its defaults. Both are
timed in seconds of the processor, because what else a machine does must not count. Then tables of
30 and 64 numeric columns, and all explained records of a run in the time of that run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import RandomForestClassifier

from benchmarks.extractors import HERE, OTHERS, Workload, workload
from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import ALL, DataSettings, RuleSettings, RunSettings
from glocalx.questions.changes import ChangeFinder
from glocalx.questions.curves import feature_curve
from glocalx.questions.reliance import box_reliance
from glocalx.rules.schema import Schema

COUNT = 100
METHODS = ("random", "genetic")
LEAST_SHARE, LEAST_SPEEDUP = 0.98, 20


@dataclass(frozen=True)
class Line:
    """The means of one method."""

    name: str
    confirmed: float
    features: float
    distance: float
    questions: float
    seconds: float

    def text(self) -> str:
        return (
            f"{self.name:<26}{self.confirmed:>10.1%}{self.features:>10.2f}{self.distance:>10.2f}"
            f"{self.questions:>11,.0f}{1000 * self.seconds:>12,.1f}"
        )


HEAD = (
    f"{'':<26}{'confirmed':>10}{'features':>10}{'distance':>10}{'questions':>11}{'ms/record':>12}"
)


def line(
    name: str,
    frame: pd.DataFrame,
    changed: list[dict[str, Any] | None],
    box: Any,
    spreads: dict[str, float],
    cost: tuple[float, float],
) -> Line:
    """Ask about every change once more; features and distance are of those that work."""
    before = np.asarray(box.labels(frame), dtype=object)
    rows = frame.copy()
    for place, values in enumerate(changed):
        for column, value in (values or {}).items():
            rows.loc[place, column] = rows[column].dtype.type(value) if column in spreads else value
    works = np.asarray(box.labels(rows), dtype=object) != before
    moved = pd.DataFrame(
        {
            name: (rows[name] - frame[name]).abs() / spreads[name]
            if name in spreads
            else (rows[name] != frame[name]).astype(float)
            for name in frame
        }
    )[works]
    features, distance = (moved > 0).sum(axis=1).mean(), moved.sum(axis=1).mean()
    return Line(name, float(works.mean()), float(features), float(distance), *cost)


def spreads_of(frame: pd.DataFrame) -> dict[str, float]:
    numbers = [name for name in frame if pd.api.types.is_numeric_dtype(frame[name])]
    return {name: float(frame[name].std(ddof=0)) or 1.0 for name in numbers}


def ours(box: Any, schema: Schema, train: pd.DataFrame, frame: pd.DataFrame) -> list[Line]:
    """All records in one go, and each alone; the seconds hold labelling the background, too."""
    spreads, lines = spreads_of(train), []
    begun = time.process_time()
    finder = ChangeFinder(box, schema, train)
    found = finder.found(frame)
    cost = finder.asked / len(frame), (time.process_time() - begun) / len(frame)
    for merit in ("fewest", "nearest", "likeliest"):
        chosen = [
            next({c.feature: c.after for c in w.changes} for w in f.changes if merit in w.merits)
            if f.changes
            else None
            for f in found
        ]
        lines.append(line(f"ours, {merit}", frame, chosen, box, spreads, cost))
    return lines


def alone(box: Any, schema: Schema, train: pd.DataFrame, frame: pd.DataFrame) -> float:
    """Seconds for a record where each is asked about by itself, as on a page."""
    finder = ChangeFinder(box, schema, train)
    begun = time.process_time()
    for place in range(len(frame)):
        finder.found(frame.iloc[[place]])
    return (time.process_time() - begun) / len(frame)


def theirs(load: Workload, frame: pd.DataFrame) -> list[Line]:
    lines = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        load.train.to_csv(folder / "train.csv", index=False)
        frame.to_csv(folder / "records.csv", index=False)
        (folder / "outcomes.json").write_text(json.dumps(load.box.outcomes))
        joblib.dump(load.box.model, folder / "model.joblib")
        for method in METHODS:
            script = HERE / "dice_changes.py"
            python = str(OTHERS / "bin" / "python")
            subprocess.run(
                [python, str(script), str(folder), method, str(len(frame))],
                check=True,
                stderr=subprocess.DEVNULL,
            )
            made = json.loads((folder / f"{method}.json").read_text())
            cost = [float(np.mean([each[key] for each in made])) for key in ("rows", "seconds")]
            changed = [each["changed"] for each in made]
            spreads = spreads_of(load.train)
            lines.append(
                line(f"dice-ml, {method}", frame, changed, load.box, spreads, (cost[0], cost[1]))
            )
    return lines


def compare(name: str) -> bool:
    """One sample beside dice-ml; whether every target is met."""
    load = workload(name)
    frame = load.unseen.iloc[load.records[:COUNT]].reset_index(drop=True)
    mine = ours(load.box, load.schema, load.train, frame)
    others = theirs(load, frame)
    print(f"\n{name}, {len(frame)} records\n{HEAD}")
    for each in (*mine, *others):
        print(each.text(), flush=True)
    one_by_one = alone(load.box, load.schema, load.train, frame[:20])
    print(f"ours, one record at a time: {1000 * one_by_one:,.0f} ms/record")
    few = mine[0]
    targets = {
        f"at least {LEAST_SHARE:.0%} confirmed": few.confirmed >= LEAST_SHARE,
        "at least as few features": all(few.features <= each.features for each in others),
        f"at least {LEAST_SPEEDUP} times as fast": all(
            few.seconds * LEAST_SPEEDUP <= each.seconds for each in others
        ),
    }
    return told(targets)


def told(targets: dict[str, bool]) -> bool:
    for target, met in targets.items():
        print(f"  {'met    ' if met else 'NOT MET'}  {target}")
    return all(targets.values())


def numeric_table(name: str, load: Any) -> bool:
    """A table of many measurements."""
    data = load(as_frame=True)
    frame, target = data.data, data.target.astype(str)
    order = np.random.default_rng(0).permutation(len(frame))
    half = int(0.7 * len(frame))
    train = frame.iloc[order[:half]].reset_index(drop=True)
    model = RandomForestClassifier(100, random_state=0).fit(train, target.iloc[order[:half]])
    schema = Schema.of(frame, target)
    box = PythonBlackBox(model, schema, name="random forest")
    asked = frame.iloc[order[half : half + COUNT]].reset_index(drop=True)
    lines = ours(box, schema, train, asked)
    print(f"\n{name}, {frame.shape[1]} numbers, {len(asked)} records\n{HEAD}")
    for each in lines:
        print(each.text())
    return told(
        {f"at least {LEAST_SHARE:.0%} confirmed": lines[0].confirmed >= LEAST_SHARE},
    )


def beside_the_road() -> bool:
    """What asking adds to the way from a table to a theory, for as many records as explained."""
    road = Road(RunSettings(data=DataSettings(sample="compas"), rules=RuleSettings(records=ALL)))
    begun = time.perf_counter()
    assert road.theory.size
    whole = time.perf_counter() - begun
    begun = time.perf_counter()
    box_reliance(road.black_box, road.split.test, road.labelled.schema)
    rests = time.perf_counter() - begun
    begun = time.perf_counter()
    finder = ChangeFinder(road.black_box, road.labelled.schema, road.split.background)
    finder.found(road.split.explain[:COUNT])
    changes = time.perf_counter() - begun
    begun = time.perf_counter()
    for name in road.labelled.schema.names:
        feature_curve(road.black_box, road.split.test, road.labelled.schema, name)
    curves = time.perf_counter() - begun
    print(
        f"\ncompas: {whole:.1f} s from table to theory; {rests:.1f} s more for what the answers "
        f"rest on, {changes:.1f} s for the changes of {COUNT} records, {curves:.1f} s for the "
        "curves along all features"
    )
    return told({"at most a third more": rests + changes + curves <= whole / 3})


def main() -> None:
    """Changes that work beside dice-ml, and on tables of many numbers."""
    if not (OTHERS / "bin" / "python").exists():
        build = str(HERE / "other_extractors.sh")
        subprocess.run([build, sys.executable, str(OTHERS)], check=True)
    met = [compare("compas"), compare("adult")]
    met += [
        numeric_table("breast cancer", load_breast_cancer),
        numeric_table("digits", load_digits),
    ]
    met.append(beside_the_road())
    print("\nall targets met" if all(met) else "\nNOT all targets met")


if __name__ == "__main__":
    main()
