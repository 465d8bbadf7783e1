"""The words of the method, each with its formula where it has one."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A word, what it means, and its formula; empty where there is none."""

    name: str
    meaning: str
    formula: str = ""

    @property
    def anchor(self) -> str:
        """Where it stands on its page, in an address."""
        return re.sub(r"[^a-z]+", "-", self.name.casefold()).strip("-")


def term(name: str) -> Term:
    """A word by its name; KeyError where nobody has explained it."""
    return _BY_NAME[name.casefold()]


GLOSSARY = (
    Term("Record", "One row of the table."),
    Term("Outcome", "One of the answers that the black box can give."),
    Term("Black box", "Whatever gives an answer for a record. Rules explain it, mistakes too."),
    Term(
        "Condition", "What a rule asks of one feature: an interval of numbers, or some categories."
    ),
    Term("Rule", "If all its conditions hold, then its outcome. At most one condition a feature."),
    Term("Local rule", "A rule that was written for one record, from the answers around it."),
    Term("Theory", "A set of different rules. Merging starts with one theory for each local rule."),
    Term("Coverage", "The records that meet all conditions of a rule; of a theory, of any rule."),
    Term(
        "Similarity",
        "How much two theories cover in common: 0 for nothing, 1 for exactly the same records.",
        "records that both cover / records that at least one covers",
    ),
    Term(
        "Reliability",
        "Who wins where rules disagree: the share of covered records on which the black box gives "
        "the rule’s outcome, as if one record of each outcome were covered besides.",
        "(covered and agreeing + 1) / (covered + number of outcomes)",
    ),
    Term(
        "Fidelity",
        "How often rules and black box give the same answer. The most reliable rule that covers a "
        "record decides; where none covers it, the most frequent outcome does.",
        "F = records on which they agree / n",
    ),
    Term(
        "Accuracy", "How often an answer is the true label. It says nothing about the rules’ job."
    ),
    Term(
        "BIC",
        "Fidelity weighed against length; lower is better. A merge is kept if it gets no worse.",
        "w · L · ln n − 2 · v · n · ln F",
    ),
    Term(
        "Length, L",
        "Judged by the pair: conditions per rule. Judged by the whole: conditions and rules of all "
        "theories, counted together.",
        "L = conditions / rules, or conditions + rules",
    ),
    Term(
        "Join",
        "Rules of one outcome become one that covers all that they cover: from the lowest start to "
        "the highest end, the categories of all; a condition that one of them lacks falls away.",
    ),
    Term(
        "Cut",
        "Of rules with different outcomes the most reliable one stays; from every other its ground "
        "is taken away, condition by condition. Where both sides are left, the one with more "
        "records stays. A rule that lies wholly inside is dropped.",
    ),
    Term("Batch", "Some records, drawn anew for each merge: only on these can rules meet."),
    Term("Turned down", "A pair whose merge would have made the BIC worse. It may be tried again."),
    Term("Hierarchy", "All merges in order, from the local rules to the theories that are left."),
    Term(
        "Reference", "The records with the black box’s answers that rules are merged and chosen on."
    ),
    Term(
        "Shard",
        "A group of similar rules that is merged by itself first, where there are many thousand.",
    ),
    Term("Patience", "After so many pairs in a row that were turned down, merging ends."),
    Term(
        "Budget",
        "At most so many rules, one after the other: each time the one with which all answer most "
        "like the black box.",
    ),
    Term(
        "Price of a condition",
        "What a condition has to earn to be chosen with a budget: so much of the records, answered "
        "better with it.",
    ),
    Term(
        "Rule fidelity",
        "How well one rule alone tells its outcome from the rest: it covers the records to which "
        "the black box gives it, and no others.",
        "(covered with its outcome + not covered with another) / n",
    ),
    Term("Alpha", "So many rules are kept, those that tell each outcome best by rule fidelity."),
    Term("Alpha quantile", "Rules at or above this percentile of rule fidelity are kept."),
    Term("Held-out records", "Records from which no rule was made, kept for an honest check."),
    Term(
        "Cohen’s kappa",
        "Agreement beyond what two would reach who answer independently of each other: 1 is "
        "always, 0 no better than chance.",
        "(agreement − chance) / (1 − chance)",
    ),
    Term(
        "Neighbourhood",
        "Records made up around one record and answered by the black box; its local rule is "
        "learnt from them.",
    ),
    Term(
        "Stand-in",
        "A model that has learnt the answers of a black box which cannot be asked itself.",
    ),
    Term(
        "Favourable outcome",
        "The outcome that is good for those who get it; ratios between groups are about it.",
    ),
    Term(
        "Interval",
        "Where a share would likely lie had other records of the same kind been counted. Of 100 "
        "such intervals about 95 hold the true share.",
    ),
    Term(
        "Corrected p",
        "How often chance alone would give a difference as large, made stricter for the number of "
        "comparisons (Holm): the smallest p counts times their number, the next times one less.",
    ),
    Term(
        "Tolerance",
        "A difference that is too small to matter, set before looking. Only then can it be shown "
        "that groups are alike.",
    ),
    Term(
        "Proxy",
        "A feature that tells a sensitive one: rules that name it treat groups differently "
        "without naming them.",
    ),
    Term(
        "Flip test",
        "Only the sensitive value of each record is changed, and the model is asked again: how "
        "many answers change?",
    ),
    Term(
        "Precision",
        "Of those who get an outcome, the share for whom it is true.",
        "called so and truly so / called so",
    ),
    Term(
        "Equalized odds",
        "Hits and false alarms are the same in all groups.",
        "hits = called so of those who truly are; false alarms = called so of those who are not",
    ),
    Term(
        "Calibration",
        "Where the model says 70 %, seven in ten should be it, in every group.",
    ),
    Term("Seed", "The number from which all drawing at random starts: the same, the same result."),
)
"""In the order in which they are needed."""
_BY_NAME = {each.name.casefold(): each for each in GLOSSARY}
