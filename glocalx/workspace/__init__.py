"""Runs that last: what was chosen, what was made, and the work that goes on by itself."""
