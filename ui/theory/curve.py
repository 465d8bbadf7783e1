"""How many rules are enough: fidelity against their number, and what other methods reach.

Everything is computed once for a run, and kept for whoever looks.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from glocalx.baselines import RuleSet
from glocalx.evaluation import RuleClassifier, share_intervals
from glocalx.pipeline.settings import SelectionSettings
from glocalx.plots import CurveBaseline, CurvePoint, curve
from glocalx.plots.size_curve import Unit
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.coverage import BoolArray
from glocalx.workspace.run import Run
from ui.layout import card, show
from ui.opened import explained_of, kept, merged_rules_of, shades, theory_of, wording_of
from ui.rivals import rival_of
from ui.theory.selection import WAYS
from ui.theory.ways_to_choose import room_of

MOST_POINTS = 40
TREES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 40, 50, 60)
FEW = 16  # leaves, at least
OTHERS = {
    "pruned-tree": "tree of depth 4",
    "tree": "full tree",
    "cpar": "CPAR",
    "union": "all local rules",
}
COUNTED = {
    "rule": "a leaf of a tree counts as a rule; the rules’ “otherwise” does not.",
    "condition": "each condition on the way to a leaf of a tree counts as one to read.",
}
AT_ONCE = 10_000  # records; on more, trees take seconds and wait for a click


def curve_card(run: Run, chosen: SelectionSettings) -> DeltaGenerator | None:
    """Fidelity against the number of rules, with what others reach.

    Returns the place of the figure where others have yet to be fitted, for :func:`add_rivals`.
    """
    title = {"rule": "How many rules are enough?", "condition": "How much must be read?"}
    with card(title[counted_unit()]):
        place = st.empty()
        st.caption(
            f"Chosen by {WAYS[chosen.by].lower()}; the band is the 95 % interval. Each extra rule "
            "should buy agreement: where the line flattens, shorter is better. Other methods "
            f"learned from the same {explained_of(run).reference_name}s, and "
            f"{COUNTED[counted_unit()]}"
        )
        wanted = _wanted_rivals(run)
        if "others" not in wanted:
            st.button(
                "Compare with more methods" if wanted else "Compare with other methods",
                icon=":material/compare_arrows:",
                type="tertiary",
                key="more_methods",
                on_click=st.session_state.update,
                args=({f"rivals {run.id}": ("trees", "others")},),
            )
    ready = st.session_state.get(f"fitted {run.id}", ()) == wanted
    with place:
        _curve(run, chosen, wanted if ready else (), "theory_curve")
    return None if ready else place


def _wanted_rivals(run: Run) -> tuple[str, ...]:
    many = explained_of(run).reference.size > AT_ONCE
    wanted: tuple[str, ...] = st.session_state.get(f"rivals {run.id}", () if many else ("trees",))
    return wanted


def add_rivals(run: Run, chosen: SelectionSettings, place: DeltaGenerator) -> None:
    """Fit the other methods and draw the curve again; to be called when all else is drawn."""
    wanted = _wanted_rivals(run)
    rivals_of(run, chosen, wanted)
    st.session_state[f"fitted {run.id}"] = wanted
    with place:
        _curve(run, chosen, wanted, "theory_curve_with_rivals")


def _curve(run: Run, chosen: SelectionSettings, rivals: tuple[str, ...], key: str) -> None:
    theory, wording, unit = theory_of(run, chosen), wording_of(run), counted_unit()
    line = {point.rules: point for point in curve_of(run, way_of(chosen), unit)}
    here = length_in(theory, unit)
    line[here] = _point(here, _agreeing(run, theory))
    show(
        curve(
            [line[size] for size in sorted(line)],
            here,
            shades(),
            baselines=rivals_of(run, chosen, rivals, unit),
            majority=explained_of(run).majority_share,
            majority_outcome=wording.outcome(theory.default),
            all_rules=all_rules_of(run) if unit == "rule" else None,
            height=400 if "others" in rivals else 320,
            unit=unit,
        ),
        key,
    )


def counted_unit() -> Unit:
    """What the person counts: rules, or the conditions of all rules together."""
    return "condition" if st.session_state.get("reading") == "condition" else "rule"


def length_in(explanation: RuleClassifier, unit: Unit) -> int:
    """How much there is to read."""
    return sum(map(len, explanation.rules)) if unit == "condition" else len(explanation.rules)


def _point(size: int, agreeing: BoolArray) -> CurvePoint:
    interval = share_intervals(np.sort(agreeing)[::-1]).first
    return CurvePoint(size, float(agreeing.mean()), *interval)


def _agreeing(run: Run, explanation: RuleClassifier) -> BoolArray:
    """On which held-out records an explanation gives the answer of the black box."""
    held_out = explained_of(run).held_out
    return np.asarray(explanation.predict(held_out.records) == held_out.labels, dtype=bool)


def rivals_of(
    run: Run, chosen: SelectionSettings, kinds: tuple[str, ...], unit: Unit = "rule"
) -> tuple[CurveBaseline, ...]:
    """What other methods reach on the same records: `trees` of few leaves, `others`."""
    made: list[CurveBaseline] = []
    if "trees" in kinds:
        most = room_of(run, replace(chosen, by="budget")).high
        made.append(_trees(run, max(FEW, int(most)), unit))
    if "others" in kinds:
        made += _others(run, unit)
    return tuple(made)


def way_of(chosen: SelectionSettings) -> SelectionSettings:
    """How is chosen, whatever the number: what belongs to a whole curve is kept under this."""
    return replace(chosen, value=0)


@kept("merge", most=20)
def curve_of(run: Run, way: SelectionSettings, unit: Unit) -> tuple[CurvePoint, ...]:
    """The curve of one way to choose, with what is by hand."""
    if unit == "rule":
        return tuple(_point(*each) for each in agreeing_of(run, way).items())
    theories = theories_of(run, way).values()
    lengths = {length_in(theory, unit): theory for theory in theories}
    return tuple(_point(each, _agreeing(run, lengths[each])) for each in sorted(lengths))


@kept("merge", most=20)
def agreeing_of(run: Run, way: SelectionSettings) -> dict[int, BoolArray]:
    """On which held-out records the rules of one way to choose agree, by their number."""
    theories = theories_of(run, way)
    return {size: _agreeing(run, theories[size]) for size in sorted(theories)}


def theories_of(run: Run, way: SelectionSettings) -> dict[int, RankedTheory]:
    """The theories that one way to choose gives, by the number of their rules."""
    room = room_of(run, way)
    steps = np.arange(room.low, room.high + room.step / 2, room.step)
    if len(steps) > MOST_POINTS and way.by != "budget":
        steps = steps[np.unique(np.linspace(0, len(steps) - 1, MOST_POINTS).round().astype(int))]
    return {
        theory.size: theory
        for value in steps.tolist()
        if (theory := theory_of(run, replace(way, value=value))).size
    }


@kept("merge", most=20)
def all_rules_of(run: Run) -> CurvePoint:
    """What all merged rules together reach."""
    theory = RankedTheory.of(merged_rules_of(run), explained_of(run).reference)
    return _point(theory.size, _agreeing(run, theory))


@kept("merge", most=20)
def _trees(run: Run, most: int, unit: Unit) -> CurveBaseline:
    by_size = {
        tree.size: tree for tree in (rival_of(run, "small-tree", n) for n in TREES if n <= most)
    }
    points = {_rival_point(run, by_size[size], unit) for size in sorted(by_size)}
    name = "decision tree of the same size" if unit == "rule" else "decision tree"
    return CurveBaseline(name, tuple(sorted(points, key=lambda point: point.rules)))


@kept("merge", most=20)
def _others(run: Run, unit: Unit) -> tuple[CurveBaseline, ...]:
    fitted = [(name, rival_of(run, method)) for method, name in OTHERS.items()]
    return tuple(CurveBaseline(name, (_rival_point(run, rival, unit),)) for name, rival in fitted)


def _rival_point(run: Run, rival: RuleSet, unit: Unit) -> CurvePoint:
    return CurvePoint(length_in(rival, unit), float(_agreeing(run, rival).mean()))
