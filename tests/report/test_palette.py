"""Text reads on every ground, in both schemes."""

import pytest

from glocalx.report.palette import (
    DARK,
    DARK_ENDS,
    DARK_OUTCOMES,
    LIGHT,
    LIGHT_ENDS,
    LIGHT_OUTCOMES,
    contrast,
    shades,
)

SCHEMES = [(LIGHT, LIGHT_OUTCOMES, LIGHT_ENDS), (DARK, DARK_OUTCOMES, DARK_ENDS)]


@pytest.mark.parametrize(("colours", "outcomes", "ends"), SCHEMES)
def test_text_reads_on_every_ground(colours, outcomes, ends):
    grounds = colours["page"], colours["soft"]
    texts = [colours["ink"], colours["muted"], colours["accent"]]
    pairs = [(ground, text) for ground in grounds for text in texts]
    pairs += [(colours["flag"], colours["flag-ink"]), *shades(ends)]
    pairs += [(ground, ink) for _, ink, ground in outcomes]
    for ground, text in pairs:
        assert contrast(ground, text) >= 4.5, (ground, text)


@pytest.mark.parametrize(("colours", "outcomes", "ends"), SCHEMES)
def test_marks_stand_out_from_the_page(colours, outcomes, ends):
    marks = [colours["axis"], *(mark for mark, _, _ in outcomes)]
    for mark in marks:
        assert contrast(colours["page"], mark) >= 3, mark
    assert len(shades(ends)) == 9


def test_contrast_is_that_of_wcag():
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.478, abs=1e-3)
