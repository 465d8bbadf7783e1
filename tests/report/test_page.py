"""The page: all of it is there, figures are those of the audit, and what is not known is said."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from glocalx.evaluation.verdict import OutcomeFound
from glocalx.report import render_report
from glocalx.words.figures import NO_BREAK_SPACE, paper_percent
from tests.report.reported import IMG, SCRIPT, bare, full, hostile
from tests.report.test_elements import Reader

REPORTS = [full, bare, hostile]


def read(content) -> Reader:
    return Reader(render_report(content()))


class Spaced(Reader):
    """The text with a space after each cell, line and label."""

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("b", "wbr"):
            self.text += " "


def plain(content) -> str:
    return " ".join(Spaced(render_report(content())).text.replace(NO_BREAK_SPACE, " ").split())


@pytest.mark.parametrize("content", REPORTS)
def test_the_page_needs_nothing_else(content):
    page, reader = render_report(content()), read(content)
    assert page.startswith("<!DOCTYPE html>\n<html lang=")
    policy = next(value for _, value in reader.attributes if value and "default-src" in value)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
    assert not set(reader.tags) & {"script", "img", "link", "iframe", "object", "form", "base"}
    addresses = [value for name, value in reader.attributes if name in ("href", "src")]
    assert addresses
    assert all(value.startswith("#") for value in addresses)
    assert not [name for name, _ in reader.attributes if name.startswith("on")]
    assert "url(#hatch" in page or content is bare
    assert "url(h" not in page
    assert "@import" not in page


@pytest.mark.parametrize("content", REPORTS)
def test_headings_go_down_in_order_and_contents_lead_to_them(content):
    page, reader = render_report(content()), read(content)
    levels = [int(level) for level in re.findall(r"<h([1-6])", page)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    names = [value for name, value in reader.attributes if name == "id"]
    assert len(names) == len(set(names))
    links = [value for name, value in reader.attributes if name == "href"]
    assert {link[1:] for link in links} <= set(names)


@pytest.mark.parametrize("content", REPORTS)
def test_every_table_has_a_caption_and_scopes(content):
    page = render_report(content())
    assert page.count("<table") == page.count("<caption") == page.count("<thead")
    heads = re.findall(r"<th\b[^>]*>", page)
    assert all("scope=" in head for head in heads)
    captions = re.findall(r"<caption>(.*?)</caption>", page)
    assert len(captions) == len(set(captions))


def test_hostile_names_are_shown_as_they_are():
    reader = read(hostile)
    assert IMG in reader.text
    assert SCRIPT in reader.text
    assert "‮" not in reader.text


def test_everything_that_is_known_is_said():
    text = plain(full)
    for said in (
        *("COMPAS, random forest", "2026-11-16 09:30 UTC", "compas.csv", "ab12" * 16, "cd34" * 16),
        *("5,050 training, 1,515 explaining, 649 held out", "Batch size", "Versions", "glocalx"),
        *("At most so many rules (budget)", "they were replaced by the mean, 19"),
        *("A difference is not yet discrimination, and no difference is not yet fairness.",),
        *("not enough records", "Corrected p", "Which rule falls on whom", "Proxies"),
        *("Seed 7", "tree, 10 leaves", "What this cannot tell", "As SQL"),
    ):
        assert said in text, said
    assert "not known here" not in text


def test_what_is_not_known_is_said():
    text = plain(bare)
    assert "Fingerprint of the table not known here" in text
    assert "Seed not known here" in text
    assert "How the rules were made is not in these files" in text
    assert "there are no answers of the black box for records" in text


def test_rules_stand_in_words():
    text = plain(full)
    content = full()
    for rule in content.theory.rules:
        assert content.wording.sentence(rule, outcome=False) in text
        assert content.wording.short(rule) in text


def test_figures_are_those_of_the_audit():
    content, text = full(), plain(full)
    for group in content.audit.subgroups.subgroups[:6]:
        selected = group.answers["black box"].selected
        value, low, high = (100 * end for end in (selected.value, selected.low, selected.high))
        assert f"{group.title}: {value:.1f} % of {group.size:,}" in text
        told = f"{group.title} {group.size:,} {value:.1f} % {low:.1f} to {high:.1f}" in text
        assert told == (group.size >= content.audit.settings.enough)  # others are in the files
    held = content.held_out.rules
    low, high = (100 * end for end in held.fidelity_interval)
    assert f"{held.fidelity * 100:.1f} % {low:.1f} to {high:.1f}, on {held.records:,}" in text


def test_contributions_add_up_to_the_difference_in_the_heat_map():
    content = full()
    group = content.audit.subgroups.subgroups[0]
    parts = [
        each.contribution
        for each in content.audit.responsibilities
        if (each.columns, each.groups) == (group.columns, group.groups)
    ]
    difference = group.answers["theory"].comparison.difference.value
    assert sum(parts) == pytest.approx(difference)
    text = plain(full)
    for part in parts:
        assert f"{'−' if part < 0 else '+'}{abs(part) * 100:.1f} points" in text


def test_effect_sizes_and_information_are_shown():
    content, text = full(), plain(full)
    effect = content.audit.traits.figures[0][1].effect
    assert f"effect {'−' if effect < 0 else '+'}{abs(effect):.2f}" in text
    assert "V after Bergsma 2013" in text
    pair = next(a for a in content.audit.associations if a.column == "priors_count")
    assert f"{pair.strength:.2f} correlation ratio {pair.information:.3f}" in text


def test_a_black_box_that_others_trained_may_have_seen_the_records():
    assert "from which neither the black box nor the rules were made." in plain(full)
    content = full()
    brought = replace(content, held_out=replace(content.held_out, unseen_by_black_box=False))
    assert "the black box may have seen them" in plain(lambda: brought)


def test_what_a_budget_chose_from_is_said():
    content = full()
    chosen = {"budget": 10, "candidates": "all 150 rules, and each without one condition"}
    known = replace(content, method=replace(content.method, selection=chosen))
    assert "Chosen from all 150 rules, and each without one condition" in plain(lambda: known)


def test_nearly_all_is_not_shown_as_all():
    assert paper_percent(0.9996).replace(NO_BREAK_SPACE, " ") == "over 99.9 %"


def test_dark_in_the_figure_is_what_the_table_calls_different():
    content = full()
    page = render_report(content)
    section = page[page.index('id="groups"') :].split("</section>", 1)[0]
    dots = re.findall(r'<circle [^>]*class="dot (strong|quiet)', section)
    drawn = [group for group in content.audit.subgroups.subgroups if group.size]
    verdicts = [group.answers["black box"].comparison.verdict for group in drawn]
    assert [dot == "strong" for dot in dots] == [each == "different" for each in verdicts]


def test_the_same_content_gives_the_same_page():
    assert render_report(full()) == render_report(full())


def test_it_begins_with_the_verdict():
    text = plain(full)
    glance = text[text.index("At a glance", text.index("At a glance") + 1) :]
    verdict = full().verdict
    assert glance.startswith(f"At a glance {verdict.headline(full().wording.outcome)} They give")
    assert "that answer like the black box" not in text
    assert f"Cohen’s kappa is {verdict.kappa:.2f}." in glance
    assert "From 4 rules on nothing is gained" in glance
    assert "How the verdict is made" in text


def test_too_few_to_judge_is_said_for_each_answer():
    held = full().held_out
    rare = replace(held.verdict, outcomes=(OutcomeFound("High", 12, 14, 9),))
    content = replace(full(), held_out=replace(held, verdict=rare))
    assert "too few to judge under 30" in plain(lambda: content)
    assert "There are too few records to judge these rules." in plain(lambda: content)
