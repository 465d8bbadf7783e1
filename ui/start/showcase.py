"""The picture on the first page and the same rules as sentences, made ahead from a prepared run.

A cold server shows it at once: nothing has to be read, merged or drawn. `python -m
ui.start.showcase` makes it again after the prepared run, the words or the figure have changed.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from glocalx.table.samples import SAMPLE_FOLDER
from glocalx.words.figures import percent
from ui.text import bold, plain

if TYPE_CHECKING:
    from glocalx.workspace.run import Run

SAMPLE = "compas"
FILE = SAMPLE_FOLDER / "runs" / f"{SAMPLE}_start.json"
RULES = 6
DIGITS = 4
HEIGHT = 440


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
    local_rules
        How many there are.
    rules
        The final ones, in the order in which they decide; the last is “otherwise”.
    fidelity, held_out
        How often they answer like the black box, on so many held-out records.
    alt
        What the picture shows, in words.
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
    return "".join(_part(text, role, rule.colour) for text, role in rule.parts)


def _part(text: str, role: str, colour: str) -> str:
    if role == "outcome":
        return f":{colour}[{bold(text)}]"
    before = " " if text[:1] == " " else ""
    after = " " if text[-1:] == " " and text.strip() else ""
    return f"{before}{plain(text)}{after}"


def make_showcase(run: Run) -> Showcase:
    """The picture of a finished run."""
    from glocalx.pipeline.settings import SelectionSettings
    from glocalx.plots import OutcomeColours, flow, palette
    from ui.opened import explained_of, local_rules_of, theory_of, wording_of

    facts, wording = explained_of(run), wording_of(run)
    theory = theory_of(run, SelectionSettings("budget", RULES))
    local = [each.rule for each in local_rules_of(run)]
    outcomes, names = facts.schema.outcomes, facts.schema.outcome_labels
    drawn = {
        scheme: flow(
            local,
            theory,
            facts.reference.records,
            OutcomeColours.of(outcomes, facts.positive, palette(scheme), names),
            height=HEIGHT,
        )
        for scheme in ("light", "dark")
    }
    colours = OutcomeColours.of(outcomes, facts.positive)
    spoken = [
        SpokenRule(
            tuple((part.text, part.role) for part in wording.parts(rule)),
            colours.word(rule.outcome) or "blue",
        )
        for rule in theory.rules
    ]
    default = (
        ("Otherwise ", "words"),
        (wording.outcome(theory.default), "outcome"),
        (".", "words"),
    )
    return Showcase(
        local_rules=len(local),
        rules=(*spoken, SpokenRule(default, colours.word(theory.default) or "blue")),
        fidelity=round(theory.fidelity(facts.held_out), DIGITS),
        held_out=facts.held_out.size,
        alt=drawn["light"].alt,
        figures={
            scheme: _rounded(json.loads(drawing.figure.to_json()))
            for scheme, drawing in drawn.items()
        },
    )


def _rounded(value: Any) -> Any:
    """The same with short numbers: a picture needs no more."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value


def main(file: Path = FILE) -> None:
    """Make the picture of the prepared run again."""
    from glocalx.workspace.sample_runs import open_sample
    from glocalx.workspace.store import Workspace

    with tempfile.TemporaryDirectory() as folder:
        made = make_showcase(open_sample(Workspace(Path(folder)), "", SAMPLE))
    text = json.dumps(asdict(made), ensure_ascii=False, separators=(",", ":"))
    file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
