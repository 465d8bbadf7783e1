"""Start: what this is."""

import streamlit as st

st.title("See how a black box decides, in a handful of rules")
st.markdown(
    "A trained model gives answers but not reasons. GLocalX asks it about many single cases, "
    "writes one **local rule** for each, and merges similar rules step by step for as long as the "
    "result explains no worse. What is left is a **short list of rules** that you can read, "
    "question and check for fairness.",
    width=820,
)
st.info(
    "The pages of this dashboard are being built. The library and the command line work already: "
    "see the README.",
    icon=":material/construction:",
)
