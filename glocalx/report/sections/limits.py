"""What the method cannot do, in plain words."""

from __future__ import annotations

from glocalx.audit import Audit
from glocalx.audit.comparison import BAND
from glocalx.report.blocks import Bullets, ReportSection, Strong, Text
from glocalx.report.report import ReportContent

CAVEAT = "A difference is not yet discrimination, and no difference is not yet fairness."

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


def limits(content: ReportContent) -> ReportSection:
    told = (*_ALWAYS, *(_AUDIT if content.audit is not None else ()))
    return ReportSection("limits", "What this cannot tell", (Bullets(told),))


def how_to_read(audit: Audit) -> Bullets:
    """How the figures of an audit are to be read, in plain words."""
    low, high = BAND
    told: list[Text] = [
        (
            Strong(CAVEAT),
            " Groups may differ for reasons that are fair, and be treated alike where they should "
            "not be. These figures tell where to ask, not what the answer is.",
        ),
        (
            "The rules describe ",
            Strong("the black box"),
            ", and not quite: where they disagree with it, look at “Answers by: The black box” as "
            "well. They are no advice on a person.",
        ),
        (
            Strong("Intervals"),
            " say where a figure would likely lie had other records of the same kind been counted "
            f"(95 %). A group of fewer than {audit.settings.enough} records, or one compared with "
            "so few, is shown, but nothing is concluded from it.",
        ),
        (
            Strong("Many comparisons"),
            " at once find something by chance alone. “Different” holds after Holm’s correction "
            "for all groups that are compared; the intervals are not corrected.",
        ),
        (
            Strong("Ratio"),
            f": one share divided by the other. Outside {low:g} to {high:g} the four-fifths rule "
            "of American labour law would look twice. It is a rule of thumb.",
        ),
        (
            Strong("Undefined stays undefined"),
            ": a share of nobody, or a ratio to nothing, is a dash and not 0.",
        ),
        (
            Strong("Missing values"),
            " make a group of their own; nothing that was filled in for the black box counts as "
            "membership of a group.",
        ),
        (
            Strong("Stand-ins"),
            ": a rule that does not name race can still use something that tells race. How much "
            "each feature tells is measured on these records: Cramér’s V between categories, the "
            "correlation ratio where a number is involved. Both are corrected for chance "
            "(Bergsma’s V, and epsilon squared), so that unrelated columns stay near 0 also in "
            "small tables.",
        ),
        (
            Strong("Responsibility"),
            ": a rule is responsible for the records that it decides, that is where it is the "
            "first that applies. Taking it away changes the explanation, not the black box.",
        ),
        "Where “true” comes from: the outcome as the table has it, with whatever was wrong in how "
        "it was recorded.",
    ]
    return Bullets(tuple(told))
