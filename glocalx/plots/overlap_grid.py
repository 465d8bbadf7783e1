"""Where do rules overlap, and where do they disagree?"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from glocalx.classifier import RankedTheory
from glocalx.coverage import Records
from glocalx.phrases import counted
from glocalx.plots.layout import Drawing, bare_axis, base_figure, empty_drawing, legend_entry
from glocalx.plots.rule_order import rule_overlap
from glocalx.plots.text import percent
from glocalx.plots.theme import OutcomeColours, Palette, blend


def overlap(
    theory: RankedTheory, records: Records, colours: OutcomeColours, *, height: int | None = None
) -> Drawing:
    """Per cent of all records to which two rules both apply; purple and ≠ where they disagree.

    On the diagonal what each rule covers, alone or with others. Empty: no record in common.
    """
    size, palette = theory.size, colours.palette
    if not size:
        return empty_drawing(palette, height or 120, "There is no rule.")
    counts = rule_overlap(theory, records)
    shares = counts / max(records.size, 1)
    outcomes = np.array([rule.outcome for rule in theory.rules], dtype=object)
    conflict = outcomes[:, None] != outcomes[None, :]
    below = np.tril(counts > 0)
    figure = base_figure(
        palette,
        height or min(34 * size + 64, 560),
        margin={"l": 4, "r": 8, "t": 30, "b": 4},
        showlegend=True,
        xaxis=_rule_axis(theory, colours, side="bottom", range=[-0.5, size - 0.5]),
        yaxis=_rule_axis(theory, colours, range=[size - 0.5, -0.5]),
    )
    entries = [legend_entry("same outcome", "square", palette.muted)]
    if conflict.any():
        entries.append(legend_entry("≠ different outcomes", "square", palette.diverging[0]))
    figure.add_traces(entries)
    for shown, colour in ((~conflict, palette.muted), (conflict, palette.diverging[0])):
        figure.add_trace(_squares(shares, counts, shown & below, conflict, colour, palette))
    figure.add_traces(_texts(shares, below, conflict, palette))
    return Drawing(figure, _overlap_alt(counts, conflict, records.size))


def _rule_axis(theory: RankedTheory, colours: OutcomeColours, **more: Any) -> dict[str, Any]:
    """Numbers of the rules, each in the colour of its outcome."""
    texts = [
        f'<span style="color:{colours.text(rule.outcome)}"><b>{place + 1}</b></span>'
        for place, rule in enumerate(theory.rules)
    ]
    return bare_axis(
        colours.palette, tickvals=list(range(theory.size)), ticktext=texts, tickangle=0, **more
    )


def _squares(
    shares: npt.NDArray[np.float64],
    counts: npt.NDArray[np.int64],
    shown: npt.NDArray[np.bool_],
    conflict: npt.NDArray[np.bool_],
    colour: str,
    palette: Palette,
) -> go.Heatmap:
    size = len(shares)
    words = np.where(conflict, "different outcomes", "same outcome")
    hover = [
        [_pair_text(i, j, int(counts[i, j]), str(words[i, j])) for j in range(size)]
        for i in range(size)
    ]
    return go.Heatmap(
        z=np.where(shown, np.sqrt(shares), np.nan),  # small shares still show
        x=list(range(size)),
        y=list(range(size)),
        zmin=0,
        zmax=1,
        colorscale=[[0, blend(palette.ground, colour, 0.06)], [1, colour]],
        showscale=False,
        xgap=2,
        ygap=2,
        customdata=hover,
        hovertemplate="%{customdata}<extra></extra>",
        hoverongaps=False,
    )


def _pair_text(i: int, j: int, records: int, words: str) -> str:
    if i == j:
        return f"rule {i + 1} covers {counted(records, 'record')}"
    return f"rules {j + 1} and {i + 1} both apply to {counted(records, 'record')}<br>{words}"


def _texts(
    shares: npt.NDArray[np.float64],
    below: npt.NDArray[np.bool_],
    conflict: npt.NDArray[np.bool_],
    palette: Palette,
) -> list[go.Scatter]:
    """Percentages in the squares, light upon dark ones."""
    traces = []
    for strong, colour in ((False, palette.ink), (True, palette.ground)):
        places = np.argwhere(below & ((np.sqrt(shares) > 0.6) == strong))
        traces.append(
            go.Scatter(
                x=[int(j) for _, j in places],
                y=[int(i) for i, _ in places],
                mode="text",
                text=[_square_text(shares[i, j], bool(conflict[i, j])) for i, j in places],
                textfont={"size": 12, "color": colour},
                hoverinfo="skip",
                showlegend=False,
            )
        )
    return traces


def _square_text(share: float, conflict: bool) -> str:
    text = percent(share).removesuffix(" %")
    return f"≠ {text}" if conflict and share else text


def _overlap_alt(
    counts: npt.NDArray[np.int64], conflict: npt.NDArray[np.bool_], records: int
) -> str:
    pairs = [(i, j) for i in range(len(counts)) for j in range(i)]
    touching = [(i, j) for i, j in pairs if counts[i, j]]
    against = [(i, j) for i, j in touching if conflict[i, j]]
    alt = (
        f"Per cent of {counted(records, 'record')} to which two rules both apply. "
        f"{len(touching):,} of {counted(len(pairs), 'pair')} overlap, {len(against):,} of them "
        "with different outcomes"
    )
    if not against:
        return f"{alt}."
    i, j = max(against, key=lambda pair: int(counts[pair]))
    return f"{alt}, most of all rules {j + 1} and {i + 1}: {counted(int(counts[i, j]), 'record')}."
