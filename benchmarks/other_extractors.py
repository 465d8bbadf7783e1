"""Anchors and LORE by others, on records handed over in a folder. Runs in their environment.

Reads `train.csv`, `records.csv`, `outcomes.json` and `model.joblib`; writes for each record the
seconds, the rows that the black box was asked about, and the rule in its author's own form.

Usage: python other_extractors.py FOLDER {anchor,lore_random,lore_genetic} RECORDS
"""

from __future__ import annotations

import json
import logging
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd

Explain = Callable[[int], Any]


class Asked:
    """The black box, and how many rows it was asked about."""

    def __init__(self, folder: Path) -> None:
        self.model = joblib.load(folder / "model.joblib")
        self.train = pd.read_csv(folder / "train.csv", keep_default_na=False)
        self.records = pd.read_csv(folder / "records.csv", keep_default_na=False)
        self.outcomes = json.loads((folder / "outcomes.json").read_text())
        self.rows = 0

    def labels(self, frame: pd.DataFrame) -> np.ndarray:
        self.rows += len(frame)
        return np.asarray(self.model.predict(frame), dtype=object)


def anchor(asked: Asked) -> Explain:
    """anchor-exp with its own defaults; categories as codes, as it wants them."""
    from anchor.anchor_tabular import AnchorTabularExplainer

    together = pd.concat([asked.train, asked.records])
    texts = [name for name in together if not pd.api.types.is_numeric_dtype(together[name])]
    names = {name: sorted(together[name].unique()) for name in texts}

    def coded(frame: pd.DataFrame) -> np.ndarray:
        columns = [
            pd.Categorical(frame[name], categories=names[name]).codes
            if name in names
            else frame[name].to_numpy()
            for name in frame
        ]
        return np.column_stack(columns).astype(float)

    def decoded(rows: np.ndarray) -> pd.DataFrame:
        columns = {}
        for place, name in enumerate(asked.train):
            values = rows[:, place]
            columns[name] = (
                np.array(names[name], dtype=object)[values.astype(int)] if name in names else values
            )
        return pd.DataFrame(columns)

    places = {name: place for place, name in enumerate(asked.outcomes)}
    explainer = AnchorTabularExplainer(
        asked.outcomes,
        list(asked.train),
        coded(asked.train),
        {list(asked.train).index(name): values for name, values in names.items()},
    )
    rows = coded(asked.records)

    def ask(codes: np.ndarray) -> np.ndarray:
        return np.array([places[label] for label in asked.labels(decoded(codes))])

    def explain(record: int) -> dict[str, Any]:
        np.random.seed(record)
        found = explainer.explain_instance(rows[record], ask, threshold=0.95)
        return {
            "names": found.exp_map["names"],
            "prediction": int(found.exp_map["prediction"]),
            "precision": found.exp_map["precision"],
            "coverage": found.exp_map["coverage"],
        }

    return explain


def lore(asked: Asked, genetic: bool) -> Explain:
    """lore_sa with its own defaults."""
    from lore_sa.bbox import AbstractBBox
    from lore_sa.dataset import TabularDataset
    from lore_sa.lore import TabularGeneticGeneratorLore, TabularRandomGeneratorLore

    class Box(AbstractBBox):
        def __init__(self) -> None:
            self.bbox = asked.model

        def predict(self, rows: Any) -> np.ndarray:
            frame = pd.DataFrame(np.asarray(rows, dtype=object), columns=list(asked.train))
            return asked.labels(frame.astype(asked.train.dtypes.to_dict())).astype(str)

        def predict_proba(self, rows: Any) -> np.ndarray:
            frame = pd.DataFrame(np.asarray(rows, dtype=object), columns=list(asked.train))
            asked.rows += len(frame)
            return asked.model.predict_proba(frame.astype(asked.train.dtypes.to_dict()))

    table = asked.train.astype(
        {
            name: object
            for name in asked.train
            if not pd.api.types.is_numeric_dtype(asked.train[name])
        }
    )
    table["outcome"] = asked.model.predict(asked.train).astype(object)
    dataset = TabularDataset(table, class_name="outcome")
    made = TabularGeneticGeneratorLore if genetic else TabularRandomGeneratorLore
    explainer = made(Box(), dataset)

    def explain(record: int) -> dict[str, Any]:
        np.random.seed(record)
        found = explainer.explain(np.array(asked.records.iloc[record].tolist(), dtype=object))
        return {"rule": found["rule"]}

    return explain


def plain(value: Any) -> Any:
    """numpy scalars and arrays as JSON knows them."""
    return value.tolist() if isinstance(value, np.generic | np.ndarray) else str(value)


def main() -> None:
    folder, which, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    asked = Asked(folder)
    explain = anchor(asked) if which == "anchor" else lore(asked, which == "lore_genetic")
    results = []
    for record in range(min(count, len(asked.records))):
        asked.rows, start = 0, time.perf_counter()
        explanation = explain(record)
        seconds = time.perf_counter() - start
        results.append({"seconds": seconds, "rows": asked.rows, "explanation": explanation})
    (folder / f"{which}.json").write_text(json.dumps(results, default=plain))


if __name__ == "__main__":
    main()
