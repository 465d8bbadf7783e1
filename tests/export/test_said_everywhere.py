"""What every export says beside the rules: fills, and rules that can never decide."""

import json

import duckdb
import pandas as pd
import pytest

from glocalx.cli.output import result_lines
from glocalx.export import theory_to_markdown, theory_to_python
from glocalx.report import collect_report, render_report
from glocalx.rules.schema import Feature, Schema
from tests.export.hostile import ranked

SCHEMA = Schema((Feature("in <come>", "numeric", fill=2.25), Feature("age", "integer")), ("n", "y"))
RULES = [
    SCHEMA.rule({"in <come>": (2, 9)}, "y"),
    SCHEMA.rule({}, "n"),
    SCHEMA.rule({"age": (5, 9)}, "y"),
    SCHEMA.rule({"age": (1, 3)}, "n"),
]
SUMMARY = dict.fromkeys(("distinct_rules", "accepted", "rules_left", "size"), 1)
SUMMARY |= dict.fromkeys(("seconds", "length", "fidelity", "majority_fidelity"), 1.0)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (RULES, "Rules 3 to 4 can never decide: rule 2 covers everyone."),
        (RULES[:3], "Rule 3 can never decide: rule 2 covers everyone."),
        (RULES[:2], ""),
        (RULES[2:], ""),
    ],
)
def test_rules_below_one_for_everyone_are_told(rules, said):
    theory = ranked(SCHEMA, rules)
    assert theory.never_said == said
    report = collect_report(theory)
    told = {
        "Markdown": theory_to_markdown(theory),
        "Python": theory_to_python(theory),
        "SQL": theory.to_sql(),
        "report": render_report(report),
        "command": "\n".join(result_lines({**SUMMARY, "rules": [], "by_hand": []}, theory, "all")),
    }
    for place, text in told.items():
        assert ("can never decide" in text) == bool(said), place
        assert said in text, place
    assert report.to_dict()["never_decide"] == list(range(3, len(rules) + 1)) * bool(said)
    frame = pd.DataFrame({"in <come>": [1.0, 3.0, None], "age": [6, 6, 6]})
    scope: dict = {}
    exec(told["Python"], scope)
    with duckdb.connect() as connection:
        connection.register("records", frame)
        asked = connection.execute(theory.to_sql(table="records")).fetchall()
    rows = frame.astype(object).to_dict("records")
    assert [row[-1] for row in asked] == [scope["predict"](row) for row in rows]


def test_a_report_says_what_stands_in_for_missing_values():
    report = collect_report(ranked(SCHEMA, RULES[:1]))
    page = render_report(report)
    assert "A missing value counts as (in &lt;come&gt;: 2.25)." in page
    assert json.loads(json.dumps(report.to_dict()))["fills"] == {"in <come>": 2.25}
    silent = render_report(collect_report(ranked(SCHEMA, RULES[2:3])))
    assert "A missing value counts as" not in silent
