"""An audit that is served."""

import pytest

import karat
from support.package_files import DIGITS


@pytest.fixture(scope="session")
def digits():
    """The demo's table."""
    return karat.read(str(DIGITS))


@pytest.fixture(scope="session")
def audit(digits):
    """Is the svm better than the logistic regression?"""
    return digits.audit(claim=("svm", "logistic"), seed=2026)
