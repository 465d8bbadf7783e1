"""The dashboard's table of contents."""

from pathlib import Path

import streamlit as st

from ui.session import ask_to_sign_in, jobs, must_sign_in
from ui.warm_up import ready, ready_soon

UI = Path(__file__).parent / "ui"
READABLE = """
[data-testid="stBaseButton-primary"],
[data-testid="stMultiSelect"] span[title], [data-testid="stMultiSelect"] span[title] ~ * {
  color: light-dark(#FFFFFF, #0B1015);
}
"""  # white on what is bright enough for a dark page cannot be read
STILL = """
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after {
    animation-duration: .01ms !important;
    animation-iteration-count: 1 !important;
    transition-duration: .01ms !important;
    scroll-behavior: auto !important;
  }
}
"""  # for whoever asks their device for less motion: not 0, because some wait for the end of it

st.set_page_config(page_title="GLocalX", page_icon=str(UI / "icon.svg"), layout="wide")
st.logo(str(UI / "logo.svg"), size="large")
jobs()  # a worker gets ready while the person reads the first page

start = st.Page("pages/start.py", title="Start", icon=":material/home:", default=True)
page = st.navigation(
    [
        start,
        st.Page(
            "pages/data_and_model.py",
            title="Data and model",
            icon=":material/table_rows:",
            url_path="data",
        ),
        st.Page(
            "pages/local_rules.py", title="Local rules", icon=":material/rule:", url_path="rules"
        ),
        st.Page("pages/merge.py", title="Merge", icon=":material/account_tree:"),
        st.Page(
            "pages/global_theory.py",
            title="Global theory",
            icon=":material/lightbulb:",
            url_path="theory",
        ),
        st.Page("pages/audit.py", title="Audit", icon=":material/balance:"),
        st.Page("pages/compare.py", title="Compare", icon=":material/compare_arrows:"),
        st.Page("pages/learn.py", title="Learn", icon=":material/school:"),
        st.Page("pages/runs.py", title="Runs", icon=":material/history:"),
    ],
    position="top",
)
st.set_page_config(page_title=f"{page.title} · GLocalX")
st.html(f"<style>{READABLE}{STILL}</style>")
if must_sign_in():
    ask_to_sign_in()
else:
    if page is start:
        ready_soon()
    else:
        ready()
    page.run()
