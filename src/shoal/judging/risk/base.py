"""Attacks: functions of what a publication shows, mostly about one column, and all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import update_wrapper
from numbers import Real
from typing import Any, Generic, ParamSpec

import numpy.typing as npt

from shoal.base.arguments import plain, require_whole
from shoal.base.members import Members
from shoal.errors import ParameterError
from shoal.judging.risk.sight import Need, Sight, sight
from shoal.models import Requirements, requirements
from shoal.table.schema import SchemaLike

PRIVATE_NOTE = (
    "PRIVATE: these numbers show how many people a publication fails to protect. They are "
    "for the steward; do not publish them."
)


@dataclass(frozen=True)
class Attack:
    """Against how many people an attack succeeds.

    Parameters
    ----------
    name, column
        Which attack, and the sensitive column it is about; ``None`` if it is about the publication
        as a whole.
    share, people
        The share of people against whom it succeeds, and how many they are; rows, where every row
        is a person.
    total
        How many people were attacked: all who are published, or a sample.
    meaning, remark
        What success means, in words, and what else people should read of it.
    details
        More numbers; no cell values.
    control
        What the same attack gets where there is nothing to find: on permuted data, which is
        chance, or without what the adversary knows besides; ``None`` if nobody asked.
    promise
        The largest share that what is required seems to allow; ``None`` if it says nothing.
    unit
        What is counted, where it is not people.
    """

    name: str
    column: str | None
    share: float
    people: int
    total: int
    meaning: str
    details: dict[str, Any] = field(default_factory=dict)
    remark: str = ""
    control: float | None = None
    promise: float | None = None
    unit: str = "people"

    @classmethod
    def counted(
        cls,
        name: str,
        column: str | None,
        people: int,
        by_chance: int,
        total: int,
        meaning: str,
        details: dict[str, Any],
        **more: Any,
    ) -> Attack:
        """Divide the people, and those of the control, by all who were attacked."""
        share, control = people / max(total, 1), by_chance / max(total, 1)
        return cls(name, column, share, people, total, meaning, details, control=control, **more)

    def in_words(self) -> str:
        """Say what success means, and what else should be read of it.

        Examples
        --------
        >>> Attack("guess", "disease", 0.8, 8, 10, "it is guessed", control=0.5).in_words()
        'it is guessed (control 50.0%)'
        """
        beside = []
        if self.control is not None:
            beside.append(f"control {self.control:.1%}")
        if self.promise is not None:
            beside.append(f"promised: at most {self.promise:.1%}")
        beside_words = f"({', '.join(beside)})" if beside else ""
        sentence = f"{self.meaning} {self.remark}".strip().replace(" ;", ";")
        return f"{sentence} {beside_words}".strip()

    @property
    def excess(self) -> float:
        """How far it goes beyond its control: what the publication itself gives away.

        Examples
        --------
        >>> Attack("guess", "disease", 0.75, 6, 8, "it is guessed", control=0.5).excess
        0.25
        """
        return self.share - (self.control or 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return asdict(self)


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


ATTACKS: Members[AttackFunction[...]] = Members(
    "shoal.judging.risk",
    noun="attack",
    fits=lambda thing: isinstance(thing, AttackFunction),
    folders=("attacking",),
    separator="_",
    group="shoal.risk",
)
"""Every attack by its name."""


def attacks(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    alpha: float | str | None = None,
    require: Requirements | None = None,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    outside: Any = None,
) -> list[Attack]:
    """Try every attack that makes sense: on every sensitive column, then on the whole.

    An attack that makes no sense of a column is left out, as `similarity` without levels, and so
    is one that needs to know more than is given, as `learning` without the original. What one
    secret tells about another is asked by `linkage`, and what two releases tell together by
    `two_releases`. The result is private.

    Parameters
    ----------
    published, schema, original, rows, outside
        As in `sight`.
    alpha, require
        As in `probability`; a column that no requirement names is compared with 0.5.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 2 + ["*"] * 2,
    ...                       "disease": ["flu", "flu", "HIV", "flu"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> people = {attack.name: attack.people for attack in shoal.risk.attacks(table, schema)}
    >>> people["homogeneity"], people["negation"]
    (2, 4)
    """
    seen = sight(published, schema, original=original, rows=rows, outside=outside)
    if require is not None:
        seen = replace(seen, require=tuple(requirements(require)))
    given = {"alpha": alpha}
    found = [
        each(seen, column=name, **{option: given[option] for option in each.options})
        for name in (*seen.histograms, None)
        for each in ATTACKS.values()
        if each.applies(seen, name)
    ]
    if not found:
        seen.column(None)  # refuses, with the way out
    return found
