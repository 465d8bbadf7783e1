"""Pieces of the Audit page."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import zipfile
from dataclasses import replace

import pytest

from glocalx.__main__ import main
from glocalx.audit import AuditSettings
from glocalx.audit.classifier_audit import ClassifierQuestions
from glocalx.audit.forest import ForestRow, fidelity_rows
from glocalx.audit.intervals import UNDEFINED, Estimate
from glocalx.audit.table_source import first_group_columns, group_columns
from glocalx.audit.true_outcome import TrueOutcome
from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import SelectionSettings
from glocalx.plots import LIGHT, forest
from glocalx.report import Prepared, render_report, report_files
from glocalx.report.chain import count_figures
from glocalx.report.data_table import with_interval
from glocalx.report.sentences import explained_alike, numbered, shades_in_words
from glocalx.report.tables.groups import covered_table
from glocalx.report.tables.rules import proxies_table
from glocalx.report.tables.traits import asked_traits_table
from ui.audit.choice import band_ends
from ui.audit.classifier import classifier_of
from ui.audit.downloads import content_of, evidence_files, zipped
from ui.audit.drawing import frame_of, markdown
from ui.audit.responsibility import comparable, furthest
from ui.audit.result import audited_of, called
from ui.opened import explained_of, table_of, theory_of

CHOSEN = SelectionSettings("budget", 10)
LOW = "Medium or Low"
ASKED = AuditSettings(
    "High", ("race", "sex"), combinations="none", counting="decided", part="held-out"
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
    assert with_interval(Estimate(-0.057, -0.1, 0.01)) == "−5.7 (−10.0 to +1.0)"
    assert with_interval(UNDEFINED) == "–"


def test_no_talk_of_correction_where_nothing_was_corrected():
    assert shades_in_words(0) == "No group has enough records to be compared."
    assert "corrected" not in shades_in_words(1)
    assert "corrected for 9 comparisons" in shades_in_words(9)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(0.2, False)], "no group has enough records to compare"),
        ([(0.2, True)], "the one with enough records differs"),
        ([(0.2, True), (0.1, True)], "2 of 2 with enough records differ, also after correction"),
        ([(0.2, True), (0.0, True)], "1 of 2 with enough records differs, also after correction"),
    ],
)
def test_the_forest_says_what_differs(rows, said):
    drawn = [
        ForestRow("sex", f"g{i}", 50, 0.5, Estimate(value, value - 0.05, value + 0.05), *2 * [sure])
        for i, (value, sure) in enumerate(rows)
    ]
    alt = forest(drawn, "High", LIGHT, enough=30).alt
    assert said in alt
    assert " 0 comparisons" not in alt


def test_which_rules_are_audited_in_words(finished_run):
    rules = theory_of(finished_run, CHOSEN)
    assert called(rules, CHOSEN) == "the 10 chosen rules"
    assert called(rules, SelectionSettings("alpha", 10)) == "the 10 rules that alpha 10 keeps"
    one = replace(rules, ranked=rules.ranked[:1])
    assert called(one, SelectionSettings("budget", 1)) == "the one chosen rule"


def test_how_much_every_feature_tells_is_measured_and_shown(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    frame = frame_of(proxies_table(audited.audit, audited.wording))
    used = {name for rule in audited.theory.rules for name in rule.features} - {"race", "sex"}
    assert len(frame) == 2 * len(used)
    assert frame["Strength"].dropna().is_monotonic_decreasing
    assert set(frame["Measure"]) == {"Cramér’s V", "correlation ratio"}
    assert (frame["Bits"] >= 0).all()


def test_effect_sizes_stand_beside_the_traits(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    frame = frame_of(asked_traits_table(audited.audit, audited.wording))
    traits = audited.audit.traits
    place = next(i for i, group in enumerate(traits.groups) if group.outcome == "High")
    effects = [line[place].effect for line in traits.figures]
    shown = [float(text.replace("−", "-").replace("–", "nan")) for text in frame["Effect size"]]
    assert shown == pytest.approx(effects, abs=0.005, nan_ok=True)


def test_sensitive_columns_stand_first_and_outcomes_are_not_offered(finished_run):
    table = table_of(finished_run)
    names = list(group_columns(table))
    assert names[:3] == ["age", "sex", "race"] == list(first_group_columns(table))
    assert "score" not in names
    ignoring = table.with_role("race", "ignored").with_role("sex", "feature")
    assert first_group_columns(ignoring) == ("age", "race")


def test_agreement_in_each_group_is_that_of_the_library(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    groups = audited.subgroups(together=False).subgroups
    rows = fidelity_rows(audited.audit)
    assert [row.group for row in rows] == [group.title for group in groups]
    for row, group in zip(rows, groups, strict=True):
        assert row.share == pytest.approx(group.fidelity.value, nan_ok=True)
        assert row.difference.value == pytest.approx(group.fidelity_difference.value, nan_ok=True)
        assert row.enough == (group.size >= 30)


def test_what_is_said_of_agreement():
    def row(difference: float, differs: bool) -> ForestRow:
        return ForestRow("sex", "*A*", 50, 0.9, Estimate(difference, -1, 1), True, differs)

    assert "less well for **\\*A\\***" in markdown(explained_alike((row(-0.1, True),)))
    assert "No group shows" in explained_alike((row(-0.1, False), row(0.1, True)))
    assert "not enough records" in explained_alike(())


def test_whom_a_rule_covers_adds_up(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    frame = frame_of(covered_table(audited.audit, 0))
    for _, column in frame.groupby("Column"):
        assert column["Covered"].sum() == pytest.approx(100)
        assert column["Everyone else"].sum() == pytest.approx(100)


def test_contributions_add_up_to_the_difference(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    groups = comparable(audited)
    group = groups[furthest(groups)]
    total = sum(each.contribution for each in audited.audit.shares_of(group))
    assert total == pytest.approx(group.answers["theory"].comparison.difference.value)
    assert group.size >= 30


def test_everything_can_be_taken_home(finished_run):
    audited = audited_of(finished_run, CHOSEN, ASKED)
    content = content_of(finished_run, CHOSEN, audited)
    assert content.held_out.rules.records == explained_of(finished_run).held_out.size
    assert content.method.selection == {
        "budget": 10,
        "price": "nothing",
        "candidates": "all 310 rules of the hierarchy",
    }
    assert "counted on the 649 records" in content.explained.findings[0]
    assert "(of its 2,164 answers)" in content.explained.black_box_fingerprint
    assert content.held_out.unseen_by_black_box
    files = report_files(content)
    with zipfile.ZipFile(io.BytesIO(zipped(files))) as archive:
        names = set(archive.namelist())
        assert archive.read("theory.sql") == files["theory.sql"]
    assert {"report.html", "audit.json", "subgroups.csv", "theory.py", "theory.md"} <= names
    assert "African-American" in render_report(content)


def test_the_files_of_a_page_are_evidence(finished_run, tmp_path, capsys):
    audited = audited_of(finished_run, CHOSEN, replace(ASKED, part="all"))
    prepared = Prepared("<b>A. N. Other</b>", "hearing 7")
    asked = ClassifierQuestions(
        ("priors_count",), truth=TrueOutcome("two_year_recid", (("yes", "High"), ("no", LOW)))
    )
    content = content_of(finished_run, CHOSEN, audited, prepared, asked)
    judged = classifier_of(finished_run, CHOSEN, audited.asked, asked)[2]
    files = evidence_files(finished_run, audited, content, judged, records=True)
    assert "&lt;b&gt;A. N. Other" in files["report.html"].decode()
    rows = list(csv.DictReader(io.StringIO(files["records.csv"].decode("utf-8-sig"))))
    parts = explained_of(finished_run).split.parts
    places = [*parts.test, *parts.explain]
    in_file = explained_of(finished_run).split.table.rows[places]
    assert [int(row["row"]) - 1 for row in rows] == in_file.tolist()
    assert [row["part"] for row in rows].count("held-out") == len(parts.test)
    assert [row["model"] for row in rows[: len(parts.test)]] == list(
        explained_of(finished_run).held_out.labels
    )
    archive = tmp_path / "page.zip"

    def verified(name: str = "", before: bytes = b"", after: bytes = b"") -> tuple[int, str]:
        """As it is, or with one piece of one file changed, and the list of files along with it."""
        held = dict(files)
        if name:
            assert before in held[name]
            held[name] = held[name].replace(before, after, 1)
            old, new = (hashlib.sha256(each[name]).hexdigest() for each in (files, held))
            held["evidence.json"] = held["evidence.json"].replace(old.encode(), new.encode())
        archive.write_bytes(zipped(held))
        code = main(["audit", "--verify", str(archive)])
        return code, capsys.readouterr().out

    code, told = verified()
    assert code == 0, told
    found = json.loads(files["audit.json"])
    assert {"parity", "given"} <= set(found)
    figures = count_figures({**found, "flips": None, "flips_by_rule": None})
    assert f"all {figures:,} figures of the audit are the same" in told
    first = found["subgroups"][0]
    for name, before, after, said in (
        ("audit.json", f'"records": {first["records"]}', '"records": 1', "subgroups › 1 › records"),
        ("subgroups.csv", b"African", b"african", "subgroups.csv is not what is counted again"),
        ("records.csv", b'"High"', b'"Low"', "records.csv is not what is counted again"),
        ("counted.json", b'"African-American"', b'"Other"', "in the file"),
        ("theory.json", b'"then":"High"', b'"then":"Medium or Low"', "in the file"),
        ("audit.json", b"{", b"[", "does not hold an audit any more"),
    ):
        pieces = [each.encode() if isinstance(each, str) else each for each in (before, after)]
        code, told = verified(name, *pieces)
        assert (code, said in told) == (1, True), (name, told)
        assert "was changed after" not in told  # the list was changed along: the counting tells
    files = evidence_files(finished_run, audited, content, judged, records=False)
    assert not {"records.csv", "counted.json"} & set(files)  # whoever sees results alone
    code, told = verified()
    assert (code, "here nothing was counted" in told) == (0, True)
    archive.write_bytes(b"no zip")
    assert main(["audit", "--verify", str(archive)]) == 2
    assert "is no ZIP of an audit" in capsys.readouterr().err


def test_the_report_says_that_a_budget_also_chose_from_wider_rules(finished_run, monkeypatch):
    monkeypatch.setattr("ui.audit.downloads.FEW_RULES", 400)
    content = content_of(finished_run, CHOSEN, audited_of(finished_run, CHOSEN, ASKED))
    assert "each without one of its conditions" in content.method.selection["candidates"]
    steady = replace(CHOSEN, steady=True)
    content = content_of(finished_run, steady, audited_of(finished_run, steady, ASKED))
    assert "cut into 16 parts" in content.method.selection["candidates"]
    by_alpha = SelectionSettings("alpha", 4)
    content = content_of(finished_run, by_alpha, audited_of(finished_run, by_alpha, ASKED))
    assert content.method.selection == {"alpha": 4, "together": False}
