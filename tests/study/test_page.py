"""The report: one page that needs nobody, Markdown, and CSV; text of the table stays text."""

import re
from xml.etree import ElementTree

import pytest

from study.charts import Line, Mark, dot_chart, legend, line_chart
from study.page import sections, write_report
from tests.study.made_up import cell, study

HOSTILE = "<script>alert(1)</script>|=HYPERLINK(1) → High"


@pytest.fixture
def written(tmp_path):
    made = study(
        cell("compas", "rf", 0, rule=HOSTILE),
        cell("compas", "rf", 1),
        cell("german", "rf", 0),
        cell("german", "rf", 1),
    )
    return made, write_report(made, tmp_path, "python -m glocalx reproduce --out DIR"), tmp_path


def test_everything_is_written_in_three_forms(written):
    made, files, folder = written
    parts = sections(made)
    page = (folder / "study.html").read_text(encoding="utf-8")
    text = (folder / "study.md").read_text(encoding="utf-8")
    for part in parts:
        assert f'id="{part.table.name}"' in page
        lines = (folder / "tables" / f"{part.table.name}.csv").read_text("utf-8").splitlines()
        assert len(lines) == len(part.table.rows) + 1
    assert len(files) == len(parts) + 2
    assert text.count("\n## ") == len(parts)
    assert "paper 0.870" in text
    assert "seeds 0, 1" in page
    assert "glocalx 0.1.0" in page


def test_text_of_a_table_is_never_markup_or_a_formula(written):
    _, _, folder = written
    page = (folder / "study.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    text = (folder / "study.md").read_text(encoding="utf-8")
    assert "<script" not in text.replace("\\<", "")
    assert r"\|" in text


def test_the_page_asks_nobody(written):
    _, _, folder = written
    page = (folder / "study.html").read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=\"(?!#)", page)
    assert not re.search(r"https?:|@import|url\(", page)


def test_charts_are_well_formed_and_in_order():
    lines = [
        Line("a < b", ((1, 0.8), (20, 0.9), (80, 0.95)), "#000", (0.01, 0.01, 0.01)),
        Line("paper", ((1, 0.7), (80, 0.75)), "#111", hollow=True),
    ]
    drawn = ElementTree.fromstring(line_chart("R & D", lines, x_label="β"))
    marks = list(drawn.iter("circle"))
    assert len(marks) == 5
    across = [float(mark.get("cx").rstrip("%")) for mark in marks[:3]]
    up = [float(mark.get("cy")) for mark in marks[:3]]
    assert across == sorted(across)
    assert up == sorted(up, reverse=True)  # a higher value stands higher


def test_dots_stand_on_one_scale():
    marks = [Mark("x", 0.7, "#000"), Mark("y", 0.9, "#000", "diamond"), Mark("z", 0.8, "#000")]
    drawn = ElementTree.fromstring(dot_chart("t", [("one", marks)]))
    low, high = (float(mark.get("cx").rstrip("%")) for mark in drawn.iter("circle"))
    assert low < high
    assert "&lt;" in legend([Mark("<b>", 0, "#000")])


def test_nothing_to_draw_is_no_chart():
    assert line_chart("t", [], x_label="x") == dot_chart("t", []) == ""
