"""What helps a column that was lost: levers of a plan, each tried in a real run and measured.

It lies above `comparison`, whose figures and processes it uses: a comparison varies what is asked
for, advice what a plan can do for its columns at the same protection.
"""

from shoal.steward.advice.advising import advise
from shoal.steward.advice.levers import Lever
from shoal.steward.advice.result import Advice, Effect
from shoal.steward.advice.trial import ColumnFigures, Trial

__all__ = ["Advice", "ColumnFigures", "Effect", "Lever", "Trial", "advise"]
