"""The tables of the paper with our figures: 2, 4, 5, 6, 7, and the tests of 5."""

from __future__ import annotations

from collections.abc import Iterator

from study import paper
from study.methods import BY_KEY, PAPER_METHODS
from study.paper import Pair
from study.plan import DATASETS, PERCENTILES
from study.ranks import friedman
from study.results import Study, pair_titles
from study.study_table import Entry, Figure, StudyTable

REPLACING_METHODS = ("cpar-rows", "tree", "glx", "pruned-tree", "glx-star", "union", "budget")


def black_boxes(study: Study) -> StudyTable:
    """Table 2."""
    rows = []
    for pair in study.pairs:
        tree = paper.TRUE_TREE.get(pair[0])
        printed = tree or (None, None, None)
        rows.append(
            (
                *pair_titles(pair),
                Figure.of(
                    study.values(pair, "black box", "accuracy"), paper.BLACK_BOX_ACCURACY.get(pair)
                ),
                Figure.of(study.values(pair, "true tree", "accuracy"), printed[0]),
                Figure.of(study.values(pair, "true tree", "size"), printed[1], digits=0),
                Figure.of(study.values(pair, "true tree", "length"), printed[2], digits=2),
            )
        )
    return StudyTable(
        "table-2-black-boxes",
        "Table 2. Black boxes, and a tree on the true labels",
        "Both are trained on the same records with their true labels and judged on the held-out "
        "ones. The paper's COMPAS has three risk levels made two in another way, and its Diva is "
        "another table, so its accuracies there are not ours to reach.",
        ("data set", "black box", "accuracy", "tree accuracy", "tree size", "tree length"),
        tuple(rows),
    )


def alpha_q(study: Study) -> StudyTable:
    """Table 4."""
    rows: tuple[tuple[Entry, ...], ...] = tuple(
        (*pair_titles(pair), str(q), *_three(study, pair, ("alpha_q", str(q)), printed.get(q)))
        for pair in study.pairs
        for printed in [paper.ALPHA_Q.get(pair, {})]
        for q in PERCENTILES
    )
    return StudyTable(
        "table-4-alpha-q",
        "Table 4. Effect of the filter α_q",
        "For each outcome the rules at or above that percentile of rule fidelity.",
        ("data set", "black box", "α_q", "fidelity", "size", "length"),
        rows,
    )


def effectiveness(study: Study) -> StudyTable:
    """Table 5."""
    rows: tuple[tuple[Entry, ...], ...] = tuple(
        (
            *pair_titles(pair),
            _short(method),
            *_three(
                study,
                pair,
                ("methods", method),
                paper.EFFECTIVENESS.get(pair, {}).get(method),
            ),
        )
        for pair in study.pairs
        for method in PAPER_METHODS
    )
    chosen = ", ".join(
        f"{DATASETS[name]} {paper.ALPHA[name]}" for name in DATASETS if name in study.datasets
    )
    return StudyTable(
        "table-5-effectiveness",
        "Table 5. Global explainers",
        f"GLX and GLX* take the rules by alpha, as in the paper: {chosen}. CPAR is that of the "
        f"LUCS-KDD library. {study.settings.labels_said} All are judged on the held-out ones.",
        ("data set", "black box", "method", "fidelity", "size", "length"),
        rows,
    )


def _three(
    study: Study, pair: Pair, path: tuple[str, ...], printed: paper.Printed | None
) -> tuple[Figure, ...]:
    """Fidelity, size and length of one theory."""
    fidelity, size, length, _ = printed or (None, None, None, None)
    return (
        Figure.of(study.values(pair, *path, "fidelity"), fidelity),
        Figure.of(study.values(pair, *path, "size"), size, digits=1),
        Figure.of(study.values(pair, *path, "length"), length, digits=2),
    )


def _short(method: str) -> str:
    return BY_KEY[method].short or BY_KEY[method].title


