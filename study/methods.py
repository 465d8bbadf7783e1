"""What is compared: GLocalX as in the paper, as we have it, and its rivals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Family: TypeAlias = Literal["paper", "small", "large"]


@dataclass(frozen=True, slots=True)
class Method:
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


METHODS: tuple[Method, ...] = (
    Method("glx", "GLocalX, alpha", "paper", "GLX"),
    Method("glx-star", "GLocalX*, alpha", "paper", "GLX*"),
    Method("cpar-rows", "CPAR as in LUCS-KDD", "paper", "CPAR"),
    Method("tree", "Decision tree", "paper", "DT"),
    Method("pruned-tree", "Pruned tree, depth 4", "paper", "PDT"),
    Method("union", "Union of the local rules", "paper", "UNI"),
    Method("budget", "GLocalX, budget", "small"),
    Method("budget-star", "GLocalX*, budget", "small"),
    Method("budget-blind", "GLocalX*, budget, black box not asked", "small"),
    Method("small-tree", "Tree of at most so many leaves", "small"),
    Method("cpar-best", "CPAR, its most accurate rules", "small"),
    Method("cpar-chosen", "CPAR, rules chosen as by budget", "small"),
    Method("cpar-rows-best", "CPAR (LUCS-KDD), its most accurate rules", "small"),
    Method("cpar-rows-chosen", "CPAR (LUCS-KDD), rules chosen as by budget", "small"),
    Method("trepan", "Trepan", "small"),
    Method("ripper", "RIPPER", "small"),
    Method("brcg", "BRCG", "small"),
    Method("bayesian-list", "Bayesian rule list", "small"),
    Method("glx-blind", "GLocalX*, alpha, black box not asked", "large"),
    Method("all-left", "GLocalX, all rules left after merging", "large"),
    Method("cpar", "CPAR, true weights", "large"),
    Method("ripper-whole", "RIPPER, all its rules", "large"),
    Method("brcg-whole", "BRCG, all its rules", "large"),
    Method("bayesian-list-whole", "Bayesian rule list, whole", "large"),
)
BY_KEY = {method.key: method for method in METHODS}
PAPER_METHODS = tuple(method.key for method in METHODS if method.family == "paper")
SMALL_METHODS = tuple(method.key for method in METHODS if method.family == "small")
RIVALS_OF_BUDGET = (
    *("small-tree", "pruned-tree", "cpar-best", "cpar-chosen"),
    *("cpar-rows-best", "cpar-rows-chosen", "trepan", "ripper", "brcg", "bayesian-list"),
)
"""What ten rules of ours are held against; extras where they are installed."""
