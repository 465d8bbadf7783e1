"""Counterfactuals of dice-ml for some records; runs in the environment of `other_extractors.sh`.

Usage: python dice_changes.py FOLDER METHOD COUNT. In FOLDER: model.joblib, train.csv, records.csv,
outcomes.json. Writes METHOD.json there: for each record the changed one, seconds and rows asked.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import dice_ml
import joblib
import numpy as np
import pandas as pd

ANSWER = "answer of the model"


class Counted:
    """The model, and how many rows it was asked about."""

    def __init__(self, model):
        self.model, self.rows = model, 0
        self.classes_ = model.classes_

    def predict_proba(self, frame):
        self.rows += len(frame)
        return self.model.predict_proba(frame)

    def predict(self, frame):
        self.rows += len(frame)
        return np.argmax(self.model.predict_proba(frame), axis=1)


def main():
    folder, method, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    warnings.filterwarnings("ignore")
    train = pd.read_csv(folder / "train.csv", keep_default_na=False)
    records = pd.read_csv(folder / "records.csv", keep_default_na=False)[:count]
    model = Counted(joblib.load(folder / "model.joblib"))
    texts = [name for name in train if not pd.api.types.is_numeric_dtype(train[name])]
    train[texts], records[texts] = train[texts].astype(object), records[texts].astype(object)
    numbers = [name for name in train if name not in texts]
    answers = np.argmax(model.model.predict_proba(train), axis=1)
    data = dice_ml.Data(
        dataframe=train.assign(**{ANSWER: answers}),
        continuous_features=numbers,
        outcome_name=ANSWER,
    )
    explainer = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method=method)
    seeded = {"random_seed": 0} if method == "random" else {}
    made = []
    for place in range(len(records)):
        model.rows, begun = 0, time.process_time()
        changed = None
        try:
            found = explainer.generate_counterfactuals(
                records.iloc[[place]], total_CFs=1, desired_class="opposite", **seeded
            )
            frame = found.cf_examples_list[0].final_cfs_df
            if frame is not None and len(frame):
                row = frame.iloc[0].drop(ANSWER)
                changed = {k: v if k in texts else float(v) for k, v in row.items()}
        except Exception as reason:  # it says so where it finds none
            print(f"  {method}, record {place}: {type(reason).__name__}", file=sys.stderr)
        made.append(
            {"seconds": time.process_time() - begun, "rows": model.rows, "changed": changed}
        )
    (folder / f"{method}.json").write_text(json.dumps(made))


if __name__ == "__main__":
    main()
