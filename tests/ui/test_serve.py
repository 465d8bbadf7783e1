"""What whoever starts the server is told."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.elements import exception
from streamlit.runtime import fragment
from streamlit.runtime.scriptrunner import exec_code
from streamlit.testing.v1 import AppTest

from ui.serve import FAULT, HANDLER, SETTINGS, speak_plainly

ROOT = Path(__file__).parents[2]


def test_every_setting_of_the_environment_is_told_in_one_place():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = {word.partition("=")[0] for word in SETTINGS.split() if word.startswith("GLOCALX_")}
    assert told == {
        *("GLOCALX_WORKSPACE", "GLOCALX_HOSTS", "GLOCALX_MOST_RUNS", "GLOCALX_MOST_MEGABYTES"),
        *("GLOCALX_MOST_WAITING", "GLOCALX_MODELS", "GLOCALX_ALLOW_PICKLE"),
    }
    assert all(name in readme for name in told)


def refused_everywhere() -> None:
    import streamlit as st

    from glocalx.errors import GLocalXError

    def refuse() -> None:
        raise GLocalXError("The disk is *full*.")

    st.button("In a callback", on_click=refuse)
    st.fragment(refuse)()


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (exec_code, fragment):  # so that they are put back
        monkeypatch.setattr(place, HANDLER, getattr(place, HANDLER))
    name = "_GENERIC_UNCAUGHT_EXCEPTION_TEXT"
    monkeypatch.setattr(exception, name, getattr(exception, name))
    speak_plainly()


def test_what_a_person_can_put_right_is_a_sentence_wherever_it_comes_up(plainly):
    page = AppTest.from_function(refused_everywhere).run()
    assert [error.value for error in page.error] == [r"The disk is \*full\*\."]
    page.button[0].click().run()
    assert [error.value for error in page.error] == [r"The disk is \*full\*\."]
    assert not page.exception


def test_a_fault_of_ours_is_in_the_log_and_speaks_of_no_other_service(plainly):
    config, st_option = "client.showErrorDetails", st.get_option("client.showErrorDetails")
    st.set_option(config, "none")
    try:
        page = AppTest.from_string("1 / 0").run()
    finally:
        st.set_option(config, st_option)
    assert [error.message for error in page.exception] == [FAULT]
    assert "Cloud" not in FAULT
