"""A small table of people, and tables made of a few values."""

from __future__ import annotations

import pandas as pd
import pytest

from glocalx.errors import GLocalXError
from glocalx.table import Table, raw_from_frame

PEOPLE = b"""age,job,paid,since,answer
31,clerk,yes,2001-01-01,good
,chief,no,2002-01-01,bad
44,,yes,,good
52,clerk,,2004-01-01,
31,clerk,yes,2001-01-01,good
"""


def sentences(table: Table, topic: str) -> list[str]:
    return [finding.sentence for finding in table.findings if finding.topic == topic]


def of(frame: dict[str, list], target: str | None = "out", **options: object) -> Table:
    return Table.of(raw_from_frame(pd.DataFrame(frame), "t"), target=target, **options)


def refused(frame: dict[str, list], target: str = "out") -> str:
    with pytest.raises(GLocalXError) as raised:
        of(frame, target)
    return str(raised.value)
