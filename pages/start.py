"""Start: what this is, in three sentences and one picture, and three ways to begin."""

import streamlit as st

from ui.layout import page_head
from ui.start.cards import file_card, runs_card, sample_card
from ui.start.showcase import showcase
from ui.start.tour import tour, tour_again

page_head(
    "See how a black box decides, in a handful of rules",
    "A trained model gives answers but not reasons. This dashboard asks it about many single "
    "cases, writes one **local rule** for each, and merges similar rules step by step for as long "
    "as the result explains no worse. What is left is a **short list of rules** you can read, "
    "question and check for fairness.",
)
tour()
showcase_place = st.container()
st.space("small")
samples, files, runs = st.columns(3, gap="medium")
with samples:
    sample_card()
with files:
    file_card()
with runs:
    runs_card()
tour_again()
with showcase_place:
    showcase()
