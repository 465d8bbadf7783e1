"""Ask about one record: which rules apply, which decides, what the black box says, what if."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from glocalx.pipeline.settings import SelectionSettings
from glocalx.pipeline.tables import LabelledTable
from glocalx.questions.changes import FoundChanges
from glocalx.rules.classifier import RankedTheory, RecordExplanation
from glocalx.rules.turns import feature_importance
from glocalx.rules.what_if import Record, explain_values, nearly_covering, smallest_flips
from glocalx.words.figures import percent
from glocalx.words.phrases import counted, enumeration, never_used
from glocalx.workspace.run import Run
from ui import work
from ui.layout import card, refusals, shows_records
from ui.named_records import find_record, name_of
from ui.opened import black_box_of, colours_of, explained_of, theory_of, wording_of
from ui.record_story import answer_of, local_told, record_at, written_for
from ui.session import may_change
from ui.terms import with_terms
from ui.text import badge, bold, plain
from ui.theory.form import RecordForm
from ui.theory.selection import from_address, to_address
from ui.whom import is_stand_in, whom, whom_first
from ui.working_changes import changes_of, changes_told, tell_changes

NEAR = 2  # conditions that a rule which nearly applies may lack


@st.fragment
def record_card(run: Run, chosen: SelectionSettings) -> None:
    """The whole card; a click in it redraws nothing else."""
    with card("Why this record?"), refusals(go_on=True):
        if shows_records(run):
            _ask(run, chosen)


def _ask(run: Run, chosen: SelectionSettings) -> None:
    facts, theory = explained_of(run), theory_of(run, chosen)
    place = _pick(run, facts, theory)
    held = record_at(facts, place)
    answers = st.container()  # above the form, so that it is seen how they change
    record = _changed(run, theory, held, place)
    with answers:
        _answers(run, theory, record, place, changed=record != held)
        if record == held:
            _around(run, record, place)
    _because(run, theory, record)
    _nearly_applied(run, theory, record)
    _smallest_changes(run, theory, record)


def _pick(run: Run, facts: LabelledTable, theory: RankedTheory) -> int:
    """Which held-out record, counted from 0."""
    size, held_out = facts.held_out.size, not facts.split.parts.nothing_held_out
    from_address("asked_record", lambda text: _number_up_to(text, size), 1)
    left, right = st.columns([3, 4], vertical_alignment="bottom")
    right.button(
        "Next where they differ",
        key="next_difference",
        on_click=_next_difference,
        args=(facts, theory),
        help="The next record to which the rules and the black box give different answers.",
    )
    chosen = left.number_input(
        facts.judged_name.capitalize(),
        1,
        size,
        key="asked_record",
        on_change=to_address,
        args=("asked_record",),
        help=with_terms(
            f"Records from which {never_used(run.settings.unseen, held_out)}.", "Held-out records"
        ),
    )
    held = facts.split.parts.test
    find_record(run, held, facts.judged_name.removesuffix("record").strip(), _ask_about)
    if name := name_of(run, int(held[int(chosen) - 1])):
        st.markdown(name)
    return int(chosen) - 1


def _ask_about(place: int) -> None:
    st.session_state["asked_record"] = place + 1
    to_address("asked_record")


def _number_up_to(text: str, most: int) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and 1 <= int(text) <= most else None


def _next_difference(facts: LabelledTable, theory: RankedTheory) -> None:
    differ = theory.predict(facts.held_out.records) != facts.held_out.labels
    places = [i + 1 for i, each in enumerate(differ.tolist()) if each]
    here = st.session_state.get("asked_record", 1)
    later = [place for place in places if place > here]
    if places:
        _ask_about((later or places)[0] - 1)
    else:
        st.toast("The rules and the black box agree on every record here.")


def _changed(run: Run, theory: RankedTheory, held: Record, place: int) -> dict[str, Any]:
    """The record with the values that the person set."""
    if not st.toggle(
        "What if? Change its values", key="what_if", help="Nothing in the data changes."
    ):
        return dict(held)
    fresh = st.session_state.get("what_if_fresh", 0)
    facts = explained_of(run)
    form = RecordForm(wording_of(run), facts.split.explain, f"what_if {place} {fresh}")
    used = [each.feature for each in feature_importance(theory, facts.reference.records)]
    features = facts.schema.features
    st.caption("Features that the rules name, the most important first")
    values = form.ask([facts.schema[name] for name in used], held)
    others = [feature for feature in features if feature.name not in used]
    if others:
        with st.expander(f"{counted(len(others), 'feature')} that no rule names"):
            st.caption("They make no difference to the rules; they may to the black box.")
            values |= form.ask(others, held)
    st.button(
        "Put the record’s own values back",
        type="tertiary",
        icon=":material/undo:",
        key="what_if_reset",
        disabled=values == held,
        on_click=st.session_state.update,
        args=({"what_if_fresh": fresh + 1},),
    )
    return {feature.name: values[feature.name] for feature in features}


def _answers(run: Run, theory: RankedTheory, record: Record, place: int, *, changed: bool) -> None:
    """What the rules and the black box say."""
    facts, colours, model = explained_of(run), colours_of(run), None
    with refusals(go_on=True):
        model = black_box_of(run)
    said = explain_values(theory, record).outcome
    held = str(facts.held_out.labels[place])
    label, share = (None if changed else held), None
    if model is not None:
        answer, share = answer_of(run, record)
        if label not in (None, answer):
            share = None  # trained again, and answers otherwise than the one the rules explain
        label = label or answer
    rules, box = st.columns(2)
    rules.caption("The rules say")
    rules.markdown(badge(said, colours))
    box.caption("The black box says" if not changed else f"{whom_first(run)} says")
    if label is None:
        box.markdown("It is not here yet: see below.")
    else:
        sure = f" {percent(share)} sure" if share is not None else ""
        by = " :gray[(the stand-in)]" if sure and is_stand_in(run) else ""
        box.markdown(f"{badge(label, colours)}{sure}{by}")
    if not changed:
        called = wording_of(run).outcome(str(facts.truth[place]))
        st.caption(f"In the data: {plain(called)}.")
    if changed and is_stand_in(run):
        st.caption("A stand-in answers here: the column of predictions knows no changed records.")
    if model is None:
        _train_again(run)


def _around(run: Run, record: Record, place: int) -> None:
    """What is enough around the record for the answer of the black box: a rule of its own."""
    with st.spinner("Writing the record’s own rule …"):
        local = written_for(run, record)
    if local is not None and local.rule.outcome == str(explained_of(run).held_out.labels[place]):
        st.markdown(local_told(run, local))


def _train_again(run: Run) -> None:
    """The black box of a run that came from elsewhere is not here; what-if asks for it, once."""
    asked = f"trained for what-if {run.id}"
    if st.session_state.get("what_if") and may_change(run) and asked not in st.session_state:
        st.session_state[asked] = True
        work.start(run, "model")
    work.offer_black_box(
        run,
        "This run came without its model.",
        "Train the same one again to see how sure it is and to ask it about changed records.",
    )


def _because(run: Run, theory: RankedTheory, record: Record) -> None:
    """The rule that decides, and the record beside what it asks for."""
    why, wording = explain_values(theory, record), wording_of(run)
    if why.deciding is None:
        st.markdown("**No rule applies**, so the rules give the most common answer.")
        return
    st.markdown(f"Because rule **{why.deciding + 1}** is the first that applies:")
    spoken = wording.spoken_premises(theory.rules[why.deciding])
    rows = [
        {
            "The rule asks for": f"✓ {plain(wording.condition(name, premise))}",
            "This record": plain(wording.value(name, record[name])),
        }
        for name, premise in (*spoken.said, *spoken.unsaid)
    ]
    if rows:
        st.table(
            pd.DataFrame(rows), hide_index=True, alt="The conditions of the rule and the record"
        )
    if len(why.covering) > 1:
        st.markdown(_also(run, theory, why))


def _also(run: Run, theory: RankedTheory, why: RecordExplanation) -> str:
    """The other rules that cover the record."""
    others = [
        f"rule {place + 1} {badge(theory.rules[place].outcome, colours_of(run))}"
        for place in why.covering[1:]
    ]
    verb = "applies" if len(others) == 1 else "apply"
    text = enumeration(others)
    return f"{text[0].upper()}{text[1:]} {verb}, too, but later."


def _nearly_applied(run: Run, theory: RankedTheory, record: Record) -> None:
    """The rules that lack one or two conditions."""
    near = [each for each in nearly_covering(theory, record) if len(each[1]) <= NEAR]
    if not near:
        return
    wording, colours = wording_of(run), colours_of(run)
    st.markdown("**Nearly applied**")
    for place, names in near:
        rule = theory.rules[place]
        premises = dict(rule.premises)
        wanted = enumeration([bold(wording.condition(n, premises[n])) for n in names])
        here = ", ".join(plain(wording.value(name, record[name])) for name in names)
        st.markdown(
            f"Rule {place + 1} {badge(rule.outcome, colours)} would apply with {wanted} "
            f":gray[(here {here})]."
        )


def _smallest_changes(run: Run, theory: RankedTheory, record: Record) -> None:
    """Changes after which the black box says something else; the rules' where they differ."""
    st.markdown(
        "**What would change the answer**",
        help="Of the black box: the fewest features, the smallest change, the one most like real "
        "records. Only values that occur are tried.",
    )
    found = changes_of(run, record)
    if found is None:
        st.markdown("The black box is not here, so no change can be put to it.")
        return
    tell_changes(run, found)
    _beside_the_rules(run, theory, record, found)


