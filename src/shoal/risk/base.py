"""The contract of an attack: a function of what a publication shows, about one sensitive column."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, ParamSpec

from shoal.risk.result import Attack
from shoal.risk.sight import Sight

__all__ = ["AttackFunction", "attack"]

P = ParamSpec("P")


class AttackFunction(Generic[P]):
    """A function that attacks a publication, with what `attacks` must know of it.

    Call it like the function. It takes what is published, a schema and ``column=``.
    """

    def __init__(
        self,
        function: Callable[P, Attack],
        fits: Callable[[Sight, str], bool],
        options: tuple[str, ...],
    ) -> None:
        update_wrapper(self, function)
        self.name = function.__name__
        self.function = function
        self.fits = fits
        self.options = options

    def __call__(self, *args: P.args, **options: P.kwargs) -> Attack:
        """Attack."""
        return self.function(*args, **options)

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return (self.__doc__ or "").strip().splitlines()[0]

    def __repr__(self) -> str:
        return f"<attack {self.name}>"


def attack(
    *, fits: Callable[[Sight, str], bool] = lambda seen, column: True, options: tuple[str, ...] = ()
) -> Callable[[Callable[P, Attack]], AttackFunction[P]]:
    """Make an attack of a function; its name and docstring are the function's.

    Parameters
    ----------
    fits
        Whether it makes sense of a sensitive column of what is seen; else `attacks` leaves it out.
    options
        Which options of `attacks` it takes, such as ``("alpha",)``.
    """

    def decorate(function: Callable[P, Attack]) -> AttackFunction[P]:
        return AttackFunction(function, fits, options)

    return decorate
