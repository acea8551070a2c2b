"""Utility for learning: what a model trained on a release knows, beside one of the original.

Scikit-learn is imported when something is trained, not before.
"""

from shoal.judging.utility.compare import utility
from shoal.judging.utility.learners import CLASSIFIERS, REGRESSORS
from shoal.judging.utility.score import Score

__all__ = ["CLASSIFIERS", "REGRESSORS", "Score", "utility"]
