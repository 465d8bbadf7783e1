"""A few mutants of the core, other ones each day, are noticed by their tests."""

import datetime
import subprocess
import sys

import pytest

from tests.mutants.killing import TESTS
from tests.mutants.mutants import ROOT, survivors

MUTANTS = 3  # a second or two of the processor each


def test_the_mutants_of_the_day_do_not_live():
    """A mutant that lives wants a test; `make mutants` and CONTRIBUTING.md say more."""
    day = datetime.date.today().toordinal()
    drawn = ["--share", str(MUTANTS), "--draw", str(day), "--processes", "1"]
    command = [sys.executable, "-m", "tests.mutants", *drawn]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("module", TESTS)
def test_the_list_names_mutants_that_there_are(module):
    """A line that was rewritten takes its entry in `survivors.toml` along."""
    code = " ".join((ROOT / module).read_text(encoding="utf-8").split())
    for name, was, becomes in survivors():
        assert name in TESTS
        assert was != becomes
        if name == module:
            assert was in code
