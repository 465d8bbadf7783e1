"""On which features do the answers of a theory rest?"""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from glocalx.classifier import RankedTheory
from glocalx.coverage import Records
from glocalx.phrases import counted
from glocalx.plots.layout import Drawing, bare_axis, base_figure, empty_drawing, hidden_axis
from glocalx.plots.rule_order import FeatureImportance, feature_importance
from glocalx.plots.text import percent, plain, short
from glocalx.plots.theme import Palette
from glocalx.wording import Wording


def importance(
    theory: RankedTheory,
    records: Records,
    palette: Palette,
    *,
    most: int = 12,
    height: int | None = None,
    wording: Wording | None = None,
) -> Drawing:
    """For each feature the share of records whose deciding rule names it."""
    found = feature_importance(theory, records)
    if not found:
        return empty_drawing(palette, height or 120, "No rule names a feature.")
    drawn = found[:most]
    words = wording or Wording(records.schema, records)
    titles = [short(words.name(each.feature)) for each in drawn]
    figure = base_figure(
        palette,
        height or 28 * len(drawn) + 16,
        xaxis=hidden_axis(palette, range=[0, max(each.share for each in drawn) * 1.22 or 1]),
        yaxis=bare_axis(
            palette,
            range=[len(drawn) - 0.4, -0.6],
            tickvals=list(range(len(drawn))),
            ticktext=[plain(title, 28) for title in titles],
            tickfont={"size": 13, "color": palette.ink},
        ),
    )
    figure.add_trace(_bars(drawn, titles, palette))
    listed = ", ".join(
        f"{title} {percent(each.share)}" for each, title in zip(drawn, titles, strict=True)
    )
    more = f" {len(found) - len(drawn):,} more features are not drawn." if found[most:] else ""
    alt = f"Share of {counted(records.size, 'record')} decided by a rule that names it: {listed}."
    return Drawing(figure, alt + more)


def _bars(drawn: Sequence[FeatureImportance], titles: Sequence[str], palette: Palette) -> go.Bar:
    return go.Bar(
        x=[each.share for each in drawn],
        y=list(range(len(drawn))),
        orientation="h",
        width=0.62,
        marker={"color": palette.mixed, "line": {"width": 0}},
        text=[percent(each.share) for each in drawn],
        textposition="outside",
        textfont={"color": palette.muted, "size": 12},
        cliponaxis=False,
        customdata=[
            [each.feature, plain(title), counted(each.rules, "rule"), f"{each.decided:,}"]
            for each, title in zip(drawn, titles, strict=True)
        ],
        hovertemplate="%{customdata[1]}: in %{customdata[2]}, decides %{customdata[3]} records"
        "<extra></extra>",
    )
