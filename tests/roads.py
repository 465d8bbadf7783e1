"""Roads that several tests go, each made once in a process."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from glocalx.pipeline.extracting import iter_rules
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import DataSettings, RuleSettings, RunSettings
from glocalx.rules.rule import Rule


@cache
def compas_road() -> Road:
    """COMPAS with a random forest, as it opens by default."""
    return Road(RunSettings(data=DataSettings(sample="compas")))


def some_rules(road: Road, records: Sequence[int], rules: RuleSettings) -> list[Rule]:
    """The local rules of these records."""
    blocks = iter_rules(road.labelled, road.black_box, rules, records=records)
    return [local.rule for block in blocks for local in block.rules]
