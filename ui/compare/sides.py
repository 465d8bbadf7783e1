"""The two sides of a comparison, made once and kept for whoever looks."""

from __future__ import annotations

from glocalx.evaluation.side_by_side import Chosen, SideBySide, beside_method, beside_run
from glocalx.pipeline.settings import SelectionSettings
from glocalx.workspace.run import Run
from ui.opened import explained_of, kept, theory_of, wording_of
from ui.rivals import TREES, methods_of, rival_of


@kept("data", "merge", "box", most=60)
def with_method(run: Run, chosen: SelectionSettings, method: str, wide: bool) -> SideBySide:
    """The chosen rules of a run beside another method; `wide` as in :func:`ui.rivals.rival_of`."""
    mine = _chosen(run, chosen)
    rival, words = rival_of(run, method, mine.theory.size, wide), methods_of(run)[method]
    return beside_method(mine, rival, words.title, words.called, is_tree=method in TREES)


def with_run(run: Run, chosen: SelectionSettings, other: Run) -> SideBySide:
    """The chosen rules of a run beside those of another run."""
    return _with_run(run, chosen, other, other.settings.selection, run.name, other.name)


@kept("data", "merge", "box", most=20)
def _with_run(
    run: Run,
    chosen: SelectionSettings,
    other: Run,
    other_chosen: SelectionSettings,
    name: str,
    other_name: str,
) -> SideBySide:
    return beside_run(_chosen(run, chosen), _chosen(other, other_chosen))


def _chosen(run: Run, chosen: SelectionSettings) -> Chosen:
    return Chosen(run.name, theory_of(run, chosen), explained_of(run), wording_of(run))
