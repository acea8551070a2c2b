"""The contract of an attack: a function of what a publication shows, mostly about one column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import update_wrapper
from numbers import Real
from typing import Generic, ParamSpec

from shoal.base.arguments import plain, require_whole
from shoal.errors import ParameterError
from shoal.judging.risk.result import Attack
from shoal.judging.risk.sight import Need, Sight

P = ParamSpec("P")


@dataclass(eq=False, repr=False)
class AttackFunction(Generic[P]):
    """A function that attacks a publication, with what `attacks` must know of it.

    Call it like the function. It takes what is published, a schema and ``column=``.
    """

    function: Callable[P, Attack]
    fits: Callable[[Sight, str], bool]
    options: tuple[str, ...]
    needs: tuple[Need, ...]
    of_column: bool

    def __post_init__(self) -> None:
        update_wrapper(self, self.function)
        self.name = self.function.__name__

    def __call__(self, *args: P.args, **options: P.kwargs) -> Attack:
        """Attack."""
        if not self.of_column and options.get("column") is not None:
            raise ParameterError(
                f"The attack '{self.name}' is not about a sensitive column.", "Leave column out."
            )
        if "seed" in options:
            require_whole("seed", options["seed"], 0)
        for name, value in options.items():
            if isinstance(value, Real):
                options[name] = plain(value)
        return self.function(*args, **options)

    def applies(self, seen: Sight, column: str | None) -> bool:
        """Say whether it makes sense of what is seen, and of a column where it is about one."""
        if not all(seen.knows(each) for each in self.needs):
            return False
        return self.of_column == (column is not None) and self.fits(seen, column or "")

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return (self.__doc__ or "").strip().splitlines()[0]

    def __repr__(self) -> str:
        return f"<attack {self.name}>"


def attack(
    *,
    fits: Callable[[Sight, str], bool] = lambda seen, column: True,
    options: tuple[str, ...] = (),
    needs: tuple[Need, ...] = (),
    of_column: bool = True,
) -> Callable[[Callable[P, Attack]], AttackFunction[P]]:
    """Make an attack of a function; its name and docstring are the function's.

    Parameters
    ----------
    fits
        Whether it makes sense of a sensitive column of what is seen (of the whole, if it is not
        about one); else `attacks` leaves it out.
    options
        Which options of `attacks` it takes, such as ``("alpha",)``.
    needs
        What must be known besides the publication: see `Sight.knows`. Else `attacks` leaves it
        out.
    of_column
        Whether it is about a sensitive column; if not, it takes ``column=`` all the same, and
        only ``None`` makes sense.
    """
    return lambda function: AttackFunction(function, fits, options, needs, of_column)
