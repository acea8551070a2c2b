"""The contract: what every member of a kind must keep, as public checks.

Everything that Shoal ships, and what other packages declare, is found and checked by the tests.
Call the same checks on a member of your own; it need not be registered anywhere::

    shoal.checks.check_method(MyMethod())

``python -m shoal.checks`` runs them all.
"""

from shoal.checks.attacks import ATTACK_CHECKS
from shoal.checks.builders import BUILDER_CHECKS
from shoal.checks.contract import Case, ContractError
from shoal.checks.discover import (
    cases,
    check_attack,
    check_builder,
    check_measure,
    check_method,
    check_publication,
    check_requirement,
)
from shoal.checks.measures import MEASURE_CHECKS
from shoal.checks.methods import METHOD_CHECKS
from shoal.checks.models import MODEL_CHECKS
from shoal.checks.publications import PUBLICATION_CHECKS

__all__ = [
    "ATTACK_CHECKS",
    "BUILDER_CHECKS",
    "MEASURE_CHECKS",
    "METHOD_CHECKS",
    "MODEL_CHECKS",
    "PUBLICATION_CHECKS",
    "Case",
    "ContractError",
    "cases",
    "check_attack",
    "check_builder",
    "check_measure",
    "check_method",
    "check_publication",
    "check_requirement",
]
