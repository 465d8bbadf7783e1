"""Calibration in each group against scikit-learn and plain sums."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.calibration import calibration_curve

from glocalx.audit import AuditSettings, FrameSource, open_files, run_audit
from glocalx.audit.calibration import calibration_table
from glocalx.errors import GLocalXError
from glocalx.rules.schema import Feature, Schema
from tests.export.hostile import ranked

SCHEMA = Schema((Feature("g", "categorical", ("a", "b", "c")),), ("no", "yes"))


@st.composite
def promised(draw: st.DrawFn) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.integers(1, 200))
    groups = np.array(["a", "b", None] if draw(st.booleans()) else ["a"], dtype=object)
    probability = rng.choice([0, 0.05, 0.1, 0.33, 0.5, 0.9, 0.99, 1, np.nan], size)
    truth = rng.choice(np.array(["no", "yes", None], dtype=object), size)
    group = pd.array(rng.choice(groups, size), dtype="str")
    return pd.DataFrame({"g": group, "p": probability}), truth


@settings(max_examples=40)
@given(promised())
def test_each_group_as_plain_sums_and_scikit_learn_have_it(world):
    frame, truth = world
    frame.loc[0, ["g", "p"]] = ["a", 0.5]
    source = FrameSource(SCHEMA, frame, truth=truth)
    audit = run_audit(source, ranked(SCHEMA, []), AuditSettings("yes", ("g",), enough=1))
    for row in calibration_table(source, audit, "p").rows:
        inside = frame["g"].isna() if row.title == "missing" else frame["g"] == row.title
        here = (inside.fillna(False) & frame["p"].notna() & pd.notna(truth)).to_numpy(dtype=bool)
        p, y = frame["p"][here].to_numpy(), truth[here] == "yes"
        assert (row.observed.hits, row.observed.size) == (y.sum(), here.sum())
        assert row.probability == pytest.approx(p.mean())
        spread = (p * (1 - p)).sum()
        expected = 2 * stats.norm.sf(abs(y.sum() - p.sum()) / math.sqrt(spread)) if spread else None
        if expected is not None and spread > 1e-9:
            assert row.p_value == pytest.approx(expected)
        # Theirs are bands that do not hold their lower end; ours do not hold the upper one.
        mirrored = calibration_curve(~y, 1 - p, n_bins=10, strategy="uniform")
        if not set(np.round(p, 3)) & {0.1, 0.9, 0.5}:
            shares = [each.observed.rate().value for each in row.tenths]
            means = [each.probability for each in row.tenths]
            assert shares == pytest.approx(sorted_by_mean(mirrored)[0])
            assert means == pytest.approx(sorted_by_mean(mirrored)[1])
        tenths = np.minimum((p * 10 + 1e-9).astype(int), 9)
        error = sum(
            (tenths == k).sum() * abs(y[tenths == k].mean() - p[tenths == k].mean())
            for k in set(tenths.tolist())
        )
        assert row.error == pytest.approx(error / len(p), abs=1e-12)


def sorted_by_mean(curve) -> tuple[list[float], list[float]]:
    return [1 - share for share in curve[0][::-1]], [1 - mean for mean in curve[1][::-1]]


def test_a_model_that_promises_one_group_too_much_is_told():
    frame = pd.DataFrame({"g": ["a"] * 400 + ["b"] * 400, "p": [0.5] * 800})
    truth = (["yes", "no"] * 200) + (["yes", "no", "no", "no"] * 100)
    source = FrameSource(SCHEMA, frame, truth=truth)
    audit = run_audit(source, ranked(SCHEMA, []), AuditSettings("yes", ("g",)))
    table = calibration_table(source, audit, "p")
    said = {row.title: row.verdict for row in table.rows}
    assert said == {"a": "no difference shown", "b": "different"}
    worse = next(row for row in table.rows if row.title == "b")
    assert worse.gap.value == pytest.approx(-0.25)
    assert worse.error == pytest.approx(0.25)


def test_a_streamed_table_gives_the_same(tmp_path):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"g": rng.choice(["a", "b"], 300), "p": rng.random(300).round(3)})
    frame["true"] = np.where(rng.random(300) < frame["p"], "yes", "no")
    frame.to_csv(tmp_path / "people.csv", index=False)
    asked = AuditSettings("yes", ("g",))
    source = FrameSource(SCHEMA, frame[["g", "p"]], truth=frame["true"].to_numpy())
    here = calibration_table(source, run_audit(source, ranked(SCHEMA, []), asked), "p")
    with open_files([tmp_path / "people.csv"], SCHEMA, truth="true") as streamed:
        audit = run_audit(streamed, ranked(SCHEMA, []), asked)
        there = calibration_table(streamed, audit, "p")
    for one, other in zip(here.rows, there.rows, strict=True):
        assert one.observed == other.observed
        assert one.error == pytest.approx(other.error)
        assert one.p_value == pytest.approx(other.p_value)


@pytest.mark.parametrize(
    ("values", "said"), [([50.0, 20.0], "divide percentages by 100"), (["x", "y"], "no numbers")]
)
def test_what_is_no_probability_is_refused(values, said):
    frame = pd.DataFrame({"g": ["a", "b"], "p": values})
    source = FrameSource(SCHEMA, frame, truth=["yes", "no"])
    audit = run_audit(source, ranked(SCHEMA, []), AuditSettings("yes", ("g",)))
    with pytest.raises(GLocalXError, match=said):
        calibration_table(source, audit, "p")
