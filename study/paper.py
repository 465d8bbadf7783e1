"""The figures of the paper, as printed there; tables are named by their number in it.

Setzu, Guidotti, Monreale, Turini, Pedreschi, Giannotti: GLocalX – From Local to Global
Explanations of Black Box AI Models. Artificial Intelligence 294 (2021). Its “diva” is a private
table; ours is synthetic and has only its shape, so those figures are no target. Its Figure 2 has
no numbers in the text. Its table of datasets names the records that went into each part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

Pair: TypeAlias = tuple[str, str]
"""Data set and black box."""


class Printed(NamedTuple):
    """A line of tables 4 and 5."""

    fidelity: float
    size: float
    length: float
    length_deviation: float


class PrintedAccuracy(NamedTuple):
    """A line of table 6; deviations are over black boxes, None where there was one."""

    accuracy: float
    accuracy_deviation: float | None
    delta: float
    delta_deviation: float | None
    size: float
    size_deviation: float | None
    length: float
    length_deviation: float | None


ALPHA: Mapping[str, int] = {"compas": 5, "adult": 10, "german": 2, "diva": 25}
"""The alpha of table 5."""

PAIRS: tuple[Pair, ...] = (
    *(("compas", "mlp"), ("compas", "rf"), ("compas", "svm")),
    *(("adult", "mlp"), ("adult", "rf"), ("adult", "svm")),
    *(("german", "rf"), ("diva", "rf")),
)

BLACK_BOX_ACCURACY: Mapping[Pair, float] = {
    ("adult", "mlp"): 0.868,
    ("adult", "rf"): 0.860,
    ("adult", "svm"): 0.860,
    ("compas", "mlp"): 0.611,
    ("compas", "rf"): 0.548,
    ("compas", "svm"): 0.557,
    ("german", "rf"): 0.753,
    ("diva", "rf"): 0.900,
}
"""Table 2."""

TRUE_TREE: Mapping[str, Printed] = {
    "adult": Printed(0.813, 5452, 16.611, 6.150),
    "compas": Printed(0.587, 1514, 6.271, 1.985),
    "german": Printed(0.896, 68, 5.294, 2.065),
    "diva": Printed(0.848, 934, 11.233, 5.268),
}
"""Table 2: a tree on the true labels; the first figure is its accuracy."""

SENSITIVE: Mapping[str, tuple[float, float, float, float]] = {
    "prior offences": (9.89, 5.18, 2.75, 4.23),
    "past recidivous": (0.74, 0.43, 0.42, 0.49),
    "violent recidivous": (0.19, 0.39, 0.09, 0.29),
    "African-American": (0.70, 0.45, 0.50, 0.50),
    "Caucasian": (0.21, 0.41, 0.33, 0.47),
}
"""Table 3: mean and deviation among recidivous, then among non-recidivous."""

COMPAS_RULES = (
    "prior offenses ≥ 4, age < 45, sex = male → Non-recidivous",
    "prior offenses ≥ 4, age < 45, sex = male, charge degree = light → Non-recidivous",
    "age ≤ 43, prior offenses < 4, past recidivous = no, sex = male, charge degree = light "
    "→ Non-recidivous",
    "past time in prison < 8 → Recidivous",
    "priors count < 4, past time in prison < 1 → Recidivous",
    "priors count < 2, past time in prison < 8 → Recidivous",
)
"""Section 5.4: six rules for a random forest on COMPAS, fidelity 0.86."""

ALPHA_Q: Mapping[Pair, Mapping[int, Printed]] = {
    ("adult", "mlp"): {
        75: Printed(0.872, 53, 6.73, 1.84),
        90: Printed(0.905, 17, 6.43, 1.76),
        95: Printed(0.911, 10, 5.33, 1.15),
        99: Printed(0.909, 3, 7.00, 0.00),
    },
    ("adult", "rf"): {
        75: Printed(0.845, 27, 10.25, 1.03),
        90: Printed(0.862, 11, 10.80, 0.60),
        95: Printed(0.865, 7, 11.00, 0.57),
        99: Printed(0.867, 2, 12.00, 0.00),
    },
    ("adult", "svm"): {
        75: Printed(0.859, 56, 4.67, 1.39),
        90: Printed(0.868, 22, 4.61, 1.25),
        95: Printed(0.902, 10, 4.22, 1.13),
        99: Printed(0.865, 3, 4.50, 0.50),
    },
    ("compas", "mlp"): {
        75: Printed(0.769, 16, 2.93, 0.99),
        90: Printed(0.751, 8, 2.71, 0.69),
        95: Printed(0.757, 5, 2.25, 0.43),
        99: Printed(0.759, 4, 2.33, 0.47),
    },
    ("compas", "rf"): {
        75: Printed(0.829, 27, 5.57, 1.52),
        90: Printed(0.873, 9, 5.37, 1.49),
        95: Printed(0.874, 6, 5.20, 1.72),
        99: Printed(0.875, 10, 8.00, 0.00),
    },
    ("compas", "svm"): {
        75: Printed(0.827, 19, 6.22, 1.54),
        90: Printed(0.861, 7, 5.66, 0.47),
        95: Printed(0.860, 4, 5.66, 0.47),
        99: Printed(0.851, 2, 6.00, 0.00),
    },
    ("diva", "rf"): {
        75: Printed(0.855, 48, 3.91, 0.96),
        90: Printed(0.873, 16, 3.86, 0.71),
        95: Printed(0.806, 9, 3.75, 0.82),
        99: Printed(0.814, 3, 4.00, 1.00),
    },
    ("german", "rf"): dict.fromkeys((75, 90, 95, 99), Printed(0.786, 2, 4.00, 0.00)),
}
"""Table 4."""

EFFECTIVENESS: Mapping[Pair, Mapping[str, Printed]] = {
    ("adult", "mlp"): {
        "glx": Printed(0.912, 5, 6.00, 1.0),
        "glx-star": Printed(0.880, 10, 6.30, 2.5),
        "cpar-rows": Printed(0.929, 100, 3.78, 2.4),
        "tree": Printed(0.917, 1068, 7.22, 1.9),
        "pruned-tree": Printed(0.908, 28, 2.71, 0.8),
        "union": Printed(0.880, 6838, 3.86, 2.2),
    },
    ("adult", "rf"): {
        "glx": Printed(0.902, 10, 4.00, 1.0),
        "glx-star": Printed(0.876, 10, 3.20, 1.5),
        "cpar-rows": Printed(0.944, 107, 2.57, 1.3),
        "tree": Printed(0.959, 926, 7.43, 1.6),
        "pruned-tree": Printed(0.935, 26, 2.53, 0.8),
        "union": Printed(0.876, 838, 5.00, 1.4),
    },
    ("adult", "svm"): {
        "glx": Printed(0.865, 10, 7.70, 3.4),
        "glx-star": Printed(0.854, 10, 6.10, 2.9),
        "cpar-rows": Printed(0.848, 95, 4.77, 3.0),
        "tree": Printed(0.875, 2956, 7.57, 1.6),
        "pruned-tree": Printed(0.854, 24, 2.50, 0.6),
        "union": Printed(0.854, 6838, 3.54, 2.4),
    },
    ("compas", "mlp"): {
        "glx": Printed(0.759, 3, 2.33, 0.4),
        "glx-star": Printed(0.756, 6, 4.50, 0.9),
        "cpar-rows": Printed(0.821, 69, 3.11, 1.4),
        "tree": Printed(0.789, 1014, 6.00, 1.8),
        "pruned-tree": Printed(0.780, 30, 2.33, 0.6),
        "union": Printed(0.627, 1515, 4.65, 1.7),
    },
    ("compas", "rf"): {
        "glx": Printed(0.870, 6, 3.66, 2.4),
        "glx-star": Printed(0.862, 6, 4.33, 1.1),
        "cpar-rows": Printed(0.908, 53, 2.86, 1.6),
        "tree": Printed(0.906, 452, 4.91, 1.4),
        "pruned-tree": Printed(0.886, 30, 2.60, 0.7),
        "union": Printed(0.658, 1515, 3.52, 1.2),
    },
    ("compas", "svm"): {
        "glx": Printed(0.860, 6, 4.33, 1.3),
        "glx-star": Printed(0.840, 6, 4.16, 0.8),
        "cpar-rows": Printed(0.858, 70, 3.04, 1.3),
        "tree": Printed(0.875, 824, 4.58, 1.0),
        "pruned-tree": Printed(0.850, 30, 2.53, 0.7),
        "union": Printed(0.696, 1515, 4.08, 0.8),
    },
    ("diva", "rf"): {
        "glx": Printed(0.854, 26, 3.26, 0.9),
        "glx-star": Printed(0.848, 26, 3.88, 1.3),
        "cpar-rows": Printed(0.850, 221, 2.03, 1.0),
        "tree": Printed(0.853, 976, 10.63, 3.9),
        "pruned-tree": Printed(0.836, 28, 3.21, 0.9),
        "union": Printed(0.794, 2013, 2.90, 1.0),
    },
    ("german", "rf"): {
        "glx": Printed(0.786, 2, 3.00, 1.0),
        "glx-star": Printed(0.766, 2, 5.87, 2.4),
        "cpar-rows": Printed(0.773, 18, 2.33, 1.4),
        "tree": Printed(0.830, 76, 4.50, 1.7),
        "pruned-tree": Printed(0.796, 28, 2.78, 0.8),
        "union": Printed(0.766, 210, 5.62, 2.4),
    },
}
"""Table 5; its CPAR is that of the LUCS-KDD library."""

FRIEDMAN_BELOW: Mapping[str, float] = {"fidelity": 0.05, "size": 0.0001, "length": 0.0005}
"""The p-values of table 5 are below these."""

MEAN_BLACK_BOX_ACCURACY: Mapping[str, tuple[float, float | None]] = {
    "adult": (0.801, 0.056),
    "compas": (0.673, 0.033),
    "diva": (0.908, None),
    "german": (0.700, None),
}
"""Table 6, its first lines; they differ from table 2."""

REPLACING: Mapping[str, Mapping[str, PrintedAccuracy]] = {
    "adult": {
        "cpar-rows": PrintedAccuracy(0.816, 0.148, -0.091, 0.042, 139.1, 217.2, 7.526, 1.464),
        "tree": PrintedAccuracy(0.945, 0.062, 0.027, 0.039, 1654.0, 1134.5, 7.430, 0.159),
        "glx": PrintedAccuracy(0.792, 0.019, 0.101, 0.013, 8.3, 2.8, 5.533, 1.601),
        "pruned-tree": PrintedAccuracy(0.894, 0.057, -0.005, 0.043, 16.6, 14.4, 2.519, 0.139),
    },
    "compas": {
        "cpar-rows": PrintedAccuracy(0.790, 0.108, -0.072, 0.377, 43.7, 79.5, 4.948, 1.306),
        "tree": PrintedAccuracy(0.593, 0.514, -0.264, 0.366, 762.0, 288.7, 4.988, 0.225),
        "glx": PrintedAccuracy(0.726, 0.002, 0.103, 0.049, 5.00, 1.73, 4.611, 0.976),
        "pruned-tree": PrintedAccuracy(0.868, 0.025, 0.029, 0.363, 20.0, 17.3, 2.566, 0.004),
    },
    "diva": {
        "cpar-rows": PrintedAccuracy(0.850, None, 0.020, None, 221.0, None, 2.031, None),
        "tree": PrintedAccuracy(0.854, None, -0.017, None, 976.0, None, 10.680, None),
        "glx": PrintedAccuracy(0.824, None, 0.029, None, 26.0, None, 3.192, None),
        "pruned-tree": PrintedAccuracy(0.836, None, -0.021, None, 28.0, None, 3.214, None),
    },
    "german": {
        "cpar-rows": PrintedAccuracy(0.880, None, -0.006, None, 5.2, None, 2.103, None),
        "tree": PrintedAccuracy(0.915, None, -0.000, None, 26.0, None, 2.789, None),
        "glx": PrintedAccuracy(0.726, None, 0.006, None, 2.0, None, 3.000, None),
        "pruned-tree": PrintedAccuracy(0.898, None, -0.000, None, 10.0, None, 1.892, None),
    },
}
"""Table 6."""

DELTA_BY_DATASET: Mapping[str, tuple[float, float]] = {
    "adult": (0.128, 0.008),
    "compas": (0.228, 0.017),
    "diva": (0.026, 0.023),
    "german": (0.009, 0.007),
}
DELTA_BY_METHOD: Mapping[str, tuple[float, float]] = {
    "cpar-rows": (-0.037, 0.052),
    "tree": (-0.063, 0.135),
    "glx": (0.073, 0.015),
    "pruned-tree": (0.005, 0.020),
}
"""Table 7: Δacc, mean and deviation."""
