"""Pieces of the Audit page."""

from __future__ import annotations

import io
import zipfile

import pytest

from glocalx.audit.intervals import UNDEFINED, Estimate
from glocalx.errors import GLocalXError
from glocalx.plots.forest_plot import ForestRow
from glocalx.report import render_report, report_files
from glocalx.workspace.settings import SelectionSettings
from ui.audit_choice import Asked
from ui.audit_downloads import content_of, zipped
from ui.audit_edges import band_ends
from ui.audit_fidelity import fidelity_rows, verdict
from ui.audit_flags import numbered
from ui.audit_records import columns_of, first_columns
from ui.audit_responsibility import comparable, furthest, shares_of
from ui.audit_result import audited_of
from ui.audit_rules import interval_text, whom_frame
from ui.opened import explained_of, table_of

CHOSEN = SelectionSettings("budget", 10)
ASKED = Asked(
    ("race", "sex"),
    "High",
    "rules",
    "else",
    (),
    (),
    together=False,
    part="held-out",
    barring="rules",
)


def test_bands_are_numbers_in_any_order_and_nothing_else():
    assert band_ends("") == ()
    assert band_ends(" 45, 25;25") == (25, 45)
    for text in ("a", "25 nan", "1e999"):
        with pytest.raises(GLocalXError):
            band_ends(text)


def test_rules_in_a_row_are_told_from_to():
    assert numbered([2, 3, 4, 6]) == "Rules 2 to 4 and 6"
    assert numbered([1, 2]) == "Rules 1 and 2"


def test_intervals_in_points_with_a_true_minus():
    assert interval_text(Estimate(-0.057, -0.1, 0.01)) == "−5.7 (−10.0 to +1.0)"
    assert interval_text(UNDEFINED) == "–"


def test_sensitive_columns_stand_first_and_outcomes_are_not_offered(finished_run):
    table = table_of(finished_run)
    names = list(columns_of(table))
    assert names[:3] == ["age", "sex", "race"] == list(first_columns(table))
    assert "score" not in names
    ignoring = table.with_role("race", "ignored").with_role("sex", "feature")
    assert first_columns(ignoring) == ("age", "race")


def test_agreement_in_each_group_is_that_of_the_library(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    groups = audited.single.subgroups
    rows = fidelity_rows(audited)
    assert [row.group for row in rows] == [group.title for group in groups]
    for row, group in zip(rows, groups, strict=True):
        assert row.share == pytest.approx(group.fidelity.value, nan_ok=True)
        assert row.difference.value == pytest.approx(group.fidelity_difference.value, nan_ok=True)
        assert row.enough == (group.size >= 30)


def test_what_is_said_of_agreement():
    def row(difference: float, differs: bool) -> ForestRow:
        return ForestRow("sex", "*A*", 50, 0.9, Estimate(difference, -1, 1), True, differs)

    assert "less well for **\\*A\\***" in verdict((row(-0.1, True),))
    assert "No group shows" in verdict((row(-0.1, False), row(0.1, True)))
    assert "not enough evidence" in verdict(())


def test_whom_a_rule_covers_adds_up(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    frame = whom_frame(audited, 0)
    for _, column in frame.groupby("Column"):
        assert column["Covered"].sum() == pytest.approx(100)
        assert column["Everyone else"].sum() == pytest.approx(100)


def test_contributions_add_up_to_the_difference(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    groups = comparable(audited)
    group = groups[furthest(groups)]
    total = sum(each.contribution for each in shares_of(audited, group))
    assert total == pytest.approx(group.answers["theory"].comparison.difference.value)
    assert group.size >= 30


def test_everything_can_be_taken_home(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    content = content_of(finished_run, CHOSEN, audited)
    assert content.held_out.rules.records == explained_of(finished_run).held_out.size
    assert content.method.selection == {"budget": 10}
    assert "counted on the 649 records" in content.explained.findings[0]
    files = report_files(content)
    with zipfile.ZipFile(io.BytesIO(zipped(files))) as archive:
        names = set(archive.namelist())
        assert archive.read("theory.sql") == files["theory.sql"]
    assert {"report.html", "audit.json", "subgroups.csv", "theory.py", "theory.md"} <= names
    assert "African-American" in render_report(content)
