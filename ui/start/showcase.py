"""The picture on the first page and the same rules as sentences, made ahead from a prepared run.

A cold server shows it at once: nothing has to be read, merged or drawn. `python -m
sample_data.make_runs` makes it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from glocalx.table.samples import SAMPLE_FOLDER
from glocalx.words.figures import percent
from ui.text import bold, with_its_spaces

FILE = SAMPLE_FOLDER / "runs" / "compas_start.json"


@dataclass(frozen=True, slots=True)
class SpokenRule:
    """A rule as the parts of its sentence, each with its role, and the colour of its outcome."""

    parts: tuple[tuple[str, str], ...]
    colour: Literal["blue", "orange"]


@dataclass(frozen=True, slots=True)
class Showcase:
    """What the first page shows of a finished run.

    Parameters
    ----------
    rules
        The final ones, in the order in which they decide; the last is “otherwise”.
    fidelity, held_out
        How often they answer like the black box, on so many held-out records.
    figures
        The picture for light and for dark pages, as plotly writes it.
    """

    local_rules: int
    rules: tuple[SpokenRule, ...]
    fidelity: float
    held_out: int
    alt: str
    figures: dict[str, Any]


@cache
def read_showcase(file: Path = FILE) -> Showcase | None:
    """The picture that was made ahead; None where it is not there."""
    try:
        facts = json.loads(file.read_text(encoding="utf-8"))
        rules = tuple(
            SpokenRule(tuple((text, role) for text, role in rule["parts"]), rule["colour"])
            for rule in facts.pop("rules")
        )
        return Showcase(rules=rules, **facts)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def showcase() -> None:
    """Local rules flowing into a handful, and that handful in words."""
    shown = read_showcase()
    if shown is None:
        return
    left, right = st.columns([6, 5], gap="large")
    with left:
        _figure(shown)
    with right:
        _sentences(shown)


def _figure(shown: Showcase) -> None:
    from glocalx.plots import CONFIG

    st.caption(
        f"{shown.local_rules:,} local rules, one dot each, flowing into {_final(shown)} rules or "
        "into “otherwise”"
    )
    scheme = "dark" if st.context.theme.type == "dark" else "light"
    st.plotly_chart(shown.figures[scheme], theme=None, config=CONFIG, key="showcase", alt=shown.alt)


def _sentences(shown: Showcase) -> None:
    st.caption(f"The {_final(shown)} rules of the COMPAS sample")
    for number, rule in enumerate(shown.rules, start=1):
        st.markdown(f":{rule.colour}[**{number}**]&ensp;{_sentence(rule)}")
    st.caption(
        f"They give the same answer as the black box for {percent(shown.fidelity, 1)} of "
        f"{shown.held_out:,} defendants nobody had seen. They describe the black box, mistakes "
        "included."
    )


def _final(shown: Showcase) -> int:
    return len(shown.rules) - 1


def _sentence(rule: SpokenRule) -> str:
    """Quiet text, only the outcome in its colour: these are for a first look."""
    return "".join(
        f":{rule.colour}[{bold(text)}]" if role == "outcome" else with_its_spaces(text)
        for text, role in rule.parts
    )
