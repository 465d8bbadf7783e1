import pytest

from glocalx.errors import GLocalXError
from glocalx.table.roles import Choices, suggests_sensitive


@pytest.mark.parametrize(
    "name",
    [
        *("sex", "Gender", "RACE", "race_ethnicity", "age", "Age (years)", "ageAtEntry"),
        *("religion", "Nationality", "marital-status", "Geschlecht", "disability", "età"),
    ],
)
def test_names_of_protected_traits(name: str) -> None:
    assert suggests_sensitive(name)


@pytest.mark.parametrize("name", ["mileage", "essex", "trace", "income", "agency", "stage", "x1"])
def test_other_names(name: str) -> None:
    assert not suggests_sensitive(name)


def test_an_outcome_role_moves() -> None:
    choices = Choices().with_role("a", "target").with_role("b", "target")
    assert choices.roles == {"b": "target"}
    assert choices.with_role("b", "feature").outcome("target") is None


def test_many_columns_may_be_ignored() -> None:
    assert len(Choices().with_role("a", "ignored").with_role("b", "ignored").roles) == 2


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        (Choices(roles={"c": "target"}), "“t” has no column “c”. It has: “a” and “b”."),
        (Choices(kinds={"c": "date"}), "“t” has no column “c”. It has: “a” and “b”."),
        (
            Choices(roles={"a": "target", "b": "target"}),
            "Two columns have the role “target”: “a” and “b”. Choose one.",
        ),
    ],
)
def test_choices_that_cannot_be(choices: Choices, sentence: str) -> None:
    with pytest.raises(GLocalXError) as raised:
        choices.check(("a", "b"), "t")
    assert str(raised.value) == sentence


def test_an_unknown_role() -> None:
    with pytest.raises(GLocalXError, match="cannot have the role “king”"):
        Choices(roles={"a": "king"}).check(("a",), "t")  # type: ignore[dict-item]
