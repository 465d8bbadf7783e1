"""Make the run that is shipped with a sample, and the picture of it on the first page.

Run ``python -m sample_data.make_runs`` from the top of the project after the settings of the road,
the words or the figure have changed.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from glocalx.plots import OutcomeColours, palette
from glocalx.table.samples import sample_info
from glocalx.workspace.exchange import export_run
from glocalx.workspace.opened_run import OpenedRun
from glocalx.workspace.run import Run
from glocalx.workspace.sample_runs import sample_run_file, sample_settings
from glocalx.workspace.store import Workspace
from sample_data.rule_flow import flow
from ui.opened import explained_of, local_rules_of, theory_of, wording_of
from ui.start.showcase import FILE, Showcase, SpokenRule

SAMPLE = "compas"
DIGITS = 4
HEIGHT = 440


def make_run(workspace: Workspace, name: str) -> Run:
    """The finished run of a sample, with the default settings."""
    run = workspace.create("", sample_info(name).title, sample_settings(name))
    opened = OpenedRun(run, jobs=-1)
    for _ in opened.iter_to("merge"):
        pass
    return workspace.save(run, figures=opened.figures())


def make_showcase(run: Run) -> Showcase:
    """The picture of a finished run."""
    facts, wording = explained_of(run), wording_of(run)
    theory = theory_of(run, run.settings.selection)
    local = [each.rule for each in local_rules_of(run)]
    outcomes, names = facts.schema.outcomes, facts.schema.outcome_labels
    drawn = {
        scheme: flow(
            local,
            theory,
            facts.reference.records,
            OutcomeColours.of(outcomes, facts.positive, palette(scheme), names),
            height=HEIGHT,
        )
        for scheme in ("light", "dark")
    }
    colours = OutcomeColours.of(outcomes, facts.positive)
    spoken = [
        SpokenRule(
            tuple((part.text, part.role) for part in wording.parts(rule)),
            colours.word(rule.outcome) or "blue",
        )
        for rule in theory.rules
    ]
    default = (
        ("Otherwise ", "words"),
        (wording.outcome(theory.default), "outcome"),
        (".", "words"),
    )
    return Showcase(
        local_rules=len(local),
        rules=(*spoken, SpokenRule(default, colours.word(theory.default) or "blue")),
        fidelity=round(theory.fidelity(facts.held_out), DIGITS),
        held_out=facts.held_out.size,
        alt=drawn["light"].alt,
        figures={
            scheme: _rounded(json.loads(drawing.figure.to_json()))
            for scheme, drawing in drawn.items()
        },
    )


def _rounded(value: Any) -> Any:
    """The same with short numbers: a picture needs no more."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        run = make_run(Workspace(Path(folder)), SAMPLE)
        sample_run_file(SAMPLE).write_bytes(export_run(run))
        made = make_showcase(run)
    text = json.dumps(asdict(made), ensure_ascii=False, separators=(",", ":"))
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
