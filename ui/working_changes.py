"""Changes that work, on pages: searched with the black box of a run, and told in a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from glocalx.questions.changes import ChangeFinder, FoundChanges, Merit
from glocalx.rules.what_if import Record, ValueChange
from glocalx.words.phrases import enumeration
from glocalx.workspace.run import Run
from ui.data.may_change import permissions_of
from ui.opened import black_box_of, colours_of, explained_of, kept, shared_of, wording_of
from ui.record_story import Values, frame_of, values_seen
from ui.text import badge, bold, plain
from ui.whom import stand_in_said, whom

MERITS: dict[Merit, str] = {
    "fewest": "fewest features",
    "nearest": "smallest change",
    "likeliest": "most like real records",
}


@kept("data", "model", "box")
def finder_of(run: Run) -> ChangeFinder | None:
    """What searches with the black box of a run; None where it is not here."""
    box = black_box_of(run)
    if box is None:
        return None
    shared, schema = shared_of(run), explained_of(run).schema
    allowed = permissions_of(run, shared.table)
    return ChangeFinder(box, schema, shared.background, allowed, seed=shared.parts.seed)


def changes_of(
    run: Run, record: Record, hints: Sequence[Mapping[str, Any]] = ()
) -> FoundChanges | None:
    """The changes of a record that the black box confirms; None where it is not here."""
    if black_box_of(run) is None:
        return None
    return _found(run, values_seen(run, record), tuple(tuple(each.items()) for each in hints))


@kept("data", "model", "box", most=2_000)
def _found(run: Run, values: Values, hints: tuple[Values, ...]) -> FoundChanges | None:
    finder = finder_of(run)
    if finder is None:
        return None
    return finder.found(frame_of(run, values), [[dict(each) for each in hints]])[0]


def tell_changes(run: Run, found: FoundChanges) -> None:
    """A line for each change, and what was left alone."""
    for change in found.changes:
        st.markdown(
            f"{badge(change.outcome, colours_of(run))} with {changes_told(run, change.changes)}"
        )
        if change.merits:
            merits = enumeration([MERITS[merit] for merit in change.merits])
            st.caption(f"{merits[0].upper()}{merits[1:]}.")
    if not found.changes:
        st.markdown("No change that is allowed gives another answer, as far as was searched.")
    names = {name: wording_of(run).name(name) for name in explained_of(run).schema.names}
    left_alone = plain(permissions_of(run, shared_of(run).table).sentence(names))
    st.caption(f"{_how_sure(run)} {left_alone}".strip())


def _how_sure(run: Run) -> str:
    """Whom the changes were put to, and what that does not mean."""
    said = (
        f"Each was put to {whom(run)}, which then gave that answer. They describe it and are no "
        "advice for a person; whether such a record can exist is not known."
    )
    return f"{stand_in_said(run)} {said}".strip()


def changes_told(run: Run, changes: Sequence[ValueChange]) -> str:
    """What would have to be different, beside what is, as Markdown."""
    words = wording_of(run)
    return enumeration(
        [
            f"{bold(f'{words.name(each.feature)}: {words.value(each.feature, each.after)}')} "
            f":gray[(here {plain(words.value(each.feature, each.before))})]"
            for each in changes
        ]
    )
