"""Learn: see local become global, and check it by hand."""

import streamlit as st

from ui.layout import one_of, page_head
from ui.learn.examples import worked_examples
from ui.learn.playground import playground
from ui.learn.practice import glossary, practice, where_it_misleads
from ui.start.cards import loans_button

PARTS = {
    "Playground": playground,
    "Worked examples": worked_examples,
    "Where it misleads": where_it_misleads,
    "Exercises": practice,
    "Glossary": glossary,
}

page_head(
    "Learn",
    "With two features a rule is a rectangle you can see. Watch two theories meet, guess what "
    "happens, then read the calculation. Nothing here changes your runs.",
)
look = {"bind": "query-params", "label_visibility": "collapsed"}
PARTS[one_of("Part", tuple(PARTS), "part", "Playground", **look)]()
with st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center"):
    st.caption("The same as a run, from table to theory:", width="content")
    loans_button()
