"""Rules, theories and hierarchies as versioned JSON files.

Each file carries the schema of the table it belongs to. A file that is broken, from another
version or of another kind is refused with one sentence.
"""

from glocalx.files.hierarchies import read_hierarchy, write_hierarchy
from glocalx.files.rules import (
    read_local_rules,
    read_rules,
    schema_of_rules,
    write_local_rules,
    write_rules,
)
from glocalx.files.theories import read_sensitive, read_theory, write_theory

__all__ = [
    "read_hierarchy",
    "read_local_rules",
    "read_rules",
    "read_sensitive",
    "read_theory",
    "schema_of_rules",
    "write_hierarchy",
    "write_local_rules",
    "write_rules",
    "write_theory",
]
