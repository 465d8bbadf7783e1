"""The command line: `python -m glocalx COMMAND ...`, or `glocalx COMMAND ...` once installed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from glocalx.errors import GLocalXError

COMMANDS = (
    "explain",
    "merge",
    "audit",
    "apply",
    "export",
    "reproduce",
)  # each a module of glocalx.cli


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; what a person got wrong is one sentence on standard error."""
    parser = argparse.ArgumentParser(
        prog="glocalx", description="From local rules to a global explanation of a black box."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    given = list(sys.argv[1:] if arguments is None else arguments)
    wanted = given[:1] if given and given[0] in COMMANDS else COMMANDS
    # what the other commands need takes seconds to import
    modules = {command: import_module(f"glocalx.cli.{command}") for command in wanted}
    for module in modules.values():
        module.add_to(commands)
    options = parser.parse_args(given)
    try:
        code: int | None = modules[options.command].run(options)
    except GLocalXError as error:
        sys.stderr.write(f"glocalx: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("glocalx: stopped.\n")
        return 130
    return code or 0


if __name__ == "__main__":
    sys.exit(main())
