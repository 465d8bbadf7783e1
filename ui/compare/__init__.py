"""The pieces of the page Compare."""
