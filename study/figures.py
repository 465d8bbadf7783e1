"""The charts of the page: fidelity by method, the filter α_q, and fewer local rules."""

from __future__ import annotations

from study import paper
from study.charts import ACCENT, INK, MUTED, Line, Mark, dot_chart, legend, line_chart
from study.methods import BY_KEY
from study.our_tables import share_values
from study.paper import Pair
from study.plan import PERCENTILES
from study.results import Study, pair_titles
from study.study_table import Figure

_SHOWN = {  # method: colour and shape
    "budget": (ACCENT, "diamond"),
    "glx": (INK, "circle"),
    "small-tree": (MUTED, "square"),
    "tree": (MUTED, "triangle"),
}
_PAPER = "paper’s GLX"


def fidelity_chart(study: Study) -> str:
    """For each pair how faithful the main theories are, and what the paper reached."""
    rows = [(" / ".join(pair_titles(pair)), _marks(study, pair)) for pair in study.pairs]
    keys = [Mark(BY_KEY[key].title, 0, *_SHOWN[key]) for key in _SHOWN]
    keys.append(Mark(_PAPER, 0, INK, hollow=True))
    return legend(keys) + dot_chart("Fidelity on held-out records", rows)


def _marks(study: Study, pair: Pair) -> list[Mark]:
    printed = paper.EFFECTIVENESS.get(pair, {}).get("glx")
    marks = [] if printed is None else [Mark(_PAPER, printed.fidelity, INK, hollow=True)]
    for key, (colour, shape) in reversed(_SHOWN.items()):
        value = study.mean(pair, "methods", key, "fidelity")
        marks.append(Mark(BY_KEY[key].title, value, colour, shape))
    return marks


def by_size_charts(study: Study) -> str:
    """For each pair the fidelity over the number of rules."""
    looks = {
        "budget": (ACCENT, False),
        "alpha": (INK, False),
        "alpha one by one": (INK, True),
        "tree": (MUTED, True),
    }
    charts = []
    for pair in study.pairs:
        lines = []
        for way, (colour, hollow) in looks.items():
            points = tuple(
                (float(size), study.mean(pair, "by size", size, way))
                for size in study.of(pair)[0]["by size"]
            )
            lines.append(Line(way, points, colour, hollow=hollow))
        charts.append(line_chart(" / ".join(pair_titles(pair)), lines, x_label="number of rules"))
    keys = [Mark(way, 0, colour, hollow=hollow) for way, (colour, hollow) in looks.items()]
    return legend(keys) + _grid(charts)


def alpha_q_charts(study: Study) -> str:
    """For each pair the fidelity at each percentile, ours and the paper's."""
    charts = []
    for pair in study.pairs:
        found = [Figure.of(study.values(pair, "alpha_q", str(q), "fidelity")) for q in PERCENTILES]
        points = tuple((q, each.mean) for q, each in zip(PERCENTILES, found, strict=True))
        lines = [Line("ours", points, INK, tuple(each.spread or 0.0 for each in found))]
        printed = paper.ALPHA_Q.get(pair)
        if printed:
            theirs = tuple((float(q), printed[q].fidelity) for q in PERCENTILES)
            lines.append(Line("paper", theirs, MUTED, hollow=True))
        charts.append(line_chart(" / ".join(pair_titles(pair)), lines, x_label="α_q"))
    keys = [Mark("ours, band: spread over seeds", 0, INK), Mark("paper", 0, MUTED, hollow=True)]
    return legend(keys) + _grid(charts)


def fewer_rules_charts(study: Study) -> str:
    """For each pair fidelity and size over the share of local rules."""
    charts = []
    for pair in study.pairs:
        name = " / ".join(pair_titles(pair))
        lines = [
            _share_line(study, pair, "alpha_q", "fidelity", INK),
            _share_line(study, pair, "budget", "fidelity", ACCENT),
        ]
        charts.append(line_chart(name, lines, x_label="β, % of the local rules"))
        size = [_share_line(study, pair, "alpha_q", "size", MUTED)]
        label = "β, % of the local rules"
        charts.append(line_chart(f"{name}, size", size, x_label=label, decimals=0))
    keys = [
        Mark("fidelity, α_q 50", 0, INK),
        Mark("fidelity, budget", 0, ACCENT),
        Mark("number of rules, α_q 50", 0, MUTED),
    ]
    return legend(keys) + _grid(charts)


def _share_line(study: Study, pair: Pair, way: str, measure: str, colour: str) -> Line:
    shares = list(study.of(pair)[0]["fewer rules"])
    found = [Figure.of(share_values(study, pair, share, way, measure)) for share in shares]
    return Line(
        f"{measure}, {way}",
        tuple((float(share), each.mean) for share, each in zip(shares, found, strict=True)),
        colour,
        tuple(each.spread or 0.0 for each in found),
    )


def _grid(charts: list[str]) -> str:
    return f'<div class="grid">{"".join(charts)}</div>'
