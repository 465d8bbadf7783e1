"""What the paper has not: budget, its rivals at the same size, and fewer local rules in figures."""

from __future__ import annotations

from collections.abc import Iterator

from glocalx.words.phrases import enumeration
from study.methods import BY_KEY, METHODS, SMALL_METHODS
from study.paper import Pair
from study.ranks import friedman
from study.results import Study, pair_titles
from study.study_table import Entry, Figure, StudyTable

SIZE_WAYS = ("budget", "alpha", "alpha one by one", "tree")


def small_theories(study: Study) -> StudyTable:
    """Ten rules of ours beside ten of others."""
    rows = tuple(
        _row(study, pair, method)
        for pair in study.pairs
        for method in (*study.measured(SMALL_METHODS), "pruned-tree", "tree", "majority")
    )
    return StudyTable(
        "small-theories",
        f"At most {study.settings.budget} rules",
        f"Every theory is held to {study.settings.budget} rules, save the pruned and the full "
        "tree. A rival with more rules was cut: CPAR in two ways, RIPPER and BRCG to the rules "
        "that our own choice takes, a rule list to its head. Majority: no rules at all.",
        ("data set", "black box", "method", "fidelity", "accuracy", "size", "length"),
        rows,
    )


def large_theories(study: Study) -> StudyTable:
    """Theories of any size."""
    large = tuple(method.key for method in METHODS if method.family == "large")
    rows = tuple(
        _row(study, pair, method) for pair in study.pairs for method in study.measured(large)
    )
    return StudyTable(
        "large-theories",
        "Rules of any number",
        "What the methods give when nobody holds them to a number of rules.",
        ("data set", "black box", "method", "fidelity", "accuracy", "size", "length"),
        rows,
    )


def _row(study: Study, pair: Pair, method: str) -> tuple[Entry, ...]:
    path = (method,) if method == "majority" else ("methods", method)
    title = "Majority" if method == "majority" else BY_KEY[method].title
    return (
        *pair_titles(pair),
        title,
        Figure.of(study.values(pair, *path, "fidelity")),
        Figure.of(study.values(pair, *path, "accuracy")),
        Figure.of(study.values(pair, *path, "size"), digits=1),
        Figure.of(study.values(pair, *path, "length"), digits=2),
    )


def small_ranks(study: Study) -> StudyTable:
    """Friedman and Nemenyi over the small theories."""
    methods = (*study.measured(SMALL_METHODS), "pruned-tree")
    scores = {
        BY_KEY[method].title: [
            study.mean(pair, "methods", method, "fidelity") for pair in study.pairs
        ]
        for method in methods
    }
    test = friedman(scores)
    ours = BY_KEY["budget"].title
    apart = {pair.worse: pair for pair in test.pairs() if pair.better == ours}
    rows: list[tuple[Entry, ...]] = [
        (
            name,
            Figure(rank, digits=2),
            "" if name not in apart else ("yes" if apart[name].differ else "no"),
        )
        for name, rank in test.ranks.items()
    ]
    behind = [pair.worse for pair in apart.values() if pair.differ]
    told = (
        f"tells these from “{ours}”: {enumeration(behind)}"
        if behind
        else f"tells none from “{ours}”"
    )
    return StudyTable(
        "small-ranks",
        f"Mean ranks by fidelity, at most {study.settings.budget} rules",
        f"Friedman's chi² {test.statistic:.1f}, p {test.p:.2g}, over {test.tables} pairs; mean "
        f"ranks at least {test.critical_difference:.2f} apart differ at the level 0.05 (Nemenyi). "
        f"That {told}. {study.settings.labels_said}",
        ("method", "mean rank", f"behind “{ours}” by the critical difference"),
        tuple(rows),
    )


def by_size(study: Study) -> StudyTable:
    """Fidelity over the number of rules."""
    rows = [
        (
            *pair_titles(pair),
            size,
            *(Figure.of(study.values(pair, "by size", size, way)) for way in SIZE_WAYS),
        )
        for pair in study.pairs
        for size in study.of(pair)[0]["by size"]
    ]
    return StudyTable(
        "by-size",
        "Fidelity over the number of rules",
        "At most so many rules by budget and by alpha, which takes them together or, as in the "
        "paper, one by one, beside a tree of at most so many leaves.",
        ("data set", "black box", "rules", *SIZE_WAYS),
        tuple(rows),
    )


def fewer_rules(study: Study) -> StudyTable:
    """The paper's Figure 2 in figures: spread over trials and seeds."""
    rows = [
        (*pair_titles(pair), share, *_of_share(study, pair, share))
        for pair in study.pairs
        for share in study.of(pair)[0]["fewer rules"]
    ]
    return StudyTable(
        "figure-2-fewer-rules",
        "Figure 2. Fewer local rules",
        f"β percent of the local rules, {study.settings.trials} draws for each seed; α_q = 50 as "
        "in the paper, and our budget. Spread over draws and seeds. The paper shows curves without "
        "numbers: fidelity hardly moves, size grows with β.",
        ("data set", "black box", "β", "fidelity, α_q 50", "size, α_q 50", "fidelity, budget"),
        tuple(rows),
    )


def _of_share(study: Study, pair: Pair, share: str) -> Iterator[Figure]:
    for way, measure, digits in (
        ("alpha_q", "fidelity", 3),
        ("alpha_q", "size", 1),
        ("budget", "fidelity", 3),
    ):
        yield Figure.of(share_values(study, pair, share, way, measure), digits=digits)


def share_values(study: Study, pair: Pair, share: str, way: str, measure: str) -> list[float]:
    """Every draw of every seed."""
    return [
        float(trial[way][measure])
        for cell in study.of(pair)
        for trial in cell["fewer rules"].get(share, [])
    ]
