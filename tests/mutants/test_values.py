"""Values of the modules under mutation cannot be changed after they are made."""

import importlib
from dataclasses import is_dataclass

import pytest

from tests.mutants.killing import TESTS

CHANGING = {"_Partners"}  # a cursor over the partners of a theory


@pytest.mark.parametrize("module", TESTS)
def test_values_are_frozen_and_slotted(module):
    name = module.removesuffix(".py").replace("/", ".")
    for value in vars(importlib.import_module(name)).values():
        if isinstance(value, type) and is_dataclass(value) and value.__module__ == name:
            assert "__slots__" in vars(value)
            assert value.__dataclass_params__.frozen == (value.__name__ not in CHANGING)
