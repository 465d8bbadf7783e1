"""What the model's answers rest on, beside the rules', and how they move along one feature."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import SelectionSettings
from glocalx.plots import dependence, rests_on
from glocalx.questions.curve_cuts import curve_sentences
from glocalx.questions.curves import (
    CurveStop,
    FeatureCurve,
    cuts_of,
    feature_curve,
    premises_on,
)
from glocalx.questions.reliance import (
    FeatureReliance,
    Reliance,
    iter_box_reliance,
    rules_reliance,
)
from glocalx.questions.reliance_said import pair_sentence, unnamed_sentence
from glocalx.rules.theory import named_features
from glocalx.words.phrases import counted, enumeration
from glocalx.workspace.run import Run
from ui.layout import card, refusals
from ui.opened import (
    black_box_of,
    colours_of,
    explained_of,
    kept,
    shades,
    shared_of,
    theory_of,
    wording_of,
)
from ui.session import may_have_table
from ui.text import bold, coloured, plain
from ui.theory.selection import from_address, to_address
from ui.whom import stand_in_said, whom, whom_first

LEFT = (
    "**The model** was asked, with one column’s values dealt out anew among the records and all "
    "else as it was. The line is where 95 of 100 shuffles lie. Columns that say the same can stand "
    "in for each other, so a small share does not mean “not used”."
)
RIGHT = (
    "**The rules** were asked the same. Records that no rule covers are counted, too: there "
    "“otherwise” decides."
)


class _Asking:
    """What a run's black box is being asked, one feature after the other, whoever goes on."""

    def __init__(
        self, begin: Callable[[], Iterator[FeatureReliance | Reliance]], features: int
    ) -> None:
        self._begin = begin
        self._steps = begin()
        self._lock = threading.Lock()
        self._features = features
        self._done = 0
        self.whole: Reliance | None = None

    @property
    def share(self) -> float:
        return min(self._done / (self._features + 1), 1.0)

    def go_on(self) -> None:
        """One step more."""
        with self._lock:
            if self.whole is None:
                try:
                    step = next(self._steps)
                except GLocalXError:  # it may answer the next time
                    self._steps, self._done = self._begin(), 0
                    raise
                self._done += 1
                self.whole = step if isinstance(step, Reliance) else None


@kept("data", "model", "box")
def _asking(run: Run) -> _Asking | None:
    box, facts = black_box_of(run), explained_of(run)
    if box is None or not len(facts.split.test):
        return None
    seed = facts.split.parts.seed
    begin = partial(iter_box_reliance, box, facts.split.test, facts.schema, seed=seed)
    return _Asking(begin, len(facts.schema.names))


def reliance_of(run: Run, bar: DeltaGenerator | None = None) -> Reliance | None:
    """What the black box's answers to held-out records rest on; None where it is not here.

    With a bar a click is answered between two features, and nothing asked is lost.
    """
    asking = _asking(run)
    while asking is not None and asking.whole is None:
        if bar is not None:
            bar.progress(asking.share, text=f"Asking {whom(run, 'the model')} …")
        asking.go_on()
    return None if asking is None else asking.whole


@kept("data", "merge", most=100)
def _rules_of(run: Run, chosen: SelectionSettings) -> Reliance:
    shared = shared_of(run)
    return rules_reliance(theory_of(run, chosen), shared.test, seed=shared.parts.seed)


def named_in(run: Run, chosen: SelectionSettings) -> frozenset[str]:
    """The features that the chosen rules name."""
    return named_features(theory_of(run, chosen).rules)


def unnamed_said(run: Run, chosen: SelectionSettings) -> str:
    """Which features only the model uses, as Markdown; empty where there are none."""
    found = reliance_of(run)
    if found is None:
        return ""
    name = wording_of(run).name
    return unnamed_sentence(found, named_in(run, chosen), lambda each: bold(name(each)))


def rests_on_card(run: Run, chosen: SelectionSettings) -> None:
    """Bars for both, and a sentence where the model uses what no rule names."""
    with card("What the model’s answers rest on, and what the rules name"):
        bar = st.empty()
        model = reliance_of(run, bar)
        bar.empty()
        if not len(shared_of(run).test):
            st.markdown("No records were held out to ask about.")
            return
        wording = wording_of(run)
        rules = _rules_of(run, chosen)
        if model is None:
            st.markdown("The model is not here, so only the rules could be asked.")
        else:
            asked = counted(model.records, explained_of(run).judged_name)
            st.caption(f"{asked}, each column shuffled {model.times} ×")
            if model.stand_in:
                st.caption(stand_in_said(run))
            _told(run, chosen, model)
        picture = rests_on(model, rules, theory_of(run, chosen), shades(), wording=wording)
        st.html(picture.html)
        if model is not None:
            left, right = st.columns(2)
            left.caption(LEFT)
            right.caption(RIGHT)


def _told(run: Run, chosen: SelectionSettings, model: Reliance) -> None:
    def name(feature: str) -> str:
        return bold(wording_of(run).name(feature))

    if said := unnamed_said(run, chosen):
        st.warning(said, icon=":material/flag:")
    if idle := model.idle(sorted(named_in(run, chosen))):
        verb = "changes" if len(idle) == 1 else "change"
        st.markdown(
            f"Rules name {enumeration([name(each) for each in idle])}, which {verb} no answer of "
            "the model: there the rules follow something that goes along with what it uses."
        )
    for pair in model.pairs[:1]:
        st.markdown(pair_sentence(pair, name))
    moved = [each for each in model.features if each.moved == each.moved]
    if moved:
        most = max(moved, key=lambda each: each.moved)
        st.caption(
            f"Shuffling {name(most.feature)} moves the probability of an answer most: by "
            f"{100 * most.moved:.1f} points on average."
        )


ALONG = "along"
FEW = 3  # curves in a report


@st.fragment
def along_card(run: Run, chosen: SelectionSettings) -> None:
    """A feature to choose, the curve along it, and what it shows; a click redraws nothing else."""
    with card("How the answer moves along one feature"), refusals(go_on=True):
        _draw_along(run, chosen)


def _draw_along(run: Run, chosen: SelectionSettings) -> None:
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
        name=lambda each: bold(wording.name(str(each))),
        value=lambda each: plain(wording.value(feature, each)),
        outcome=lambda each: coloured(str(each), colours),
    ):
        st.markdown(sentence)
    if not may_have_table(run):
        curve = replace(curve, stops=tuple(map(_nobodys, curve.stops)))
    st.html(dependence(curve, theory, colours, wording).html)
    st.caption(_how(run, curve))


def _nobodys(stop: CurveStop) -> CurveStop:
    """A stop at a round number, without single records: where it lies is somebody’s value."""
    exact = isinstance(stop.value, float)
    return replace(stop, value=float(f"{stop.value:.3g}") if exact else stop.value, singles=())


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
    thin = ", thin lines are single records" if curve.stops[0].singles else ""
    said = (
        f"{whom_first(run, 'The model')} was asked about "
        f"{counted(curve.records, explained_of(run).judged_name)}, each with every value shown "
        f"and all else as it is; the thick line or bar is the mean{thin}. Some of these records "
        "may not exist in the world."
    )
    if curve.left_out:
        said += f" Rare categories ({100 * curve.left_out:.1f} % of the records) are left out."
    return said
