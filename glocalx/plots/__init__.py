"""Figures: values of the library in, plotly figures out. The only place that imports plotly.

Every figure comes as a :class:`Drawing`, with a text that says what it shows; those that change
with every step of a merge as a :class:`Picture`, which a browser draws much sooner. A figure's
module is imported when it is first asked for, so that no page waits for the figures of another.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glocalx.plots.bars import coverage_bar, split_bar
    from glocalx.plots.bic import bic_plot
    from glocalx.plots.compare import MethodRow, method_dots
    from glocalx.plots.confusion_table import confusion
    from glocalx.plots.forest_plot import ForestRow, forest, forest_rows
    from glocalx.plots.group_grid import GroupShares, group_heatmap, group_shares
    from glocalx.plots.importance_bars import importance
    from glocalx.plots.intervals import cut_pictures, interval_picture, join_pictures
    from glocalx.plots.layout import CONFIG, Drawing, base_figure
    from glocalx.plots.matrix import rule_matrix
    from glocalx.plots.overlap_grid import overlap
    from glocalx.plots.premise_rows import PremiseRow, fallen_away
    from glocalx.plots.rule_flow import flow, flow_targets
    from glocalx.plots.rule_order import (
        FeatureImportance,
        RuleTurn,
        feature_importance,
        rule_overlap,
        rule_turns,
    )
    from glocalx.plots.run_trends import trends
    from glocalx.plots.series import RunSeries, run_series
    from glocalx.plots.size_curve import CurveBaseline, CurvePoint, curve
    from glocalx.plots.svg import Picture
    from glocalx.plots.text import plain
    from glocalx.plots.theme import DARK, LIGHT, OutcomeColours, Palette, palette
    from glocalx.plots.tree import merge_tree, whole_tree
    from glocalx.plots.two_groups import side_by_side

_HOMES = {
    "bars": (
        "coverage_bar",
        "split_bar",
    ),
    "bic": ("bic_plot",),
    "compare": (
        "MethodRow",
        "method_dots",
    ),
    "confusion_table": ("confusion",),
    "forest_plot": (
        "ForestRow",
        "forest",
        "forest_rows",
    ),
    "group_grid": (
        "GroupShares",
        "group_heatmap",
        "group_shares",
    ),
    "importance_bars": ("importance",),
    "intervals": (
        "cut_pictures",
        "interval_picture",
        "join_pictures",
    ),
    "layout": (
        "CONFIG",
        "Drawing",
        "base_figure",
    ),
    "matrix": ("rule_matrix",),
    "overlap_grid": ("overlap",),
    "premise_rows": (
        "PremiseRow",
        "fallen_away",
    ),
    "rule_flow": (
        "flow",
        "flow_targets",
    ),
    "rule_order": (
        "FeatureImportance",
        "RuleTurn",
        "feature_importance",
        "rule_overlap",
        "rule_turns",
    ),
    "run_trends": ("trends",),
    "series": (
        "RunSeries",
        "run_series",
    ),
    "size_curve": (
        "CurveBaseline",
        "CurvePoint",
        "curve",
    ),
    "svg": ("Picture",),
    "text": ("plain",),
    "theme": (
        "DARK",
        "LIGHT",
        "OutcomeColours",
        "Palette",
        "palette",
    ),
    "tree": (
        "merge_tree",
        "whole_tree",
    ),
    "two_groups": ("side_by_side",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "CONFIG",
    "DARK",
    "LIGHT",
    "CurveBaseline",
    "CurvePoint",
    "Drawing",
    "FeatureImportance",
    "ForestRow",
    "GroupShares",
    "MethodRow",
    "OutcomeColours",
    "Palette",
    "Picture",
    "PremiseRow",
    "RuleTurn",
    "RunSeries",
    "base_figure",
    "bic_plot",
    "confusion",
    "coverage_bar",
    "curve",
    "cut_pictures",
    "fallen_away",
    "feature_importance",
    "flow",
    "flow_targets",
    "forest",
    "forest_rows",
    "group_heatmap",
    "group_shares",
    "importance",
    "interval_picture",
    "join_pictures",
    "merge_tree",
    "method_dots",
    "overlap",
    "palette",
    "plain",
    "rule_matrix",
    "rule_overlap",
    "rule_turns",
    "run_series",
    "side_by_side",
    "split_bar",
    "trends",
    "whole_tree",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"glocalx.plots.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
