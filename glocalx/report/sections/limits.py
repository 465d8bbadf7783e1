"""What the method cannot do, in plain words."""

from __future__ import annotations

from glocalx.report.content import ReportContent
from glocalx.report.sections.section import CAVEAT, Section, bullets

_ALWAYS = (
    "The rules explain the black box, not the world. Where it is wrong, they are wrong with it.",
    "They are a summary: on some records they give another answer than the black box. For these "
    "records they explain nothing.",
    "Another seed, or other records, gives other rules that may fit as well. Read them as one fair "
    "description, not as the only one.",
    "A rule says what goes together with an answer, not what causes it. Changing a column by hand "
    "need not change what the black box says.",
    "Intervals say how far figures would move with other records of the same kind. They say "
    "nothing about records of another kind, another place or another time.",
    "That no rule names a sensitive column does not mean that the black box does not use it: other "
    "columns can stand in for it, and a short list of rules leaves things out.",
    CAVEAT + " Why a difference is there has to be asked of people who know where the data come "
    "from.",
)
_AUDIT = (
    "Groups are what the columns of the table say they are. Who is in no column is not seen here.",
    "Small groups are shown, and marked as not enough evidence. That is no sign that all is well.",
    "Many groups compared at once show differences by chance. P-values are made stricter for that "
    "by Holm’s method; the intervals drawn are not.",
)


def limits(content: ReportContent) -> Section:
    told = [*_ALWAYS, *(_AUDIT if content.audit is not None else ())]
    return Section("limits", "What this cannot tell", bullets(told))
