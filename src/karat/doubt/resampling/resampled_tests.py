"""The tests that resample: items or clusters drawn with replacement, or one cluster left out after the other."""

from karat.doubt.resampling.joint import joint, joint_without
from karat.doubt.tests.significance_test import SignificanceTest

bootstrap = SignificanceTest(method=joint, basis="resamples")
jackknife = SignificanceTest(method=joint_without, basis="clusters")
