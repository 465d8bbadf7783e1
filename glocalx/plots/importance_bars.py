"""On which features do the answers rest: those of the model, and those of the rules?"""

from __future__ import annotations

from collections import Counter

from glocalx.plots.canvas import Canvas, Picture, empty_picture, room_beside
from glocalx.plots.colours import Palette
from glocalx.questions.reliance import FeatureReliance, Reliance
from glocalx.rules.classifier import RankedTheory
from glocalx.words.escape import shortened
from glocalx.words.figures import percent
from glocalx.words.wording import Wording

ROW, BAR, HEAD = 26.0, 14.0, 30.0  # pixels
MOST = 20  # features
MODEL, NAMED, RULES = (0.0, 0.2), 0.6, (0.74, 0.83)  # of the width: apart on a phone, too


def rests_on(
    model: Reliance | None,
    rules: Reliance,
    theory: RankedTheory,
    palette: Palette,
    *,
    wording: Wording | None = None,
) -> Picture:
    """For each feature the share of answers that change when its values are dealt out anew.

    Of very many features the first are drawn, and each that is used and that no rule names.
    """
    first = model or rules
    named = Counter(name for rule in theory.rules for name in rule.features)
    flagged = {each.feature for each in model.unnamed(named)} if model else set()
    shown = [each for each in first.features if each.high or each.feature in named]
    drawn = [each for at, each in enumerate(shown) if at < MOST or each.feature in flagged]
    if not drawn:
        return empty_picture(palette, 120, "No answer rests on a feature.")
    said = wording or Wording(theory.schema)
    titles = [shortened(said.name(each.feature)) for each in drawn]
    canvas = Canvas(palette=palette)
    bold = {"font-weight": "600", "color": palette.ink}
    if model is not None:
        canvas.words("Model", MODEL[0], HEAD / 2, bold, anchor="start")
    canvas.words("Named", NAMED, HEAD / 2, bold)
    canvas.words("Rules", RULES[0], HEAD / 2, bold, anchor="start")
    for place, (each, title) in enumerate(zip(drawn, titles, strict=True)):
        y = HEAD + ROW * (place + 0.5)
        if each.feature in flagged:
            canvas.bar(0, 1, y - ROW / 2, ROW, fill=palette.grid)
        weight = "600" if each.feature in flagged else "400"
        look = {"font-size": "13px", "color": palette.ink, "font-weight": weight}
        canvas.beside(title, y, look)
        if model is not None:
            _bar(canvas, each, y, MODEL, _longest(model))
        count = named[each.feature]
        told = (
            f"{count} of {theory.size}" if count else "⚑ none" if each.feature in flagged else "–"
        )
        canvas.words(told, NAMED, y, {"color": palette.ink})
        _bar(canvas, rules.of(each.feature), y, RULES, _longest(rules))
    height = HEAD + ROW * len(drawn) + 8
    alt = _alt(drawn, titles, model, rules, named)
    return canvas.picture(height, alt, left=room_beside(titles, 13))


def _longest(measured: Reliance) -> float:
    return max((each.high for each in measured.features), default=0.0) or 1.0


def _bar(
    canvas: Canvas, each: FeatureReliance, y: float, room: tuple[float, float], longest: float
) -> None:
    start, end = room
    palette = canvas.palette

    def at(share: float) -> float:
        return start + (end - start) * share / longest

    canvas.bar(start, at(each.share), y - BAR / 2, BAR, fill=palette.mixed)
    canvas.level(at(each.low), at(each.high), y, stroke=palette.ink, stroke_width=1.5)
    told = f"{percent(each.share, 1)} ({percent(each.low, 1)} to {percent(each.high, 1)})"
    canvas.words(percent(each.share, 1), at(max(each.high, each.share)), y, aside=6, anchor="start")
    canvas.hint(told, start, y - ROW / 2, f"{100 * (end - start):.0f}%", ROW)


def _alt(
    drawn: list[FeatureReliance],
    titles: list[str],
    model: Reliance | None,
    rules: Reliance,
    named: Counter[str],
) -> str:
    whose = "of the model, and of the rules," if model else "of the rules"
    listed = "; ".join(
        f"{title} {percent(each.share, 1)}"
        + (f" and {percent(rules.of(each.feature).share, 1)}" if model else "")
        + ("" if named[each.feature] else ", no rule names it")
        for each, title in zip(drawn, titles, strict=True)
    )
    return (
        f"Share of the answers {whose} that change when a column’s values are dealt out anew: "
        f"{listed}."
    )
