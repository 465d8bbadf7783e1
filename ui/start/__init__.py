"""The pieces of the page Start."""
