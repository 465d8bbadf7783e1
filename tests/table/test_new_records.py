import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.table import Choices, RawTable, Table, raw_from_frame
from glocalx.table.reading import parse_table

KNOWN = b"""age;height;job;paid;since;answer
30;1,5;clerk;yes;31.12.2020;good
40;1,75;chief;no;01.01.2021;bad
50;1,25;clerk;yes;02.01.2021;good
"""


@pytest.fixture
def table() -> Table:
    return Table.of(parse_table(KNOWN), target="answer")


def new(text: str) -> RawTable:
    return parse_table(text.encode(), "new.csv")


def test_the_same_file_gives_the_same_frame(table: Table) -> None:
    encoded = table.encode(parse_table(KNOWN))
    pd.testing.assert_frame_equal(encoded.frame, table.frame)
    assert "unseen category" not in {finding.topic for finding in encoded.findings}


def test_gaps_stay_and_it_is_said_whether_rules_can_speak_of_them(table: Table) -> None:
    encoded = table.encode(new("since,paid,job,height,age,more\n,,,,,1\n,,,,99,2\n"))
    assert encoded.frame.isna().to_numpy().tolist() == [[True] * 5, [False] + [True] * 4]
    assert "unseen category" not in {finding.topic for finding in encoded.findings}
    assert encoded.findings[0].sentence == (
        "“age” lacks 1 of 2 values (50.0 %). Rules on “age” do not cover that record."
    )
    holed = Table.of(parse_table(KNOWN + b";;;;;good\n"), target="answer")
    said = holed.encode(new("age,height,job,paid,since\n,1.5,pilot,,31.12.2020\n"))
    assert [finding.sentence for finding in said.findings if finding.topic == "missing"] == [
        "“age” lacks 1 of 1 values (100.0 %); rules can speak of that.",
        "“paid” lacks 1 of 1 values (100.0 %); rules can speak of that.",
    ]
    (strange,) = (finding for finding in said.findings if finding.topic == "unseen category")
    assert strange.sentence.startswith("1 record has a category of “job” that the table does not")


def test_where_gaps_are_filled_new_ones_get_the_values_of_the_table() -> None:
    filled = Choices(gaps="fill")
    table = Table.of(parse_table(KNOWN + b";;;;;good\n"), target="answer", choices=filled)
    encoded = table.encode(new("since,paid,job,height,age,more\n,,,,,1\n,,,,99,2\n"))
    assert encoded.frame.to_dict("list") == {
        "age": [40, 99],
        "height": [1.5, 1.5],
        "job": ["clerk", "clerk"],
        "paid": ["yes", "yes"],
        "since": [18_628, 18_628],
    }
    assert encoded.findings[0].sentence == (
        "“age” lacks 1 of 2 values (50.0 %); it was replaced by the mean, 40."
    )


def test_unseen_categories_are_counted_and_kept(table: Table) -> None:
    text = "age,height,job,paid,since\n" + "1,1.5,pilot,maybe,31.12.2020\n" * 2
    encoded = table.encode(new(text + "1,1.5,cook,yes,31.12.2020\n"))
    strange = [finding for finding in encoded.findings if finding.topic == "unseen category"]
    assert [finding.column for finding in strange] == ["job", "paid"]
    assert strange[1].sentence.startswith("2 records have a category of “paid”")
    assert encoded.frame["job"].tolist() == ["pilot", "pilot", "cook"]
    assert encoded.findings[0].sentence == (
        "3 records have a category of “job” that the table does not know: “cook” and “pilot”. "
        "Rules on “job” do not cover them."
    )


def test_missing_columns_are_named_in_one_sentence(table: Table) -> None:
    with pytest.raises(GLocalXError) as raised:
        table.encode(new("age,height\n1,2\n"))
    assert str(raised.value) == (
        "“new.csv” lacks the columns “job”, “paid” and “since”. "
        "Add what is missing, under the same name."
    )


def test_the_form_of_the_table_decides_and_another_is_understood(table: Table) -> None:
    (one,) = table.encode(new("age;height;job;paid;since\n1;1,234;clerk;yes;02.01.2021\n")).frame[
        "height"
    ]
    assert one == 1.234
    other = table.encode(new("age,height,job,paid,since\n1,1.25,clerk,yes,2021-01-02\n")).frame
    assert (other["height"][0], other["since"][0]) == (1.25, 18_629)


def test_cells_of_the_wrong_kind_are_told_and_missing(table: Table) -> None:
    encoded = table.encode(new("age,height,job,paid,since\nold,tall,clerk,yes,never\n"))
    assert encoded.frame.isna().loc[0].tolist() == [True, True, False, False, True]
    assert {finding.topic for finding in encoded.findings} == {"mixed types", "missing"}


def test_fractions_in_a_whole_column_are_rounded_and_told(table: Table) -> None:
    encoded = table.encode(new("age,height,job,paid,since\n30.6,1,clerk,yes,2021-01-02\n"))
    assert encoded.frame["age"].tolist() == [31]
    assert encoded.findings[0].sentence == "1 value of “age” is not whole and was rounded."


def test_records_from_python(table: Table) -> None:
    frame = pd.DataFrame(
        {"age": [33], "height": [2.5], "job": ["chief"], "paid": ["no"], "since": ["2021-01-02"]}
    )
    assert table.encode(raw_from_frame(frame)).frame.loc[0].tolist() == [
        *(33, 2.5, "chief", "no", 18_629),
    ]
