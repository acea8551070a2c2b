"""The contract: what every method, requirement and measure must keep, as public checks.

Everything that Shoal ships is discovered and checked by the tests; call the same checks on
a method, requirement or measure of your own::

    for check in shoal.checks.METHOD_CHECKS:
        check(MyMethod())

``python -m shoal.checks`` runs them all.
"""

from shoal.checks.contract import Case, ContractError, cases
from shoal.checks.measures import MEASURE_CHECKS
from shoal.checks.methods import METHOD_CHECKS
from shoal.checks.models import MODEL_CHECKS

__all__ = [
    "MEASURE_CHECKS",
    "METHOD_CHECKS",
    "MODEL_CHECKS",
    "Case",
    "ContractError",
    "cases",
]
