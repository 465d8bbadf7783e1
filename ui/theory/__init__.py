"""The pieces of the page Global theory."""
