"""The rules of the present step: before and after, joins and cuts in pictures, one theory whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import streamlit as st

from glocalx.merging.hierarchy import MergeStep
from glocalx.merging.lineage import folded_rules
from glocalx.merging.operators import Cut, Join
from glocalx.plots import Picture, dropped_rule, fallen_away, operation_pictures
from glocalx.words.figures import percent
from glocalx.words.phrases import counted, enumeration
from ui.layout import act_button
from ui.merge.step import MOST_SENTENCES, StepView, drawn_once
from ui.merge.words import CUT, JOIN
from ui.text import plain

MOST_RULES = 4
MOST_DRAWN = 3
MOST_IN_WINDOW = 40


def rules_before_and_after(view: StepView, look: Callable[[int], None]) -> None:
    """The two theories side by side, and the one that they became."""
    step = view.step
    shown = {
        "One theory, before": step.left,
        "The other, before": step.right,
        "Merged": step.theory,
    }
    for column, (title, number) in zip(st.columns(3, gap="medium"), shown.items(), strict=True):
        with column:
            _rules(view, title, number)
            rules = len(view.hierarchy.rules_of(number))
            if rules > 2:
                label, key = f"See all {rules:,} rules", f"merge_look_{number}"
                act_button(label, key, look, number, type="tertiary")


@drawn_once
def _rules(view: StepView, title: str, number: int) -> None:
    """The rules that go or come, then one that stays, then how many more there are."""
    step, rules = view.step, view.hierarchy.theory(number).rules
    after = number == step.theory
    moved = set(step.rules_in if after else step.rules_out)
    icon = ":material/add:" if after else ":material/remove:"
    changed = [rule for rule in rules if rule in moved]
    st.markdown(f"**{title}** · {counted(len(rules), 'rule')}")
    staying = [rule for rule in view.reference.ranked(rules) if rule not in set(changed)]
    for rule in changed[:MOST_RULES]:
        st.markdown(f"{icon} {view.sentence(rule)}")
    if len(changed) > MOST_RULES:
        st.markdown(f"… and {len(changed) - MOST_RULES:,} more like this.")
    shown = staying if len(staying) + len(changed) <= 2 else []
    for rule in shown:
        st.markdown(view.sentence(rule))
    if staying and not shown:
        verb = "stays as it is" if len(staying) == 1 else "stay as they are"
        st.caption(f"{counted(len(staying), 'rule')} {verb}.")


def operations_to_draw(step: MergeStep) -> list[Join | Cut]:
    """The cuts that took something or all, then the joins; a few of each come first."""
    biting = [cut for cut in step.cuts if cut.after != cut.before]
    first, rest = biting[: MOST_DRAWN - 1], biting[MOST_DRAWN - 1 :]
    return [*first, *step.joins, *rest]


def has_pictures(operations: Iterable[Join | Cut]) -> bool:
    """Whether any condition moved without falling away."""
    return any(change.after is not None for each in operations for change in each.changes)


@drawn_once
def all_sentences(view: StepView) -> None:
    """Everything that the step did, where the card beside the tree had room for a few only."""
    said = view.words.operations(view.step)
    if len(said) > MOST_SENTENCES:
        with st.expander(f"All {len(said):,} cuts and joins in words", icon=":material/notes:"):
            for sentence in said:
                st.markdown(sentence)


def draw_operations(view: StepView) -> None:
    """Joins and cuts in pictures, feature by feature."""
    operations = operations_to_draw(view.step)
    if not operations:
        return
    every = st.session_state.get("merge_every_operation", False)
    st.divider()
    _draw_joins_and_cuts(view, len(operations) if every else MOST_DRAWN)
    if len(operations) > MOST_DRAWN:
        st.toggle(f"Draw all {len(operations):,} joins and cuts", key="merge_every_operation")


@drawn_once
def _draw_joins_and_cuts(view: StepView, most: int) -> None:
    """What each did to the conditions, in words and pictures."""
    operations = operations_to_draw(view.step)[:most]
    if has_pictures(operations):
        st.caption(
            "Grey bars: how the records spread. Thin: a rule before the step. Thick: the rule "
            "after it. Dotted: no condition on this feature, or what was cut away."
        )
    across = 1 if len(operations) > 1 else 3
    with st.grid(min(len(operations), 2) or 1, min_column_width=380, gap="medium"):
        for operation in operations:
            with st.container():
                _drawn(view, operation, across)


def _drawn(view: StepView, operation: Join | Cut, across: int) -> None:
    score = view.reference.score
    if isinstance(operation, Cut) and operation.after is None:
        _dropped(view, operation)
        return
    if isinstance(operation, Join):
        result = operation.result
        st.markdown(
            f"{JOIN} **Join** {view.words.outcome(result)} The joined rule reaches from the lowest "
            "to the highest of its parts."
        )
        said = [_named(view, "**Falls away:**", fallen_away(operation))]
        covered = [f"{score(rule).covered:,}" for rule in operation.parts]
        more = f" and {len(covered) - 6:,} more" if len(covered) > 6 else ""
        before = f"the parts {enumeration(covered[:6])}{more}"
    else:
        assert operation.after is not None  # what is dropped whole was drawn above
        result = operation.after
        st.markdown(
            f"{CUT} **Cut** The {view.words.outcome(operation.dominant)} rule stays; the "
            f"{view.words.outcome(operation.before)} rule loses what both claimed."
        )
        said = view.words.pieces(operation, view.reference)
        before = f"before {score(operation.before).covered:,}"
    pictures = operation_pictures(
        operation, view.reference.records, view.colours, wording=view.wording
    )
    _pictures(pictures, view, across)
    same = set(result.features) - {change.feature for change in operation.changes}
    now = counted(score(result).covered, "record")
    said += [_named(view, "Unchanged:", sorted(same)), f"Covers **{now}**, {before}."]
    st.markdown(" ".join(filter(None, said)))


def _dropped(view: StepView, cut: Cut) -> None:
    """A rule that could never decide again, because a more reliable one covers all of it."""
    stays, gone = view.words.outcome(cut.dominant), view.words.outcome(cut.before)
    st.markdown(
        f"{CUT} **Dropped whole** The {stays} rule is more reliable and covers all of the {gone} "
        "rule, which could never decide again."
    )
    st.html(dropped_rule(cut, view.reference, view.colours).html)
    st.markdown(f":material/remove: {view.sentence(cut.before)}")


def _pictures(pictures: Sequence[tuple[str, Picture]], view: StepView, across: int) -> None:
    if not pictures:
        return
    columns = min(across, max(len(pictures), 2)) if across > 1 else 1
    with st.grid(columns, min_column_width=300, gap="medium"):
        for feature, picture in pictures:
            with st.container():
                st.markdown(f"**{plain(view.wording.name(feature))}**")
                st.html(picture.html)


def _named(view: StepView, start: str, features: Iterable[str]) -> str:
    names = [plain(view.wording.short_name(name)) for name in features]
    return f"{start} {', '.join(names)}." if names else ""


def show_theory(view: StepView, number: int, go_to: Callable[[int], None]) -> None:
    """Open the window; `go_to` is called with the step that made the theory."""
    place = max(number - len(view.hierarchy.local_rules) + 1, 0)
    step = view.told.step_of(place)
    title = f"The theory of step {step:,}" if place else "A local rule"
    if place and not view.hierarchy.steps[place - 1].changes_rules:
        title = "Rules kept side by side"
    st.dialog(title, width="medium")(_theory_window)(view, number, place, go_to)


def _theory_window(view: StepView, number: int, place: int, go_to: Callable[[int], None]) -> None:
    rules = view.reference.ranked(view.hierarchy.theory(number))
    size = view.reference.size
    step = view.told.step_of(place)
    if place:
        folded = folded_rules(view.hierarchy, place)[number]
        order = ", in the order in which they decide: the most reliable first"
        st.markdown(
            f"**{counted(len(rules), 'rule')}** out of {counted(folded, 'local rule')}"
            f"{order if len(rules) > 1 else ''}."
        )
    else:
        st.markdown("As it was written for one record or more; no merge has touched it.")
    for rule in rules[:MOST_IN_WINDOW]:
        score = view.reference.score(rule)
        st.markdown(view.sentence(rule))
        st.caption(
            f"Covers {score.covered:,} of {size:,} records; the black box agrees on "
            f"{percent(score.precision)} of them."
        )
    if len(rules) > MOST_IN_WINDOW:
        st.caption(f"The first {MOST_IN_WINDOW} of {len(rules):,}.")
    if step and step != view.at and st.button(f"Go to step {step:,}", key="merge_go_to"):
        go_to(step)
        st.rerun()
