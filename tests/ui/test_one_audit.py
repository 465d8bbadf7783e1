"""The same run audited by page, command and report: the same figures, on a table with gaps."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from glocalx.__main__ import main
from glocalx.audit import AuditSettings, json_ready
from glocalx.files import write_theory
from glocalx.pipeline.settings import DataSettings, RuleSettings, RunSettings, SelectionSettings
from glocalx.report import report_files
from glocalx.workspace.opened_run import OpenedRun
from ui.audit.downloads import content_of
from ui.audit.result import audited_of
from ui.opened import explained_of, theory_of

CHOSEN = SelectionSettings("budget", 5)
FIGURES = ("records", "subgroups", "rules", "traits", "proxies", "responsibility", "what_if")


def with_gaps() -> pd.DataFrame:
    """A category that is called "missing" stands beside real gaps."""
    rng = np.random.default_rng(5)
    size = 400
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, size).astype(object),
            "tribe": rng.choice(["x", "y", "missing"], size).astype(object),
            "kept_out": rng.choice(["m", "f"], size).astype(object),
        }
    )
    high = (frame["age"].astype(int) > 50) | (frame["tribe"] == "y")
    frame["answer"] = np.where(high ^ (rng.random(size) < 0.05), "yes", "no")
    for name in ("age", "tribe", "kept_out"):
        frame.loc[rng.random(size) < 0.2, name] = None
    return frame


@pytest.fixture(params=["keep", "fill"])
def gaps_run(workspace, request):
    roles = {"answer": "target", "kept_out": "ignored", "tribe": "sensitive", "age": "sensitive"}
    data = DataSettings(
        file="table", name="x.csv", roles=roles, explain=0.4, train=0.3, gaps=request.param
    )
    settings = RunSettings(data=data, rules=RuleSettings(records=40))
    table = with_gaps().to_csv(index=False).encode()
    run = workspace.create("browser:tester", "gaps", settings, {"table": table})
    for _ in OpenedRun(run).iter_to("merge"):
        pass
    return run


def test_page_command_and_report_give_the_same_figures(gaps_run, tmp_path, capsys):
    by = ("tribe", "age", "kept_out")
    asked = AuditSettings("yes", by, bands={"age": (35, 60)}, part="held-out")
    audited = audited_of(gaps_run, CHOSEN, asked)
    page = json_ready(audited.audit, audited.wording)
    assert any(rule.features for rule in audited.theory.rules)
    missing = [g for g in audited.audit.subgroups.subgroups if "missing (no value)" in g.groups]
    assert missing
    assert all(group.size for group in missing)

    report = json.loads(report_files(content_of(gaps_run, CHOSEN, audited))["audit.json"])
    assert {name: report[name] for name in FIGURES} == {name: page[name] for name in FIGURES}

    facts = explained_of(gaps_run)
    table, places = facts.split.table, facts.split.parts.test
    rows = with_gaps().iloc[table.rows[places]].assign(said=facts.held_out.labels)
    rows.to_csv(tmp_path / "held_out.csv", index=False)
    write_theory(tmp_path / "theory.json", theory_of(gaps_run, CHOSEN))
    code = main(
        [
            *("audit", str(tmp_path / "theory.json"), str(tmp_path / "held_out.csv")),
            *("--by", *by, "--bands", "age=35,60", "--outcome", "yes"),
            *("--predictions", "said", "--label", "answer", "--json"),
            *("--out", str(tmp_path / "out"), "--traits", *audited.asked.features),
        ]
    )
    command = json.loads(capsys.readouterr().out)
    assert code == 0
    assert command["groups"] == page["groups"]
    for name in FIGURES:
        assert cells(command[name]) == cells(page[name]), name


def cells(rows: object) -> list[object]:
    """Every figure but for its last digits; rules are worded as their table allows."""
    if not isinstance(rows, list):
        return [rows]
    found = [(key, cell) for row in rows for key, cell in row.items() if key != "text"]
    return [(key, round(c, 9) if isinstance(c, float) else c) for key, c in found]
