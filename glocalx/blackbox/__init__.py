"""What can be asked for labels.

`base` holds the interface, :class:`~glocalx.blackbox.base.BlackBox`, and what every answer must
be. Ways to get one: `trained` fits a model here, `opening` opens a file (ONNX, skops, and pickles
where they are allowed), `predictions` fits a stand-in to a column of predictions, and
`python_object` wraps any object with `predict`. `check` asks a black box once before work starts.

Nothing is imported here: a child process that only runs an ONNX file should not wait for
scikit-learn.
"""
