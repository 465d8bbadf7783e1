"""The pieces of the page Data and model."""
