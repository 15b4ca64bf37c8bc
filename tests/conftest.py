"""What holds for all tests: property tests have no deadline and the same examples each time; slow tests are marked."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("karat", deadline=None, derandomize=True)
settings.register_profile("quick", parent=settings.get_profile("karat"), max_examples=10)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "karat"))

SLOW = frozenset(Path(__file__).with_name("slow_tests.txt").read_text(encoding="utf-8").split())
"""Tests that `make quick` leaves out; `make slow-tests` writes the list."""


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.partition("[")[0] in SLOW:
            item.add_marker(pytest.mark.slow)
