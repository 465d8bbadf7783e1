"""Tables whose names try to be something else."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from hypothesis import strategies as st

from glocalx.rules.classifier import RankedRule, RankedTheory
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Feature, Schema

NASTY = (
    *("select", "from", 'a"b', "a'b", "; DROP TABLE records; --", "naïve ∈ 日本", "null", "NULL "),
    *("\\", "a\\'b", "a\nb", "=1+1", "/* x", "-- y", "{f}", "%s", "$1", "?1", "🙂", "a.b", "[x]"),
    *("<img src=x onerror=alert(1)>", "|", "`", "group by", '""', "''", "\t tab", "case", "end"),
)
texts = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1),
)


def ranked(schema: Schema, rules) -> RankedTheory:
    """The rules in the order given, each once."""
    distinct = tuple(RankedRule(rule, 0.5, 0.5, 0, 0) for rule in dict.fromkeys(rules))
    return RankedTheory(schema, distinct, schema.outcomes[0])


@st.composite
def hostile_worlds(draw: st.DrawFn) -> tuple[Schema, pd.DataFrame, list[Rule]]:
    """A schema, a frame with missing values, and rules, all with hostile names."""
    names = draw(
        # SQL does not tell upper from lower case in names.
        st.lists(texts, min_size=3, max_size=3, unique_by=lambda name: name.strip().casefold())
    )
    categories = draw(st.lists(texts, min_size=2, max_size=4, unique=True))
    outcomes = draw(st.lists(texts, min_size=2, max_size=3, unique=True))
    schema = Schema(
        (
            Feature(names[0], "categorical", tuple(categories)),
            Feature(names[1], "numeric"),
            Feature(names[2], "integer"),
        ),
        tuple(outcomes),
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    frame = pd.DataFrame(
        {
            names[0]: rng.choice(np.array([*categories, None], dtype=object), 30),
            names[1]: rng.choice([-0.5, 0.1, 0.30000000000000004, 1e22, None], 30).astype(float),
            names[2]: rng.integers(-3, 4, 30),
        }
    ).astype({names[0]: "str"})
    return schema, frame, [draw(_rules(schema)) for _ in range(draw(st.integers(1, 5)))]


@st.composite
def _rules(draw: st.DrawFn, schema: Schema) -> Rule:
    text, number, whole = schema.features
    premises: dict[str, object] = {}
    if draw(st.booleans()):
        premises[text.name] = draw(st.sets(st.sampled_from(text.categories), min_size=1))
    if draw(st.booleans()):
        low = draw(st.sampled_from([-math.inf, 0.1, 0.3]))
        premises[number.name] = (low, draw(st.sampled_from([0.30000000000000004, 1e22, math.inf])))
    if draw(st.booleans()):
        premises[whole.name] = (draw(st.integers(-3, 0)), draw(st.integers(1, 4)))
    return schema.rule(premises, draw(st.sampled_from(schema.outcomes)))
