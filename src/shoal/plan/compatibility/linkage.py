"""What can keep all rows of a person together (``linkage = "all-rows"``), and why not."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.errors import ParameterError
from shoal.methods import Method
from shoal.models import Requirement
from shoal.table.schema import Schema


def require_linkable(
    schema: Schema,
    require: Sequence[Requirement],
    method: Method,
    *,
    refined: bool = False,
    blocks: bool = False,
) -> None:
    """Refuse what cannot keep all rows of a person together (raises `ParameterError`).

    `refined`, `blocks`: whether groups are to be refined, or found in blocks.
    """
    if schema.linkage != "all-rows":
        return
    relative = [each.name for each in require if each.relative]
    private = [each.name for each in require if each.private_columns]
    reason = None
    if method.needs_rows is not None:
        reason = f"the method '{method.name}' cannot: {method.needs_rows}"
    elif relative:
        reason = f"'{relative[0]}' compares groups with each other and moves rows between them"
    elif private:
        reason = f"'{private[0]}' is judged class by class, not over all rows of a person"
    elif refined:
        reason = "refinement moves rows one by one"
    elif blocks:
        reason = "blocks are cut by rows"
    if reason is not None:
        raise ParameterError(
            f"With linkage = 'all-rows' all rows of a person stay in one group, but {reason}.",
            "Use a method that clusters records, such as gaa-cp, without refine and blocks, "
            "or linkage = 'any-row'.",
        )
