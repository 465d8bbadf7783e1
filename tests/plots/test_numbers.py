"""The numbers in the figures, counted again in another way."""

import pytest

from glocalx import plots
from glocalx.audit.forest import forest_rows
from glocalx.audit.group_shares import group_shares
from glocalx.blackbox.confusion import count_confusion
from glocalx.rules.coverage import mask_of, similarity
from sample_data.rule_flow import flow, flow_targets
from tests.plots.drawn import audited_compas, compas


@pytest.fixture(scope="module")
def run():
    return compas()


@pytest.fixture(scope="module")
def audited():
    return audited_compas()


def test_local_rules_flow_to_the_most_similar_rule_of_their_outcome(run):
    targets = flow_targets(run.hierarchy.local_rules, run.theory, run.records)
    for rule, target in zip(run.hierarchy.local_rules, targets, strict=True):
        covered = run.records.coverage(rule)
        found = [
            similarity(covered, run.records.coverage(final)) if final.outcome == rule.outcome else 0
            for final in run.theory.rules
        ]
        assert (target is None) == (max(found) == 0)
        assert target is None or found[target] == max(found)


def test_every_local_rule_is_a_dot(run):
    local = run.hierarchy.local_rules
    figure = flow(local, run.theory, run.records, run.colours()).figure
    dots = [trace for trace in figure.data if trace.mode == "markers"]
    assert sum(len(trace.x) for trace in dots) == len(local)


def test_thousands_of_rules_share_dots(run):
    local = run.hierarchy.local_rules * 40
    drawing = flow(local, run.theory, run.records, run.colours())
    dots = sum(len(trace.x) for trace in drawing.figure.data if trace.mode == "markers")
    assert dots < 2_500
    assert "one dot for 3" in drawing.alt


def test_the_curve_marks_the_chosen_point():
    points = [plots.CurvePoint(k, 0.9 + k / 1000) for k in (1, 2, 4)]
    drawing = plots.curve(points, 4, plots.LIGHT, majority=0.8, majority_outcome="Low")
    marked = drawing.figure.data[-1]
    assert (marked.x[0], marked.y[0]) == (4, 0.904)
    assert "4 rules agree with the black box on 90.4 %" in drawing.alt
    assert "reaches 80.0 %" in drawing.alt


def test_a_far_baseline_stands_at_the_edge_with_its_number():
    points = [plots.CurvePoint(k, 0.9) for k in range(1, 11)]
    far = plots.CurveBaseline("CPAR", (plots.CurvePoint(391, 0.955),))
    figure = plots.curve(points, 3, plots.LIGHT, baselines=[far]).figure
    mark = next(trace for trace in figure.data if trace.name.startswith("CPAR"))
    assert mark.x[0] <= figure.layout.xaxis.range[1]
    assert mark.name == "CPAR (391 rules)"


def test_the_matrix_has_a_cell_for_each_premise(run):
    figure = plots.rule_matrix(run.theory, run.reference, run.colours(), most_features=99).figure
    cells = next(trace for trace in figure.data if trace.marker.opacity == 0)
    expected = {(i, name) for i, r in enumerate(run.theory.rules) for name in r.features}
    assert {(about[0], about[1]) for about in cells.customdata} == expected


def test_the_forest_shows_what_the_audit_found(audited):
    audit, _ = audited
    rows = forest_rows(audit.subgroups, "theory", {"race": "Race"})
    assert len(rows) == len(audit.subgroups.subgroups)
    assert rows[0].section == "Race"
    figure = plots.forest(rows, "High risk", plots.LIGHT, enough=30).figure
    drawn = sum(len(t.x) for t in figure.data if t.mode == "markers")
    assert drawn == sum(row.difference.is_defined for row in rows)
    for row, group in zip(rows, audit.subgroups.subgroups, strict=True):
        comparison = group.answers["theory"].comparison
        assert row.difference == comparison.difference
        assert row.differs == (comparison.verdict == "different")


def test_differences_are_dark_grey_or_hollow(audited):
    rows = forest_rows(audited[0].subgroups)
    figure = plots.forest(rows, "High risk", plots.LIGHT, enough=30).figure
    by_name = {trace.name: trace for trace in figure.data if trace.mode == "markers"}
    assert by_name["under 30 records"].marker.color == plots.LIGHT.ground
    assert by_name["differs"].marker.color == plots.LIGHT.ink
    crossing = [100 * row.difference.value for row in rows if row.difference.holds(0)]
    assert not set(by_name["differs"].x) & set(crossing)


@pytest.mark.parametrize("enough", [30, 100])
def test_small_groups_are_blank_but_there(audited, enough):
    tally = audited[1]
    found = group_shares(tally)
    small = sum(size < enough for size in found.sizes)
    assert small
    drawing = plots.group_heatmap(tally, compas().colours(), enough=enough)
    strips = sum(trace.type == "heatmap" for trace in drawing.figure.data)
    assert strips == len(found.groups) - small
    assert f"with fewer than {enough} records left blank" in drawing.alt


def test_side_by_side_shares_add_up(run):
    rule = run.theory.rules[0]
    covered = run.records.coverage(rule)
    for name in ("age", "race"):
        drawing = plots.side_by_side(run.records, name, covered, run.colours(), rule.outcome)
        for trace in drawing.figure.data:
            assert sum(trace.y) == pytest.approx(1)
    ages = run.frame["age"][mask_of(covered, run.records.size)]
    drawing = plots.side_by_side(run.records, "age", covered, run.colours(), rule.outcome)
    assert f"Median {ages.median():g} beside" in drawing.alt


def test_confusion_names_what_was_found():
    drawing = plots.confusion(count_confusion(["a", "a", "b"], ["a", "b", "b"]), plots.LIGHT)
    assert "right on 2 of 3 records (66.7 %)" in drawing.alt
    assert "a 1 of 2, b 1 of 1" in drawing.alt


def test_the_split_bar_names_all_parts():
    picture = plots.split_bar(700, 210, 90, plots.LIGHT)
    assert "700 (70 %) train" in picture.alt
    assert all(f'title="{count} records: ' in picture.html for count in (700, 210, 90))


def test_names_of_lines_that_are_near_lie_on_either_side():
    points = [plots.CurvePoint(k, 0.8 + k / 50) for k in range(1, 7)]
    near = plots.curve(points, 3, plots.LIGHT, majority=0.85, all_rules=plots.CurvePoint(80, 0.852))
    assert [each.yanchor for each in near.figure.layout.annotations[:2]] == ["bottom", "top"]
    far = plots.curve(points, 3, plots.LIGHT, majority=0.7, all_rules=plots.CurvePoint(80, 0.9))
    assert [each.yanchor for each in far.figure.layout.annotations[:2]] == ["bottom", "bottom"]


def test_the_label_of_a_point_below_the_legend_is_below_the_point():
    points = [plots.CurvePoint(k, 0.9 + k / 60) for k in range(1, 7)]
    top, low = (plots.curve(points, chosen, plots.LIGHT) for chosen in (6, 2))
    assert top.figure.layout.annotations[-1].ay > 0
    assert low.figure.layout.annotations[-1].ay < 0
