"""Signing in and out, where an OpenID provider is set up."""

from __future__ import annotations

import streamlit as st

from ui.text import plain


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
