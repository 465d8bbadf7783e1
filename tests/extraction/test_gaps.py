"""Local rules of records with gaps: codes, branches, neighbours, changes."""

import math

import numpy as np
import pandas as pd
import pytest

from glocalx.extraction.encoding import Encoding
from glocalx.extraction.extract import Extraction
from glocalx.extraction.neighbourhood import Population
from glocalx.extraction.settings import EXTRACTORS, ExtractionSettings
from glocalx.rules.branches import Branch
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Interval
from glocalx.rules.schema import Feature, Schema
from tests.lender import LENDER, applicants, lender_box

INF = math.inf


def encoding_of(incomes: list[float | None], jobs: list[str | None]) -> Encoding:
    schema = Schema(
        (
            Feature("income", "numeric", gaps=True),
            Feature("job", "categorical", ("chief", "clerk"), gaps=True),
        ),
        ("accept", "deny"),
    )
    columns = {"income": np.array(incomes, float), "job": pd.array(jobs, dtype="str")}
    return Encoding(schema, [pd.DataFrame(columns)])


def test_codes_and_back_is_the_same_table():
    frame = applicants(80)
    encoding = Encoding(LENDER, [frame])
    codes = encoding.encode(frame)
    pd.testing.assert_frame_equal(encoding.decode(codes), frame)
    np.testing.assert_array_equal(codes[:, 0] == encoding.gap_codes[0], frame["income"].isna())
    np.testing.assert_array_equal(codes[:, 2] == encoding.gap_codes[2], frame["job"].isna())
    assert encoding.gap_codes.tolist() == [len(encoding.values[0]) - 1, -1, 3, 2]


def test_one_branch_says_each_thing_that_can_be_said_of_a_gap():
    encoding = encoding_of([1, 3, None], ["clerk", None, "chief"])
    said = {
        encoding.premises([Branch(column, cut, below)])["income"]
        for column in (0, 1)
        for cut in ((-1, 0) if column == 0 else (0, 1))
        for below in (True, False)
    }
    edge = 2.0
    assert said == {
        Interval(-INF, edge),
        Interval(-INF, edge, missing=True),
        Interval(edge, INF),
        Interval(edge, INF, missing=True),
        Interval(INF, -INF, missing=True),
        Interval(-INF, INF),
    }
    job = encoding.schema["job"]
    assert [encoding.premises([Branch(4, 0, below)])["job"] for below in (True, False)] == [
        job.allowed(["chief", "clerk"]),
        job.only_missing,
    ]
    assert encoding.premises([Branch(3, 0, True)])["job"] == job.allowed(["chief"], missing=True)


def test_a_feature_whose_gaps_nobody_saw_has_the_columns_of_one_without():
    encoding = encoding_of([1, 3, 2], ["clerk", "clerk", "chief"])
    assert encoding.gap_codes.tolist() == [-1, -1]
    assert encoding.expand(np.zeros((1, 2), dtype=np.int32)).shape == (1, 2)
    assert not encoding.premises([Branch(1, 0, True)])["job"].missing


def test_a_gap_is_as_far_as_can_be_from_every_number():
    record = np.array([9, 0], dtype=np.int32)
    rows = np.array([[9, 0], [8, 0], [10, 0], [10, 1]], dtype=np.int32)
    gaps = np.array([10, -1], dtype=np.int32)
    population = Population(record, 0, True, np.array([9.0, 0.0]), gaps, rows)
    apart = 2 - population.fitness()
    np.testing.assert_allclose(apart[1:], [(1 / 9) / 2, 1 / 2, 2 / 2])
    gone = np.array([10, 0], dtype=np.int32)
    population = Population(gone, 0, True, np.array([9.0, 0.0]), gaps, rows)
    np.testing.assert_allclose(2 - population.fitness(), [1 / 2, 1 / 2, 1, 1 / 2])


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_rules_find_what_the_black_box_makes_of_gaps(extractor):
    frame, box = applicants(60), lender_box()
    settings = ExtractionSettings(extractor=extractor, neighbours=400, generations=4)
    work = Extraction(frame, box, LENDER, background=applicants(1_500, seed=1), settings=settings)
    rules = work.rules(range(60))
    labels, records = box.labels(frame), Records(LENDER, frame)
    for local in rules:
        assert local.rule.outcome == labels[local.record]
        assert records.coverage(local.rule) >> local.record & 1
    assert np.mean([local.precision for local in rules if local.covered]) > 0.95
    silent = (frame["income"].isna() & (frame["job"] == "clerk")).to_numpy().nonzero()[0]
    for place in silent:
        assert None in rules[place].rule.premise("income")
        assert rules[place].rule.premise("job") == LENDER["job"].allowed(["clerk"])


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_no_change_is_a_gap_and_a_gap_may_be_filled(extractor):
    frame, box = applicants(80), lender_box()
    settings = ExtractionSettings(extractor=extractor, neighbours=200, generations=4)
    work = Extraction(frame, box, LENDER, background=applicants(900, seed=1), settings=settings)
    given = 0
    for local in work.rules(range(80)):
        for other in local.counterfactuals:
            changed = frame.iloc[[local.record]].copy()
            for change in other.changes:
                assert change.after is not None
                assert change.before not in other.rule.premise(change.feature)
                assert change.after in other.rule.premise(change.feature)
                assert pd.isna(changed[change.feature].iloc[0]) == (change.before is None)
                changed[change.feature] = change.after
                given += change.before is None
            assert other.confirmed == (box.labels(changed)[0] == other.rule.outcome)
    assert given