def friedman_tests(study: Study) -> StudyTable:
    """The tests below table 5: could all its methods be equally good?"""
    rows = []
    for measure in ("fidelity", "size", "length"):
        scores = {
            _short(method): [study.mean(pair, "methods", method, measure) for pair in study.pairs]
            for method in PAPER_METHODS
        }
        test = friedman(scores, higher_is_better=measure == "fidelity")
        ranks = ", ".join(f"{name} {rank:.2f}" for name, rank in test.ranks.items())
        rows.append(
            (
                measure,
                Figure(test.statistic, digits=2),
                _p(test.p),
                f"< {paper.FRIEDMAN_BELOW[measure]}",
                ranks,
                Figure(test.critical_difference, digits=2),
            )
        )
    return StudyTable(
        "table-5-friedman",
        "Table 5. Friedman tests over all pairs",
        "Mean ranks, 1 is best. Two methods differ at the level 0.05 where their ranks are at "
        "least the critical difference (Nemenyi) apart.",
        ("measure", "chi²", "p", "p in the paper", "mean ranks", "critical difference"),
        tuple(rows),
    )


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def replacing(study: Study) -> StudyTable:
    """Table 6: means and deviations over the black boxes of a data set."""
    rows: list[tuple[Entry, ...]] = []
    for dataset in study.datasets:
        printed = paper.MEAN_BLACK_BOX_ACCURACY.get(dataset, (None, None))
        own = _over_boxes(study, dataset, ("black box", "accuracy"))
        rows.append((DATASETS[dataset], "black box", Figure.of(own, *printed), "", "", ""))
        rows += [
            (DATASETS[dataset], _short(method), *_four(study, dataset, method))
            for method in study.measured(REPLACING_METHODS)
        ]
    return StudyTable(
        "table-6-replacing",
        "Table 6. Replacing the black box",
        "Accuracy on the true labels of the held-out records; Δacc is fidelity minus accuracy. "
        "Spread over the black boxes of a data set, as in the paper.",
        ("data set", "method", "accuracy", "Δacc", "size", "length"),
        tuple(rows),
    )


def _four(study: Study, dataset: str, method: str) -> Iterator[Figure]:
    printed = paper.REPLACING.get(dataset, {}).get(method)
    theirs = printed or (None,) * 8
    for place, (measure, digits) in enumerate(
        (("accuracy", 3), ("delta", 3), ("size", 1), ("length", 2))
    ):
        values = _over_boxes(study, dataset, ("methods", method, measure))
        yield Figure.of(values, theirs[2 * place], theirs[2 * place + 1], digits)


def _over_boxes(study: Study, dataset: str, path: tuple[str, ...]) -> list[float]:
    return [study.mean(pair, *path) for pair in study.pairs if pair[0] == dataset]


def delta_accuracy(study: Study) -> StudyTable:
    """Table 7: Δacc by data set and by method."""
    of_paper = [method for method in REPLACING_METHODS if method in paper.DELTA_BY_METHOD]
    rows: list[tuple[Entry, ...]] = []
    for dataset in study.datasets:
        values = [
            Figure.of(_over_boxes(study, dataset, ("methods", method, "delta"))).mean
            for method in of_paper
        ]
        printed = paper.DELTA_BY_DATASET.get(dataset, (None, None))
        rows.append(("data set", DATASETS[dataset], Figure.of(values, *printed)))
    for method in study.measured(REPLACING_METHODS):
        values = [study.mean(pair, "methods", method, "delta") for pair in study.pairs]
        printed = paper.DELTA_BY_METHOD.get(method, (None, None))
        rows.append(("method", _short(method), Figure.of(values, *printed)))
    return StudyTable(
        "table-7-delta-accuracy",
        "Table 7. Δacc",
        "Fidelity minus accuracy, averaged over CPAR, DT, GLX and PDT for each data set, and over "
        "all pairs for each method. 0: as right as it is faithful.",
        ("by", "which", "Δacc"),
        tuple(rows),
    )
