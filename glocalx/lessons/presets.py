"""The scenes that come with the lessons, and the one that people draw themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.blackbox.python_object import PythonBlackBox
from glocalx.errors import GLocalXError
from glocalx.lessons.scene import Scene, scene_of
from glocalx.rules.schema import Feature, Schema
from glocalx.table.samples import load_sample

POINTS = 100
MOST_POINTS = 200
BLUE, ORANGE = "Blue", "Orange"
COLOURS = (BLUE, ORANGE)
EDGES = ((0.0, 10.0), (0.0, 10.0))
OWN = "own"
_PLANE = Schema((Feature("x", "numeric"), Feature("y", "numeric")), COLOURS)
_LOANS = Schema((Feature("age", "integer"), Feature("amount", "integer")), ("accept", "deny"))


class Point(NamedTuple):
    """A point that somebody drew."""

    x: float
    y: float
    outcome: str


def points_of(scene: Scene) -> tuple[Point, ...]:
    """The points of a scene with the answers of its black box."""
    return _points(scene.places, scene.reference.labels)


def moons(seed: int = 0) -> Scene:
    """Two half moons that lie in each other."""
    from sklearn.datasets import make_moons

    places, labels = make_moons(POINTS, noise=0.25, random_state=seed)
    spread = (places - places.min(axis=0)) / np.ptp(places, axis=0)
    points = _points((0.3 + 9.4 * spread).round(1), np.where(labels == 1, ORANGE, BLUE))
    return _of_points("moons", points, seed)


def exclusive_or(seed: int = 0) -> Scene:
    """Two corners of one colour, two of the other: no single condition tells them apart."""
    rng = np.random.default_rng(seed)
    places = rng.uniform(0.2, 9.8, (POINTS, 2))
    apart = (places[:, 0] < 5) != (places[:, 1] < 5)
    return _of_points("xor", _points(places.round(1), np.where(apart, ORANGE, BLUE)), seed)


class _Bank:
    """Denies large amounts from 25 years on, and from 50 on already medium ones."""

    def predict(self, frame: pd.DataFrame) -> npt.NDArray[Any]:
        large = (frame["age"] >= 25) & (frame["amount"] >= 10_000)
        late = (frame["age"] >= 50) & (frame["amount"] >= 5_000)
        return np.where(large | late, "deny", "accept")


def loan(seed: int = 0) -> Scene:
    """Age and amount of the paper's loans, with its rules without the job: a cut that narrows."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": rng.integers(18, 71, 60), "amount": 500 * rng.integers(2, 40, 60)})
    given = [
        ((25, inf), (10_000, inf), "deny"),
        ((20, inf), (8_001, inf), "accept"),
        ((50, inf), (5_001, inf), "deny"),
        ((40, inf), (10_000, inf), "deny"),
        ((-inf, 50), (-inf, 9_000), "accept"),
        ((-inf, 40), (-inf, 8_000), "accept"),
        ((-inf, 25), (-inf, inf), "accept"),
        ((-inf, inf), (-inf, 5_000), "accept"),
    ]
    rules = [_LOANS.rule({"age": age, "amount": amount}, said) for age, amount, said in given]
    box = PythonBlackBox(_Bank(), _LOANS, outcomes=_LOANS.outcomes, name="a bank with two rules")
    return scene_of("loan", frame, _LOANS, box, ((17, 71), (0, 20_000)), rules=rules)


def compas(seed: int = 0) -> Scene:
    """Two columns of a real table: age and prior offences."""
    from sklearn.ensemble import RandomForestClassifier

    table = load_sample("compas")
    columns = ("age", "priors_count")
    schema = table.schema(only=columns)
    frame = table.frame[list(columns)]
    model = RandomForestClassifier(40, min_samples_leaf=40, random_state=seed)
    model.fit(frame, table.target)
    box = PythonBlackBox(model, schema, name="random forest")
    rows = np.sort(np.random.default_rng(seed).permutation(len(frame))[:POINTS])
    shown = frame.iloc[rows].reset_index(drop=True)
    ends = [(float(shown[name].min()) - 1, float(shown[name].max()) + 1) for name in columns]
    edges = (ends[0], ends[1])
    return scene_of("compas", shown, schema, box, edges, seed=seed)


def drawn(points: Sequence[Point], seed: int = 0) -> Scene:
    """The scene of points that somebody drew; a support vector machine learns their colours."""
    counts = {colour: sum(point.outcome == colour for point in points) for colour in COLOURS}
    few = [colour for colour, count in counts.items() if count < 3]
    if few:
        raise GLocalXError(
            f"There are {counts[few[0]]} {few[0].lower()} points. Draw at least 3 of each colour."
        )
    if len(points) > MOST_POINTS:
        raise GLocalXError(
            f"There are {len(points)} points, more than can be told apart. "
            f"Draw at most {MOST_POINTS}."
        )
    return _of_points(OWN, points, seed)


def _points(places: npt.NDArray[np.float64], labels: npt.NDArray[Any]) -> tuple[Point, ...]:
    points = zip(places.tolist(), labels, strict=True)
    return tuple(Point(x, y, str(label)) for (x, y), label in points)


def _of_points(name: str, points: Sequence[Point], seed: int) -> Scene:
    """A support vector machine learns the colours of points; it may get some of them wrong."""
    from sklearn.svm import SVC

    places = [(point.x, point.y) for point in points]
    frame = pd.DataFrame(places, columns=["x", "y"], dtype=float)
    model = SVC(C=10.0).fit(frame, [point.outcome for point in points])
    box = PythonBlackBox(model, _PLANE, name="support vector machine")
    return scene_of(name, frame, _PLANE, box, EDGES, seed=seed)


SCENES: Mapping[str, Callable[[int], Scene]] = {
    "moons": moons,
    "loan": loan,
    "xor": exclusive_or,
    "compas": compas,
}
