"""What the page Compare says of other tables, from the result files of `rivals` and `alpha`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from study.ranks import friedman

RESULTS = Path(__file__).parent / "results"
SHOWN = Path(__file__).parents[1] / "ui" / "compare" / "elsewhere.json"
OURS, TREE = "GLocalX, ten rules", "tree of ten leaves"
OTHERS = {
    "CPAR": "CPAR: ten chosen",
    "Trepan": "Trepan, ten leaves",
    "CEGA": "CEGA: ten chosen",
    "CFIRE": "CFIRE: ten chosen",
}
HELD = (OURS, TREE, "Trepan, ten leaves", "GLocalX, alpha 10")  # to ten rules by themselves
BY_ALPHA = {
    "one by one": "one by one, the whole, all labelled",
    "together": "… less what does not help",
    "tree": "tree of 10 leaves, all labelled",
    "budget": "ten rules by budget, price 0.03",
}


def figures_elsewhere() -> dict[str, Any]:
    """Mean held-out fidelity of each, and what their ranks tell apart."""
    rivals = pd.read_csv(RESULTS / "rivals.csv")
    by_table = rivals.pivot_table(index="table", columns="method", values="fidelity", sort=False)
    means = rivals.groupby("method")["fidelity"].mean()
    held = [name for name in by_table if name in HELD or name.endswith(": ten chosen")]
    test = friedman({name: by_table[name].tolist() for name in held})
    apart = [pair.worse for pair in test.pairs() if pair.better == OURS and pair.differ]
    alpha = pd.read_csv(RESULTS / "alpha.csv")
    filtered = alpha[alpha["part"] == "held out"].groupby("way")["fidelity"].mean()
    return {
        "tables": int(rivals["table"].nunique()),
        "models": int(rivals["black box"].nunique()),
        "budget": round(float(means[OURS]), 4),
        "tree": round(float(means[TREE]), 4),
        "others": {name: round(float(means[key]), 4) for name, key in OTHERS.items()},
        "ranks": [round(rank, 2) for rank in test.ranks.values()],
        "rank": round(test.ranks[OURS], 2),
        "critical difference": round(test.critical_difference, 2),
        "separated": [name for name, key in OTHERS.items() if key in apart],
        "alpha": {name: round(float(filtered[way]), 4) for name, way in BY_ALPHA.items()},
    }


def write_elsewhere() -> None:
    """Bring what the page says up to the result files."""
    text = json.dumps(figures_elsewhere(), ensure_ascii=False, indent=1)
    SHOWN.write_text(text + "\n", encoding="utf-8")
