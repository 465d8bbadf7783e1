"""`glocalx export`: the rules of a theory as SQL, Python or Markdown."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from glocalx.cli.output import print_lines
from glocalx.errors import GLocalXError
from glocalx.export import theory_to_markdown, theory_to_python
from glocalx.files import read_theory
from glocalx.rules.dialects import DIALECTS
from glocalx.words.phrases import counted

ENDINGS = (".sql", ".py", ".md")


def add_to(commands: Any) -> None:
    """Add the command and its options."""
    parser = commands.add_parser(
        "export",
        help="the rules of a theory as SQL, Python or Markdown",
        description="Write the rules of a theory in another language, by the ending of the file: "
        "SQL for a database, a Python function that needs nothing but Python, or Markdown.",
    )
    parser.add_argument("theory", type=Path, metavar="THEORY.json")
    parser.add_argument(
        "--dialect",
        choices=tuple(DIALECTS),
        help="the database that the SQL is for (default: duckdb)",
    )
    parser.add_argument(
        "--table",
        metavar="NAME",
        help="a whole query on this table (default: the CASE expression alone); parts of a name "
        "are set apart by dots",
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=f"ends in {', '.join(ENDINGS)}"
    )


def run(options: argparse.Namespace) -> None:
    ending = options.out.suffix.lower()
    if ending not in ENDINGS:
        raise GLocalXError(f"“{options.out.name}” should end in one of {', '.join(ENDINGS)}.")
    if ending != ".sql" and (options.dialect or options.table):
        raise GLocalXError(
            f"“--dialect” and “--table” are for SQL, and “{options.out.name}” is none. Leave them "
            "out, or give a file that ends in .sql."
        )
    theory = read_theory(options.theory)
    if ending == ".py":
        text = theory_to_python(theory)
    elif ending == ".md":
        text = theory_to_markdown(theory)
    else:
        table = options.table.split(".") if options.table else None
        text = theory.to_sql(DIALECTS[options.dialect or "duckdb"], table=table)
    try:
        options.out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise GLocalXError(
            f"“{options.out}” cannot be written: {error.strerror}. Give another file as --out."
        ) from None
    print_lines([f"{counted(theory.size, 'rule')}, written to {options.out}."])
