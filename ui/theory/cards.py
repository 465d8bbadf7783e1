"""The rules as cards, in the order in which they decide."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from glocalx.audit.intervals import share
from glocalx.pipeline.tables import LabelledTable
from glocalx.plots.colours import OutcomeColours
from glocalx.rules.classifier import RankedTheory
from glocalx.rules.returns import RuleReturns
from glocalx.rules.scoring import Reference
from glocalx.rules.steering import HandMark
from glocalx.rules.turns import Standing, conflicts, standings
from glocalx.words.figures import percent, share_interval
from glocalx.words.phrases import counted
from glocalx.words.wording import Wording
from glocalx.workspace.run import Run
from ui.layout import act_button
from ui.opened import explained_of, local_rules_of
from ui.text import badge, coloured, plain, spoken

MOST_CARDS = 12
MOST_LOSERS = 3


def shares_of(run: Run) -> str:
    """Which records the shares of a rule are of, and what they have to do with it; a sentence."""
    facts = explained_of(run)
    size = facts.reference.size
    records = f"Shares are of the {size:,} {facts.reference_name}s"
    if run.settings.rules.file is not None:
        return f"{records}, on which the rules are judged."
    written = len(local_rules_of(run))
    if written < size:
        return f"{records}: all of them judge the rules, and {written:,} of them got a local rule."
    return f"{records}, from which the rules were made."


def rule_cards(
    theory: RankedTheory,
    facts: LabelledTable,
    wording: Wording,
    colours: OutcomeColours,
    controls: Callable[[int], None] | None = None,
    opened: int | None = None,
) -> None:
    """A card for each rule, the first that applies decides; last, what holds otherwise.

    Parameters
    ----------
    controls
        Draws what can be done with the rule at a place.
    opened
        The place of the rule that is open: `controls` say what it says, too.
    """
    standing = standings(theory, facts.reference, facts.held_out)
    alone = facts.split.parts.nothing_held_out
    deciding = may_decide(standing)
    shown = deciding
    if deciding > MOST_CARDS and not st.session_state.get("all_cards"):
        shown = MOST_CARDS

    def card(place: int) -> None:
        held_out = "" if alone else _held_out(standing[place])
        remarks = _remarks(theory, place, standing[place], wording, held_out)
        with st.container(border=True, gap="small"):
            _card_head(theory, place, standing[place], colours)
            rule = theory.rules[place]
            if place != opened:
                st.markdown(spoken(wording.parts(rule, outcome=False), rule.outcome, colours))
            if controls is not None:
                controls(place)
            if place != opened:
                st.html(coverage_bar(standing[place], colours.colour(rule.outcome), colours))
                st.caption(" ".join(remarks))

    for place in range(shown):
        card(place)
    if shown < deciding:
        act_button(
            f"Show the other {counted(deciding - shown, 'rule')}",
            "show_all_cards",
            st.session_state.update,
            {"all_cards": True},
        )
    if deciding < theory.size:
        never = counted(theory.size - deciding, "rule")
        with st.expander(f"{never} below can never decide: rule {deciding} covers every record"):
            for place in range(deciding, theory.size):
                card(place)
    _otherwise(theory, standing, facts.reference, colours)


def may_decide(standing: Sequence[Standing]) -> int:
    """How many rules there are up to the first that covers everyone: none below it decides."""
    everyone = (i for i, each in enumerate(standing, 1) if each.covered == each.total)
    return next(everyone, len(standing))


def _card_head(
    theory: RankedTheory, place: int, standing: Standing, colours: OutcomeColours
) -> None:
    ranked = theory.ranked[place]
    agrees = standing.agreed / standing.covered if standing.covered else float("nan")
    _head(
        f"**{place + 1}** {badge(ranked.rule.outcome, colours)} {mark_badge(ranked.mark)}",
        f"covers **{percent(standing.covered / standing.total)}** · "
        f"agrees **{percent(agrees)}** · "
        f"decides **{percent(standing.decided / standing.total)}**",
    )


def mark_badge(mark: HandMark | None) -> str:
    """What of a rule is by hand, as Markdown; empty where nothing is."""
    if mark is None:
        return ""
    if mark.kind == "pinned":
        return ":green-badge[:material/keep: pinned]"
    return f":yellow-badge[:material/edit: {mark.said}]"


def returns_dots(returns: RuleReturns) -> str:
    """A dot for each resample, full where the rule returns; empty for rules by hand."""
    if returns.times is None:
        return ""
    return "●" * returns.times + "○" * (returns.of - returns.times)


def _head(left: str, right: str) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", gap="small"):
        st.markdown(left, width="content")
        st.markdown(right, width="content")


def _remarks(
    theory: RankedTheory, place: int, standing: Standing, wording: Wording, held_out: str
) -> list[str]:
    """What else there is to say, as sentences, with what the held-out records say."""
    said = [held_out] if held_out else []
    mark, returns = theory.ranked[place].mark, theory.ranked[place].returns
    if returns is not None:
        said.insert(0, f"{returns_dots(returns)} {returns.said.capitalize()}.")
    if mark is not None and mark.was is not None:
        said.append(f"It was: {plain(wording.short(mark.was))}.")
    if standing.losers:
        said.append(_wins(theory, standing, wording))
    unsaid = wording.spoken_premises(theory.rules[place]).unsaid
    if unsaid:
        conditions = ", ".join(wording.short_premise(*named) for named in unsaid)
        said.append(f"Follows from the rest, so left out: {plain(conditions)}.")
    return said


def _held_out(standing: Standing) -> str:
    if not standing.tested:
        return "Applies to no held-out record."
    agrees = share(standing.confirmed, standing.tested)
    return (
        f"Held out: applies to {counted(standing.tested, 'record')}, agrees on "
        f"{percent(agrees.value)} ({share_interval(agrees, 0)} %)."
    )


def _wins(theory: RankedTheory, standing: Standing, wording: Wording) -> str:
    first = standing.losers[:MOST_LOSERS]
    named = [
        f"rule {i + 1} ({plain(wording.outcome(theory.rules[i].outcome))}) where both apply: "
        f"{counted(count, 'record')}"
        for i, count in first
    ]
    more = len(standing.losers) - len(first)
    rest = f"; and {counted(more, 'more such rule')}" if more else ""
    return f"Decides before {'; '.join(named)}{rest}."


def _otherwise(
    theory: RankedTheory,
    standing: Sequence[Standing],
    reference: Reference,
    colours: OutcomeColours,
) -> None:
    left = reference.size - sum(each.decided for each in standing)
    answer = badge(theory.default, colours)
    with st.container(border=True):
        words = "Otherwise." if theory.size else "In every case."
        _head(f"{answer} {words}", f"decides **{percent(left / reference.size)}**")


def coverage_bar(standing: Standing, colour: str, colours: OutcomeColours) -> str:
    """A bar of numbers and our own colours: solid where the black box agrees, hatched where not.

    As HTML, because a page of rules needs dozens at once; no text of a table is in it.
    """
    solid = 100 * standing.agreed / standing.total
    hatched = 100 * (standing.covered - standing.agreed) / standing.total
    stripes = f"repeating-linear-gradient(135deg,{colour} 0 2px,{colours.palette.ground} 2px 4px)"
    said = (
        f"Covers {standing.covered:,} of {counted(standing.total, 'record')}; the black box "
        f"agrees on {standing.agreed:,} of these."
    )
    return (
        f'<div role="img" aria-label="{said}" title="{said}" style="display:flex;height:10px;'
        f'background:{colours.palette.histogram}">'
        f'<div style="width:{solid:.2f}%;background:{colour}"></div>'
        f'<div style="width:{hatched:.2f}%;background:{stripes}"></div></div>'
    )


def conflict_sentence(
    theory: RankedTheory, standing: Sequence[Standing], colours: OutcomeColours
) -> str:
    """Where rules with different outcomes meet most, as Markdown."""
    pairs = list(conflicts(standing))
    if not pairs:
        return "Rules with different outcomes never apply to the same record."
    winner, loser, count = max(pairs, key=lambda pair: (pair[2], -pair[0], -pair[1]))
    first, second = (coloured(theory.rules[i].outcome, colours) for i in (winner, loser))
    return (
        f"{counted(len(pairs), 'pair')} of rules disagree somewhere. Most often rule "
        f"{winner + 1} ({first}) and rule {loser + 1} ({second}): both apply to "
        f"{counted(count, 'record')}, and rule {winner + 1} decides."
    )
