"""A model file on the page Data and model: tried, understood, used or refused."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from glocalx.pipeline.settings import BoxSettings
from glocalx.workspace.store import Workspace
from tests.ui.brought import FILE, Page, version, with_target
from tests.ui.reading import texts


@pytest.fixture(scope="module")
def onnx_model() -> tuple[bytes, bytes]:
    """A table, and a model for it that answers 0 and 1."""
    from sklearn.linear_model import LogisticRegression

    from tests.blackbox.model_files import exported, people, pipeline

    frame, labels = people(200)
    fitted = pipeline(frame, LogisticRegression(), scale=True).fit(frame, (labels == "deny") * 1)
    table = frame.assign(answer=labels).to_csv(index=False).encode()
    return table, exported(fitted, frame).SerializeToString()


def _bring_model(test: AppTest, name: str, data: bytes) -> None:
    test.button_group(key="box_0").set_value("model").run()
    brought = (name, data, "application/octet-stream")
    test.file_uploader(key=f"model_file_{version(test)}").set_value(brought).run()


def test_a_model_file_is_tried_understood_and_used(
    page: Page, workspace: Workspace, onnx_model: tuple[bytes, bytes]
):
    run = with_target(workspace, onnx_model[0])
    test = page(FILE, run)
    _bring_model(test, "model.onnx", onnx_model[1])
    assert "in other words than the outcome column" in texts(test)
    assert test.button(key="use_model")
    test.button(key="use_model").click().run()
    assert not test.exception
    box = workspace.run(run.id).settings.box
    assert (box.source, box.name) == ("model", "model.onnx")
    assert dict(box.outcomes or {}) == {"0": "accept", "1": "deny"}
    assert (run.folder / "model").read_bytes() == onnx_model[1]
    assert "is asked" in texts(test)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [("m.pkl", b"\x80\x04K\x01.", "pickle"), ("m.txt", b"hello there", "not a model file")],
)
def test_a_model_that_cannot_be_opened_is_refused_and_nothing_else_is_explained(
    page: Page, workspace: Workspace, name: str, data: bytes, said: str
):
    run = with_target(workspace)
    test = page(FILE, run)
    _bring_model(test, name, data)
    assert said in test.error[0].value.replace("\\", "")
    assert workspace.run(run.id).settings.box == BoxSettings()
    assert "“My model file” is chosen: bring a file that can be used" in texts(test)
    assert test.button(key="next_step").disabled
    assert test.button(key="everything").disabled
    test.button_group(key=f"box_{version(test)}").set_value("rf").run()
    assert not test.button(key="next_step").disabled
    assert "how long they take can be told once the black box is there" in texts(test)
