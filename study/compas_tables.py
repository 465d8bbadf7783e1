"""The rules for COMPAS, and whom they cover: section 5.4 and table 3 of the paper."""

from __future__ import annotations

from study import paper
from study.compas_traits import TRAITS
from study.results import Study
from study.study_table import Entry, Figure, StudyTable

PAIR = ("compas", "rf")
RECIDIVOUS, OTHERS = "High", "Medium or Low"


def whom(study: Study) -> StudyTable | None:
    """Table 3; None without a random forest on COMPAS."""
    if PAIR not in study.pairs:
        return None
    rows: list[tuple[Entry, ...]] = [("records", *_group_sizes(study))]
    for trait in TRAITS:
        digits = 2 if trait == "prior offences" else 3
        printed = paper.SENSITIVE[trait]
        rows.append(
            (
                trait,
                _figure(study, RECIDIVOUS, trait, printed[0], digits),
                _figure(study, OTHERS, trait, printed[2], digits),
                _figure(study, "everyone", trait, None, digits),
            )
        )
    return StudyTable(
        "table-3-whom",
        "Table 3. Whom the six COMPAS rules cover (random forest)",
        "Mean number of prior offences, and shares, among the explained records that the rules of "
        "each outcome cover. The outcome here is the score, high or not; the paper calls the "
        "groups recidivous and non-recidivous.",
        ("trait", "high risk", "medium or low risk", "everyone"),
        tuple(rows),
    )


def _group_sizes(study: Study) -> list[Figure]:
    return [
        Figure.of(study.values(PAIR, "whom", group, "records"), digits=0)
        for group in (RECIDIVOUS, OTHERS, "everyone")
    ]


def _figure(study: Study, group: str, trait: str, printed: float | None, digits: int) -> Figure:
    values = [cell["whom"].get(group, {}).get(trait, [None])[0] for cell in study.of(PAIR)]
    return Figure.of(values, printed, digits=digits)


def rules(study: Study) -> StudyTable | None:
    """The rules themselves, of the first seed; None without a random forest on COMPAS."""
    if PAIR not in study.pairs:
        return None
    first = study.of(PAIR)[0]
    rows: list[tuple[Entry, ...]] = [
        (f"ours, {way}", place, text)
        for way, texts in first["rules"].items()
        for place, text in enumerate(texts, start=1)
    ]
    rows += [("paper", place, text) for place, text in enumerate(paper.COMPAS_RULES, start=1)]
    return StudyTable(
        "compas-rules",
        "The COMPAS rules (random forest)",
        f"Seed {first['cell']['seed']}. Of ours the first rule that applies decides. Six rules of "
        "the paper are printed there with a fidelity of 0.86.",
        ("theory", "rule", "text"),
        tuple(rows),
    )
