"""What can be asked for labels.

`base` holds the interface, :class:`~glocalx.blackbox.base.BlackBox`, and what every answer must
be. Ways to get one: `trained` fits a model here, `model_file` opens a file (ONNX, skops, and
pickles where they are allowed), `predictions` fits a stand-in to a column of predictions, and
`python_object` wraps any object with `predict`. `check` asks a black box once before work starts.
A stranger's model runs in a child process, see :mod:`glocalx.confined`: `onnx_loader` and
`skops_loader` are what runs there.

Nothing is imported here: a child process that only runs an ONNX file should not wait for
scikit-learn.
"""
