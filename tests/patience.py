"""How long a test waits for a state until it counts as never reached: nowhere else is a limit."""

PATIENCE = 180  # seconds; a busy machine takes a tenth of it
ANOTHER_TRY = 6  # seconds until what a person would do again is done again
TRIES = 30  # of it; together they are PATIENCE
