"""Makes the table, the four models in ONNX beside it, and what their own libraries answer.

The suite only reads these files. To make them again, in an environment of its own:

    pip install xgboost-cpu lightgbm catboost scikit-learn onnxmltools skl2onnx pandas
    python tests/blackbox/models/make_models.py

The table has what real ones have: columns that no model reads (a number, a random date, a group,
a mark of who was trained on), names with units and umlauts that the models call otherwise, gaps
that carry the answer, and two columns of outcomes, one of two and one of three.

The forest has leaves of 20 records. One that splits 360 records down to single ones answers by
accident: of 12 trees six deep, a tree of ten leaves told 87 % of the answers even when it was grown
on 20,000 records that the forest had labelled. Of this one it tells 95 %.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder

HERE = Path(__file__).resolve().parent
ROWS = 600
HOMES = ["MORTGAGE", "OWN", "RENT"]
NUMBERS = {
    "Income (€ per month)": "Income",
    "Debt to income (%)": "Debt_to_income",
    "Größe des Haushalts": "Groesse_des_Haushalts",
    "Years at address": "years_at_address",
}
"""What the table calls a column, and what the models do."""
TEXTS = {"Home ownership": "HomeOwnership"}


def loans(seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    days = pd.to_datetime("2024-01-01") + pd.to_timedelta(random.integers(0, 700, ROWS), unit="D")
    income = np.round(random.gamma(6, 600, ROWS), -1)
    debt = np.round(random.uniform(2, 70, ROWS), 1)
    household = random.integers(1, 7, ROWS)
    years = random.integers(0, 25, ROWS).astype(float)
    home = random.choice(HOMES, ROWS).astype(object)
    income[random.random(ROWS) < 0.12] = np.nan
    years[random.random(ROWS) < 0.08] = np.nan
    home[random.random(ROWS) < 0.10] = np.nan
    points = (
        2.0 * np.isnan(income)
        + 1.0 * (income < 3000)
        + 1.0 * (debt > 38)
        + 0.5 * (household > 4)
        + 1.5 * pd.isna(home)
        + 0.5 * (home == "RENT")
        - 0.5 * (years > 12)
    )
    return pd.DataFrame(
        {
            "Application": [f"A-{place:05d}" for place in random.permutation(ROWS) + 1000],
            "Filed on": days.strftime("%Y-%m-%d"),
            "Gender": random.choice(["female", "male"], ROWS, p=[0.45, 0.55]),
            "Income (€ per month)": pd.array(income, dtype="Int64"),
            "Debt to income (%)": debt,
            "Größe des Haushalts": household,
            "Years at address": pd.array(years, dtype="Int64"),
            "Home ownership": home,
            "Sample": np.where(random.random(ROWS) < 0.6, "train", "test"),
            "Decision": np.where(points >= 2, "denied", "granted"),
            "Tier": np.select([points >= 2.5, points >= 1], ["high", "middle"], "low"),
        }
    )


def as_models_see_it(table: pd.DataFrame) -> pd.DataFrame:
    """The columns that models read, by their names for them; text has no gap but an empty one."""
    numbers = table[list(NUMBERS)].astype(float).rename(columns=NUMBERS)
    texts = table[list(TEXTS)].fillna("").rename(columns=TEXTS)
    return pd.concat([numbers, texts], axis=1)


def pipeline(model: Any, numbers: Any = "passthrough") -> Pipeline:
    """A home that is not one of the three, an empty one too, is none of them for the model."""
    known = OneHotEncoder(categories=[HOMES], handle_unknown="ignore", sparse_output=False)
    steps = [("home", known, list(TEXTS.values())), ("numbers", numbers, list(NUMBERS.values()))]
    return make_pipeline(ColumnTransformer(steps), model)


def exported(model: Pipeline) -> bytes:
    """One input for each column, named as the model names it."""
    from lightgbm import LGBMClassifier
    from onnxmltools.convert.lightgbm.operator_converters.LightGbm import convert_lightgbm
    from onnxmltools.convert.xgboost.operator_converters.XGBoost import convert_xgboost
    from skl2onnx import convert_sklearn, update_registered_converter
    from skl2onnx.common.data_types import FloatTensorType, StringTensorType
    from skl2onnx.common.shape_calculator import calculate_linear_classifier_output_shapes
    from xgboost import XGBClassifier

    for kind, name, convert in (
        (XGBClassifier, "XGBoostXGBClassifier", convert_xgboost),
        (LGBMClassifier, "LightGbmLGBMClassifier", convert_lightgbm),
    ):
        update_registered_converter(
            kind,
            name,
            calculate_linear_classifier_output_shapes,
            convert,
            options={"nocl": [True, False], "zipmap": [True, False, "columns"]},
        )
    types = [(name, FloatTensorType([None, 1])) for name in NUMBERS.values()]
    types += [(name, StringTensorType([None, 1])) for name in TEXTS.values()]
    made = convert_sklearn(model, initial_types=types, target_opset={"": 18, "ai.onnx.ml": 3})
    data: bytes = made.SerializeToString()
    return data


def main() -> None:
    from catboost import CatBoostClassifier
    from lightgbm import LGBMClassifier
    from xgboost import XGBClassifier

    table = loans()
    table.to_csv(HERE / "loans.csv", index=False)
    seen = (table["Sample"] == "train").to_numpy()
    frame = as_models_see_it(table)
    denied = (table["Decision"] == "denied").astype(int)  # XGBoost takes 0 and 1 alone
    answers = {}

    xgboost = pipeline(XGBClassifier(n_estimators=20, max_depth=3, random_state=0))
    xgboost.fit(frame[seen], denied[seen])
    answers["xgboost"] = xgboost.predict(frame)
    (HERE / "xgboost.onnx").write_bytes(exported(xgboost))

    lightgbm = pipeline(
        LGBMClassifier(n_estimators=12, num_leaves=6, min_child_samples=10, verbose=-1)
    )
    lightgbm.fit(frame[seen], table["Tier"][seen])
    answers["lightgbm"] = lightgbm.predict(frame)
    (HERE / "lightgbm.onnx").write_bytes(exported(lightgbm))

    gaps = SimpleImputer(strategy="constant", fill_value=-1.0)
    forest = RandomForestClassifier(30, min_samples_leaf=20, random_state=0)
    sklearn = pipeline(forest, numbers=gaps)
    sklearn.fit(frame[seen], table["Tier"][seen])
    answers["sklearn"] = sklearn.predict(frame)
    (HERE / "sklearn.onnx").write_bytes(exported(sklearn))

    # CatBoost exports numbers alone, as one matrix without names.
    catboost = CatBoostClassifier(
        iterations=30, depth=3, verbose=0, random_seed=0, allow_writing_files=False
    )
    numbers = frame[list(NUMBERS.values())]
    catboost.fit(numbers[seen], table["Decision"][seen])
    answers["catboost"] = catboost.predict(numbers).ravel()
    catboost.save_model(str(HERE / "catboost.onnx"), format="onnx")

    pd.DataFrame(answers).to_csv(HERE / "answers.csv", index=False)


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporters use what numpy and onnx will drop
        main()
