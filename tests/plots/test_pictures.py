"""Pictures: an image without text, all text above it escaped, everything where it belongs."""

import base64
import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from glocalx import plots
from glocalx.merging.series import RunSeries, run_series
from glocalx.merging.told import ToldSteps
from glocalx.plots.bic import squeezed
from glocalx.plots.canvas import Canvas, legend
from glocalx.plots.scale import Scale
from glocalx.questions.curves import cuts_of, premises_on
from glocalx.questions.reliance import rules_reliance
from glocalx.rules.turns import rule_overlap
from glocalx.words.wording import Wording
from tests.plots.drawn import LINK, TEX, a_cut, a_join, compas, curves, hostile, pictures

NAMES = ("trends", "bic", "join", "cut", "importance", "overlap", "dependence")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def run():
    return compas()


def page_of(picture):
    return ElementTree.fromstring(picture.html)


def image_of(picture):
    (image,) = page_of(picture).findall("img")
    kind, data = image.attrib["src"].split(",")
    assert kind == "data:image/svg+xml;base64"
    return ElementTree.fromstring(base64.b64decode(data))


def marks(picture, name):
    return list(image_of(picture).iter(f"{SVG}{name}"))


def texts(picture):
    return ["".join(each.itertext()) for each in page_of(picture).iter("span") if each.text]


def hints(picture):
    return [
        each.attrib["title"] for each in page_of(picture).iter("span") if "title" in each.attrib
    ]


def share(text):
    return float(text.removesuffix("%")) / 100


@pytest.mark.parametrize("name", NAMES)
def test_it_says_what_it_shows(run, name):
    for picture in pictures(run)[name]("light"):
        assert re.search(r"\d", picture.alt)
        assert picture.alt.endswith(".")
        assert page_of(picture).attrib["role"] == "img"
        assert page_of(picture).attrib["aria-label"] == picture.alt


@pytest.mark.parametrize("name", NAMES)
def test_light_and_dark_differ_in_colours_alone(run, name):
    drawn = pictures(run)[name]
    colour = re.compile(rb"#[0-9A-Fa-f]{6}")
    for light, dark in zip(drawn("light"), drawn("dark"), strict=True):
        assert light.alt == dark.alt
        one, other = (ElementTree.tostring(image_of(each)) for each in (light, dark))
        assert one != other
        assert colour.sub(b"#", one) == colour.sub(b"#", other)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_the_table_are_text_and_never_in_the_image(name):
    drawn = pictures(hostile())[name]("light")
    for picture in drawn:
        assert {each.tag for each in page_of(picture).iter()} <= {"div", "span", "img", "b"}
        assert all(each.tag.startswith(SVG) for each in image_of(picture).iter())
        assert not "".join(image_of(picture).itertext()).strip()
    if name in ("join", "cut"):
        shown = " ".join(text for picture in drawn for text in [*texts(picture), *hints(picture)])
        assert LINK[:15] in shown
        assert TEX in shown


def test_no_text_leaves_its_place():
    canvas = Canvas(palette=plots.LIGHT)
    canvas.words('<script>"x"</script>', 0, 0, strong="<b>")
    canvas.hint('" onmouseover="alert(1)', 0, 0, "1%", 1)
    page = page_of(canvas.picture(10, '"><img src=x>'))
    assert [each.tag for each in page.iter()] == ["div", "img", "span", "b", "span"]
    assert set(page[2].attrib) == {"title", "style"}
    assert "<i>" not in legend([("●", "<i>", "#000000")], plots.LIGHT)


def test_ticks_are_round_and_few():
    assert Scale(18, 96).ticks(6) == [20, 40, 60, 80]
    assert Scale(0, 1).ticks(6, whole=True) == [0, 1]
    assert Scale(0.895, 0.945).ticks(4) == [0.9, 0.92, 0.94]
    assert Scale(3, 3).ticks(4) == [3]
    for high in range(1, 300):
        assert 1 <= len(Scale(0, high).ticks(6)) <= 6


