"""Who is looking, signed in or not, at which run, and where runs are kept."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import streamlit as st

from glocalx.errors import GLocalXError
from glocalx.pipeline.settings import RunSettings
from glocalx.workspace.jobs import Jobs
from glocalx.workspace.quota import Quota
from glocalx.workspace.run import Run
from glocalx.workspace.store import NoSuchRunError, Workspace
from ui.address import put_in_address
from ui.doorkeeper import COOKIE, YEAR
from ui.text import plain

START, DATA, RULES = "pages/start.py", "pages/data_and_model.py", "pages/local_rules.py"
MERGE, THEORY, AUDIT = "pages/merge.py", "pages/global_theory.py", "pages/audit.py"
COMPARE, RUNS = "pages/compare.py", "pages/runs.py"


@st.cache_resource
def workspace() -> Workspace:
    """The folder with all runs: GLOCALX_WORKSPACE, or `.glocalx` in the person's home."""
    given = os.environ.get("GLOCALX_WORKSPACE")
    folder = Path(given).expanduser() if given else Path.home() / ".glocalx"
    return Workspace(folder, Quota.from_environment(os.environ))


def may_bring_models() -> bool:
    """Whether whoever looks may bring a model: `GLOCALX_MODELS` is “no”, or names those who may."""
    given = os.environ.get("GLOCALX_MODELS", "").casefold()
    named = {name.strip() for name in given.split(",")}
    if named <= {"", "yes", "1", "on"}:
        return True
    person = st.user.to_dict()
    return bool(person.get("is_logged_in")) and str(person.get("email")).casefold() in named


@st.cache_resource
def jobs() -> Jobs:
    """The background work of this server."""
    return Jobs(workspace())


def owner() -> str:
    """Who is looking: the person who signed in, or else this browser."""
    person = st.user.to_dict()
    if person.get("is_logged_in"):
        return f"user:{person.get('iss', '')}:{person.get('sub') or person.get('email')}"
    return f"browser:{_browser()}"


def _browser() -> str:
    """A secret name for this browser, kept in a cookie, so that its runs are found again."""
    if "browser" not in st.session_state:
        st.session_state.browser = st.context.cookies.get(COOKIE) or secrets.token_urlsafe(24)
    return str(st.session_state.browser)


def remember_browser() -> None:
    """Set the cookie; to be called once on every page."""
    name = _browser()
    if st.context.cookies.get(COOKIE) != name and "is_logged_in" not in st.user.to_dict():
        st.html(
            f"<script>document.cookie='{COOKIE}={name};path=/;max-age={YEAR};SameSite=Strict'"
            "</script>",
            unsafe_allow_javascript=True,
        )


def current_run() -> Run | None:
    """The run in the address, or the one that was open last in this session."""
    wanted = st.query_params.get("run") or st.session_state.get("run")
    if not wanted:
        return None
    try:
        run = seen_run(wanted)
    except GLocalXError as error:
        close_run()
        gone = "The run in the address is not here. It may have been deleted."
        said = gone if isinstance(error, NoSuchRunError) else plain(error)
        st.warning(said, icon=":material/link_off:")
        return None
    open_run(run)
    return run


def seen_run(identity: str) -> Run:
    """The run with this id, if whoever looks may see it."""
    run = workspace().run(identity)
    if run.link == "nothing" and not may_change(run):
        raise NoSuchRunError("There is no such run here. It may have been deleted.")
    return run


def may_have_table(run: Run) -> bool:
    """Whether whoever looks may see the table itself, and take it along in a copy."""
    return may_change(run) or run.link == "table"


def make_copy(run: Run, settings: RunSettings | None = None) -> Run:
    """A copy that belongs to whoever looks; it has the table in it."""
    if not may_have_table(run):
        raise GLocalXError(
            "The link to this run shows its results and does not hand over its table. Ask whoever "
            "sent it for a link with the table."
        )
    return workspace().duplicate(run, owner(), settings)


def open_run(run: Run) -> None:
    """Make a run the current one, in the session and in the address."""
    st.session_state.run = run.id
    put_in_address("run", run.id)


def close_run() -> None:
    """No run is the current one."""
    st.session_state.pop("run", None)
    put_in_address("run", None)


def may_change(run: Run) -> bool:
    """Whether whoever looks may change the run; others may look and make a copy."""
    return run.owner == owner()


def go(page: str, run: Run | None = None, **query: str) -> None:
    """Go to a page with a run."""
    if run is not None:
        st.session_state.run = run.id
        query = {"run": run.id, **query}
    st.switch_page(page, query_params=query)


def must_sign_in() -> bool:
    """Whether a provider is set up and nobody has signed in yet."""
    return st.user.to_dict().get("is_logged_in") is False


def ask_to_sign_in() -> None:
    """The page of somebody who is not known yet."""
    st.title("Sign in to see your runs", anchor=False)
    st.button("Sign in", type="primary", on_click=st.login)


def who_signed_in() -> None:
    """Who it is, with a way out; nothing where no provider is set up."""
    person = st.user.to_dict()
    if not person.get("is_logged_in"):
        return
    name = person.get("email") or person.get("name") or person.get("sub")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Signed in as {plain(str(name))}", width="content")
        st.button("Sign out", type="tertiary", on_click=st.logout)
