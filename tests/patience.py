"""How long a test waits for a state until it counts as never reached: nowhere else is a limit."""

PATIENCE = 300  # seconds; a busy machine takes a tenth of it
ANOTHER_TRY = 30  # seconds until what a person would do again is done again