def test_trends_split_past_and_future(run):
    series = run_series(run.hierarchy, run.reference)
    picture = plots.trends(series, 20, plots.LIGHT)
    future, past = marks(picture, "path")[:2]
    assert past.attrib["stroke"] == plots.LIGHT.ink
    last, first = past.attrib["d"].split("L")[-1], future.attrib["d"][1:].split("L")[0]
    assert last == first
    now = marks(picture, "circle")[0]
    assert 10 * share(now.attrib["cx"]) * 100 == pytest.approx(float(last.split(",")[0]), abs=0.2)
    assert f"{series.rules[20]:,} rules" in picture.alt
    assert f"{series.rules[20]:,}" in " ".join(texts(picture))


def test_three_steps_fit_their_axes_and_no_label_stands_twice():
    series = RunSeries((0, 1, 2, 3), (0.9,) * 4, (5, 4, 3, 2), (1.6, 1.5, 5 / 3, 1.5))
    said = texts(plots.trends(series, 3, plots.LIGHT))
    shares = [text for text in said if text.endswith("%")]
    assert {"89.8 %", "90.0 %", "90.2 %"} <= set(shares)
    assert [text for text in said if text.isdecimal()][-4:] == ["0", "1", "2", "3"]


def test_a_point_of_the_trends_says_its_figures(run):
    series = run_series(run.hierarchy, run.reference)
    said = hints(plots.trends(series, 20, plots.LIGHT))
    assert len(said) <= 81
    assert said[0].startswith(f"Step 0: fidelity {100 * series.fidelity[0]:.1f} %")


def test_bic_differences_stand_where_they_belong(run):
    steps = ToldSteps.of(run.hierarchy).steps[-30:]
    picture = plots.bic_plot(run.hierarchy, len(run.hierarchy.steps), plots.LIGHT, window=30)
    dots = [each for each in marks(picture, "circle") if each.attrib["r"] == "3"]
    zero = _line_at_zero(picture)
    down = [float(dot.attrib["cy"]) - zero for dot in dots]
    depths = [-squeezed(step.trial.bic_merged - step.trial.bic_union) for step in steps]
    scale = max(down) / max(depths)
    assert down == pytest.approx([scale * depth for depth in depths], abs=0.2)
    assert min(down) >= 0
    refused = image_of(picture).findall(f"{SVG}svg")
    assert refused
    assert all(float(each.attrib["y"]) < zero for each in refused)


def _line_at_zero(picture):
    lines = [line.attrib for line in marks(picture, "line")]
    (zero,) = [line for line in lines if line["stroke"] == plots.LIGHT.muted]
    return float(zero["y1"])


def test_the_text_counts_what_was_turned_down(run):
    steps, told = run.hierarchy.steps, ToldSteps.of(run.hierarchy)
    refused = sum(len(step.rejected) for step in steps[: told.places[-1]])
    alt = plots.bic_plot(run.hierarchy, len(steps), plots.DARK, window=10_000).alt
    assert f"{refused:,} pairs were turned down" in alt
    assert (
        f"{refused:,} pairs were turned down" in plots.bic_strip(run.hierarchy, 1, plots.DARK).alt
    )


def test_before_the_first_merge_there_is_nothing_to_weigh(run):
    assert "Nothing merged yet" in plots.bic_plot(run.hierarchy, 0, plots.LIGHT).alt


def test_a_join_has_a_picture_for_each_condition_that_moved(run):
    done = a_join(run)
    drawn = plots.operation_pictures(done, run.records, run.colours())
    moved = [c.feature for c in done.changes if c.after is not None]
    assert [name for name, _ in drawn] == moved
    away = plots.fallen_away(done)
    assert sorted((*moved, *away)) == sorted(change.feature for change in done.changes)
    for _, picture in drawn:
        assert "Part A: " in picture.alt
        assert "Joined: " in picture.alt


def test_a_cut_shows_what_was_cut_away(run):
    drawn = dict(plots.operation_pictures(a_cut(run), run.records, run.colours()))
    assert any("stroke-dasharray" in line.attrib for line in marks(drawn["age"], "line"))
    assert "After: " in drawn["age"].alt


