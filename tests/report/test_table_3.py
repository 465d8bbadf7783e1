"""The paper's table of sensitive features: COMPAS, random forest, α = 6, in the report's form."""

import numpy as np
import pytest

from glocalx.audit import AuditSettings, run_audit
from glocalx.report import collect_report, render_report
from glocalx.words.figures import NO_BREAK_SPACE
from tests.audit.audited import merged_compas
from tests.report.test_elements import Reader

TRAITS = (
    "priors_count",
    ("is_recid", "yes"),
    ("is_violent_recid", "yes"),
    ("race", "African-American"),
    ("race", "Caucasian"),
)


@pytest.fixture(scope="module")
def shown() -> str:
    """The page's table, as text."""
    work = merged_compas()
    settings = AuditSettings("High", ("race",), features=TRAITS)
    audit = run_audit(work.source, work.theory, settings)
    page = Reader(render_report(collect_report(work.theory, audit=audit))).text
    start = page.index("Traits of the records behind each answer")
    return page[start : page.index("Traits of the records behind each rule")].replace(
        NO_BREAK_SPACE, " "
    )


def test_at_most_three_rules_for_each_outcome():
    outcomes = [rule.outcome for rule in merged_compas().theory.rules]
    assert 1 <= outcomes.count("High") <= 3
    assert 1 <= outcomes.count("Medium or Low") <= 3


@pytest.mark.parametrize("trait", TRAITS)
@pytest.mark.parametrize("outcome", ["High", "Medium or Low"])
def test_mean_and_deviation_of_each_side_are_pandas(shown, trait, outcome):
    work = merged_compas()
    mask = np.any([work.covered(r) for r in work.theory.rules if r.outcome == outcome], axis=0)
    if isinstance(trait, str):
        values = work.frame[trait][mask]
        expected = f"{values.mean():.2f} ± {values.std():.2f}"
    else:
        values = (work.frame[trait[0]] == trait[1])[mask].astype(float)
        expected = f"{100 * values.mean():.1f} % ± {values.std():.2f}"
    assert expected in shown


def test_the_form_is_the_papers(shown):
    order = ["High risk", "Lower risk", "Prior offences", "mean ± deviation"]
    places = [shown.index(word) for word in [*order, "African-American", "Caucasian"]]
    assert places == sorted(places)
