"""The pieces of the page Audit."""
