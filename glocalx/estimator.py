"""GLocalX as a scikit-learn style estimator: it validates, calls the parts and stores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from glocalx.blackbox.base import BlackBox
from glocalx.errors import GLocalXError
from glocalx.merging.iterate import merged
from glocalx.merging.search import WEIGHTS, MergeSettings
from glocalx.rules.classifier import RecordExplanation
from glocalx.rules.coverage import Records
from glocalx.rules.rule import Rule
from glocalx.rules.schema import Schema, outcome_text
from glocalx.rules.scoring import Reference
from glocalx.rules.steering import NOTHING_STEERED
from glocalx.selection import DEFAULT_PRICE
from glocalx.steering import steered_theory
from glocalx.synthetic import FeatureDistribution, synthetic_reference
from glocalx.words.wording import Wording


class GLocalX(ClassifierMixin, BaseEstimator):  # type: ignore[misc] # scikit-learn has no types
    """A handful of rules that answer like a black box.

    Parameters
    ----------
    alpha, alpha_q, budget
        How the final theory is chosen; give one, or none for a budget of 10 rules.
        See :mod:`glocalx.selection`.
    conditions, price
        With a budget: at most so many conditions in all, and what each has to earn; None: any
        number, and conditions are free.
    together
        With alpha: rules that are faithful together; False: one by one, as in the paper.
    batch_size, seed, fidelity_weight, complexity_weight, bic_on, patience, shards
        How rules are merged. See :class:`glocalx.merging.search.MergeSettings`; the paper judges
        with `bic_on="all"`. The complexity weight is 0.05 by the whole and else 0.1.
    synthetic
        GLocalX*: merge and choose on records drawn from the distribution of X's features, as many
        as X has, and not on X. The black box labels them, see `fit`.
    jobs
        Processes for the shards; they change nothing but the time.

    Attributes
    ----------
    classes_
        The labels of the black box, as they were given.
    hierarchy_
        Every merge.
    theory_
        The final theory: its rules in the order in which they decide.
    reference_
        The records and labels that everything was measured on.

    Examples
    --------
    >>> X = pd.DataFrame({"age": [20, 30, 40, 50, 60], "savings": [1, 2, 1, 2, 2]})
    >>> y = ["deny", "deny", "accept", "accept", "accept"]
    >>> schema = Schema.of(X, y)
    >>> young = schema.rule({"age": (0, 35)}, "deny")
    >>> older = schema.rule({"age": (35, np.inf)}, "accept")
    >>> model = GLocalX(budget=1).fit(X, y, rules=[young, older])
    >>> model.rules_text()
    ['age ≤ 34 → deny']
    >>> list(model.predict(X)) == y
    True
    """

    def __init__(
        self,
        *,
        alpha: int | None = None,
        alpha_q: float | None = None,
        budget: int | None = None,
        conditions: int | None = None,
        price: float | None = DEFAULT_PRICE,
        together: bool = True,
        batch_size: int = 128,
        seed: int = 0,
        fidelity_weight: float = 1.0,
        complexity_weight: float | None = None,
        bic_on: str = "whole",
        patience: int | None = None,
        shards: int | None = None,
        synthetic: bool = False,
        jobs: int = 1,
    ) -> None:
        self.alpha = alpha
        self.alpha_q = alpha_q
        self.budget = budget
        self.conditions = conditions
        self.price = price
        self.together = together
        self.batch_size = batch_size
        self.seed = seed
        self.fidelity_weight = fidelity_weight
        self.complexity_weight = complexity_weight
        self.bic_on = bic_on
        self.patience = patience
        self.shards = shards
        self.synthetic = synthetic
        self.jobs = jobs

    def fit(
        self,
        X: pd.DataFrame,
        y: Sequence[Any],
        *,
        rules: Iterable[Rule],
        schema: Schema | None = None,
        black_box: BlackBox | None = None,
        more: tuple[pd.DataFrame, Sequence[Any]] | None = None,
    ) -> GLocalX:
        """Merge local rules and choose the final theory.

        Parameters
        ----------
        X
            The explained records.
        y
            The labels that the black box gives them.
        rules
            Local rules, built with the schema of the table.
        schema
            Where the table has categories or outcomes that X and y happen to lack; else
            `Schema.of(X, y)`.
        black_box
            With `synthetic` alone: whom to ask about the records that are drawn. Without one the
            local rules label them.
        more
            Further records that the black box has labelled, such as those it was trained on, and
            their labels: rules are merged and chosen on these, too.
        """
        if more is not None:
            X, y = pd.concat([X, more[0]], ignore_index=True), [*y, *more[1]]
        labels = np.asarray(y)
        distinct = sorted(set(labels.tolist()), key=lambda label: (type(label).__name__, label))
        self.classes_ = np.array(distinct, dtype=labels.dtype)
        self._labels = {outcome_text(label): label for label in self.classes_}
        if len(self._labels) != len(self.classes_):
            raise GLocalXError("Two labels read the same, such as 1 and “1”. Make them one.")
        self.schema_ = schema or Schema.of(X, self.classes_)
        self.n_features_in_ = X.shape[1]
        local = list(rules)
        self.reference_ = self._reference(X, y, local, black_box)
        self.hierarchy_ = merged(local, self.reference_, self._settings(more), jobs=self.jobs)
        return self.reselect(alpha=self.alpha, alpha_q=self.alpha_q, budget=self.budget)

    def _settings(self, more: object) -> MergeSettings:
        chosen = {
            each.name: getattr(self, each.name)
            for each in fields(MergeSettings)
            if each.name != "reference"
        }
        if self.complexity_weight is None:
            chosen["complexity_weight"] = WEIGHTS.get(self.bic_on, 0.1)
        return MergeSettings(**chosen, reference="explained" if more is None else "labelled")

    def _reference(
        self, X: pd.DataFrame, y: Sequence[Any], rules: list[Rule], black_box: BlackBox | None
    ) -> Reference:
        if self.synthetic:
            distribution = FeatureDistribution(X, self.schema_)
            return synthetic_reference(
                distribution, rules, len(X), black_box=black_box, seed=self.seed
            )
        if black_box is not None:
            raise GLocalXError("A black box is asked only with synthetic=True. Leave it out.")
        return Reference(Records(self.schema_, X), y)

    def reselect(
        self,
        *,
        alpha: int | None = None,
        alpha_q: float | None = None,
        budget: int | None = None,
    ) -> GLocalX:
        """Choose the final theory anew from the same hierarchy."""
        check_is_fitted(self, "hierarchy_")
        ranked = alpha is not None or alpha_q is not None
        self.theory_ = steered_theory(
            self.hierarchy_,
            self.reference_,
            NOTHING_STEERED,
            alpha=alpha,
            alpha_q=alpha_q,
            budget=budget,
            conditions=None if ranked else self.conditions,
            price=None if ranked else self.price,
            together=self.together,
        )
        return self

    def predict(self, X: pd.DataFrame) -> npt.NDArray[Any]:
        """The label of each record, as the black box writes it."""
        check_is_fitted(self, "theory_")
        texts = self.theory_.predict(Records(self.schema_, X))
        labels = [self._labels.get(text, text) for text in texts]
        return np.array(labels, dtype=self.classes_.dtype)

    def explain(self, X: pd.DataFrame, place: int, *, black_box: Any = None) -> RecordExplanation:
        """Which rules cover row `place` of X, which one decides, and whether it agrees.

        Parameters
        ----------
        black_box
            What the black box says about the record, if it was asked.
        """
        check_is_fitted(self, "theory_")
        said = None if black_box is None else outcome_text(black_box)
        return self.theory_.explain(Records(self.schema_, X.iloc[[place]]), 0, said)

    def rules_text(self) -> list[str]:
        """The rules of the final theory as people read them, in the order in which they decide."""
        check_is_fitted(self, "theory_")
        wording = Wording(self.schema_, self.reference_.records)
        return [wording.rule(rule) for rule in self.theory_.rules]