def test_a_wide_part_that_was_cut_away_is_said_to_be(run):
    age = run.schema["age"]
    kept, lost = age.interval(45, 60), age.interval(20, 45)
    row = plots.PremiseRow("After", kept, "High", thick=True, lost=(lost,))
    picture = plots.interval_picture(run.records, "age", [row], run.colours())
    (said,) = [each for each in page_of(picture).iter("span") if each.text == "cut away"]
    (dotted,) = [line for line in marks(picture, "line") if "stroke-dasharray" in line.attrib]
    middle = (share(dotted.attrib["x1"]) + share(dotted.attrib["x2"])) / 2
    assert f"left:calc({100 * middle:.1f}" in said.attrib["style"]


def test_square_roots_are_said(run):
    values = run.records.values("juv_fel_count")
    assert (values == 0).mean() > 0.4
    row = plots.PremiseRow("Rule", run.schema["juv_fel_count"].above(0.5), "High", thick=True)
    picture = plots.interval_picture(run.records, "juv_fel_count", [row], run.colours())
    assert "square roots" in picture.alt
    assert "heights are square roots" in texts(picture)


def test_open_ends_are_arrows_and_closed_ones_are_not(run):
    age = run.schema["age"]
    rows = [
        plots.PremiseRow("open", age.interval(30, math.inf), "High"),
        plots.PremiseRow("closed", age.interval(30, 40), "High"),
    ]
    picture = plots.interval_picture(run.records, "age", rows, run.colours())
    (arrow,) = marks(picture, "path")
    assert arrow.attrib["d"].endswith("L5,0Z")


def test_every_bar_says_its_records(run):
    row = plots.PremiseRow("Rule", run.schema["race"].allowed(["Other"]), "High", thick=True)
    picture = plots.interval_picture(run.records, "race", [row], run.colours())
    counts = [
        int(re.search(r": ([\d,]+) record", text)[1].replace(",", "")) for text in hints(picture)
    ]
    assert sum(counts) == run.records.size


def test_importance_is_as_long_as_its_share(run):
    found = rules_reliance(run.theory, run.frame)
    picture = plots.rests_on(None, found, run.theory, plots.LIGHT)
    widths = [share(bar.attrib["width"]) for bar in marks(picture, "rect")]
    drawn = [each.share for each in found.features if each.high][: len(widths)]
    scale = widths[0] / drawn[0]
    assert widths == pytest.approx([scale * each for each in drawn], abs=0.001)


def test_what_only_the_model_uses_is_marked(run):
    found = rules_reliance(run.theory, run.frame)
    only = found.features[0].feature
    others = [rule for rule in run.theory.ranked if only not in rule.rule.features]
    fewer = replace(run.theory, ranked=tuple(others))
    picture = plots.rests_on(found, rules_reliance(fewer, run.frame), fewer, plots.LIGHT)
    assert "⚑ none" in picture.html
    assert "no rule names it" in picture.alt
    assert "⚑" not in plots.rests_on(found, found, run.theory, plots.LIGHT).html


def test_two_rules_that_share_records_have_a_square(run):
    counts = rule_overlap(run.theory, run.records)
    picture = plots.overlap(run.theory, run.records, run.colours())
    size = run.theory.size
    touching = sum(counts[i, j] > 0 for i in range(size) for j in range(i + 1))
    assert len(marks(picture, "rect")) == touching
    assert f"Rule 1 covers {counts[0, 0]} records" in hints(picture)


def test_the_rules_cuts_stand_where_they_cut(run):
    """Each cut that lies within the curve is a dashed line at its place, with its number above."""
    feature = next(
        name for name in run.schema.names if cuts_of(premises_on(run.theory.rules, name))
    )
    curve = next(each for each in curves(run) if each.feature == feature)
    picture = plots.dependence(curve, run.theory, run.colours(), Wording(run.schema))
    values = [stop.value for stop in curve.stops]
    scale = Scale(min(values) - 0.5, max(values) + 0.5)  # whole numbers
    dashed = [each for each in marks(picture, "line") if "stroke-dasharray" in each.attrib]
    cuts = cuts_of(premises_on(run.theory.rules, feature))
    inside = [cut for cut in cuts if scale.low <= cut - 0.5 <= scale.high]
    assert inside
    assert run.schema[feature].is_whole
    assert [share(each.attrib["x1"]) for each in dashed] == pytest.approx(
        [scale.place(cut - 0.5) for cut in inside], abs=1e-4
    )
    assert f"{inside[0]:g}" in texts(picture)
