"""The three ways to begin: a sample, a file of one's own, an earlier run."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from glocalx.table.samples import SAMPLE_FOLDER, Sample, sample_info, sample_names
from glocalx.workspace.exchange import MOST_MEGABYTES, run_from_upload
from glocalx.workspace.run import Run
from ui import work
from ui.address import say_unknown
from ui.layout import card, one_of, refusals
from ui.runs_list import best_page, browser_zone, select_runs, short_runs_frame
from ui.session import DATA, MERGE, RULES, RUNS, go, may_bring_models, owner, workspace
from ui.text import plain

MOST_RUNS = 8
SHORT_TITLES = {
    "compas": "COMPAS",
    "adult": "Adult income",
    "german": "German credit",
    "diva": "Tax fraud",
}
LOOKS_LIKE = """
One row for each case, one column for each thing known about it, names in the first row:

| age | job | amount | decision |
|---|---|---|---|
| 31 | clerk | 4,200 | accept |
| 58 | none | 900 | deny |

- **One column holds the outcome**: the decision, or what a model said. It has a few different
  values. You choose it on the next page.
- CSV or TSV with any separator and decimal sign, Excel (.xlsx, first sheet), Parquet or Feather.
- Gaps are fine: a missing value is a value, and rules can speak of it.
- Up to 50 rows, made by hand for a lesson: their labels are explained as they are.
- A **model** (ONNX or skops) and **rules** made elsewhere come later, when the table is there.
- A **run** that was exported here (.zip) opens with all its results.
"""


def sample_card() -> None:
    """Choose a sample and open it."""
    with card(":material/science: Try a sample", height="stretch"):
        st.markdown("Public data sets with what is known about their columns. Pick one and go.")
        names = sample_names()
        titles = {each: SHORT_TITLES.get(each) or plain(sample_info(each).title) for each in names}
        say_unknown("sample", "the sample", {*names, *titles.values()}.__contains__, "the first")
        look: dict[str, Any] = {"bind": "query-params", "label_visibility": "collapsed"}
        sample = sample_info(one_of("Sample", titles, "sample", names[0], ask=st.pills, **look))
        st.caption(f"{_about(sample)} {_how_soon(sample)}")
        st.space("stretch")
        if st.button(
            "Open the sample",
            type="primary",
            icon=":material/arrow_forward:",
            icon_position="right",
            width="stretch",
            key="open_sample",
        ):
            run = _opened_sample(sample.name)
            if not run.has_black_box:  # it is at hand when somebody wants to ask it
                work.start(run, "model")
            go(DATA if run.missing("merge") else RULES, run)
        loans_button(type="tertiary")


def loans_button(**look: Any) -> None:
    """Opens a table made by hand at its merge, for a lesson: it is through in a moment."""
    if st.button(
        "20 loans made by hand, for a lesson",
        icon=":material/school:",
        key="open_loans",
        help="Two features, the labels in the file. Every row is explained, and a cut narrows a "
        "rule.",
        **look,
    ):
        from glocalx.workspace.sample_runs import open_loans

        run = open_loans(workspace(), owner())
        if run.missing("merge"):
            work.start(run, "merge")
        go(MERGE, run)


def _about(sample: Sample) -> str:
    unreal = " Nobody in it is real." if sample.synthetic else ""
    return f"{sample.rows:,} records. {plain(sample.description)}{unreal}"


def _how_soon(sample: Sample) -> str:
    if (SAMPLE_FOLDER / "runs" / f"{sample.name}.zip").is_file():
        return "Opens at once, with all rules."
    return "A model is trained while you look around; then you have rules written."


def _opened_sample(name: str) -> Run:
    """The person's own run on it as it was made ahead, or a new one."""
    with st.spinner("Opening the sample …"):
        from glocalx.workspace.sample_runs import open_sample, sample_settings

        settings = sample_settings(name)
        for run in workspace().runs(owner()):
            if run.settings == settings:
                return run
        return open_sample(workspace(), owner(), name)


def file_card() -> None:
    """Bring a file; it becomes a run, or one sentence says why not."""
    with card(":material/upload_file: Bring your own file", height="stretch"):
        st.markdown("A table with one row for each case, or a run that was exported here.")
        brought = st.file_uploader(
            f"CSV, TSV, Excel, Parquet, Feather or .zip, up to {MOST_MEGABYTES} MB",
            max_upload_size=MOST_MEGABYTES,
            key="table_file",
        )
        if brought is not None:
            with refusals(go_on=True):
                with st.spinner("Reading the file …"):
                    run = run_from_upload(
                        workspace(),
                        owner(),
                        brought.name,
                        brought.getvalue(),
                        models=may_bring_models(),
                    )
                go(best_page(run), run)
        st.caption("The file stays on the computer that runs this dashboard.")
        st.space("stretch")
        with st.popover("What should the file look like?", type="tertiary", icon=":material/help:"):
            st.markdown(LOOKS_LIKE)


def runs_card() -> None:
    """The runs of this browser; select a row to open one."""
    runs = workspace().runs(owner())
    with card(":material/history: Go on with an earlier run", height="stretch"):
        chosen = None
        if runs:
            st.markdown("Everything you did before, with its settings. Select a row.")
            chosen = _chosen_run(runs[:MOST_RUNS])
        else:
            st.markdown("Nothing yet. What you open here is kept, with its settings and results.")
        if len(runs) > MOST_RUNS and st.button(
            f"All {len(runs):,} runs", type="tertiary", key="every_run"
        ):
            go(RUNS)
        st.space("stretch")
        look: dict[str, Any] = {"disabled": chosen is None, "width": "stretch", "key": "open_run"}
        if st.button("Open the selected run", **look) and chosen is not None:
            go(best_page(chosen), chosen)


def _chosen_run(runs: list[Run]) -> Run | None:
    chosen = select_runs(
        "earlier_runs",
        runs,
        short_runs_frame(runs, time.time(), browser_zone()),
        "single-row",
        alt=f"Your {len(runs)} newest runs: what, how many rules, when.",
    )
    return chosen[0] if chosen else None
