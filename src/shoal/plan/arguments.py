"""The arguments of `shoal.anonymize`, turned into a plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypedDict, Unpack

from shoal.base.arguments import BLOCK_COUNT, is_block_count
from shoal.errors import ParameterError, a_type
from shoal.improve import Refinement
from shoal.improve.loss_bound import Bounding
from shoal.measures import weighed
from shoal.methods import Method, method_of
from shoal.methods.base import USUAL_LIMIT
from shoal.models import Requirement, Requirements, requirements
from shoal.plan.plan import Plan
from shoal.plan.publication import PublicationPlan
from shoal.plan.weights import WeightsPlan
from shoal.publications import Publication
from shoal.table.schema import Schema, SchemaLike, as_schema


class Arguments(TypedDict, total=False):
    """What may be given instead of a plan; `shoal.anonymize` says what each means."""

    require: Requirements | None
    method: Method | str | Mapping[str, Any] | None
    refine: Refinement | Mapping[str, Any] | None
    bound: Bounding | Mapping[str, Any] | Literal["auto"] | None
    blocks: int | Literal["auto"] | None
    publication: str | Publication | None
    quasi_cells: str | None
    sensitive_cells: str | None
    bounds: str | None
    missing: str
    suppression_limit: float
    weights: str | Mapping[str, float] | None
    label: str | None
    seed: int | None


USUAL: Mapping[str, Any] = {"bound": "auto", "missing": "keep", "suppression_limit": USUAL_LIMIT}
"""The arguments whose default is not ``None``."""

FORM = ("quasi_cells", "sensitive_cells", "bounds")
"""The arguments that are options of the form of publication."""


class Settled(NamedTuple):
    """A plan, and the objects that it was made of; trees may be objects that no plan names."""

    plan: Plan
    schema: Schema
    require: tuple[Requirement, ...]
    method: Method


def settle(plan: Plan | SchemaLike, **given: Unpack[Arguments]) -> Settled:
    """Take a plan as it is, or make one of a schema and arguments.

    Examples
    --------
    >>> settled = settle({"age": "quasi"}, require=2, method="kaca", seed=7)
    >>> settled.method.name, settled.require, settled.plan.publication.seed
    ('kaca', (KAnonymity(k=2),), 7)
    """
    if isinstance(plan, Plan):
        beside = [name for name, value in given.items() if value != USUAL.get(name)]
        if beside:
            raise ParameterError(
                f"A plan already sets everything, so {', '.join(beside)} cannot be given as well.",
                "Change the plan, or give a schema with require and method instead.",
            )
        settled = Settled(plan, plan.schema_(), tuple(plan.requirements()), plan.build_method())
    elif isinstance(plan, Mapping):
        settled = _of_arguments(as_schema(plan), {**USUAL, **given})
    else:
        raise ParameterError(
            f"The second argument must be a Plan, a Schema or a role per column, not "
            f"{a_type(plan)}.",
            "Read a plan file with shoal.Plan.read.",
        )
    settled.method.validate()
    publication = settled.plan.publication.completed(settled.method)
    return settled._replace(
        plan=settled.plan.model_copy(update={"publication": publication}),
        method=settled.method.suppressing(publication.suppression_limit),
    )


def _of_arguments(schema: Schema, given: Mapping[str, Any]) -> Settled:
    blocks, refine = given.get("blocks"), given.get("refine")
    if not is_block_count(blocks):
        raise ParameterError(f"blocks {BLOCK_COUNT}, not {blocks!r}.", "Such as 16.")
    require, method = requirements(given.get("require")), method_of(given.get("method"))
    method, limit = _limit(method, given["suppression_limit"])
    schema, weights = _weigh(schema, given.get("weights"), given.get("label"))
    form = given.get("publication")
    made = form.to_spec() if isinstance(form, Publication) else {"form": form}
    made |= {name: given[name] for name in FORM if given.get(name) is not None}
    publication = PublicationPlan.of(
        **made, missing=given["missing"], suppression_limit=limit, seed=given.get("seed")
    )
    refinement = None if refine is None else Refinement.of(refine)
    bounding = _bounding(given["bound"])
    plan = Plan.of(schema, require, method, publication, weights, refinement, bounding, blocks)
    return Settled(plan, schema, tuple(require), method)


def _limit(method: Method, limit: float) -> tuple[Method, float]:
    """Take the one limit of suppression, wherever it was given: it is the publication's."""
    own = getattr(method, "suppression_limit", None)
    if own is None:
        return method, limit
    method.validate()
    if limit not in (own, USUAL_LIMIT):
        raise ParameterError(
            f"suppression_limit is given twice: {own} by the method and {limit} for the "
            "publication.",
            f"Write suppression_limit={min(own, limit)} once, as an argument of anonymize.",
        )
    return method.suppressing(None), own


def _weigh(
    schema: Schema, weights: str | Mapping[str, float] | None, label: str | None
) -> tuple[Schema, WeightsPlan | None]:
    """Take weights as they are given, or note how they will be found in the table."""
    if weights is None:
        if label is not None:
            raise ParameterError(
                "A label is only used to weight columns.", 'Add weights="mutual-information".'
            )
        return schema, None
    if isinstance(weights, Mapping):
        return weighed(None, schema, weights, label), None
    found = WeightsPlan.of(weights, label)
    for name in schema.quasi:  # what is found replaces what the schema says
        schema = schema.with_column(name, weight=1.0)
    return schema, found


def _bounding(bound: Any) -> Bounding | None:
    """Take ``None`` for "not at all"; a plan that says nothing leaves it to the method."""
    if isinstance(bound, str) and bound == "auto":
        return None
    return Bounding(times=0) if bound is None else Bounding.of(bound)
