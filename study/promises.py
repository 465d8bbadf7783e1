"""What this project promises of its rules, held against the study: kept, or not, and where."""

from __future__ import annotations

from study import paper
from study.methods import BY_KEY, RIVALS_OF_BUDGET
from study.our_tables import share_values
from study.paper import Pair
from study.results import Study, pair_titles
from study.study_table import Entry, Figure, StudyTable

ROOM = 0.05  # the majority must leave so much, or there is little to explain
ALPHA_PAIRS: tuple[Pair, ...] = (("compas", "rf"), ("adult", "rf"), ("german", "rf"))


def against_rivals(study: Study) -> StudyTable:
    """In how many pairs ten rules of ours are more faithful than a rival's, or its full tree."""
    pairs = [pair for pair in study.pairs if room(study, pair) >= ROOM]
    rows: list[tuple[Entry, ...]] = []
    for rival in (*study.measured(RIVALS_OF_BUDGET), "tree"):
        apart = {pair: _apart(study, pair, rival) for pair in pairs}
        behind = [_behind(pair, value) for pair, value in apart.items() if value <= 0]
        near = sum(value >= -0.01 - 1e-9 for value in apart.values())
        rows.append(
            (
                BY_KEY[rival].title,
                len(pairs),
                sum(value > 0 for value in apart.values()),
                near,
                Figure.of([100 * value for value in apart.values()], digits=2),
                ", ".join(behind),
            )
        )
    return StudyTable(
        "against-rivals",
        f"Budget {study.settings.budget} against others",
        "Mean fidelity over seeds on held-out records, in the pairs where always giving the most "
        "common answer leaves at least 5 points. Differences are in points, above 0 for us, with "
        "their spread over pairs.",
        ("rival", "pairs", "higher in", "higher or within 1 point in", "points", "not higher in"),
        tuple(rows),
    )


def room(study: Study, pair: Pair) -> float:
    """What the majority leaves to explain."""
    return 1 - study.mean(pair, "majority", "fidelity")


def _apart(study: Study, pair: Pair, rival: str) -> float:
    ours = study.mean(pair, "methods", "budget", "fidelity")
    return ours - study.mean(pair, "methods", rival, "fidelity")


def _behind(pair: Pair, apart: float) -> str:
    return f"{'/'.join(pair_titles(pair))} ({100 * apart:.2f})".replace("-", "−")


def paper_alpha(study: Study) -> StudyTable:
    """The paper's own filter at the paper's own size, beside its fidelity."""
    rows: list[tuple[Entry, ...]] = []
    for pair in ALPHA_PAIRS:
        if pair not in study.pairs:
            continue
        printed = paper.EFFECTIVENESS[pair]["glx"]
        found = Figure.of(study.values(pair, "methods", "glx", "fidelity"), printed.fidelity)
        size = Figure.of(study.values(pair, "methods", "glx", "size"), printed.size, digits=1)
        kept = "yes" if found.mean >= printed.fidelity else "no"
        rows.append((*pair_titles(pair), found, size, kept))
    return StudyTable(
        "paper-alpha",
        "The paper's alpha at the paper's size",
        "Fidelity on held-out records against the figure that the paper prints.",
        ("data set", "black box", "fidelity", "size", "reached"),
        tuple(rows),
    )


def fewer_words(study: Study) -> StudyTable:
    """How faithful, and how much to read: the union, the rules left, ten rules and a tree."""
    methods = {
        "union": "union",
        "rules left": "all-left",
        "ten rules before": "budget-printed",
        "ten rules": "budget",
        "tree": "small-tree",
    }
    rows: list[tuple[Entry, ...]] = []
    for pair in study.pairs:
        told: list[Entry] = []
        for key in methods.values():
            told.append(Figure.of(study.values(pair, "methods", key, "fidelity")))
            told.append(Figure.of(study.values(pair, "methods", key, "conditions"), digits=0))
        rows.append((*pair_titles(pair), *told))
    means: list[Entry] = []
    for key in methods.values():
        for measure, digits in (("fidelity", 3), ("conditions", 0)):
            values = [study.mean(pair, "methods", key, measure) for pair in study.pairs]
            means.append(Figure(Figure.of(values).mean, digits=digits))
    rows.append(("all pairs", "", *means))
    return StudyTable(
        "fewer-words",
        "Fewer words",
        "Fidelity on held-out records, and conditions in all. “Before”: merged pair by pair on the "
        f"explained records, conditions free. Ten: at most {study.settings.budget} rules, or "
        f"leaves. {study.settings.labels_said}",
        (
            "data set",
            "black box",
            *(f"{name}: {measure}" for name in methods for measure in ("fidelity", "conditions")),
        ),
        tuple(rows),
    )


def alpha_and_tree(study: Study) -> StudyTable:
    """`alpha` beside a tree of its size, by the number of rules."""
    rows: list[tuple[Entry, ...]] = []
    for size in study.cells[0]["by size"]:
        row: list[Entry] = [size, len(study.pairs)]
        for way in ("alpha", "alpha one by one"):
            apart = [
                study.mean(pair, "by size", size, way) - study.mean(pair, "by size", size, "tree")
                for pair in study.pairs
            ]
            row += [
                sum(value > 0 for value in apart),
                Figure.of([100 * value for value in apart], digits=2),
            ]
        rows.append(tuple(row))
    return StudyTable(
        "alpha-and-tree",
        "Alpha and a tree of its size",
        "In how many pairs alpha is above a tree of at most so many leaves, on held-out records, "
        "and by how many points, with the spread over pairs: rules taken together, as people get "
        f"them, and one by one, as in the paper. {study.settings.labels_said}",
        ("rules", "pairs", "above it in", "points", "one by one: above it in", "its points"),
        tuple(rows),
    )


def fifth_of_rules(study: Study) -> StudyTable:
    """What is lost with 20 % of the local rules."""
    rows: list[tuple[Entry, ...]] = []
    for pair in study.pairs:
        losses = []
        for way in ("alpha_q", "budget"):
            some, whole = (
                Figure.of(share_values(study, pair, share, way, "fidelity")).mean
                for share in ("20", "100")
            )
            losses.append(100 * (some - whole))
        kept = ["yes" if loss >= -2 else "no" for loss in losses]
        rows.append(
            (
                *pair_titles(pair),
                Figure(losses[0], digits=2),
                kept[0],
                Figure(losses[1], digits=2),
                kept[1],
            )
        )
    return StudyTable(
        "fifth-of-rules",
        "A fifth of the local rules",
        "Mean fidelity with 20 % of the local rules minus that with all of them, in points.",
        ("data set", "black box", "α_q 50", "at most 2 lost", "budget", "at most 2 lost there"),
        tuple(rows),
    )
