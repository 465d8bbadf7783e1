"""The sections of a report, a file each: content in, markup out, None where there is nothing."""
