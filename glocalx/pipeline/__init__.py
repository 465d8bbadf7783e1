"""One road from a table to a theory: open → split → ask → extract → merge → select.

`settings` holds all that a person chooses. The rest are the pieces of the road, in its order, and
:class:`~glocalx.pipeline.road.Road`, the only place that knows that order; commands, the worker,
the study, benchmarks and tests go along it. Nothing is imported here: a page that only shows
settings should not wait for scikit-learn.
"""
