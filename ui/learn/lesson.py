"""The scene that somebody looks at, made once for all who do, and where in it they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import streamlit as st

from glocalx.lessons.presets import SCENES, Point, drawn
from glocalx.lessons.scene import LESSON, Scene, rule_between
from glocalx.merging.calculation import Calculation
from glocalx.merging.hierarchy import Hierarchy
from glocalx.merging.landmarks import Landmark, Landmarks, landmarks
from glocalx.merging.search import WEIGHTS, MergeSettings
from glocalx.merging.told import TriedPair, stops
from glocalx.plots import OutcomeColours
from glocalx.words.wording import Wording
from ui.layout import one_of
from ui.opened import shades
from ui.transport import SliderPlace

Bound: TypeAlias = float | None
Bounds: TypeAlias = tuple[Bound, Bound, Bound, Bound, str]
"""A rule of the plane: across from and to, up from and to, outcome."""

SHIPPED = {
    "moons": "Moons",
    "loan": "Loan of the paper",
    "xor": "XOR",
    "compas": "COMPAS: age and prior offences",
}
JUDGED = {
    "all": "By the pair (the paper)",
    "whole": "By all rules",
    "batch": "By the pair, on the batch",
}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A scene, its merges, and every pair that was tried."""

    scene: Scene
    hierarchy: Hierarchy
    pairs: tuple[TriedPair, ...]
    marks: Landmarks

    def pair(self, at: int) -> TriedPair:
        """The pair at a stop, from 1."""
        return self.pairs[at - 1]

    def calculation(self, at: int) -> Calculation:
        return self.pair(at).calculation(self.hierarchy, self.scene.reference)

    def kinds(self, at: int) -> tuple[Landmark, ...]:
        """What the pair at a stop is worth a look for."""
        pair = self.pair(at)
        if not pair.accepted:
            return ("refusal",)
        return tuple(kind for kind in self.marks.kinds(pair.step) if kind != "refusal")

    def after(self, at: int, kind: Landmark) -> int | None:
        """The next stop of a kind."""
        later = range(at + 1, len(self.pairs) + 1)
        return next((stop for stop in later if kind in self.kinds(stop)), None)


def ask_scene(
    titles: Mapping[str, str], first: str, keys: tuple[str, str], **options: Any
) -> tuple[str, str]:
    """Which scene, and how a merge in it is judged."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        look = {"ask": st.pills, "label_visibility": "collapsed", **options}
        scene = one_of("Scene", titles, keys[0], first, **look)
        st.space("stretch")
        look = {"ask": st.selectbox, "width": 240, **options}
        judged = one_of("A merge is judged", JUDGED, keys[1], **look)
    return scene, judged


def settings_for(judged: str, weight: float | None = None) -> MergeSettings:
    """The merge of a lesson, judged in one of the ways; None: length weighs as it does there."""
    return MergeSettings(
        batch_size=LESSON.batch_size,
        bic_on=judged,  # type: ignore[arg-type] # one of JUDGED
        complexity_weight=WEIGHTS[judged] if weight is None else weight,
    )


@st.cache_resource(max_entries=64, show_spinner="Making the scene …")
def scene_named(name: str, points: tuple[Point, ...]) -> Scene:
    """A scene that comes with the lessons, or the one of these points."""
    return SCENES[name](0) if name in SCENES else drawn(points)


@st.cache_resource(max_entries=128, show_spinner=False)
def lesson_of(
    name: str,
    points: tuple[Point, ...],
    rules: tuple[Bounds, ...] | None,
    judged: str,
    weight: float | None = None,
) -> Lesson:
    """A scene with its own rules, or with these, merged to the end."""
    scene = scene_named(name, points)
    if rules is not None:
        scene = scene.with_rules(
            rule_between(scene.schema, _ends(scene, bounds), bounds[4]) for bounds in rules
        )
    hierarchy = scene.merged(settings_for(judged, weight))
    return Lesson(scene, hierarchy, stops(hierarchy), landmarks(hierarchy, scene.reference))


def _ends(scene: Scene, bounds: Bounds) -> dict[str, tuple[Bound, Bound]]:
    across, up = scene.across.feature, scene.up.feature
    return {across: (bounds[0], bounds[1]), up: (bounds[2], bounds[3])}


def wording_for(scene: Scene) -> Wording:
    return Wording(scene.schema)


def colours_for(scene: Scene) -> OutcomeColours:
    """The outcomes' colours: orange for what people ask about."""
    schema = scene.schema
    asked = next((name for name in ("Orange", "deny", "High") if name in schema.outcomes), None)
    return OutcomeColours.of(schema.outcomes, asked, shades(), schema.outcome_labels)


STATE, PAIR = "learn_place", "pair"


@dataclass(slots=True)
class LessonPlace:
    """One person's place in one lesson.

    Parameters
    ----------
    of
        Which lesson; for another one starts anew.
    at
        The pair that is looked at, from 1; 0: before the first.
    guesses
        For each pair what was guessed: True for accepted; None: shown without a guess.
    slider
        The slider over all pairs.
    """

    of: object
    at: int = 0
    guesses: dict[int, bool | None] = field(default_factory=dict)
    slider: SliderPlace = field(default_factory=lambda: SliderPlace("learn_slider"))

    @property
    def open(self) -> bool:
        """Whether the result of the present pair may be seen."""
        return self.at == 0 or self.at in self.guesses

    def go_to(self, pair: int) -> None:
        """Look at a pair; one that is not there is taken for the last, see :func:`place_in`."""
        self.at = max(pair, 0)


@dataclass(frozen=True, slots=True)
class PairView:
    """The pair that somebody looks at, None before the first, and how it is said."""

    lesson: Lesson
    place: LessonPlace
    calculation: Calculation | None
    wording: Wording
    colours: OutcomeColours


def place_in(of: object, pairs: int) -> LessonPlace:
    """Where the person stands: where they were, or as the address says, or at the start."""
    found = st.session_state.get(STATE)
    if not isinstance(found, LessonPlace) or found.of != of:
        said = st.query_params.get(PAIR, "") if found is None else ""
        slider = found.slider if isinstance(found, LessonPlace) else SliderPlace("learn_slider")
        found = LessonPlace(
            of, int(said) if said.isdecimal() and len(said) < 9 else 0, slider=slider
        )
        st.session_state[STATE] = found
    found.at = min(found.at, pairs)
    return found
