"""The present lesson as one HTML file that opens offline: picture, rules, exercises, glossary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from glocalx.lessons.exercises import exercises
from glocalx.lessons.glossary import GLOSSARY
from glocalx.lessons.scene import Scene
from glocalx.merging.hierarchy import Hierarchy
from glocalx.plots.canvas import DIAMOND, SQUARE, TRIANGLE
from glocalx.plots.colours import OutcomeColours
from glocalx.rules.rule import Rule
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording

WIDE, HIGH = 640.0, 440.0
STYLE = """
body{font:16px/1.5 sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#0B1015}
h1,h2{font-family:serif;line-height:1.2} svg{width:100%;height:auto;border:1px solid #D6D2C7}
summary{cursor:pointer;color:#0B5750} dt{font-weight:600;margin-top:.6rem} dd{margin:0}
code{font:inherit;background:#F3F1EB;padding:0 .3em} li{margin:.7rem 0}
"""
MARKS = (None, SQUARE, TRIANGLE, DIAMOND)


def handout(
    title: str, scene: Scene, hierarchy: Hierarchy, wording: Wording, colours: OutcomeColours
) -> str:
    """The file. All text of a table is escaped; nothing is fetched and nothing runs."""
    start, end = scene.rules, hierarchy.rules().rules
    asked = exercises(hierarchy, scene.reference, wording)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{counted(scene.reference.size, 'record')}, answered by "
        f"{escape(scene.black_box.name)}; {counted(len(start), 'local rule')}, "
        f"{counted(len(hierarchy.steps), 'merge')}, {counted(len(end), 'rule')} left.</p>",
        "<h2>Local rules</h2>",
        _picture(scene, start, colours, "The local rules over the points"),
        _listed(start, wording),
        "<h2>Exercises</h2><ol>",
        *(
            f"<li>{escape(each.question)}<details><summary>Answer</summary>"
            f"{escape(each.answer)}</details></li>"
            for each in asked
        ),
        "</ol><h2>What merging leaves</h2><details><summary>Show the rules</summary>",
        _picture(scene, end, colours, "The rules that are left over the points"),
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


def _listed(rules: Sequence[Rule], wording: Wording) -> str:
    return f"<ul>{''.join(f'<li>{escape(wording.rule(rule))}</li>' for rule in rules)}</ul>"


def _picture(scene: Scene, rules: Iterable[Rule], colours: OutcomeColours, alt: str) -> str:
    """Points as marks of their outcome, rules as rectangles of theirs."""

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
    box = f'viewBox="-6 -6 {WIDE + 12:.0f} {HIGH + 12:.0f}"'
    return f'<svg {box} role="img" aria-label="{escape(alt)}">{"".join(drawn)}</svg>'
