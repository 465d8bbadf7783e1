"""A finding drawn: the same values as the words beside it, on page and report."""

import base64
import math
import re
from html import escape

import pytest

from glocalx.audit.comparison import NOBODY, Rates, Share, compare
from glocalx.audit.flips import FlipCount, FlipPlan, FlipResult, GroupChange
from glocalx.plots import LIGHT, OutcomeColours
from glocalx.plots.colours import STYLED
from glocalx.report.finding_pictures import MOST_SQUARES, FindingPictures, flip_squares

COLOURS = OutcomeColours.of(["High", "Low"], "High", STYLED)


def compared(mine: tuple[int, int], theirs: tuple[int, int]):
    sides = [
        Rates(Share(hits, size), favourable=Share(size - hits, size))
        for hits, size in (mine, theirs)
    ]
    return compare("everyone else", *sides)


def drawn(*comparisons) -> FindingPictures:
    return FindingPictures(COLOURS, "High", comparisons, inline=True)


def at(html: str, mark: str, place: str) -> list[float]:
    return [float(each) for each in re.findall(rf'<{mark} [^>]*\b{place}="([\d.]+)%"', html)]


def test_bars_dots_and_band_stand_where_the_figures_say():
    found = compared((46, 314), (14, 335))
    pictures = drawn(found)
    often = pictures.how_often(found, "<b>A</b>")
    wide = at(often.html, "rect", "width")
    assert wide[1] / wide[0] == pytest.approx((14 / 335) / (46 / 314), abs=0.001)
    assert "<b>A" not in often.html
    assert "14.6\N{NO-BREAK SPACE}% (46 of 314)" in often.alt
    difference = pictures.difference(found)
    zero = at(difference.html, "line", "x1")[2]
    assert zero == pytest.approx(50)
    assert at(difference.html, "circle", "cx")[0] > zero
    low = at(difference.html, "line", "x1")[-1]
    assert (low > zero) == (found.difference.low > 0)
    assert "Difference: +10.5 points, 95 % interval +6.1 to +15.1" in difference.alt
    ratio = pictures.ratio(found, "Low")
    assert "Low: ratio 0.89" in ratio.alt
    start, width = at(ratio.html, "rect", "x")[0], at(ratio.html, "rect", "width")[0]
    assert start < at(ratio.html, "circle", "cx")[0] < start + width / 2  # in the band, below 1
    for picture in (often, difference, ratio):
        assert f'role="img" aria-label="{escape(picture.alt)}"' in picture.html
        assert "var(--" in picture.html


def test_all_cards_share_one_scale_and_nothing_undefined_is_drawn():
    near, far = compared((50, 100), (45, 100)), compared((90, 100), (10, 100))
    alone, beside = (
        at(drawn(*c).difference(near).html, "circle", "cx")[0] for c in [(near,), (near, far)]
    )
    assert abs(beside - 50) < abs(alone - 50)
    none = compare("everyone else", Rates(NOBODY), Rates(Share(0, 9)))
    pictures = drawn(none)
    for picture in (
        pictures.difference(none),
        pictures.ratio(none, "Low"),
        pictures.how_often(none, "x"),
    ):
        assert "nan" not in picture.html
        assert "<circle" not in picture.html


@pytest.mark.parametrize(("size", "squares"), [(314, 314), (52, 52), (5_200, 1_040)])
def test_a_square_for_each_record(size, squares):
    count = FlipCount(Share(size // 4, size), size // 8, size // 4 - size // 8, 0.5)
    plan = FlipPlan((GroupChange("race", "a", "b"),))
    flip = FlipResult(plan, size, count, count, 3, ())
    picture = flip_squares(flip, "High", OutcomeColours.of(["High", "Low"], "High", LIGHT))
    svg = base64.b64decode(re.search(r"base64,([^\"]+)", picture.html)[1]).decode()
    assert abs(svg.count("<rect") - squares) <= 2 <= MOST_SQUARES
    assert f"{size // 8:,} answers change to the outcome" in picture.alt
    assert math.isclose(svg.count(LIGHT.outcomes[1].mark) / svg.count("<rect"), 1 / 8, abs_tol=0.02)
