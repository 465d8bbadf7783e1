"""How the local rules are written: the settings, what they cost, and writing them, also again."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.extraction.settings import ExtractionSettings, Extractor
from glocalx.pipeline.extracting import ONE_CORE_RECORDS
from glocalx.pipeline.settings import RuleSettings
from glocalx.words.figures import duration_range
from glocalx.words.phrases import counted
from glocalx.workspace.run import Run
from ui import work
from ui.layout import one_of
from ui.opened import black_box_of, explained_of, kept, shared_of
from ui.session import RULES, go
from ui.text import plain

WAYS: dict[Extractor, str] = {
    "neighbourhood": "Drawn at random",
    "lore": "Bred towards the border (LORE)",
}


def summary(settings: RuleSettings, records: int, drawn: bool = False) -> str:
    """How rules were written, in a sentence of our own Markdown.

    `drawn`: whether the records are drawn, and nobody's.
    """
    if settings.file is not None:
        return f"These rules were made elsewhere: {plain(settings.name)}."
    chosen, extraction = min(settings.records, records), settings.extraction
    which = (
        f"All {records:,} records" if chosen == records else f"{chosen:,} of {records:,} records"
    )
    how = "bred" if extraction.extractor == "lore" else "drawn at random"
    whose = "drawn like those" if drawn else "that were set apart"
    return (
        f"{which} {whose} to be explained; for each, {extraction.neighbours:,} "
        f"look-alike records are {how}, and the rule has to be right about "
        f"{100 * extraction.precision:.0f} % of the time."
    )


def choose(run: Run, folded: bool) -> RuleSettings:
    """The widgets; what they say.

    `folded`: whether all but the number of records is behind a click.
    """
    size = len(shared_of(run).explain)
    now = run.settings.rules
    records = st.number_input(
        "Records that get a rule",
        min_value=1,
        max_value=size,
        value=min(now.records, size),
        step=50,
        key=_key(run, "records"),
        help=f"One rule is written for each; {size:,} were set apart for this. With fewer, they "
        "are drawn at random: quicker, and often enough for a first look.",
        width=220,
    )
    place = st.expander("More settings", icon=":material/tune:") if folded else st.container()
    with place:
        extraction = _extraction(run, now.extraction)
    kept = now.records if records == min(now.records, size) else int(records)
    return RuleSettings(extraction=extraction, records=kept)


def _extraction(run: Run, now: ExtractionSettings) -> ExtractionSettings:
    way = one_of(
        "How look-alike records are made",
        WAYS,
        _key(run, "extractor"),
        now.extractor,
        help="The black box is asked about records that look like the one to be explained. At "
        "random is quick and works well. LORE breeds them, round after round, towards the border "
        "between outcomes: slower, and closer to the method of the paper.",
    )
    cells = st.grid(3, min_column_width=200, gap="medium", vertical_alignment="bottom")
    chosen: dict[str, Any] = {
        "neighbours": cells.number_input(
            "Look-alikes for each record",
            min_value=50,
            max_value=10_000,
            value=now.neighbours,
            step=50,
            key=_key(run, "neighbours"),
            help="More of them make a rule steadier and take longer.",
        ),
        "counterfactuals": cells.number_input(
            "Changes to look for",
            min_value=0,
            max_value=10,
            value=now.counterfactuals,
            key=_key(run, "counterfactuals"),
            help="For each record, at most so many small changes that would give another outcome.",
        ),
        "generations": cells.number_input(
            "Rounds of breeding",
            min_value=1,
            max_value=50,
            value=now.generations,
            key=_key(run, "generations"),
            disabled=way != "lore",
            help="Only for LORE.",
        ),
        "resample": cells.slider(
            "How different look-alikes are",
            0.05,
            1.0,
            now.resample,
            0.05,
            key=_key(run, "resample"),
            help="The chance that a feature takes another value, one that occurs in the table.",
        ),
        "precision": cells.slider(
            "How right a rule has to be",
            0.5,
            1.0,
            now.precision,
            0.01,
            key=_key(run, "precision"),
            help="A rule gets more conditions until it is right so often. Higher: longer rules "
            "that cover less. Above 0.95 they cover much less.",
        ),
        "refine": cells.toggle(
            "Make rules short and wide",
            now.refine,
            key=_key(run, "refine"),
            help="Off: the path of a small tree as it stands. Such rules are longer, cover less, "
            "and differ for nearly every record.",
        ),
    }
    return replace(now, extractor=way, **chosen)


def _key(run: Run, name: str) -> str:
    return f"write_{run.id}_{name}"


def write_button(run: Run, settings: RuleSettings) -> None:
    """The one primary button while there are no rules yet."""
    with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
        st.caption(rules_cost(run, settings), width="content")
        if st.button("Write local rules", type="primary", icon=":material/edit:"):
            begin(run, settings)


def write_again(run: Run, settings: RuleSettings) -> None:
    """Offer to write the rules again, or in a copy of the run, where the settings have changed."""
    if settings == run.settings.rules:
        st.caption("The rules on this page were written with these settings.")
        return
    st.warning(
        f"Other settings, other rules: {rules_cost(run, settings)}. The rules on this page go, and "
        "merging has to be done again. A copy leaves this run as it is.",
        icon=":material/refresh:",
    )
    with st.container(horizontal=True):
        if st.button("Write them again", icon=":material/refresh:"):
            begin(run, settings)
        if st.button("Write them in a copy", icon=":material/content_copy:"):
            in_a_copy(run, settings)


def begin(run: Run, settings: RuleSettings, files: dict[str, bytes] | None = None) -> None:
    """Write rules, or read them, with these settings."""
    work.begin_with(run, replace(run.settings, rules=settings), "rules", files)
    st.rerun()


def in_a_copy(run: Run, settings: RuleSettings, files: dict[str, bytes] | None = None) -> None:
    """The same in a copy of the run, which is opened."""
    chosen = replace(run.settings, rules=settings)
    go(RULES, work.begin_in_a_copy(run, chosen, "rules", files))


GETTING_READY = (1.0, 4.0)  # a process that is ready, and one that has to be started
MERGE_SECONDS = (0.0005, 6e-7)  # for each rule, and for each pair, on a quick and idle machine
SLOWER = 3.0  # a slow or busy machine against that


def rules_cost(run: Run, settings: RuleSettings) -> str:
    """How many rules, and how long as far as one can tell."""
    if settings.file is not None:
        return "The rules that were brought are read again"
    records = min(settings.records, len(shared_of(run).explain))
    rules = counted(records, "rule")
    try:
        each = None if black_box_of(run) is None else _tried(run, settings.extraction)
    except GLocalXError:  # a model that no longer opens; the work says so
        each = None
    if each is None:
        return f"{rules}; how long they take can be told once the black box is there"
    cores = (os.cpu_count() or 1) if records > ONE_CORE_RECORDS else 1
    ready, slowly = GETTING_READY
    return f"{rules}, {duration_range(ready + records * each / cores, slowly + records * each)}"


def merge_cost(rules: int) -> str:
    """How many different rules, and about how long they take to be merged."""
    each, pair = MERGE_SECONDS
    took = 1 + each * rules + pair * rules**2
    return f"{counted(rules, 'different rule')}, {duration_range(took, SLOWER * took)}"


@kept("data", "model", most=50)
def _tried(run: Run, extraction: ExtractionSettings) -> float:
    from glocalx.extraction.iterate import seconds_per_rule  # brings scikit-learn along

    shared, box = shared_of(run), black_box_of(run)
    assert box is not None  # the caller looked
    schema = explained_of(run).schema
    return seconds_per_rule(
        shared.explain, box, schema, background=shared.background, settings=extraction
    )
