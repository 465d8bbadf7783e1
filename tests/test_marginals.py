"""Distributions from a file: what is drawn from them, and what they may not be."""

import json

import numpy as np
import pytest
from scipy.stats import truncnorm

from glocalx.errors import GLocalXError
from glocalx.marginals import Marginal, Marginals, read_distribution
from glocalx.rules.schema import Feature

AGE = Marginal(Feature("age", "integer"), 18, 60, 30, 12)
PAY = Marginal(Feature("pay", "numeric", gaps=True), -1, 1, missing=0.25)
JOB = Marginal(
    Feature("job", "categorical", ("clerk", "smith", "none")),
    shares={"clerk": 6, "smith": 3, "none": 1},
)


def test_values_are_drawn_as_the_distribution_says():
    frame = Marginals((AGE, PAY, JOB)).sample(20_000, seed=1)
    truth = truncnorm((18 - 30) / 12, (60 - 30) / 12, loc=30, scale=12)
    assert frame["age"].mean() == pytest.approx(truth.mean(), abs=0.3)
    assert frame["age"].std() == pytest.approx(truth.std(), abs=0.3)
    assert set(frame["age"] % 1) == {0.0}
    assert (frame["age"].min(), frame["age"].max()) == (18, 60)
    assert frame["pay"].isna().mean() == pytest.approx(0.25, abs=0.02)
    assert frame["pay"].mean() == pytest.approx(0, abs=0.03)
    assert frame["job"].value_counts(normalize=True)["clerk"] == pytest.approx(0.6, abs=0.02)
    assert abs(np.corrcoef(frame["age"], frame["job"] == "clerk")[0, 1]) < 0.03
    again = Marginals((AGE, PAY, JOB)).sample(20_000, seed=1)
    assert frame.equals(again)
    assert not frame.equals(Marginals((AGE, PAY, JOB)).sample(20_000, seed=2))


WHOLE = {"name": "age", "kind": "integer", "from": 1, "to": 9}


@pytest.mark.parametrize(
    ("features", "said"),
    [
        ([], "names no feature"),
        ([WHOLE, WHOLE], "“age” stands there twice"),
        ([{**WHOLE, "to": 1}], "needs numbers “from” and “to”"),
        ([{"name": "age", "kind": "integer"}], "needs numbers “from” and “to”"),
        ([{**WHOLE, "mean": 3}], "a mean or a deviation alone"),
        ([{**WHOLE, "mean": 30, "deviation": 1}], "mean outside its range"),
        ([{**WHOLE, "mean": 3, "deviation": 0}], "not above 0"),
        ([{**WHOLE, "missing": 1}], "from 0 to below 1"),
        ([{**WHOLE, "median": 4}], "unknown entry “median”"),
        ([{**WHOLE, "from": "low"}], "stands where a number should"),
        ([{"name": "", "kind": "integer"}], "has no name"),
        ([{"name": "x", "kind": "strange"}], "unknown kind"),
        ([{"name": "x", "kind": "categorical"}], "has 0 categories"),
        ([{"name": "x", "kind": "categorical", "shares": {"a": -1, "b": 2}}], "below 0"),
        ([{"name": "x", "kind": "categorical", "shares": {"a": 0}}], "come to nothing"),
        (["age"], "damaged or incomplete"),
    ],
)
def test_a_distribution_that_cannot_be_is_refused_in_a_sentence(tmp_path, features, said):
    path = tmp_path / "d.json"
    document = {"format": "glocalx/distribution", "version": 1, "features": features}
    path.write_text(json.dumps(document), "utf-8")
    with pytest.raises(GLocalXError, match=said) as error:
        read_distribution(path)
    assert "“d.json”" in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,kind\nage,integer\n", "its columns are to be of"),
        ("feature,kind,from,to\nage,integer,low,3\n", "“low” stands where a number should"),
        ("feature,kind,category,share\njob,categorical,clerk,\n", "stands where a number should"),
    ],
)
def test_a_csv_file_that_cannot_be_is_refused_too(tmp_path, text, said):
    path = tmp_path / "d.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(GLocalXError, match=said):
        read_distribution(path)


def test_a_csv_file_has_a_row_for_each_category(tmp_path):
    path = tmp_path / "d.csv"
    rows = "job,categorical,,,clerk,6,\njob,categorical,,,smith,3,\nage,integer,18,60,,,0.1\n"
    path.write_text(f"feature,kind,from,to,category,share,missing\n{rows}", "utf-8")
    job, age = read_distribution(path).parts
    assert dict(job.shares) == {"clerk": 6, "smith": 3}
    assert (age.low, age.high, age.missing, age.feature.gaps) == (18, 60, 0.1, True)
