import io
import json
import os
import zipfile

import numpy as np
import pytest
import skops.io
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.feature_selection import f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.random_projection import GaussianRandomProjection
from sklearn.tree import DecisionTreeClassifier

from glocalx.blackbox.columns import OpenColumnsError
from glocalx.blackbox.skops_check import CONSENTABLE, _nodes, check_archive
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
    box._worker._child.process.wait()
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
    with pytest.raises(GLocalXError, match=r"holds “\w+\.mkdir”, which cannot be trusted"):
        inspect_skops(hostile, "m.skops")
    barred = skops.io.dumps(make_pipeline(GaussianRandomProjection(), Strange()))
    with pytest.raises(GLocalXError, match=r"holds “[\w.]+\.Strange”, which cannot be trusted"):
        inspect_skops(barred, "m.skops")


def said(value: object, number: int, *, told: bool = True) -> dict[str, object]:
    """A value as it stands in the schema of a skops file."""
    about = {"__class__": "str", "__module__": "builtins", "__loader__": "JsonNode"}
    return {**about, "content": json.dumps(value), "is_json": told, "__id__": number}


def as_written(reader: type, content: dict[str, object]) -> dict[str, object]:
    return content


def with_another_mark(reader: type, content: dict[str, object]) -> dict[str, object]:
    """A text that does not say that it is one."""
    content["content"]["input"] = said("filename", 999_001, told=False)
    return content


def as_one_text(reader: type, content: dict[str, object]) -> dict[str, object]:
    """All attributes as one piece of JSON."""
    plain = {"input": "filename", "decode_error": "strict", "stop_words": None}
    return said(plain, 999_002)


@pytest.mark.parametrize("reader", [CountVectorizer, TfidfVectorizer, HashingVectorizer])
@pytest.mark.parametrize("written", [as_written, with_another_mark, as_one_text])
def test_a_model_that_opens_files_by_its_parameters_is_refused(reader, written):
    """With classes of scikit-learn alone it answered with the characters of any file."""
    data = skops.io.dumps(make_pipeline(reader(input="filename"), LogisticRegression()))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        schema = json.loads(archive.read("schema.json"))
    for node in _nodes(schema):
        if node["__class__"] == reader.__name__:
            node["content"] = written(reader, node["content"])
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("schema.json", json.dumps(schema))
    asked = inspect_skops(packed.getvalue())
    assert asked == [f"sklearn.feature_extraction.text.{reader.__name__}"]
    with pytest.raises(GLocalXError, match=f"a {reader.__name__} that opens the files named in"):
        open_skops(packed.getvalue(), SCHEMA, asked)


@pytest.mark.parametrize("wrapped", [lambda m: m, lambda m: Pipeline([("inner", m)])])
def test_a_model_that_keeps_files_is_refused(tmp_path, wrapped):
    kept = Pipeline([("m", LogisticRegression())], memory=str(tmp_path))
    with pytest.raises(GLocalXError, match="a Pipeline that works with files of this machine"):
        open_skops(skops.io.dumps(wrapped(kept)), SCHEMA, [])


def test_a_function_of_the_files_choice_is_not_called():
    """Also one that a person can consent to."""
    data = skops.io.dumps(make_pipeline(FunctionTransformer(func=f_classif), LogisticRegression()))
    with pytest.raises(GLocalXError, match="a FunctionTransformer, which calls whatever function"):
        open_skops(data, SCHEMA, inspect_skops(data))


@pytest.mark.parametrize("lost", ["up", "beyond", "column"])
def test_a_forged_tree_is_refused(lost):
    """It was asked until the time was over, or read what it should not."""
    tree = DecisionTreeClassifier(max_depth=2).fit(FRAME[["age", "amount"]], TARGET)
    state = tree.tree_.__getstate__()
    name, value = {"up": ("left_child", 0), "beyond": ("right_child", 9_999)}.get(
        lost, ("feature", 77)
    )
    state["nodes"][name][1 if lost == "up" else 0] = value
    tree.tree_.__setstate__(state)
    with pytest.raises(GLocalXError, match="a tree whose branches do not end in leaves"):
        open_skops(skops.io.dumps(tree), SCHEMA, [TREE])


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
