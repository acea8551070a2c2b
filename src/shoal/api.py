"""The one-line face: lists of columns in, a release out."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from shoal.engines import pipeline
from shoal.errors import ParameterError, SchemaError, ShoalError, a_type
from shoal.improve import Refinement
from shoal.improve.loss_bound import Bounding
from shoal.io.frames import FrameT, require_frame
from shoal.measures._weighing import WeightKind
from shoal.methods import Method
from shoal.models import KAnonymity, Requirement, Requirements, requirements
from shoal.plan import Plan
from shoal.publications import Publication
from shoal.release import Release
from shoal.table.hierarchies import Builder, Hierarchy
from shoal.table.roles import ROLE_OF, Columns, role_lists
from shoal.table.schema import (
    NO_ENTITY,
    Column,
    Kind,
    Role,
    Schema,
    SchemaLike,
    as_schema,
    column_of,
)

if TYPE_CHECKING:
    from shoal.release import OpenedRelease

__all__ = ["Columns", "anonymize", "schema_of"]


@runtime_checkable
class Proposed(Protocol):
    """A proposal: it has a plan."""

    @property
    def plan(self) -> Plan:
        """The plan as it stands."""


_FORMER = {"quasi": ("exact", "generalized"), "sensitive": ("values", "rows", "counts")}
"""The publication's options that these words used to name."""