def _beside_the_rules(run: Run, theory: RankedTheory, record: Record, found: FoundChanges) -> None:
    """Where the rules would change their answer otherwise than the black box does."""
    flips = smallest_flips(theory, explained_of(run).reference.records, record)
    if not flips:
        if found.changes:
            st.caption("No change of up to three features that rules name changes their answer.")
        return
    flip = flips[0]
    flipped = {**record, **{change.feature: change.after for change in flip.changes}}
    (label, _), (before, _) = (answer_of(run, each) for each in (flipped, record))
    fewest = {each.feature for change in found.changes[:1] for each in change.changes}
    wording, colours = wording_of(run), colours_of(run)
    told = enumeration([plain(wording.name(each.feature)) for each in flip.changes])
    if label == before:
        st.caption(
            f"The rules alone would change their answer with another value of {told}. "
            f"{whom_first(run)} would not follow, so no value is proposed."
        )
    elif {each.feature for each in flip.changes} != fewest:
        st.markdown(
            f"The rules change theirs with {changes_told(run, flip.changes)}; "
            f"{whom(run)} then says {badge(label, colours)}, too."
            if label == flip.outcome
            else f"The rules change theirs to {badge(flip.outcome, colours)} with "
            f"{changes_told(run, flip.changes)}; {whom(run)} then says "
            f"{badge(label, colours)}"
        )
