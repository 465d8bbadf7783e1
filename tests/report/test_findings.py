"""Findings stand first, and say by which rule, how sure, for whom; a planted bias is named."""

import re

import numpy as np
import pytest

from glocalx.audit import AuditSettings, run_audit
from glocalx.audit.findings import findings
from glocalx.report import collect_report, render_report
from glocalx.report.findings import FoundWords
from glocalx.report.sentences import without_marks
from glocalx.words.figures import NO_BREAK_SPACE
from glocalx.words.wording import Wording
from tests.audit.audited import compas
from tests.audit.test_flips import audited, by_job, by_sex, by_skill, people
from tests.report.test_elements import Reader


def told(text) -> str:
    return without_marks(text).replace(NO_BREAK_SPACE, " ")


def text_of(audit) -> str:
    page = render_report(collect_report(audit.theory, audit=audit))
    return re.sub(r"\s+", " ", Reader(page).text.replace(NO_BREAK_SPACE, " "))


def test_a_card_says_who_how_often_how_sure_and_by_which_rule():
    work = compas()
    asked = AuditSettings("High", ("race", "sex"), favourable="Medium or Low", combinations="none")
    audit = run_audit(work.source, work.theory, asked)
    found, words = findings(audit), FoundWords(audit, Wording(work.schema))
    first = found.cards[0]
    assert first.group.title == "African-American"
    mine = (work.frame["race"] == "African-American").to_numpy()
    high = work.black_box == "High"
    rates = [100 * high[mine].mean(), 100 * high[~mine].mean()]
    said = told(words.headline(first))
    assert f"{rates[0]:.1f} % ({high[mine].sum():,} of {mine.sum():,})" in said
    assert f"against {rates[1]:.1f} % ({high[~mine].sum():,} of {(~mine).sum():,})" in said
    assert "corrected for" in " ".join(words.marks(first))
    assert "Ratio for the favourable outcome" in words.ratio(first)
    assert "Counted for" in words.ratio(first)
    part = first.rule
    own = first.group.comparison("theory").difference.value
    best = max(audit.shares_of(first.group), key=lambda each: each.contribution)
    assert (part.share, part.difference) == (best, own)
    sentence = words.wording.sentence(work.theory.rules[best.rule], outcome=False)
    assert sentence in told(words.rule(first))  # all its conditions
    assert len([each for each in found.cards if each.group.columns == ("sex",)]) == 1
    mirrored = [each for each in found.others if each.mirrors]
    assert [words.may_be_said(each) for each in mirrored] == [
        "The same comparison, seen from the other side."
    ]
    every = len(found.cards) + len(found.others)
    assert every == sum(bool(group.size) for group in audit.subgroups.subgroups)


def test_findings_stand_before_the_contents():
    work = compas()
    audit = run_audit(work.source, work.theory, AuditSettings("High", ("race",)))
    page = render_report(collect_report(work.theory, audit=audit))
    assert page.index('id="findings"') < page.index("<nav") < page.index('id="glance"')
    assert "No flip test was made" in page


@pytest.mark.parametrize(
    ("model", "premises", "said", "unsaid"),
    [
        (
            by_sex,
            {"sex": ["m"]},
            ["Rule 1 names sex outright", "Only sex from m to f: ", "they lean one way (p below"],
            ["With only sex changed: 0 of"],
        ),
        (
            by_job,
            {"job": ["craft"]},
            [
                "Rule 1 uses job, which tells much about sex",
                "With only sex changed: 0 of 400 answers",
                "Only sex from m to f: 0 of",
                "with job changed along: ",
                "they lean one way (p",
            ],
            ["With sex and job changed: 0 of"],
        ),
        (
            by_skill,
            {"skill": (6, 99)},
            ["No difference is shown", "With only sex changed: 0 of 400 answers"],
            ["they lean one way (p", "differs ·"],
        ),
    ],
)
def test_the_report_names_a_planted_bias_and_clears_the_rest(model, premises, said, unsaid):
    text = text_of(audited(model, people(), premises))
    text = text[: text.index("Contents")]  # on the first page, before all that explains it
    for each in said:
        assert each in text, each
    for each in unsaid:
        assert each not in text, each


def test_a_combination_that_says_nothing_new_has_no_card():
    frame = people()
    frame["town"] = ["a", "b"] * (len(frame) // 2)
    found = findings(audited(by_sex, frame, {"sex": ["m"]}, by=("sex", "town")))
    assert [each.group.columns for each in found.cards] == [("sex",)]
    parts = [each for each in found.others if len(each.group.columns) == 2]
    assert len(parts) == 4
    for each in parts:
        assert each.verdict == "different"
        assert each.within.groups == each.group.groups[:1]
    either = findings(audited(by_either, frame, {"sex": ["m"]}, by=("sex", "town")))
    assert {each.group.columns for each in either.cards} == {("sex", "town")}  # in neither alone


def by_either(frame):
    """Only men of one town and women of the other."""
    same = (frame["sex"] == "m") == (frame["town"] == "a")
    return np.where(same, "yes", "no")


def test_not_enough_records_is_said_in_place_of_a_verdict():
    work = compas()
    audit = run_audit(work.source, work.theory, AuditSettings("High", ("race",)))
    words = FoundWords(audit, Wording(work.schema))
    few = [each for each in findings(audit).others if each.verdict == "not enough records"]
    assert few
    for each in few:
        assert words.may_be_said(each) == f"Only {each.group.size} records on one side."


def test_flips_that_change_nothing_are_a_sentence_and_no_rows():
    for model, premises, rows in (
        (by_job, {"job": ["craft"]}, 2),
        (by_skill, {"skill": (6, 9)}, 0),
    ):
        audit = audited(model, people(), premises)
        page = render_report(collect_report(audit.theory, audit=audit))
        section = page[page.index('<h2 id="flips"') : page.index('<h2 id="limits"')]
        assert section.count("<td") // 7 == rows  # a heading and seven figures each
        assert "No answer changes, neither of the black box nor of the rules: sex from" in section
        assert ('<h2 id="flips-by-rule"' in page) == bool(rows)
