"""Models of other libraries answer here as they do at home, gaps included."""

import numpy as np
import pytest

from glocalx.blackbox.model_file import open_model
from glocalx.rules.schema import Schema
from tests.blackbox.brought_models import BROUGHT, INPUTS, loans


@pytest.mark.parametrize("brought", BROUGHT, ids=lambda each: each.name)
def test_a_model_answers_records_with_gaps_as_its_own_library_does(brought):
    table = loans()
    frame = table[list(INPUTS.values())].copy()
    schema = Schema.of(frame, table[brought.target].unique())
    frame["Home ownership"] = frame["Home ownership"].fillna("")  # how an ONNX text is empty
    box = open_model(
        brought.file.name,
        brought.file.read_bytes(),
        schema,
        columns=brought.columns,
        renamed=INPUTS,
        outcomes=brought.outcomes,
    )
    try:
        assert np.mean(box.labels(frame) == brought.answers) == 1.0
        whole = frame.fillna(frame.mean(numeric_only=True)).replace({"Home ownership": {"": "OWN"}})
        assert np.mean(box.labels(whole) == brought.answers) < 0.95, "the gaps carry the answer"
    finally:
        getattr(box, "box", box).close()
