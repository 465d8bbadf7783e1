"""Other methods to compare with: what they are, how they are fitted, and when.

They learn from answers of the black box: from those that the rules were chosen on, or as the person
says from the explained records alone, or from every record with an answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from glocalx.baselines import (
    FROM_LOCAL_RULES,
    Recipe,
    RuleSet,
    Task,
    available_baselines,
    fit_baseline,
)
from glocalx.rules.coverage import Records
from glocalx.rules.scoring import Reference
from glocalx.selection import select_budget
from glocalx.words.phrases import counted, listing
from glocalx.workspace.run import Run
from ui.opened import (
    black_box_of,
    distinct_rules_of,
    explained_of,
    kept,
    known_records_of,
    stamp_of,
)

FIRST = "small-tree"
ONE_MORE = "small-tree-plus"  # the small tree with a leaf for “otherwise”
UNMERGED = "unmerged"  # as many rules, chosen as by a budget, but from the local rules alone
QUICK = ("small-tree", ONE_MORE, "pruned-tree", "tree", UNMERGED, "union")
QUICK_ON_FEW = ("cpar", "cpar-rows")
FEW = 8_000  # records to learn from; on more, CPAR takes seconds and waits for a click
TREES = ("small-tree", ONE_MORE, "pruned-tree", "tree", "trepan")  # every record is in a leaf
SIZED = ("small-tree", ONE_MORE, UNMERGED, "trepan")  # keep to a number of rules


@dataclass(frozen=True, slots=True)
class Words:
    """How a method is called on its own and within a sentence, and what it does."""

    title: str
    called: str
    about: str


WORDS = {
    "small-tree": Words(
        "Tree of the same size",
        "the tree",
        "A decision tree with at most as many leaves as there are rules on the left; each leaf "
        "counts as a rule. The rules have their “otherwise” besides, which is not counted and "
        "which a tree does without: see what one leaf more would change.",
    ),
    ONE_MORE: Words(
        "Tree with one leaf more",
        "the tree with one leaf more",
        "A decision tree with at most one leaf more than there are rules on the left: their "
        "“otherwise” counts as a rule here.",
    ),
    "pruned-tree": Words(
        "Tree of depth 4",
        "the tree of depth 4",
        "A decision tree that asks at most four questions on the way to an answer.",
    ),
    "tree": Words(
        "Full tree",
        "the full tree",
        "A decision tree, grown until it repeats every answer of the black box on the records "
        "that it learns from. Each leaf counts as a rule.",
    ),
    "cpar": Words(
        "CPAR",
        "CPAR",
        "Rules grown condition by condition for each outcome. The five best of each outcome that "
        "apply to a record vote.",
    ),
    "cpar-rows": Words(
        "CPAR, as in LUCS-KDD",
        "CPAR as in LUCS-KDD",
        "CPAR with the counting of a well-known program, which stops earlier and gives fewer "
        "rules. The five best of each outcome that apply vote.",
    ),
    UNMERGED: Words(
        "Local rules, not merged",
        "the local rules that were not merged",
        "As many of the local rules as there are rules on the left, chosen in the same way as by "
        "a budget, and never merged: the difference is what merging adds.",
    ),
    "union": Words(
        "All local rules",
        "the union of all local rules",
        "Every local rule side by side, nothing merged. The most reliable that applies decides.",
    ),
    "cega": Words(
        "CEGA",
        "CEGA",
        "Values that explanations name together often, and that mostly go with one answer, become "
        "rules. Written here from its description, with our local rules as the explanations.",
    ),
    "cfire": Words(
        "CFIRE",
        "CFIRE",
        "Features that explanations name together often span small spaces, in which boxes are "
        "drawn around each answer. Written here from its description, with our local rules as the "
        "explanations.",
    ),
    "trepan": Words(
        "Trepan",
        "Trepan",
        "A tree with at most as many leaves as there are rules on the left, grown by asking the "
        "black box about made-up records, too.",
    ),
}


def methods_of(run: Run) -> dict[str, Words]:
    """The methods that can be fitted on a run, the quick ones first."""
    known = dict(available_baselines(explained_of(run).schema))
    known[ONE_MORE] = known[UNMERGED] = known["small-tree"]
    order = [*QUICK, *(key for key in known if key not in QUICK)]
    return {key: WORDS.get(key) or _words(known[key]) for key in order if key in known}


def _words(recipe: Recipe) -> Words:
    about = f"Fitted by {listing(recipe.packages)}, which is installed here."
    return Words(recipe.title, recipe.title, about)


def is_ready(run: Run, method: str, rules: int, wide: bool) -> bool:
    """Whether a method takes less time than a person notices, or somebody has fitted it already."""
    few = len(known_records_of(run, wide)[0]) <= FEW
    quick = method in QUICK or (few and method in QUICK_ON_FEW)
    return quick or (*_task_key(run), method, _most(method, rules), wide) in _fitted()


def needs_black_box(run: Run, method: str) -> bool:
    """Whether it cannot be fitted because the black box is not here to be asked."""
    return method == "trepan" and black_box_of(run) is None


def rival_of(run: Run, method: str, rules: int = 0, wide: bool | None = None) -> RuleSet:
    """A method, fitted.

    Parameters
    ----------
    rules
        How many those of the run are.
    wide
        Whether it learns from every record that the black box has labelled; None: from what the
        run's own rules were chosen on.
    """
    most, every = _most(method, rules), as_the_run(run) if wide is None else wide
    made = _rival(run, method, most, every)
    _fitted().add((*_task_key(run), method, most, every))
    return made


def as_the_run(run: Run) -> bool:
    """Whether the run's own rules are chosen on every record that the black box has labelled."""
    return run.settings.merge.reference == "labelled"


def _most(method: str, rules: int) -> int:
    """How many rules a method may have; 0 where it keeps to no number."""
    return max(rules + (method == ONE_MORE), 2) if method in SIZED else 0


def _task_key(run: Run) -> tuple[object, str, int]:
    return run.folder, run.settings.key("merge"), stamp_of(run)


@st.cache_resource(show_spinner=False)
def _fitted() -> set[tuple[object, str, int, str, int, bool]]:
    return set()


@kept("rules", "box", most=120)
def _rival(run: Run, method: str, most: int, wide: bool) -> RuleSet:
    facts = explained_of(run)
    frame, labels = known_records_of(run, wide)
    if method == UNMERGED:
        known = Reference(Records(facts.schema, frame), labels)
        chosen = select_budget(distinct_rules_of(run), known, most)
        return RuleSet.of(WORDS[UNMERGED].title, chosen, known)
    task = Task(
        frame,
        labels,
        facts.schema,
        seed=facts.split.parts.seed,
        most_rules=max(most, 2),
        local_rules=distinct_rules_of(run) if method in FROM_LOCAL_RULES else (),
        black_box=black_box_of(run) if method == "trepan" else None,
    )
    return fit_baseline("small-tree" if method == ONE_MORE else method, task)


def more_labels(run: Run) -> int:
    """How many records the black box has labelled beside the explained ones, as far as is known."""
    return len(known_records_of(run, True)[0]) - len(known_records_of(run, False)[0])


def cost_of(run: Run, wide: bool) -> str:
    """On how much a method has to be fitted."""
    size = len(known_records_of(run, wide)[0])
    return counted(size, "labelled record" if wide and more_labels(run) else "explained record")
