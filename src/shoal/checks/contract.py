"""Find everything that has a contract, and pair it with its checks."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from shoal import measures, methods, models

__all__ = ["Case", "ContractError", "cases", "require"]


class ContractError(AssertionError):
    """A method, requirement or measure breaks the contract."""


def require(holds: object, promise: str) -> None:
    """Insist on a promise of the contract."""
    if not holds:
        raise ContractError(promise)


@dataclass(frozen=True)
class Case:
    """One check on one thing."""

    name: str
    check: Callable[[Any], None]
    thing: Any

    def run(self) -> None:
        """Run the check (raises `ContractError`)."""
        self.check(self.thing)


def cases() -> Iterator[Case]:
    """Pair every method, requirement and measure in the package with each of its checks."""
    from shoal.checks.measures import MEASURE_CHECKS
    from shoal.checks.methods import METHOD_CHECKS
    from shoal.checks.models import MODEL_CHECKS

    found: list[tuple[str, Any, Sequence[Callable[[Any], None]]]] = [
        *((kind.__name__, kind(), METHOD_CHECKS) for kind in _classes(methods, methods.Method)),
        *(
            (kind.__name__, kind.example(), MODEL_CHECKS)
            for kind in _classes(models, models.Requirement)
        ),
        *((measure.name, measure, MEASURE_CHECKS) for measure in _measures()),
    ]
    for name, thing, checks in found:
        for check in checks:
            yield Case(f"{name}-{check.__name__}", check, thing)


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(found.name)


def _classes(package: ModuleType, base: type[Any]) -> list[type[Any]]:
    """Find the concrete classes of a family, whether or not anyone registered them."""
    found = {
        thing
        for module in _modules(package)
        for thing in vars(module).values()
        if inspect.isclass(thing) and issubclass(thing, base) and not inspect.isabstract(thing)
    }
    return sorted(found, key=lambda thing: thing.__name__)


def _measures() -> list[measures.Measure]:
    found = {
        thing.name: thing
        for module in _modules(measures)
        for thing in vars(module).values()
        if isinstance(thing, measures.Measure)
    }
    return [found[name] for name in sorted(found)]
