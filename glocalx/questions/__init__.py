"""What only the black box can answer: changes that work, what its answers rest on, its curves.

Everything here is found by asking it about records, many in one call, and nothing is told that it
did not confirm.
"""
