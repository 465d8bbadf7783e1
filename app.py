"""The dashboard's table of contents."""

from pathlib import Path

import streamlit as st

UI = Path(__file__).parent / "ui"

st.set_page_config(page_title="GLocalX", page_icon=str(UI / "icon.svg"), layout="wide")
st.logo(str(UI / "logo.svg"), size="large")
st.navigation(
    [st.Page("pages/start.py", title="Start", icon=":material/home:", default=True)],
    position="top",
).run()
