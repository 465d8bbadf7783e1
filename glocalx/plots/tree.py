"""The tree of merges: the last few of them, or all."""

from __future__ import annotations

from collections.abc import Sequence

from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.told import ToldSteps
from glocalx.plots.canvas import TEXT, legend
from glocalx.plots.colours import OutcomeColours
from glocalx.plots.layout import Drawing, empty_drawing
from glocalx.plots.tree_layout import tree_layout
from glocalx.plots.tree_view import KINDS, By, TreeView, shape_of
from glocalx.words.phrases import counted

SPARE = 14  # so many branches more than merges are still readable


def merge_tree(
    hierarchy: Hierarchy,
    at: int,
    colours: OutcomeColours,
    *,
    window: int | None = 50,
    by: By = "step",
    height: int = 560,
    drops: Sequence[int] = (),
    text: int = TEXT,
) -> Drawing:
    """The last `window` steps up to step `at`, the newest of them in bold.

    Without a window all steps at once: branches are coloured while they have one outcome, and of
    more than 2,000 steps only the newest 2,000 have a point to hover over and click.

    `drops` are the steps after which the fidelity of all rules falls: marked at the top.

    Merges that change no rule are no steps and have no point; see :mod:`glocalx.merging.told`.
    What was merged before is folded into a dot on the left, with the number of its local rules.
    Points carry `customdata` that begins with the step (0 for a local rule) and the theory.
    """
    told = ToldSteps.of(hierarchy)
    at = min(at, len(told))
    if at < 1:
        waiting = counted(len(hierarchy.local_rules), "rule")
        verb = "is" if len(hierarchy.local_rules) == 1 else "are"
        return empty_drawing(
            colours.palette, height, f"Nothing merged yet. {waiting} {verb} waiting."
        )
    first, last = 0 if window is None else told.place(max(at - window, 0)), told.place(at)
    layout = tree_layout(hierarchy, first, last, None if window is None else last - first + SPARE)
    pitch = (height - 100) / max(layout.slots, 1)
    view = TreeView(
        hierarchy, told, layout, colours, by, pitch, window=window or 0, drops=drops, text=text
    )
    if window is None:
        figure = view.figure(height, list(view.coloured_lines()))
        figure.add_traces([*view.merge_points(size=5), *view.drop_marks()])
        figure.update_xaxes(showgrid=False)  # it would lie above the lines
    else:
        lines = [view.branch_lines(), view.newest_lines()]
        figure = view.figure(height, lines, view.counted_branches())
        points = [*view.merge_points(size=9), view.newest_point()]
        figure.add_traces([view.folded_dots(), *points, *view.drop_marks()])
    return Drawing(figure, _alt(view), legend(view.signs(), colours.palette, text))


def _alt(view: TreeView) -> str:
    hierarchy, told, layout = view.hierarchy, view.told, view.layout
    steps = told.steps[told.count(layout.first) : told.count(layout.last)]
    kinds = [shape_of(step) for step in steps]
    counts = [f"{kinds.count(kind):,} {words}" for kind, words in KINDS.items() if kind in kinds]
    newest = steps[-1]
    ends = (f"{each.number:,}" for each in (steps[0], newest))
    span = f"Steps {' to '.join(ends)}" if len(steps) > 1 else "Step 1"
    sentences = [
        f"{span} of {counted(len(hierarchy.local_rules), 'local rule')}: {', '.join(counts)}.",
        f"Step {newest.number:,} ({newest.kind}) leaves "
        f"{counted(newest.theories_left, 'theory', 'theories')} with "
        f"{counted(newest.rules_left, 'rule')}.",
    ]
    if view.drops:
        sentences.append(f"Fidelity falls after {counted(len(view.drops), 'step')} of these.")
    beside = layout.last - layout.first - len(steps)
    if beside:
        sentences.append(f"{counted(beside, 'merge')} changed no rule and have no point.")
    if layout.hidden:
        sentences.append(
            f"{counted(layout.hidden, 'theory', 'theories')} that none of these merges touches "
            "are not drawn."
        )
    return " ".join(sentences)
