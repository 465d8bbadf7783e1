import pandas as pd
import pytest

from glocalx.blackbox.columns import (
    Expected,
    compare_columns,
    match_columns,
    matrix_columns,
    require_columns,
)
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema

SCHEMA = Schema(
    (
        Feature("Hours per week", "integer"),
        Feature("age", "integer"),
        Feature("amount", "numeric"),
        Feature("since", "date"),
        Feature("job", "categorical", ("clerk", "none")),
    ),
    ("no", "yes"),
)


def test_every_mismatch_is_in_one_sentence():
    expected = [
        Expected("hours_per_week", "number"),
        Expected("AGE", "number"),
        Expected("income", "number"),
        Expected("job", "number"),
        Expected("amount", "whole number"),
        Expected("since", "text"),
    ]
    with pytest.raises(GLocalXError) as caught:
        match_columns(expected, SCHEMA, "m.onnx")
    assert str(caught.value) == (
        "The model “m.onnx” does not fit the table: “hours_per_week” is missing (did you mean "
        "“Hours per week”?); “AGE” is missing (did you mean “age”?); “income” is missing; “job” "
        "holds text and the model takes numbers; “amount” holds numbers with decimals and the "
        "model takes whole numbers; “since” holds dates and the model takes texts. Columns that "
        "it does not use: “Hours per week” and “age”. Rename the columns, say which is which, or "
        "use a model made for this table."
    )


def test_a_small_slip_is_suggested_and_something_else_is_not():
    match = compare_columns([Expected("ammount"), Expected("zip")], SCHEMA)
    assert match.missing == (("ammount", "amount"), ("zip", None))


def test_the_order_is_the_models_and_extra_columns_are_unused():
    expected = [Expected("job", "text"), Expected("age", "whole number")]
    assert match_columns(expected, SCHEMA, "m") == ("job", "age")
    assert compare_columns(expected, SCHEMA).unused == ("Hours per week", "amount", "since")


def test_a_person_can_say_which_is_which():
    expected = [Expected("hpw", "number")]
    assert match_columns(expected, SCHEMA, "m", {"hpw": "Hours per week"}) == ("Hours per week",)


def test_a_matrix_takes_no_text_and_says_so_by_name():
    with pytest.raises(GLocalXError, match=r"one matrix of numbers, which cannot hold .*“job”"):
        matrix_columns(5, SCHEMA, "m")


def test_a_matrix_of_another_width():
    with pytest.raises(GLocalXError, match="a matrix of 3 columns and 5 are in the table"):
        matrix_columns(3, SCHEMA, "m")
    with pytest.raises(GLocalXError, match="a matrix of 3 columns and 2 were named"):
        matrix_columns(3, SCHEMA, "m", ["age", "amount"])


def test_a_matrix_with_named_columns():
    assert matrix_columns(2, SCHEMA, "m", ["amount", "age"]) == ("amount", "age")
    with pytest.raises(GLocalXError, match=r"“agee” is missing \(did you mean “age”"):
        matrix_columns(1, SCHEMA, "m", ["agee"])


def test_records_without_a_column():
    with pytest.raises(GLocalXError, match="needs “b”, which the records do not have"):
        require_columns(pd.DataFrame({"a": [1]}), ["a", "b"], "m")
