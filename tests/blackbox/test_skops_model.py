import io
import os
import zipfile

import numpy as np
import pytest
import skops.io
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.random_projection import GaussianRandomProjection

from glocalx.blackbox.columns import OpenColumnsError
from glocalx.blackbox.skops_check import CONSENTABLE, check_archive
from glocalx.blackbox.skops_model import inspect_skops, open_skops
from glocalx.errors import GLocalXError
from tests.blackbox.model_files import people, pipeline, schema_of, zip_bomb

FRAME, TARGET = people()
SCHEMA = schema_of(FRAME, TARGET)
TREE = "sklearn.tree._tree.Tree"


class Strange(BaseEstimator):
    """A class that nobody here knows."""


@pytest.fixture(scope="module")
def original():
    forest = RandomForestClassifier(10, random_state=0, n_jobs=-1)
    return pipeline(FRAME, forest).fit(FRAME, TARGET)


@pytest.fixture(scope="module")
def data(original):
    return skops.io.dumps(original)


@pytest.fixture(scope="module")
def box(data):
    box = open_skops(data, SCHEMA, [TREE], name="m.skops")
    yield box
    box.close()


def test_types_are_shown_before_anything_is_loaded(data):
    assert inspect_skops(data) == [TREE]


def test_answers_are_those_of_the_original(box, original):
    assert box.name == "m.skops"
    assert box.outcomes == ("accept", "deny")
    shuffled = FRAME[["job", "amount", "age"]].assign(extra=1)
    assert (box.labels(shuffled) == original.predict(FRAME)).all()
    np.testing.assert_allclose(box.probabilities(FRAME), original.predict_proba(FRAME))


def test_a_crash_is_survived(box, original):
    os.kill(box._worker.process_id, 11)
    box._worker._child.wait()
    assert (box.labels(FRAME) == original.predict(FRAME)).all()


def test_nothing_is_loaded_without_consent(data):
    with pytest.raises(GLocalXError, match=f"types that need your consent: “{TREE}”"):
        open_skops(data, SCHEMA, [])


def test_nobody_can_consent_to_a_type_that_is_not_on_the_list(data):
    with pytest.raises(GLocalXError, match=r"Nobody can consent to “os\.system”"):
        open_skops(data, SCHEMA, [TREE, "os.system"])
    assert not any(name.startswith(("os.", "builtins.", "subprocess.")) for name in CONSENTABLE)


def test_an_untrusted_type_is_refused_by_name(tmp_path):
    hostile = skops.io.dumps(FunctionTransformer(func=os.mkdir))
    with pytest.raises(GLocalXError, match="a FunctionTransformer, which calls whatever function"):
        inspect_skops(hostile, "m.skops")
    barred = skops.io.dumps(make_pipeline(GaussianRandomProjection(), Strange()))
    with pytest.raises(GLocalXError, match=r"holds “[\w.]+\.Strange”, which cannot be trusted"):
        inspect_skops(barred, "m.skops")


@pytest.mark.parametrize("reader", [CountVectorizer, TfidfVectorizer, HashingVectorizer])
def test_a_model_that_opens_files_by_its_parameters_is_refused(reader):
    """With classes of scikit-learn alone it answered with the characters of any file."""
    data = skops.io.dumps(make_pipeline(reader(input="filename"), LogisticRegression()))
    assert skops.io.get_untrusted_types(data=data) == []
    with pytest.raises(GLocalXError, match=f"a {reader.__name__} that opens the files named in"):
        inspect_skops(data)
    with pytest.raises(GLocalXError, match="opens the files named in the table"):
        open_skops(data, SCHEMA, [])
    harmless = skops.io.dumps(make_pipeline(reader(), LogisticRegression()))
    assert inspect_skops(harmless) == [f"sklearn.feature_extraction.text.{reader.__name__}"]


def test_a_model_that_keeps_files_is_refused(tmp_path):
    data = skops.io.dumps(Pipeline([("m", LogisticRegression())], memory=str(tmp_path)))
    with pytest.raises(GLocalXError, match="a Pipeline that works with files of this machine"):
        inspect_skops(data)


def test_columns_of_another_table_are_named(data):
    other = schema_of(FRAME.rename(columns={"job": "Jobs"}), TARGET)
    with pytest.raises(
        OpenColumnsError, match=r"“job” is missing \(did you mean “Jobs”\?\)"
    ) as caught:
        open_skops(data, other, [TREE])
    assert caught.value.inputs == (("job", "Jobs"),)


@pytest.mark.parametrize(("called", "renamed"), [("Job (!)", {}), ("Beruf", {"job": "Beruf"})])
def test_a_column_is_found_under_another_name(data, box, original, called, renamed):
    other = FRAME.rename(columns={"job": called})
    found = open_skops(data, schema_of(other, TARGET), [TREE], renamed=renamed)
    try:
        assert (found.labels(other) == original.predict(FRAME)).all()
        assert called in found.columns
        assert found.notes == (f"Matched: job = {called}.",)
        assert box.notes == ()
    finally:
        found.close()


def test_a_zip_bomb_is_not_expanded():
    with pytest.raises(GLocalXError, match="bytes and would expand to 262,144,002"):
        check_archive(zip_bomb(), "m.skops")


def test_a_file_that_is_cut_off(data):
    with pytest.raises(GLocalXError, match="not a whole skops file"):
        inspect_skops(data[: len(data) // 2])


def test_zip_files_with_other_contents():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(GLocalXError, match="without a skops schema"):
        check_archive(stream.getvalue(), "m.skops")
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("readme.txt", "again")
    with pytest.raises(GLocalXError, match="has 2 parts, too many or some twice"):
        check_archive(stream.getvalue(), "m.skops")
