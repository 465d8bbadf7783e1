"""The present lesson as one HTML file that opens offline: picture, rules, exercises, glossary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from glocalx.lessons.exercises import Exercise, exercises
from glocalx.lessons.glossary import GLOSSARY
from glocalx.lessons.scene import Scene
from glocalx.merging.hierarchy import Hierarchy
from glocalx.plots.canvas import DIAMOND, SQUARE, TRIANGLE
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.scale import Scale
from glocalx.rules.rule import Rule
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

WIDE, HIGH = 640.0, 440.0
ROWS = 25  # of the records in a table
MIDDLE = 'text-anchor="middle"'
STYLE = """
body{font:16px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#0B1015}
h1,h2{font-family:serif;line-height:1.2} svg{width:100%;height:auto;border:1px solid #D6D2C7}
summary{cursor:pointer;color:#0B5750} dt{font-weight:600;margin-top:.6rem} dd{margin:0}
code{font:inherit;background:#F3F1EB;padding:0 .3em} li{margin:.7rem 0}
svg text{font:13px sans-serif;fill:#4A4F55} .records{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem}
table{border-collapse:collapse;font-size:.8rem;align-self:start} th,td{padding:.1rem .5rem}
th{text-align:left} td{text-align:right;border-top:1px solid #D6D2C7}
@media print{details>*{display:block} body{margin:0}}
"""
MARKS = (None, SQUARE, TRIANGLE, DIAMOND)


def handout(
    title: str, scene: Scene, hierarchy: Hierarchy, wording: Wording, colours: OutcomeColours
) -> str:
    """The file. All text of a table is escaped; nothing is fetched and nothing runs."""
    start, end = scene.rules, hierarchy.rules().rules
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{counted(scene.reference.size, 'record')}, answered by "
        f"{escape(scene.black_box.name)}; {counted(len(start), 'local rule')}, "
        f"{counted(len(hierarchy.steps), 'merge')}, {counted(len(end), 'rule')} left.</p>",
        "<h2>Local rules</h2>",
        _picture(scene, start, colours, wording, "The local rules over the points"),
        _listed(start, wording),
        "<h2>Exercises</h2><p>All that is needed stands in the table of records.</p>",
        *_asked(exercises(hierarchy, scene.reference, wording)),
        "<h2>Records</h2>",
        _records(scene, wording),
        "<h2>What merging leaves</h2><details><summary>Show the rules</summary>",
        _picture(scene, end, colours, wording, "The rules that are left over the points"),
        _listed(end, wording),
        "</details><h2>Glossary</h2><dl>",
        *(
            f"<dt>{escape(term.name)}</dt><dd>{escape(term.meaning)}"
            + (f" <code>{escape(term.formula)}</code>" if term.formula else "")
            + "</dd>"
            for term in GLOSSARY
        ),
        "</dl>",
    ]
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{"".join(parts)}</body></html>'


def _asked(asked: Iterable[Exercise]) -> Iterable[str]:
    """The questions, numbered through, under the pair that they are about."""
    number = 1
    for about, questions in groupby(asked, key=lambda each: each.about):
        listed = [
            f"<li>{escape(each.question)}<details><summary>Answer</summary>"
            f"{escape(each.answer)}</details></li>"
            for each in questions
        ]
        if about:
            yield f"<h3>{escape(about)}</h3>"
        yield f'<ol start="{number}">{"".join(listed)}</ol>'
        number += len(listed)


def _records(scene: Scene, wording: Wording) -> str:
    """Every record with its answer, a few tables beside each other."""
    names = ["Record", *(wording.name(axis.feature) for axis in (scene.across, scene.up)), "Answer"]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    answers = map(wording.outcome, scene.reference.labels.tolist())
    rows = [
        f"<tr><td>{number}</td><td>{x:,g}</td><td>{y:,g}</td><td>{escape(answer)}</td></tr>"
        for number, ((x, y), answer) in enumerate(
            zip(scene.places.tolist(), answers, strict=True), start=1
        )
    ]
    tables = (
        f"<table><tr>{head}</tr>{''.join(rows[place : place + ROWS])}</table>"
        for place in range(0, len(rows), ROWS)
    )
    return f'<div class="records">{"".join(tables)}</div>'


def _listed(rules: Sequence[Rule], wording: Wording) -> str:
    return f"<ul>{''.join(f'<li>{escape(wording.short_rule(rule))}</li>' for rule in rules)}</ul>"


def _picture(
    scene: Scene, rules: Iterable[Rule], colours: OutcomeColours, wording: Wording, alt: str
) -> str:
    """Points as marks of their outcome, rules as rectangles of theirs, over two axes."""

    def at(x: float, y: float) -> tuple[float, float]:
        across, up = scene.across, scene.up
        right = (x - across.low) / (across.high - across.low)
        above = (y - up.low) / (up.high - up.low)
        return WIDE * right, HIGH * (1 - above)

    drawn = []
    for rule in rules:
        ground = scene.rectangle(rule)
        (left, bottom), (right, top) = at(ground.left, ground.bottom), at(ground.right, ground.top)
        drawn.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(right - left, 0):.1f}" '
            f'height="{max(bottom - top, 0):.1f}" fill="none" stroke-width="2" '
            f'stroke="{colours.colour(rule.outcome)}"/>'
        )
    for (x, y), label in zip(scene.places.tolist(), scene.reference.labels, strict=True):
        across, down = at(x, y)
        way = MARKS[colours.place(label) % len(MARKS)] or "M-4,0A4,4 0 1,0 4,0A4,4 0 1,0 -4,0Z"
        move = f'transform="translate({across:.1f},{down:.1f})"'
        drawn.append(f'<path d="{way}" fill="{colours.colour(label)}" {move}/>')
    drawn += [
        f'<text x="{at(x, 0)[0]:.1f}" y="{HIGH + 18}" {MIDDLE}>{x:,g}</text>'
        for x in Scale(scene.across.low, scene.across.high).ticks(6)
    ]
    drawn += [
        f'<text x="-8" y="{at(0, y)[1] + 4:.1f}" text-anchor="end">{y:,g}</text>'
        for y in Scale(scene.up.low, scene.up.high).ticks(6)
    ]
    one, other = (escape(wording.name(axis.feature)) for axis in (scene.across, scene.up))
    drawn.append(f'<text x="{WIDE / 2}" y="{HIGH + 38}" {MIDDLE}>{one}</text>')
    drawn.append(f'<text {MIDDLE} transform="translate(-58,{HIGH / 2}) rotate(-90)">{other}</text>')
    box = f'viewBox="-74 -8 {WIDE + 84:.0f} {HIGH + 54:.0f}"'
    return f'<svg {box} role="img" aria-label="{escape(alt)}">{"".join(drawn)}</svg>'
