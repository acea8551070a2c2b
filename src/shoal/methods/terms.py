"""Requirements on one sensitive column as plain numbers: what bounds a class, term by term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from shoal.errors import ParameterError
from shoal.grouping import one_group
from shoal.models import AlphaK, Histogram, KAnonymity, LeveledAlphaK, Requirement
from shoal.table import Table

__all__ = ["Terms", "below", "require_share", "terms_of"]

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Terms:
    """The sensitive column, and the shares that its values, or sets of them, may have.

    Parameters
    ----------
    column
        Its name.
    codes
        Its value in each row, as a code.
    k
        How many people a class must hold.
    level
        The level of each value, 1 being the most sensitive; ``None`` if levels do not matter.
    terms
        Values × terms: what a row of a value counts for. First the value itself, then its
        level if levels matter, then the sets of values that are bounded together.
    shares
        The largest share of each term, exact for classes of up to as many rows as there are.
    """

    column: str
    codes: Ints
    k: int
    level: Ints | None
    terms: Ints
    shares: tuple[Fraction, ...]


def terms_of(
    table: Table, require: Sequence[Requirement], *, leveled: bool = False, method: str = ""
) -> Terms:
    """Read what the requirements ask of one sensitive column.

    Parameters
    ----------
    leveled
        Whether values need levels: those of a `LeveledAlphaK`, or else of the schema.
    method
        What to call the method in a message.
    """
    whole = one_group(table, require)
    bounding = [each for each in require if isinstance(each, AlphaK | LeveledAlphaK)]
    k = max(each.k for each in require if isinstance(each, KAnonymity | AlphaK | LeveledAlphaK))
    found = dict(whole.histogram(each.column) for each in bounding)
    if len(found) > 1:
        raise ParameterError(
            f"The method '{method}' groups by one sensitive column, but the requirements bound "
            f"{', '.join(repr(name) for name in found)}.",
            "Bound one of them, or take a method that carries any requirement: gaa-cp.",
        )
    graded = next((each for each in bounding if isinstance(each, LeveledAlphaK)), None)
    if leveled and graded is None:
        graded = _of_schema(table, list(found), method)
        whole = one_group(table, [graded])
        found = found or dict([whole.histogram(graded.column)])
    ((name, histogram),) = found.items()
    size = len(histogram.labels)
    shares = [Fraction(1)] * size
    columns = [np.arange(size)]
    level = None
    if leveled and graded is not None:
        level = graded.level_of_codes(histogram) + 1
        _add(columns, shares, level - 1, [Fraction(1)] * int(level.max()))
    for each in bounding:
        for v, share in enumerate(_value_shares(each, histogram)):
            shares[v] = min(shares[v], share)
        if isinstance(each, LeveledAlphaK) and each.scope == "level":
            _add(columns, shares, each.level_of_codes(histogram), each.shares)
    return Terms(
        name,
        table.sensitive[name].codes,
        k,
        level,
        np.stack(columns, axis=1).astype(np.int64),
        tuple(below(share, table.n_rows) for share in shares),
    )


def require_share(require: Sequence[Requirement], method: str) -> None:
    """Refuse requirements that bound no share: there would be nothing to mix values for."""
    if not any(isinstance(each, AlphaK | LeveledAlphaK) for each in require):
        raise ParameterError(
            f"The method '{method}' needs a bound on the shares of sensitive values.",
            "Require AlphaK, or take a method that needs only k: gaa-cp.",
        )


def below(share: Fraction, largest: int) -> Fraction:
    """Find the largest fraction up to a share whose denominator is not above ``largest``.

    A count over a total of at most ``largest`` is within the one exactly if it is within the
    other, and the shorter one cannot overflow.

    Examples
    --------
    >>> below(Fraction("0.333333"), 10), below(Fraction("0.3"), 10), below(Fraction("0.01"), 10)
    (Fraction(3, 10), Fraction(3, 10), Fraction(0, 1))
    """
    if share.denominator <= largest:
        return share
    # Continued fractions: the last two that fit enclose the share.
    p0, q0, p1, q1 = 0, 1, 1, 0
    rest, unit = share.numerator, share.denominator
    while (q2 := q0 + rest // unit * q1) <= largest:
        whole = rest // unit
        p0, q0, p1, q1 = p1, q1, p0 + whole * p1, q2
        rest, unit = unit, rest - whole * unit
    times = (largest - q0) // q1
    ends = (Fraction(p1, q1), Fraction(p0 + times * p1, q0 + times * q1))
    return max(end for end in ends if end <= share)


def _of_schema(table: Table, named: list[str], method: str) -> LeveledAlphaK:
    """Take the levels of the schema, as a requirement that bounds nothing."""
    names = [n for n in named or table.schema.sensitive if table.schema[n].levels]
    if len(names) != 1:
        problem = "has none" if not names else "has several columns with levels"
        raise ParameterError(
            f"The method '{method}' needs levels of sensitivity, and the schema {problem}.",
            "Require LeveledAlphaK with levels, or give one sensitive column levels; where all "
            "values are alike, take the method gca.",
        )
    levels = dict(table.schema[names[0]].levels or {})
    return LeveledAlphaK(levels, [1] * max(levels.values()), 2, column=names[0])


def _add(columns: list[Ints], shares: list[Fraction], sets: Ints, bounds: list[Fraction]) -> None:
    """Add a term per set of values; sets that are there already get the smaller share."""
    for column in columns[1:]:
        if np.array_equal(column - column.min(), sets - sets.min()):
            begin = int(column[0] - sets[0])
            for each in np.unique(sets).tolist():
                shares[begin + each] = min(shares[begin + each], bounds[each])
            return
    columns.append(sets + len(shares))
    shares += bounds


def _value_shares(requirement: AlphaK | LeveledAlphaK, found: Histogram) -> list[Fraction]:
    """List the largest share of each value."""
    if isinstance(requirement, AlphaK):
        asked = [requirement.value in (None, label) for label in found.labels]
        return [requirement.share if yes else Fraction(1) for yes in asked]
    if requirement.scope == "level":
        return [Fraction(1)] * len(found.labels)
    shares = requirement.shares
    return [shares[level] for level in requirement.level_of_codes(found).tolist()]
