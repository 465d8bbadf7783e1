"""Findings stand first, and say by which rule, how sure, for whom; a planted bias is named."""

import re

import pytest

from glocalx.audit import AuditSettings, run_audit
from glocalx.audit.findings import findings
from glocalx.report import collect_report, render_report
from glocalx.report.findings import FoundWords
from glocalx.report.sentences import Strong
from glocalx.words.figures import NO_BREAK_SPACE
from glocalx.words.wording import Wording
from tests.audit.audited import compas
from tests.audit.test_flips import audited, by_job, by_sex, by_skill, people
from tests.report.test_elements import Reader


def told(text) -> str:
    pieces = (text,) if isinstance(text, str) else text
    said = "".join(piece.text if isinstance(piece, Strong) else piece for piece in pieces)
    return said.replace(NO_BREAK_SPACE, " ")


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
        (by_sex, {"sex": ["m"]}, ["Only sex from m to f: ", "they lean one way (p below"], []),
        (
            by_job,
            {"job": ["craft"]},
            ["Only sex from m to f: 0 of", "with job changed along: ", "they lean one way (p"],
            [],
        ),
        (
            by_skill,
            {"skill": (6, 99)},
            ["No difference is shown"],
            ["they lean one way (p", "differs ·"],
        ),
    ],
)
def test_the_report_names_a_planted_bias_and_clears_the_rest(model, premises, said, unsaid):
    text = text_of(audited(model, people(), premises))
    for each in said:
        assert each in text, each
    for each in unsaid:
        assert each not in text, each


def test_not_enough_records_is_said_in_place_of_a_verdict():
    work = compas()
    audit = run_audit(work.source, work.theory, AuditSettings("High", ("race",)))
    words = FoundWords(audit, Wording(work.schema))
    few = [each for each in findings(audit).others if each.verdict == "not enough records"]
    assert few
    for each in few:
        assert words.may_be_said(each) == f"Only {each.group.size} records on one side."
