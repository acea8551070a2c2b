"""The probability attack: guess the value that is most frequent in the class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shoal.base.arrays import Bools, Floats, Ints
from shoal.errors import ParameterError
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import of_classes
from shoal.judging.risk.sight import Sight, sight
from shoal.models import AlphaK, Requirement, Requirements, ShareBounds, requirements
from shoal.table.schema import SchemaLike

DEFAULT_ALPHA = 0.5
"""Above it a guess is more likely right than wrong."""

QUANTILES = (0.5, 0.9, 0.99)


@attack(options=("alpha",))
def probability(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    alpha: float | str | None = None,
    require: Requirements | None = None,
) -> Attack:
    """Count the people whose value is guessed with a probability above α.

    The guess is the most frequent value of the class; its share is how likely it is right.
    The result is private.

    Parameters
    ----------
    published, schema, column
        As in `sight`; the sensitive column may be left out where there is one.
    alpha
        The largest share that does not count as success. Left out, and without ``require``: what
        the release requires of shares (`AlphaK`, `LeveledAlphaK`), else 0.5.
    require
        A requirement that limits shares, such as `AlphaK` or `LeveledAlphaK`, to take α, or an αᵢ
        per level, from; k plays no part.

    Returns
    -------
    Attack
        Its details: the limits, the largest share of a value in a class and, over people, the
        mean (the share of people guessed right) and quantiles of it; ``prior``, the share of
        the most frequent value of all, which needs no class to guess.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> table = pl.DataFrame({"age": ["[30, 42]"] * 3 + ["*"] * 2,
    ...                       "disease": ["flu", "flu", "HIV", "HIV", "flu"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "disease": shoal.sensitive()})
    >>> attack = shoal.risk.probability(table, schema)
    >>> attack.share, round(attack.details["largest"], 3), round(attack.details["mean"], 3)
    (0.6, 0.667, 0.6)
    """
    seen = sight(published, schema)
    name, found = seen.column(column)
    limits = _limits(seen, name, alpha, require)
    by_level: dict[str, float] = {}
    groups = seen.statistics(name)
    for requirement, _ in limits:
        achieved = requirement.judge(groups).achieved
        by_level |= {k: float(v) for k, v in achieved.items() if k.startswith("alpha ")}
    shares = np.zeros(seen.n_classes)
    np.maximum.at(shares, found.group, found.counts / seen.totals[name][found.group])
    written = [_written(requirement, mine) for requirement, mine in limits]
    details: dict[str, Any] = {
        **_spread(shares, seen.crowds),
        "prior": float(found.totals.max() / seen.totals[name].sum()),
    }
    if by_level:
        details["largest_by_level"] = by_level
    return of_classes(
        "probability",
        seen,
        name,
        lambda each: _exceeded(each, name, _limits(each, name, alpha, require)),
        f"a value has a share of the class above {_in_words(written)}",
        first={"bounds": written},
        then=details,
        remark=f"; the best guess is right for {details['mean']:.1%}, at most "
        f"{details['largest']:.1%} in a class, {details['prior']:.1%} without the classes",
    )


def _exceeded(
    seen: Sight, name: str, limits: Sequence[tuple[Requirement, Sequence[ShareBounds]]]
) -> Bools:
    """Mark the classes where a share is above its limit."""
    exposed = np.zeros(seen.n_classes, dtype=np.bool_)
    for _, mine in limits:
        for each in mine:
            exposed |= each.exceeded(seen.histograms[name], seen.totals[name])
    return exposed


def _in_words(limits: Sequence[Any]) -> str:
    """Name the limit, if it is the same for all values."""
    each = {str(limit) for one in limits for limit in (one if isinstance(one, list) else [one])}
    return each.pop() if len(each) == 1 else "its bound"


def _limits(
    seen: Sight, column: str, alpha: float | str | None, require: Requirements | None
) -> list[tuple[Requirement, Sequence[ShareBounds]]]:
    """Find the requirements that limit shares of a column, and how."""
    groups = seen.statistics(column)
    if alpha is not None:
        if require is not None:
            raise ParameterError("alpha and require both set the limit.", "Give one.")
        filled = AlphaK(alpha, 2, column=column)
        filled.validate()
        return [(filled, filled.shares(groups))]
    required = None if require is None else requirements(require)
    limits = list(share_limits(seen, column, seen.require if required is None else required))
    if not limits and required is not None:
        raise ParameterError(
            f"No requirement bounds the shares of '{column}'.", "Give an AlphaK or LeveledAlphaK."
        )
    usual = AlphaK(DEFAULT_ALPHA, 2, column=column)
    return limits or [(usual, usual.shares(groups))]


def share_limits(
    seen: Sight, column: str, require: Sequence[Requirement]
) -> Iterator[tuple[Requirement, Sequence[ShareBounds]]]:
    """Find those of the requirements that limit shares of a column."""
    for each in seen.required_of(column, require):
        if found := each.shares(seen.statistics(column)):
            yield each, found


def _written(requirement: Requirement, limits: Sequence[ShareBounds]) -> Any:
    """Write the limits as the requirement does, or list the largest shares."""
    spec = requirement.to_spec()
    if "alphas" in spec or "alpha" in spec:
        return spec.get("alphas", spec.get("alpha"))
    return sorted({float(share) for each in limits for share in each.largest})


def _spread(shares: Floats, crowds: Ints) -> dict[str, Any]:
    """Say how the largest shares are spread over people."""
    order = np.argsort(shares, kind="stable")
    below = np.cumsum(crowds[order])
    at = [int(np.searchsorted(below, q * below[-1])) for q in QUANTILES]
    return {
        "largest": float(shares.max()),
        "mean": float(shares @ crowds / crowds.sum()),
        "quantiles": {str(q): float(shares[order[i]]) for q, i in zip(QUANTILES, at, strict=True)},
    }
