"""How the model's answer moves along one feature, and whether the rules cut where it does."""

from __future__ import annotations

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import SelectionSettings
from glocalx.plots import dependence
from glocalx.questions.curve_cuts import curve_sentences
from glocalx.questions.curves import FeatureCurve, cuts_of, feature_curve, premises_on
from glocalx.rules.theory import named_features
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui.layout import card, problem
from ui.opened import (
    black_box_of,
    colours_of,
    explained_of,
    kept,
    shared_of,
    theory_of,
    wording_of,
)
from ui.text import coloured, plain
from ui.theory.rests_on import reliance_of
from ui.theory.selection import from_address, to_address
from ui.whom import whom_first

ALONG = "along"
FEW = 3  # curves in a report


@st.fragment
def along_card(run: Run, chosen: SelectionSettings) -> None:
    """A feature to choose, the curve along it, and what it shows; a click redraws nothing else."""
    with card("How the answer moves along one feature"):
        try:
            _drawn(run, chosen)
        except GLocalXError as error:
            problem(error)


def _drawn(run: Run, chosen: SelectionSettings) -> None:
    if black_box_of(run) is None:
        st.markdown("The model is not here, so it cannot be asked along a feature.")
        return
    if not len(shared_of(run).test):
        st.markdown("No records were held out to ask about.")
        return
    features = _in_order(run)
    from_address(ALONG, {each: each for each in features}.get, features[0])
    if st.session_state[ALONG] not in features:  # of another run
        st.session_state[ALONG] = features[0]
    feature = st.selectbox(
        "Feature",
        features,
        format_func=wording_of(run).name,
        key=ALONG,
        on_change=to_address,
        args=(ALONG,),
        help="Those on which the model’s answers rest most come first.",
    )
    theory, wording, colours = theory_of(run, chosen), wording_of(run), colours_of(run)
    asked = premises_on(theory.rules, feature)
    with st.spinner("Asking the model …"):
        curve = curve_of(run, feature, cuts_of(asked))
    for sentence in curve_sentences(
        curve,
        asked,
        name=lambda each: f"**{plain(wording.name(str(each)))}**",
        value=lambda each: plain(wording.value(feature, each)),
        outcome=lambda each: coloured(str(each), colours, wording.outcome(str(each))),
    ):
        st.markdown(sentence)
    st.html(dependence(curve, theory, colours, wording).html)
    st.caption(_how(run, curve))


def _in_order(run: Run) -> list[str]:
    """The features, those on which most rests first."""
    found = reliance_of(run)
    names = explained_of(run).schema.names
    return list(names) if found is None else [each.feature for each in found.features]


def curves_of(run: Run, chosen: SelectionSettings) -> list[FeatureCurve]:
    """The curves along the features on which most rests, of those that rules name; a few."""
    found, rules = reliance_of(run), theory_of(run, chosen).rules
    if found is None:
        return []
    named = named_features(rules)
    used = [each.feature for each in found.features if each.is_used and each.feature in named]
    return [curve_of(run, name, cuts_of(premises_on(rules, name))) for name in used[:FEW]]


@kept("data", "model", "box", most=300)
def curve_of(run: Run, feature: str, cuts: tuple[float, ...]) -> FeatureCurve:
    """The curve along a feature, asked once; the values next to the cuts are asked about, too."""
    box, facts = black_box_of(run), explained_of(run)
    assert box is not None  # the card looks first
    split = facts.split
    return feature_curve(
        box,
        split.test,
        facts.schema,
        feature,
        cuts=cuts,
        preferred=facts.positive,
        seed=split.parts.seed,
    )


def _how(run: Run, curve: FeatureCurve) -> str:
    said = (
        f"{whom_first(run, 'The model')} was asked about "
        f"{counted(curve.records, 'held-out record')}, each with every value shown and all else as "
        "it is; the thick line or bar is the mean, thin lines are single records. Some of these "
        "records may not exist in the world."
    )
    if curve.left_out:
        said += f" Rare categories ({100 * curve.left_out:.1f} % of the records) are left out."
    return said
