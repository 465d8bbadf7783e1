"""Whatever the audit, a page comes out of it, and nothing undefined is shown as a number."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from glocalx.audit import AuditSettings, FrameSource, run_audit
from glocalx.report import collect_report, render_report, report_files
from tests.audit.audited import Audited, audits, compas
from tests.report.test_elements import Reader

UNDEFINED = re.compile(r"\b(nan|inf|None)\b")


def text_of(work: Audited, asked: AuditSettings, source: FrameSource | None = None) -> str:
    audit = run_audit(source or work.source, work.theory, asked)
    text = Reader(render_report(collect_report(work.theory, audit=audit))).text
    return text.rsplit("The rules for machines", 1)[0]  # Python may well say inf


@settings(max_examples=10, deadline=None)
@given(
    audits(gaps=True),
    st.sampled_from(["everyone else", "largest group", {"tribe": "x"}]),
    st.sampled_from(["covered", "decided"]),
    st.sampled_from(["rules", "premises"]),
)
def test_random_audits(work, against, counting, ablation):
    assume(isinstance(against, str) or "x" in set(work.frame["tribe"]))
    asked = AuditSettings(
        work.schema.outcomes[0],
        ("tribe", "pay"),
        against=against,
        counting=counting,
        ablation=ablation,
    )
    assert not UNDEFINED.search(text_of(work, asked))


@pytest.mark.parametrize(("black_box", "truth"), [(False, False), (True, False), (False, True)])
def test_labels_that_are_not_there(black_box, truth):
    work = compas()
    source = FrameSource(
        work.schema,
        work.frame,
        work.black_box if black_box else None,
        work.truth if truth else None,
    )
    text = text_of(work, AuditSettings("High", ("sex",)), source)
    assert not UNDEFINED.search(text)
    assert ("Called High risk by the black box" in text) == black_box
    assert ("False alarms" in text) == (truth or black_box)


def test_a_theory_without_rules():
    work = compas()
    empty = type(work.theory)(work.schema, (), "High")
    audit = run_audit(work.source, empty, AuditSettings("High", ("sex",)))
    content = collect_report(empty, audit=audit)
    assert "0 rules" in Reader(render_report(content)).text
    assert report_files(content)["overlaps.csv"]


def grouped(groups: int, **asked) -> str:
    """COMPAS with a column of so many places, in groups of about the same size."""
    work = compas()
    codes = [f"place {row % groups}" for row in range(len(work.frame))]
    source = FrameSource(work.schema, work.frame.assign(place=codes), work.black_box, work.truth)
    return text_of(work, AuditSettings("High", ("place", "sex"), **asked), source)


def test_the_figure_says_which_groups_it_does_not_draw():
    text = grouped(45, combinations="none")
    assert text.count("points against everyone else") == 40
    assert "7 more groups are not drawn" in text
    assert "All are in subgroups.csv" in text
    assert "dark: it differs, also when corrected for 46 comparisons at once" in text
    text = grouped(10)
    assert "more group" not in text
    assert "20 combinations of columns are not drawn. All are in subgroups.csv" in text


def test_without_many_comparisons_there_is_no_talk_of_correction():
    work = compas()
    few = AuditSettings("High", ("sex",), enough=10_000)
    text = text_of(work, few)
    assert "0 comparisons" not in text
    assert "when corrected" not in text
    assert "not enough records" in text


def test_many_groups_are_cut_with_a_word():
    work = compas()
    codes = [f"place {row % 300}" for row in range(len(work.frame))]
    source = FrameSource(work.schema, work.frame.assign(place=codes), work.black_box, work.truth)
    text = text_of(work, AuditSettings("High", ("place",)), source)
    assert "150 more rows are in the CSV files." in text
    assert "276 more columns are in the CSV files." in text
    assert "(part 4 of 4)" in text