def anonymize(
    data: FrameT | str | PathLike[str],
    plan: Plan | Proposed | SchemaLike | None = None,
    *,
    k: int | None = None,
    quasi: Columns | None = None,
    sensitive: Columns | None = None,
    drop: Columns | None = None,
    other: Columns | None = None,
    entity: str | None = None,
    require: Requirements | None = None,
    method: Method | str | Mapping[str, Any] | None = None,
    refine: Refinement | Mapping[str, Any] | None = None,
    bound: Bounding | Mapping[str, Any] | Literal["auto"] | None = "auto",
    blocks: int | Literal["auto"] | None = None,
    publication: Literal["generalized", "two-table", "sensitive-groups"]
    | str
    | Publication
    | None = None,
    quasi_cells: Literal["exact", "generalized"] | None = None,
    sensitive_cells: Literal["values", "rows", "counts"] | None = None,
    bounds: Literal["rounded", "observed"] | None = None,
    missing: Literal["keep", "drop", "suppress-column"] = "keep",
    suppression_limit: float = 0.05,
    weights: WeightKind | Mapping[str, float] | None = None,
    label: str | None = None,
    seed: int | None = None,
    again: OpenedRelease | str | PathLike[str] | None = None,
    population: Any = None,
    progress: pipeline.Report | None = None,
) -> Release[FrameT]:
    """Make a release: group, publish, verify, measure. Nothing is written to disk.

    Every column of the table needs a role: in the lists below, in a `Schema`, or in a `Plan`,
    which decides everything else as well. `shoal.propose` drafts one.

    Parameters
    ----------
    data
        Any frame (pandas, polars, pyarrow, DuckDB …), or the path of a CSV or Parquet file, whose
        texts are categories unless the schema says ``kind="numeric"``.
    plan
        A `Plan`, or what `shoal.propose` gives; or a `Schema`; or a role per column, such as
        ``{"age": "quasi", "zip": shoal.quasi(hierarchy=…), "income": {"role": "quasi", "kind":
        "numeric"}}``.
    k
        No group has fewer than k members. It is added to ``require``.
    quasi
        Columns that an attacker may know (quasi-identifiers). They are generalized. A mapping gives
        each a hierarchy, a builder, a kind or options: ``{"zip": shoal.hierarchies.Prefixes(),
        "age": None, "income": {"kind": "numeric", "weight": 2}}``.
    sensitive
        Columns whose values are published without their link to people. A mapping gives each a
        hierarchy or options such as ``{"disease": {"levels": {"HIV": 1, "Flu": 4}}}``.
    drop
        Columns that are left out, such as names (the role is called identifier).
    other
        Columns that are published as they are; nothing protects them.
    entity
        The column that identifies people, which is also left out: k then counts people, not rows.
        ``"none"`` means that no person has two rows.
    require
        What must hold: a requirement, such as ``shoal.AlphaK(0.5, 10)``, a k, a plan's table, or
        a list of these.
    method
        How groups are found: ``shoal.KACA()``, its name ``"kaca"``, or a plan's table such as
        ``{"name": "kaim", "seed": 3}``. `Auto` if left out, which also refines, and bounds what is
        lost.
    refine
        How long groups are refined after they are found, so that less is lost:
        ``shoal.Refinement(seconds=10)``, or ``{"steps": 20_000}``. Left out: as long as `Auto`
        finds fit, and not at all after other methods.
    bound
        How long to look for what any k-anonymous table loses at least:
        ``shoal.Bounding(seconds=30)``, or ``{"looks": 100_000_000}``. ``"auto"``: as `Auto` finds
        fit, and not at all beside other methods. ``None``: not at all.
    blocks
        In how many blocks a large table is grouped, all cores at work; ``"auto"`` makes one for
        each 250,000 rows. Left out: the table is grouped as a whole.
    publication
        ``"generalized"``: one table. ``"two-table"``: quasi-identifiers in one table, the
        sensitive value in another, and only a class id in both. ``"sensitive-groups"``: the
        same with a table for each sensitive column. Left out: the form that the method is
        made for, which is one table unless the method groups by sensitive values. A form with
        its options will do, too: ``shoal.publications.TwoTable(sensitive_cells="counts")``.
    quasi_cells, sensitive_cells
        Of several tables: ``"exact"`` (the default) or ``"generalized"`` quasi-identifiers, and
        sensitive values in ``"rows"`` (the default of two tables) or ``"counts"``, or the
        different ``"values"`` of a group (the default of sensitive groups).
    bounds
        Where ranges of numbers end: ``"rounded"`` (the default) at round numbers,
        ``"observed"`` at values of the group, which gives exact values of people away.
    missing
        What becomes of missing quasi-identifiers: ``"keep"`` groups them (published as
        ``*``), ``"drop"`` removes their rows, ``"suppress-column"`` publishes their columns
        as ``*`` in every row.
    suppression_limit
        The largest share of rows that a method may suppress.
    weights
        The weights of quasi-identifiers in distances, objectives and weighted measures:
        ``"equal"``, ``"entropy"``, ``"mutual-information"`` or ``"gain-ratio"``, found in the
        table (see `shoal.measures.weights`), or a weight per column. Left out: the schema's.
    label
        The column that mutual information and gain ratio are about.
    seed
        Makes the release repeatable: the order of its rows, the ids of its classes and, unless
        the method has a seed of its own, what the method draws.
    again
        The release before this one, ``shoal.open_release("release")`` or its folder, where a table
        is published again: everyone in it stays among the same values as before. Both need
        `MInvariance`.
    population
        The people from whom the table was drawn, where a requirement counts them (`KMap` without
        ``fraction``, `DeltaPresence`): any frame with the quasi-identifiers, or the path of a file,
        a row for each person. The plan's if left out.
    progress
        Called with the step's name, the work done and the work in all.

    Raises
    ------
    SchemaError
        If a column of the table has no role, or two.
    VerificationError
        If what the method made does not hold what is required; no release is given.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> release = shoal.anonymize(patients, k=2, drop="name", sensitive="disease",
    ...     quasi={"age": None, "sex": None, "zip": shoal.hierarchies.Prefixes()})
    >>> release
    Release(5 rows, 2 classes, k = 2, verified)
    >>> release.table["zip"].to_list()
    ['232**', '232**', '230**', '232**', '230**']
    """
    require_frame(data)
    _refuse_former(quasi=quasi, sensitive=sensitive)
    lists = {"quasi": quasi, "sensitive": sensitive, "drop": drop, "other": other}
    if isinstance(plan, Proposed):
        plan = plan.plan
    if isinstance(plan, Plan):
        if k is not None or entity is not None or any(v is not None for v in lists.values()):
            raise ParameterError(
                "A plan already sets the requirements and the role of every column.",
                "Give a plan, or columns and requirements.",
            )
        schema: Plan | Schema = plan
    else:
        schema = schema_of(plan, lists, entity=entity)
        require = _with_k(k, require)
    return pipeline.anonymize(
        data,
        schema,
        require=require,
        method=method,
        refine=refine,
        bound=bound,
        blocks=blocks,
        publication=publication,
        quasi_cells=quasi_cells,
        sensitive_cells=sensitive_cells,
        bounds=bounds,
        missing=missing,
        suppression_limit=suppression_limit,
        weights=weights,
        label=label,
        seed=seed,
        again=again,
        population=population,
        progress=progress,
    )


