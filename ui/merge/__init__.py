"""The pieces of the page Merge."""
