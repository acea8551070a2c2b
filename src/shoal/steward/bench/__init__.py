"""How fast Shoal is on this machine: the main cases, as ratios to something known.

`cases`      what is measured
`processes`  CPU time and memory of a whole process
"""

from shoal.steward.bench.cases import CASES, Figure, measure

__all__ = ["CASES", "Figure", "measure"]
