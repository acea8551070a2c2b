"""Comparison of k and methods: one plan run with several of them, and what each costs and protects.

`compare` runs the points, on all cores; a `Comparison` says which of them no other beats, and which
one to begin with.
"""

from shoal.steward.comparison.point import Point
from shoal.steward.comparison.result import Comparison
from shoal.steward.comparison.running import compare
from shoal.steward.comparison.setting import Setting

__all__ = ["Comparison", "Point", "Setting", "compare"]
