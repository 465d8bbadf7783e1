"""How good both sides are: the test in a sentence, the measures in a table, all methods at once."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from glocalx.evaluation import Evaluation, PairedComparison
from glocalx.evaluation.side_by_side import Side, SideBySide
from glocalx.pipeline.settings import SelectionSettings
from glocalx.plots.compare import MethodRow, method_dots
from glocalx.words.figures import percent, points
from glocalx.words.phrases import counted, enumeration
from glocalx.workspace.run import Run
from ui.compare.sides import with_method
from ui.layout import card, show
from ui.opened import explained_of, shades, theory_of
from ui.rivals import (
    as_the_run,
    cost_of,
    is_ready,
    methods_of,
    more_labels,
    needs_black_box,
)
from ui.text import plain

RARE = 0.05
FEW_RECORDS = 30
MEANING = """\
- **Fidelity**: how often the rules give the same answer as the black box. In grey: where it would
  likely lie had other records been held out (95 %).
- **Accuracy**: how often they give the answer that is true in the data.
- **Fidelity minus accuracy**: above zero, the rules are more like the black box than they are
  right, its mistakes included.
- **Conditions per rule**: the mean, and how far rules typically lie from it.
- **No rule applies**: the answer after “otherwise” is given instead.
- **The test** (McNemar’s, exact): were the two equally good, how often would a split as uneven as
  this one come up by chance? It looks only at records on which one of them agrees and the other
  does not. Whoever compares many methods finds a rare split by chance now and then."""


FIGURES = Path(__file__).with_name("elsewhere.json")  # written by benchmarks/elsewhere.py


@cache
def _elsewhere() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found


def elsewhere_said() -> str:
    """How the methods fare on other tables, and whether these tell them apart."""
    found = _elsewhere()
    names, shares = enumeration(list(found["others"])), sorted(found["others"].values())
    others = [rank for rank in found["ranks"] if rank != found["rank"]]
    apart = found["separated"]
    told = (
        f"the ranks separate them from {enumeration(apart)}, and from no other"
        if apart
        else "the ranks do not separate them from any of these"
    )
    return (
        f"One table proves little. On {found['tables']} public tables with {found['models']} kinds "
        "of model each, and the same labels for all, ten rules by budget agreed with the black "
        f"box on {percent(found['budget'], 1)} of held-out records, a tree of ten leaves on "
        f"{percent(found['tree'], 1)}, {names}, each held to ten rules, on "
        f"{percent(shares[0], 1)} to {percent(shares[-1], 1)}. Of {len(found['ranks'])} methods "
        f"of that size ten rules by budget have the mean rank {found['rank']:g}, the others "
        f"{min(others):g} to {max(others):g}; with a critical difference of "
        f"{found['critical difference']:g}, {told}."
    )


def alpha_said() -> str:
    """Alpha beside a tree of its size."""
    found = {name: percent(share, 1) for name, share in _elsewhere()["alpha"].items()}
    return (
        "Rules by alpha that are taken one by one are often below a tree of the same size: on "
        f"{_elsewhere()['tables']} public tables they agreed on {found['one by one']}, a tree on "
        f"{found['tree']}, rules by alpha that are taken together on {found['together']}, as many "
        f"rules by budget on {found['budget']}."
    )


def verdict(paired: PairedComparison, left: str, right: str) -> str:
    """The paired test in words, as Markdown; `left` and `right` as within a sentence.

    Examples
    --------
    >>> import numpy as np
    >>> from glocalx.evaluation import mcnemar
    >>> verdict(mcnemar(np.array([True]), np.array([True])), "this run", "the other run")
    'This run and the other run agree with the black box on exactly the same records.'
    """
    total = paired.both + paired.only_first + paired.only_second + paired.neither
    if not paired.only_first + paired.only_second:
        opening = f"{left[:1].upper()}{left[1:]} and {right}"
        return f"{opening} agree with the black box on exactly the same records."
    counts = (
        f"On **{paired.only_first:,}** of {counted(total, 'record')} only {left} "
        f"{_verb(left, 'agree', 'agrees')} with the black box, on **{paired.only_second:,}** only "
        f"{right}."
    )
    if paired.exact_p >= RARE:
        return (
            f"{counts} Such a difference can well be chance ({p_text(paired.exact_p)}): nothing "
            "shows that one of them is closer to the black box."
        )
    better = left if paired.only_first > paired.only_second else right
    return (
        f"{counts} Such a difference would be rare by chance ({p_text(paired.exact_p)}): "
        f"**{better}** {_verb(better, 'are', 'is')} closer to the black box."
    )


def _verb(called: str, many: str, one: str) -> str:
    return many if called == "these rules" else one


def p_text(p: float) -> str:
    """A probability in as many digits as say something."""
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.0095 else f"p = {p:.2f}"


def measures_card(compared: SideBySide) -> None:
    """The test, and every measure side by side."""
    left, right, paired = compared.left, compared.right, compared.paired
    with card("Which is closer to the black box?", height="stretch"):
        st.markdown(verdict(paired, left.called, right.called))
        st.table(measures_frame(compared), alt="Measures of both, side by side")
        st.caption(_below_the_table(compared))
        with st.expander("What these figures mean", icon=":material/school:"):
            st.markdown(MEANING)


def _below_the_table(compared: SideBySide) -> str:
    low, high = compared.paired.difference_interval
    said = (
        f"Difference in fidelity, left minus right: {points(compared.paired.difference)} "
        f"({points(low).removesuffix(' points')} to {points(high)})."
    )
    if not compared.one_black_box:
        labels = compared.left.records.labels, compared.right.records.labels
        same = percent(float((labels[0] == labels[1]).mean()), 1)
        said += (
            " The two explain different black boxes, and each is held against its own; these "
            f"give the same answer to {same} of the records."
        )
    return said


def measures_frame(compared: SideBySide) -> pd.DataFrame:
    """One row a measure, as Markdown."""
    heads = headings(compared)
    sides = [_measures(each.measured) for each in (compared.left, compared.right)]
    return pd.DataFrame(
        {plain(head): list(side.values()) for head, side in zip(heads, sides, strict=True)},
        index=pd.Index(list(sides[0]), name="Measure"),
    )


def headings(compared: SideBySide) -> tuple[str, str]:
    """What to call the sides in a table; two columns never have the same name."""
    if compared.another_run:
        return "This run", "The other run"
    return compared.left.title, compared.right.title


def _measures(measured: Evaluation) -> dict[str, str]:
    spread = measured.length_deviation
    return {
        "Fidelity": _with_span(measured.fidelity, measured.fidelity_interval),
        "Accuracy": _with_span(measured.accuracy, measured.accuracy_interval),
        "Fidelity minus accuracy": _difference(measured),
        "Rules": f"**{measured.size:,}**",
        "Conditions per rule": f"**{measured.length:.1f}** :gray[± {spread:.1f}]",
        "Records covered": f"**{percent(measured.coverage, 1)}**",
        "No rule applies": f"**{percent(measured.default_share, 1)}**",
    }


def _with_span(share: float | None, span: tuple[float, float] | None) -> str:
    if share is None:
        return "–"
    grey = "" if span is None else f" :gray[{100 * span[0]:.1f} to {100 * span[1]:.1f}]"
    return f"**{percent(share, 1)}**{grey}"


def _difference(measured: Evaluation) -> str:
    if measured.delta_accuracy is None or measured.delta_interval is None:
        return "–"
    low, high = (points(end).removesuffix(" points") for end in measured.delta_interval)
    return f"**{points(measured.delta_accuracy)}** :gray[{low} to {high}]"


def methods_card(run: Run, chosen: SelectionSettings, wide: bool) -> DeltaGenerator:
    """The card with all methods; the figure is to be drawn last, by :func:`draw_methods`."""
    with card("All methods at once", height="stretch"):
        st.caption(
            f"Share of this run’s {explained_of(run).judged_name}s on which each agrees with the "
            "black box, with its 95 % interval; the number of rules at the right. "
            f"{labels_said(run, wide)} Where intervals overlap widely, fewer rules are the better "
            "choice."
        )
        if chosen.by == "alpha":
            st.caption(alpha_said())
        place = st.empty()
        waiting = _waiting(run, chosen, wide)
        if waiting and st.button(
            f"Fit {' and '.join(methods_of(run)[each].title for each in waiting)}, too",
            icon=":material/add:",
            type="tertiary",
            key="fit_more",
            help=f"On {cost_of(run, wide)}: this takes some seconds.",
        ):
            st.session_state[f"fit more {run.id}"] = True
            st.rerun(scope="fragment")
        with st.expander("How they fare on other tables", icon=":material/table_chart:"):
            st.markdown(elsewhere_said())
    return place


def labels_said(run: Run, wide: bool) -> str:
    """Who learned from which answers of the black box: these rules, and the others."""
    learned = cost_of(run, wide)
    if wide == as_the_run(run) or not more_labels(run):
        return f"All learned from the same {learned}."
    return f"These rules were chosen on the {cost_of(run, not wide)}; the others had {learned}."


def _waiting(run: Run, chosen: SelectionSettings, wide: bool) -> list[str]:
    """Methods that take long, could be fitted, and have not been asked for."""
    if st.session_state.get(f"fit more {run.id}"):
        return []
    rules = theory_of(run, chosen).size
    return [
        each
        for each in methods_of(run)
        if not is_ready(run, each, rules, wide) and not needs_black_box(run, each)
    ]


def draw_methods(
    run: Run,
    chosen: SelectionSettings,
    compared: SideBySide,
    wide: bool,
    place: DeltaGenerator,
) -> None:
    """Fit what is quick, or was asked for, and draw it."""
    asked, rules = st.session_state.get(f"fit more {run.id}"), theory_of(run, chosen).size
    wanted = [
        each
        for each in methods_of(run)
        if is_ready(run, each, rules, wide) or (asked and not needs_black_box(run, each))
    ]
    with place, st.spinner("Fitting the other methods …"):
        rows = method_rows(run, chosen, compared, wanted, wide)
    facts = explained_of(run)
    outcome = compared.left.wording.outcome(facts.reference.majority)
    with place:
        drawn = method_dots(rows, shades(), majority=facts.majority_share, majority_outcome=outcome)
        show(drawn, "method_dots")


def method_rows(
    run: Run, chosen: SelectionSettings, compared: SideBySide, methods: list[str], wide: bool
) -> list[MethodRow]:
    """What each reaches on all held-out records of the run, few rules first."""
    made = [with_method(run, chosen, method, wide) for method in methods]
    ours = made[0].left if made else compared.left
    rival = None if compared.another_run else compared.right.title
    rows = [_row(each.right, chosen=each.right.title == rival) for each in made]
    if compared.another_run and not compared.common.left_out and compared.one_black_box:
        rows.append(_row(compared.right, chosen=True))
    rows.sort(key=lambda row: (row.rules, -row.fidelity))
    return [_row(ours, ours=True, called="These rules"), *rows]


def _row(side: Side, *, ours: bool = False, chosen: bool = False, called: str = "") -> MethodRow:
    measured = side.measured
    low, high = measured.fidelity_interval
    name = called or side.title
    return MethodRow(name, measured.size, measured.fidelity, low, high, ours, chosen)
