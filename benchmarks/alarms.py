"""False alarms: how often an audit calls a table without bias different.

Answers, truth and probabilities depend on a skill alone, and nobody's skill on sex, race or region.
So whatever is called different is chance. Each kind of verdict is corrected for its comparisons by
itself and should be wrong in at most one table in twenty.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from glocalx.audit import AuditSettings, FrameSource, run_audit
from glocalx.audit.classifier_audit import ClassifierQuestions, audit_classifier
from glocalx.audit.comparison import Share
from glocalx.audit.findings import findings
from glocalx.audit.flips import FlipRecords
from glocalx.rules.classifier import RankedRule, RankedTheory
from glocalx.rules.schema import Schema

TABLES, QUICK, RECORDS = 1_000, 200, 300
BY = ("sex", "race", "region")
FEATURES = (*BY, "skill")


def main() -> None:
    """1,000 tables without bias, three sensitive columns, their pairs: at most 5 % alarms each

    `--quick`: 200 tables, of which 5 % may be 3 to 9 % by chance.
    """
    tables = QUICK if "--quick" in sys.argv else TABLES
    alarms = pd.DataFrame([_alarms(seed) for seed in range(tables)])
    for kind in alarms:
        found = Share(int(alarms[kind].sum()), tables)
        rate = found.rate()
        print(
            f"{kind:>34}: {found.hits:3} of {tables:,} tables, {rate.value:.1%} "
            f"({rate.low:.1%} to {rate.high:.1%})"
        )


def _alarms(seed: int) -> dict[str, bool]:
    """What is called different in one table."""
    rng = np.random.default_rng(seed)
    skill = rng.integers(0, 10, RECORDS)
    likely = 1 / (1 + np.exp(-(skill - 4.5) / 2))
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], RECORDS),
            "race": rng.choice(["a", "b", "c"], RECORDS, p=[0.5, 0.3, 0.2]),
            "region": rng.choice(["n", "s"], RECORDS),
            "skill": skill,
            "likely": likely,
        }
    )
    truth = np.where(rng.random(RECORDS) < likely, "yes", "no").astype(object)
    schema = Schema.of(frame[list(FEATURES)], ["no", "yes"])
    rule = RankedRule(schema.rule({"skill": (6, 99)}, "yes"), 1.0, 1.0, 1, 1)
    source = FrameSource(schema, frame, _model(frame), truth)
    records = FlipRecords(source, frame, _model, FEATURES)
    theory = RankedTheory(schema, (rule,), "no")
    audit = run_audit(source, theory, AuditSettings("yes", BY), records)
    more = audit_classifier(source, audit, ClassifierQuestions(("skill",), "likely"))
    own = [table for table in more.parity if table.answerer == "black box"]
    assert audit.flips is not None
    assert more.calibration is not None
    assert more.given is not None
    return {
        "a group gets different answers": findings(audit).different > 0,
        "a flip changes an answer": any(each.changes_anything for each in audit.flips.flips),
        "equalized odds do not hold": _different(own[0].rows),
        "probabilities break their word": _different(more.calibration.rows),
        "a difference given the skill": _different(more.given.rows),
    }


def _different(rows: Any) -> bool:
    return any(row.verdict == "different" for row in rows)


def _model(frame: pd.DataFrame) -> npt.NDArray[Any]:
    return np.where(frame["skill"] > 5, "yes", "no").astype(object)
