import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glocalx.blackbox.base import require_columns
from glocalx.blackbox.columns import (
    Expected,
    compare_columns,
    match_columns,
    matrix_columns,
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
        Expected("hours_a_week", "number"),
        Expected("income", "number"),
        Expected("job", "number"),
        Expected("amount", "whole number"),
        Expected("since", "text"),
    ]
    with pytest.raises(GLocalXError) as caught:
        match_columns(expected, SCHEMA, "m.onnx")
    assert str(caught.value) == (
        "The model “m.onnx” does not fit the table: “hours_a_week” is missing (did you mean "
        "“Hours per week”?); “income” is missing; “job” holds text and the model takes numbers; "
        "“amount” holds numbers with decimals and the "
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


@pytest.mark.parametrize(
    ("exported", "column"),
    [
        ("Debt_to_income", "Debt to income (%)"),
        ("debt_to_income_pct", "Debt to income (%)"),
        ("Debt to income____", "Debt to income (%)"),
        ("Loan_EUR", "Loan, €"),
        ("Income", "Income (€ per month)"),
        ("Income__EUR_per_month_", "Income (€ per month)"),
        ("HomeOwnership", "home ownership"),
        ("Groesse_des_Haushalts", "Größe des Haushalts"),
        ("Grosse des Haushalts", "Größe des Haushalts"),
        ("Gr__e_des_Haushalts", "Größe des Haushalts"),
        ("revenu_mensuel", "Revenu mensuel [€]"),
        ("Prénom", "prenom"),
        ("Size", "Size (m²)"),
        ("年齢", "年齢（年）"),
    ],
)
def test_an_exporters_name_is_matched(exported, column):
    schema = Schema((Feature("other", "numeric"), Feature(column, "numeric")), ("no", "yes"))
    assert match_columns([Expected(exported, "number")], schema, "m") == (column,)
    back = Schema((Feature("other", "numeric"), Feature(exported, "numeric")), ("no", "yes"))
    assert match_columns([Expected(column, "number")], back, "m") == (exported,)


def test_two_candidates_stay_open_and_so_does_one_that_two_want():
    money = tuple(Feature(name, "numeric") for name in ("Income (€)", "Income (%)", "Rent"))
    schema = Schema(money, ("no", "yes"))
    match = compare_columns([Expected("Income"), Expected("rent"), Expected("RENT")], schema)
    assert match.columns == (None, None, None)
    assert [name for name, _ in match.missing] == ["Income", "rent", "RENT"]
    assert compare_columns([Expected("Income"), Expected("income_pct")], schema).columns == (
        "Income (€)",
        "Income (%)",
    )


def test_a_sign_is_no_more_than_any_other_unit():
    money = tuple(Feature(name, "numeric") for name in ("Income (%)", "Income (€ per month)"))
    assert compare_columns([Expected("Income")], Schema(money, ("no", "yes"))).columns == (None,)


def test_of_two_candidates_the_one_that_can_be_is_taken_and_a_sole_one_of_another_kind_is_told():
    ages = (Feature("Age", "numeric"), Feature("AGE", "categorical", ("old", "young")))
    assert compare_columns([Expected("age", "text")], Schema(ages, ("no", "yes"))).columns == (
        "AGE",
    )
    with pytest.raises(GLocalXError, match="“Age” holds numbers with decimals and the model takes"):
        match_columns([Expected("age", "text")], Schema(ages[:1], ("no", "yes")), "m")


names = st.text(st.sampled_from("abAB ä_(%)€"), max_size=6)


@given(
    st.lists(names, min_size=1, max_size=5, unique=True),
    st.lists(names, min_size=1, max_size=5, unique=True),
)
def test_a_match_is_one_to_one_does_not_depend_on_the_order_and_keeps_what_is_named(wanted, held):
    expected = [Expected(name) for name in wanted]
    schema = Schema(tuple(Feature(name, "numeric") for name in held), ("no", "yes"))
    match = compare_columns(expected, schema)
    found = [name for name in match.columns if name is not None]
    assert len(set(found)) == len(found)
    for name, column in zip(wanted, match.columns, strict=True):
        assert (column == name) if name in held else column not in wanted
    turned = Schema(schema.features[::-1], schema.outcomes)
    assert compare_columns(expected[::-1], turned).columns == match.columns[::-1]


def test_a_matrix_takes_no_text_and_says_so_by_name():
    with pytest.raises(GLocalXError, match=r"one matrix of numbers, which cannot hold .*“job”"):
        matrix_columns(5, SCHEMA, "m")


def test_a_matrix_of_another_width():
    with pytest.raises(GLocalXError, match="a matrix of 3 columns and 5 are in the table"):
        matrix_columns(3, SCHEMA, "m")
    with pytest.raises(GLocalXError, match="a matrix of 3 columns and 2 were named"):
        matrix_columns(3, SCHEMA, "m", ["age", "amount"])


def test_a_matrix_with_named_columns():
    assert matrix_columns(2, SCHEMA, "m", ["amount", "AGE"]) == ("amount", "age")
    with pytest.raises(GLocalXError, match=r"“agee” is missing \(did you mean “age”"):
        matrix_columns(1, SCHEMA, "m", ["agee"])


def test_records_without_a_column():
    with pytest.raises(GLocalXError, match="needs “b”, which the records do not have"):
        require_columns(pd.DataFrame({"a": [1]}), ["a", "b"], "m")
