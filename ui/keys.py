"""Keys that Streamlit keeps to itself, and changes of a page that those hear who do not see it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_HTML = (
    '<div role="status" style="position:absolute;width:1px;height:1px;overflow:hidden;'
    'clip-path:inset(50%);white-space:nowrap"></div>'
)
_JS = """
const FIELD = 'input,textarea,select,[contenteditable=true],[role=textbox],[role=dialog]';
export default function ({ parentElement, data }) {
  const status = parentElement.querySelector('[role=status]');
  if (status.textContent !== data.said) status.textContent = data.said;
  const pressed = (event) => {
    const name = data.keys[event.key.toLowerCase()];
    const held = event.ctrlKey || event.metaKey || event.altKey;
    const at = event.composedPath()[0];
    if (!name || held || (at.closest && at.closest(FIELD))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const found = document.querySelector('.st-key-' + name + ' button');
    if (found && !event.repeat) found.click();
  };
  if (parentElement.pressed) window.removeEventListener('keydown', parentElement.pressed, true);
  parentElement.pressed = pressed;
  window.addEventListener('keydown', pressed, true);
  return () => window.removeEventListener('keydown', pressed, true);
}
"""
_keys_and_news = st.components.v2.component(
    "keys_and_news", html=_HTML, js=_JS, isolate_styles=False
)


def keys_and_news(key: str, said: str, keys: Mapping[str, str]) -> None:
    """Say what the page shows now, and press buttons by keys.

    Parameters
    ----------
    said
        Plain text; whoever hears the page is told when it changes.
    keys
        For a letter the key of the button that it presses. Streamlit takes C and R for its own
        commands and gives them to no button. Not while a field has the focus.
    """
    _keys_and_news(key=key, data={"said": said, "keys": dict(keys)}, height=1)