def schema_of(
    given: SchemaLike | None, lists: Mapping[str, Columns | None], *, entity: str | None = None
) -> Schema:
    """Make a schema of a role per column, or of lists of columns.

    Parameters
    ----------
    given
        A schema, or a role per column; then there are no lists.
    lists
        The columns under ``quasi``, ``sensitive``, ``drop`` and ``other``.
    entity
        The column that identifies people; an identifier unless it has another role.

    Examples
    --------
    >>> schema_of(None, {"quasi": ["age", "zip"], "sensitive": "disease"}, entity="patient")
    Schema(identifier: patient; quasi: age, zip; sensitive: disease)
    """
    specified = {name: columns for name, columns in lists.items() if columns is not None}
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(
            f"The second argument must be a Plan, a Schema or a role per column, not "
            f"{a_type(given)}.",
            "Read a plan file with shoal.Plan.read, or name columns with quasi=[…].",
        )
    if given is not None and specified:
        raise ParameterError(
            f"Roles are given twice: by the second argument and by {', '.join(specified)}.",
            "Give a schema or lists of columns.",
        )
    if given is None and not specified:
        raise ParameterError(
            "No column roles were given.",
            "Give quasi=[…], sensitive=[…], drop=[…] and other=[…], or the plan of "
            "shoal.propose(table).",
        )
    schema = as_schema(_columns(specified) if given is None else given)
    if entity is None:
        return schema
    if not isinstance(entity, str):
        raise ParameterError(
            f"entity must be the name of a column, not {a_type(entity)}.",
            'Such as entity="patient".',
        )
    if schema.entity not in (None, entity):
        raise ParameterError(
            f"The schema's entity is '{schema.entity}', but entity names '{entity}'.", "Name one."
        )
    named = {} if entity == NO_ENTITY else {entity: "identifier"}
    return Schema(
        {**named, **schema}, entity=entity, linkage=schema.linkage, missing=schema.missing
    )


def _columns(lists: Mapping[str, Columns]) -> dict[str, Column]:
    """Make the columns of lists, each list a role."""
    made: dict[str, Column] = {}
    for place, name, options in role_lists(lists):
        try:
            made[name] = _column(ROLE_OF[place], options)
        except ShoalError as error:
            raise error.about(f"Column '{name}'") from None
    return made


def _column(role: Role, options: Any) -> Column:
    """Make a column from what a mapping says of it: nothing, a hierarchy, a kind, or options."""
    if options is None:
        return column_of(role)
    if isinstance(options, Column):
        if options.role is not role:
            raise SchemaError(
                f"Its options give it the role {options.role}, but its list gives it the role "
                f"{role}.",
                "Move it to the list of its role.",
            )
        return options
    if isinstance(options, str):
        options = {"kind" if options in set(Kind) else "hierarchy": options}
    elif isinstance(options, Hierarchy | Builder) or (
        isinstance(options, Mapping) and "builder" in options
    ):
        options = {"hierarchy": options}
    if not isinstance(options, Mapping):
        raise SchemaError(
            f"It is described by {a_type(options)}.",
            'Give None, a hierarchy, a builder, or options such as {"kind": "numeric"}.',
        )
    return column_of({**options, "role": role})


def _with_k(k: int | None, require: Requirements | None) -> list[Requirement]:
    """Add k-anonymity to what is required."""
    if k is None and require is None:
        raise ParameterError("No requirement was given.", "Give k=10, or require=[…].")
    if k is None:
        return requirements(require)
    required = KAnonymity(k)
    required.validate()
    rest = [] if require is None else requirements(require)
    return [required, *(each for each in rest if each != required)]


def _refuse_former(**lists: Columns | None) -> None:
    """Say the new name to who uses the old one of an option of the publication."""
    for place, columns in lists.items():
        if isinstance(columns, str) and columns in _FORMER[place]:
            raise ParameterError(
                f"{place} lists columns; how their cells are published is {place}_cells.",
                f'Write {place}_cells="{columns}", or {place}=["{columns}"] if it is a column.',
            )
