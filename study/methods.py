"""What is compared: GLocalX as in the paper, as we have it, and its rivals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Family: TypeAlias = Literal["paper", "small", "large"]


@dataclass(frozen=True, slots=True)
class StudyMethod:
    """One column of the comparison.

    Parameters
    ----------
    key, title
        In files; for people.
    family
        `paper`: in its table 5; `small`: ours, held to the budget; `large`: ours, of any size.
    short
        As the paper writes it.
    """

    key: str
    title: str
    family: Family
    short: str = ""


METHODS: tuple[StudyMethod, ...] = (
    StudyMethod("glx", "GLocalX, alpha", "paper", "GLX"),
    StudyMethod("glx-star", "GLocalX*, alpha", "paper", "GLX*"),
    StudyMethod("cpar-rows", "CPAR as in LUCS-KDD", "paper", "CPAR"),
    StudyMethod("tree", "Decision tree", "paper", "DT"),
    StudyMethod("pruned-tree", "Pruned tree, depth 4", "paper", "PDT"),
    StudyMethod("union", "Union of the local rules", "paper", "UNI"),
    StudyMethod("budget", "GLocalX, budget", "small"),
    StudyMethod("budget-printed", "GLocalX, budget, merged as in the paper, unpriced", "small"),
    StudyMethod("alpha", "GLocalX, alpha together", "small"),
    StudyMethod("budget-star", "GLocalX*, budget", "small"),
    StudyMethod("budget-blind", "GLocalX*, budget, black box not asked", "small"),
    StudyMethod("small-tree", "Tree of at most so many leaves", "small"),
    StudyMethod("cpar-best", "CPAR, its most accurate rules", "small"),
    StudyMethod("cpar-chosen", "CPAR, rules chosen as by budget", "small"),
    StudyMethod("cpar-rows-best", "CPAR (LUCS-KDD), its most accurate rules", "small"),
    StudyMethod("cpar-rows-chosen", "CPAR (LUCS-KDD), rules chosen as by budget", "small"),
    StudyMethod("cega-chosen", "CEGA, rules chosen as by budget", "small"),
    StudyMethod("cfire-chosen", "CFIRE, rules chosen as by budget", "small"),
    StudyMethod("trepan", "Trepan", "small"),
    StudyMethod("ripper", "RIPPER", "small"),
    StudyMethod("brcg", "BRCG", "small"),
    StudyMethod("bayesian-list", "Bayesian rule list", "small"),
    StudyMethod("glx-blind", "GLocalX*, alpha, black box not asked", "large"),
    StudyMethod("all-left", "GLocalX, all rules left after merging", "large"),
    StudyMethod("all-left-printed", "GLocalX, all rules left, merged as in the paper", "large"),
    StudyMethod("cpar", "CPAR, true weights", "large"),
    StudyMethod("cega", "CEGA, all its rules", "large"),
    StudyMethod("cfire", "CFIRE, all its rules", "large"),
    StudyMethod("ripper-whole", "RIPPER, all its rules", "large"),
    StudyMethod("brcg-whole", "BRCG, all its rules", "large"),
    StudyMethod("bayesian-list-whole", "Bayesian rule list, whole", "large"),
)
BY_KEY = {method.key: method for method in METHODS}
PAPER_METHODS = tuple(method.key for method in METHODS if method.family == "paper")
SMALL_METHODS = tuple(method.key for method in METHODS if method.family == "small")
RIVALS_OF_BUDGET = (
    *("small-tree", "pruned-tree", "cpar-best", "cpar-chosen"),
    *(
        "cpar-rows-best",
        "cpar-rows-chosen",
        "cega-chosen",
        "cfire-chosen",
        "trepan",
        "ripper",
        "brcg",
        "bayesian-list",
    ),
)
"""What ten rules of ours are held against; extras where they are installed."""
