"""Roads that several tests go, each made once in a process."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from glocalx.pipeline.extracting import iter_rules
from glocalx.pipeline.road import Road
from glocalx.pipeline.settings import BoxSettings, DataSettings, RuleSettings, RunSettings
from glocalx.rules.rule import Rule
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.sample_runs import open_sample
from glocalx.workspace.store import Workspace
from tests.blackbox.brought_models import BROUGHT, LOANS


@cache
def compas_road() -> Road:
    """COMPAS with a random forest, as it opens by default."""
    return Road(RunSettings(data=DataSettings(sample="compas")))


@cache
def _folder() -> TemporaryDirectory[str]:
    """Until the process ends."""
    return TemporaryDirectory()


@cache
def finished_compas() -> Road:
    """COMPAS to its end, as it comes with the project and would be made today."""
    return OpenedRun(open_sample(Workspace(Path(_folder().name)), "tests", "compas"))


@cache
def brought_road(name: str) -> Road:
    """The loans with a model of another library, which reads some of their columns."""
    brought = next(each for each in BROUGHT if each.name == name)
    data = DataSettings(
        file=str(LOANS), name=LOANS.name, roles={brought.target: "target", "Sample": "seen"}
    )
    box = BoxSettings(
        "model",
        file=str(brought.file),
        name=brought.file.name,
        columns=brought.columns,
        outcomes=brought.outcomes,
    )
    return Road(RunSettings(data=data, rules=RuleSettings(records=60)).with_box(box))


def some_rules(road: Road, records: Sequence[int], rules: RuleSettings) -> list[Rule]:
    """The local rules of these records."""
    blocks = iter_rules(road.labelled, road.black_box, rules, records=records)
    return [local.rule for block in blocks for local in block.rules]
