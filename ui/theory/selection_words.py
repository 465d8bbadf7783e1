"""How the rules are chosen, in words."""

from __future__ import annotations

from dataclasses import replace

from glocalx.pipeline.settings import SelectionSettings
from glocalx.selection import FEW_RULES
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.opened import budget_path_of, explained_of, merged_rules_of, theory_of

WAYS_HELP = f"""\
**Budget**: at most so many rules, chosen because they agree best with the black box *together*,
from every rule of the hierarchy; where these are fewer than {FEW_RULES}, also from each of them
without one of its conditions. What a condition must earn is a choice of its own.

**Alpha** and **alpha quantile**: the filters of the GLocalX paper. They rank the merged rules one
by one and keep the best of each outcome."""


def nothing_to_choose(run: Run, chosen: SelectionSettings) -> str:
    by = chosen.by
    if by == "budget" and not budget_path_of(run, chosen):
        return (
            "There is nothing to choose: no rule agrees with the black box more often than its "
            "most common answer does."
        )
    if by == "budget":
        return "There is nothing to choose: after one rule, more would not help."
    if len(merged_rules_of(run)) == 1:
        return "There is nothing to choose: only one rule is left."
    return "There is nothing to choose: no outcome has more than one rule, so all are kept."


def in_words(run: Run, chosen: SelectionSettings) -> str:
    """What the choice means, in a sentence."""
    if chosen.by == "budget":
        return _budget_in_words(run, chosen)
    if chosen.by == "alpha":
        each = int(chosen.value) // len(explained_of(run).schema.outcomes)
        return f"Up to {counted(each, 'rule')} for each outcome: those that alone tell it best."
    left, total = 100 - chosen.value, len(merged_rules_of(run))
    if chosen.value == 0:
        return f"Keeps all {counted(total, 'merged rule')}."
    if left == 0:
        return "Keeps, for each outcome, only the rule that alone tells it best."
    return f"Keeps, for each outcome, about the best {left:g} % of the {total:,} merged rules."


def _budget_in_words(run: Run, chosen: SelectionSettings) -> str:
    most = len(budget_path_of(run, chosen))
    priced = chosen.price is not None
    said = (
        f"The rules that agree best together. On the {_records(run)}, more than "
        f"{counted(most, 'rule')} would not {'earn their conditions' if priced else 'help'}."
    )
    left = theory_of(run, replace(chosen, steering=chosen.restrictions)).size
    if left < chosen.value:
        said += f" Of {int(chosen.value)}, {left} are left: with these, the rest earns too little."
    return said


def _records(run: Run) -> str:
    return f"{explained_of(run).reference_name}s"


def slider_help(run: Run, by: str) -> str:
    if by == "budget":
        return (
            "One rule after the other is added, each time the one that raises agreement on the "
            f"{_records(run)} most. The choice is among all rules that ever were in the "
            "hierarchy, also those that later merges replaced; where these are fewer than "
            f"{FEW_RULES}, each of them without one of its conditions is a candidate, too."
        )
    if by == "alpha":
        return (
            "Merged rules are ranked by how well each alone tells its outcome from the rest. The "
            "best are kept, equally many for each outcome; an outcome with fewer rules gives all."
        )
    return (
        "Merged rules of an outcome are ranked by how well each alone tells it from the rest. "
        "At the 90th percentile those stay that are at least as good as 90 of 100 of them: the "
        "higher, the fewer."
    )
