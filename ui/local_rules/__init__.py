"""The pieces of the page Local rules."""
