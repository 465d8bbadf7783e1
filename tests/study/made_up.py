"""Cells with figures that were made up, so that what the tables say of them is known."""

from typing import Any

from study.methods import METHODS
from study.plan import PERCENTILES, StudySettings
from study.results import Study

SETTINGS = StudySettings(shares=(20,), trials=2)


def figures(fidelity: float, size: int = 10) -> dict[str, Any]:
    return {
        "fidelity": fidelity,
        "accuracy": fidelity - 0.1,
        "delta": 0.1,
        "size": size,
        "length": 2.5,
        "conditions": round(2.5 * size),
        "length deviation": 0.5,
        "coverage": 1.0,
        "seconds": 0.1,
    }


def cell(
    dataset: str,
    kind: str,
    seed: int,
    *,
    majority: float = 0.8,
    rule: str = "age ≤ 30 → High",
    without: tuple[str, ...] = (),
    **fidelities: float,
) -> dict[str, Any]:
    """A cell in which every method has a fidelity of 0.9 unless told otherwise."""
    known = {name.replace("_", "-"): value for name, value in fidelities.items()}
    methods = {
        method.key: figures(known.get(method.key, 0.9))
        for method in METHODS
        if method.key not in without
    }
    whom = {
        name: {"records": 10, "prior offences": [3.0, 1.0], "Caucasian": [None, None]}
        for name in ("High", "Medium or Low", "everyone")
    }
    trial = {"alpha_q": {"fidelity": 0.85, "size": 20}, "budget": {"fidelity": 0.9, "size": 10}}
    fewer = {"alpha_q": {"fidelity": 0.84, "size": 9}, "budget": {"fidelity": 0.87, "size": 10}}
    return {
        "cell": {"dataset": dataset, "black_box": kind, "seed": seed},
        "records": {"train": 700, "explain": 210, "test": 90},
        "black box": {"accuracy": 0.75, "preset": "paper", "parameters": {}, "notes": []},
        "true tree": figures(0.7, 200),
        "local rules": 210,
        "distinct local rules": 90,
        "merges": 80,
        "majority": figures(majority, 0),
        "methods": methods,
        "alpha_q": {str(q): figures(0.88, 5) for q in PERCENTILES},
        "by size": {
            str(size): {"budget": 0.9, "alpha": 0.895, "alpha one by one": 0.88, "tree": 0.89}
            for size in (2, 5, 10)
        },
        "fewer rules": {"20": [fewer, fewer], "100": [trial]},
        "rules": {"alpha=6": [rule, "otherwise → Low"], "budget=10": [rule]},
        "whom": whom if dataset == "compas" else {},
        "seconds": {"training": 1.0, "local rules": 2.0, "merging": 0.1, "all": 90.0},
        "versions": {"python": "3.11", "glocalx": "0.1.0"},
    }


def study(*cells: dict[str, Any]) -> Study:
    return Study(cells, SETTINGS)
