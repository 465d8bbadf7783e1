"""The pieces of the page Learn."""
