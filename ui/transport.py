"""What leads from step to step, on Merge and on Learn: buttons, keys, jumps to a kind, a slider."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from glocalx.merging.landmarks import LANDMARKS, Landmark
from ui.layout import act_button

KEYS: dict[Landmark, str] = {"join": "J", "cut": "C", "refusal": "R", "fidelity drop": "D"}
STREAMLITS_OWN = ("C", "R")
"""Letters that no button may have: Streamlit takes them for its own commands."""
ICONS: dict[Landmark, str] = {
    "join": "join",
    "cut": "content_cut",
    "refusal": "block",
    "fidelity drop": "trending_down",
}

SIGN = "margin-left: .5rem; font-size: .875rem; opacity: .6"
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


@dataclass(slots=True)
class SliderPlace:
    """A slider that the page may move.

    One that the page moves is a new one, because the browser may still report where the old one
    stood, and that would be taken for somebody's move.

    Parameters
    ----------
    name
        What its key begins with.
    number, stands
        Which one it is, and where it stands.
    """

    name: str
    number: int = 0
    stands: int | None = None

    def at(self, place: int) -> str:
        """The key of a slider that stands at a place."""
        if place != self.stands:
            self.number, self.stands = self.number + 1, place
        return self.key

    @property
    def key(self) -> str:
        return f"{self.name}_{self.number}"


def jump_buttons(
    of: str, after: Callable[[Landmark], int | None] | None, go: Callable[[int], None], stop: str
) -> None:
    """A button for the next step of each kind; off where there is none, and it says so.

    Parameters
    ----------
    of
        What the keys of the buttons begin with.
    after
        Where the next one is; None: not known yet.
    stop
        What people call one: `step` or `pair`.
    """
    st.markdown("Next", width="content")
    for kind in LANDMARKS:
        found = after(kind) if after else None
        there = f"{stop.capitalize()} {found:,}" if found is not None else None
        why = f"No {kind} after this {stop}." if after else "When there are merges to look through."
        letter = KEYS[kind]
        act_button(
            kind,
            jump_key(of, kind),
            go,
            found,
            icon=ICONS[kind],
            disabled=found is None,
            help=there or why,
            shortcut=None if letter in STREAMLITS_OWN else letter,
        )


def jump_key(of: str, kind: Landmark) -> str:
    return f"{of}_next_{kind.replace(' ', '_')}"


def own_keys(of: str) -> dict[str, str]:
    """For the letters that no button may have, which button they press."""
    kinds = [kind for kind in LANDMARKS if KEYS[kind] in STREAMLITS_OWN]
    return {KEYS[kind].lower(): jump_key(of, kind) for kind in kinds}


def keys_and_news(of: str, said: str) -> None:
    """Have these letters press their buttons, and say what the page shows now.

    Not while a field has the focus. `said`: plain text; whoever hears the page is told when it
    changes.
    """
    _keys_and_news(key=f"{of}_news", data={"said": said, "keys": own_keys(of)}, height=1)


def key_signs(of: str) -> str:
    """A style that writes these letters on their buttons, as Streamlit does for the others."""
    signs = [
        f'.st-key-{button} button::after {{content: "{letter.upper()}"; {SIGN}}}'
        for letter, button in own_keys(of).items()
    ]
    return f"<style>{' '.join(signs)}</style>"


def place_slider(
    label: str, slider: SliderPlace, at: int, last: int, go: Callable[[int], None]
) -> None:
    """A slider from the start to the end; `go` is called with where somebody moved it."""
    key = slider.at(at)

    def slid() -> None:
        if key == slider.key:
            slider.stands = st.session_state[key]
            go(st.session_state[key])

    st.slider(
        label,
        0,
        max(last, 1),
        at,
        key=key,
        on_change=slid,
        disabled=not last,
        label_visibility="collapsed",
    )
