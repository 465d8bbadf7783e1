"""What a test reads off a page: its words, its figures, its buttons, its address."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest


def texts(test: AppTest) -> str:
    """All words on the page that are Markdown, one element a line."""
    said = (test.markdown, test.caption, test.header)
    told = (test.info, test.warning, test.success, test.error)
    return "\n".join(str(each.value) for kind in (*said, *told) for each in kind)


def button(test: AppTest, label: str) -> Any:
    """The button with this label."""
    return next(each for each in test.button if each.label == label)


def labels(test: AppTest) -> list[str]:
    """What stands on the buttons."""
    return [each.label for each in test.button]


def metrics(test: AppTest) -> dict[str, str]:
    """The large figures under their labels."""
    return {each.label: each.value for each in test.metric}


def address(test: AppTest, name: str) -> list[str]:
    """What the address says of a name: nothing, one value or several."""
    value = test.query_params.get(name, [])
    return [value] if isinstance(value, str) else list(value)
