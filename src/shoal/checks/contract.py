"""A check is a promise that a member must keep; `Case` pairs one with a member."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isfunction
from typing import Any

from shoal.errors import VerificationError


class ContractError(AssertionError):
    """A member breaks the contract of its kind."""


def require(holds: object, promise: str) -> None:
    """Insist on a promise of the contract."""
    if not holds:
        raise ContractError(promise)


@contextmanager
def verifies() -> Iterator[None]:
    """Break the contract where a release does not verify."""
    try:
        yield
    except VerificationError as error:
        raise ContractError(error.problem) from None


@dataclass(frozen=True)
class Case:
    """One check on one thing."""

    name: str
    check: Callable[[Any], None]
    thing: Any

    @property
    def member(self) -> str:
        """What Python calls the thing."""
        return self.name.partition("-")[0]

    def run(self) -> None:
        """Run the check (raises `ContractError`)."""
        self.check(self.thing)


def checks_of(names: Mapping[str, Any], kind: str) -> tuple[Callable[[Any], None], ...]:
    """List the checks among the names of a file: its public functions of one thing of a kind."""
    found = [each for name, each in names.items() if isfunction(each) and name[0] != "_"]
    return tuple(each for each in found if [*each.__annotations__.values()] == [kind, "None"])


def run_all(thing: object, checks: Sequence[Callable[[Any], None]]) -> None:
    """Run all checks on a thing, and name every one that fails (raises `ContractError`)."""
    broken = []
    for check in checks:
        try:
            check(thing)
        except ContractError as error:
            broken.append(f"{check.__name__}: {error}")
    if broken:
        raise ContractError("\n".join(broken))
