"""Every member that there is, ours and those of other packages, with the checks of its kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from shoal.checks.attacks import ATTACK_CHECKS
from shoal.checks.builders import BUILDER_CHECKS
from shoal.checks.contract import Case, run_all
from shoal.checks.measures import MEASURE_CHECKS
from shoal.checks.methods import METHOD_CHECKS
from shoal.checks.models import MODEL_CHECKS
from shoal.checks.publications import PUBLICATION_CHECKS
from shoal.judging.risk import ATTACKS, AttackFunction
from shoal.measures import MEASURES, Measure
from shoal.methods import METHODS, Method
from shoal.models import MODELS, Requirement
from shoal.publications import FORMS, Publication
from shoal.table.hierarchies import BUILDERS, Builder


def cases() -> Iterator[Case]:
    """Pair every member that needs no options to be made with each of its checks."""
    found: list[tuple[str, Any, Sequence[Callable[[Any], None]]]] = [
        *((kind.__name__, kind(), METHOD_CHECKS) for kind in METHODS.values()),
        *((kind.__name__, kind.example(), MODEL_CHECKS) for kind in MODELS.values()),
        *((measure.name, measure, MEASURE_CHECKS) for measure in MEASURES.values()),
        *((attack.name, attack, ATTACK_CHECKS) for attack in ATTACKS.values()),
        *((kind.__name__, kind(), PUBLICATION_CHECKS) for kind in FORMS.values()),
        *(
            (kind.__name__, kind(), BUILDER_CHECKS)
            for kind in BUILDERS.values()
            if all(p.default is not p.empty for p in inspect.signature(kind).parameters.values())
        ),
    ]
    for name, thing, checks in found:
        for check in checks:
            yield Case(f"{name}-{check.__name__}", check, thing)


def check_method(method: Method) -> None:
    """Check that a method keeps the contract of methods (raises `ContractError`).

    Every promise that it breaks is named. It need not be registered anywhere. It takes seconds.

    Examples
    --------
    >>> import shoal
    >>> shoal.checks.check_method(shoal.KACA())
    """
    run_all(method, METHOD_CHECKS)


def check_requirement(requirement: Requirement) -> None:
    """Check that a requirement keeps the contract of requirements (raises `ContractError`).

    Examples
    --------
    >>> import shoal
    >>> shoal.checks.check_requirement(shoal.KAnonymity(3))
    """
    run_all(requirement, MODEL_CHECKS)


def check_measure(measure: Measure) -> None:
    """Check that a measure keeps the contract of measures (raises `ContractError`).

    Examples
    --------
    >>> import shoal
    >>> shoal.checks.check_measure(shoal.measures.discernibility)
    """
    run_all(measure, MEASURE_CHECKS)


def check_attack(attack: AttackFunction[...]) -> None:
    """Check that an attack keeps the contract of attacks (raises `ContractError`).

    Examples
    --------
    >>> import shoal
    >>> shoal.checks.check_attack(shoal.risk.homogeneity)
    """
    run_all(attack, ATTACK_CHECKS)


def check_builder(builder: Builder) -> None:
    """Check that a hierarchy builder keeps the contract of builders (raises `ContractError`).

    Examples
    --------
    >>> import shoal
    >>> shoal.checks.check_builder(shoal.hierarchies.Prefixes(step=2))
    """
    run_all(builder, BUILDER_CHECKS)


def check_publication(form: Publication) -> None:
    """Check that a form of publication keeps the contract of forms (raises `ContractError`).

    Examples
    --------
    >>> import shoal
    >>> shoal.checks.check_publication(shoal.publications.Generalized())
    """
    run_all(form, PUBLICATION_CHECKS)
