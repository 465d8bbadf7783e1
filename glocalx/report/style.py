"""The one style sheet of a report: light, dark, phone and paper."""

from __future__ import annotations

from importlib.resources import files

from glocalx.plots.colours import DARK, LIGHT, Palette


def style_sheet() -> str:
    """All of it as text."""
    schemes = f":root{{color-scheme:light dark}}\n{_scheme(LIGHT)}"
    schemes += f"@media screen and (prefers-color-scheme:dark){{\n{_scheme(DARK)}}}\n"
    return schemes + (files("glocalx.report") / "templates" / "report.css").read_text("utf-8")


def _scheme(palette: Palette) -> str:
    """The colours of one scheme: variables, outcomes, shades from less to more."""
    lines = [palette.variables()]
    for place, tones in enumerate(palette.outcomes):
        lines.append(f".tone{place}{{color:{tones.text};background:{tones.soft}}}")
        lines.append(f".fill{place}{{fill:{tones.mark}}}")
        lines.append(f".stroke{place}{{stroke:{tones.mark};stroke-width:1.6}}")
    for step, (ground, ink) in enumerate(palette.shades()):
        lines.append(f".shade{step}{{background:{ground};color:{ink}}}")
    return "\n".join(lines) + "\n"
