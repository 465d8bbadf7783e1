import pytest

from glocalx.table import Table
from glocalx.table.reading import parse_table
from tests.table.people import PEOPLE


@pytest.fixture
def people() -> Table:
    return Table.of(parse_table(PEOPLE, "people.csv"), target="answer")
