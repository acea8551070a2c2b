"""A plan: every decision of a release, in one TOML file."""

from __future__ import annotations

import dataclasses
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr
from pydantic_core import PydanticCustomError

from shoal import methods, models, publications
from shoal.arguments import BLOCK_COUNT, is_block_count
from shoal.cells import STAR
from shoal.errors import ParameterError, PlanError, ShoalError, a_type, did_you_mean
from shoal.hierarchies import Hierarchy
from shoal.measures.loss_bound import Bounding
from shoal.measures.weighing import INFORMED, KINDS, WeightKind, weighed
from shoal.methods import Method
from shoal.methods.refine import Refinement
from shoal.missing_policy import MissingPolicy
from shoal.models import Requirement
from shoal.plan.explaining import SEE_SCHEMA, explained
from shoal.publications import Publication
from shoal.schema import Column, Kind, Linkage, Role, Schema, column_of

__all__ = [
    "ColumnPlan",
    "InputPlan",
    "OutputPlan",
    "Plan",
    "PopulationPlan",
    "PublicationPlan",
    "WeightsPlan",
]


class _Strict(BaseModel):
    # Built when a plan is read: each part is then built once, inside the plan.
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


ASKED = "?"
"""Stands for the entity while a person has still to say it."""


class _FilePlan(_Strict):
    """Where a table is, and how to read it."""

    path: str | None = Field(None, description="The table, relative to the plan.")
    format: Literal["csv", "parquet"] | None = Field(None, description="Detected if left out.")
    separator: str | None = Field(None, description="CSV: one character; detected if left out.")
    encoding: str | None = Field(None, description="CSV: such as utf-8; detected if left out.")
    quote: str | None = Field(None, description="CSV: one character; detected if left out.")
    max_unpacked: int | None = Field(
        None, ge=1, description="Bytes that a packed file may unpack to; 4 GiB if left out."
    )

    @property
    def reading(self) -> dict[str, Any]:
        """What `shoal.io.read` is told of the file."""
        return {
            "format": self.format,
            "separator": self.separator,
            "encoding": self.encoding,
            "quote": self.quote,
            "max_unpacked": self.max_unpacked,
        }


class InputPlan(_FilePlan):
    """Where the table is, and how to read it."""

    missing: tuple[str, ...] = Field(("", STAR), description="Texts that mean missing.")


class PopulationPlan(_FilePlan):
    """Where the population is, and how to read it; texts that mean missing are the input's."""


class ColumnPlan(_Strict):
    """One column's part in the release."""

    role: Role = Field(description="identifier, quasi, sensitive or other.")
    kind: Kind | None = Field(
        None, description="numeric or categorical (the default: a text is a category)."
    )
    hierarchy: str | dict[str, Any] | None = Field(
        None,
        description="A file (.csv, .json), or a builder such as {builder = 'prefixes'}. Of a "
        "sensitive column: values are published as the nodes above its leaves.",
    )
    weight: float = Field(1.0, gt=0, allow_inf_nan=False, description="How much it counts.")
    missing: tuple[str, ...] | None = Field(None, description="Missing texts of this column.")
    levels: str | dict[str, Annotated[int, Field(strict=True, ge=1)]] | None = Field(
        None,
        description="How sensitive each value is, from 1 (most) on: a file (.csv, .json) or a "
        "table such as {HIV = 1, Flu = 4}.",
    )
    degrees: (
        str | dict[str, Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]] | None
    ) = Field(
        None,
        description="How sensitive some values are, where their rarity says it wrongly: a file "
        "(.csv, .json) or a table such as {HIV = 9.0}.",
    )

    @pydantic.model_validator(mode="after")
    def _fits_the_role(self) -> ColumnPlan:
        if self.role is not Role.QUASI and (self.kind or self.weight != 1.0):
            raise ValueError("kind and weight are only for quasi-identifiers")
        if self.role not in (Role.QUASI, Role.SENSITIVE) and self.hierarchy is not None:
            raise ValueError("a hierarchy is only for quasi-identifiers and sensitive columns")
        if self.role is not Role.SENSITIVE and self.levels is not None:
            raise ValueError("levels are only for sensitive columns")
        if self.role is not Role.SENSITIVE and self.degrees is not None:
            raise ValueError("degrees are only for sensitive columns")
        return self

    def column(self, folder: Path) -> Column:
        """Make the schema's column; files are sought from ``folder``."""
        said = {name: value for name, value in self if value is not None and name != "missing"}
        if self.role is Role.QUASI:
            # A file's text is a category unless the plan says numeric: 01234 stays 01234.
            said["kind"] = self.kind or Kind.CATEGORICAL
        else:
            del said["weight"]
        return dataclasses.replace(column_of(said, folder=folder), missing=self.missing)


class PublicationPlan(_Strict):
    """How groups are released. Further keys are the options of the form."""

    model_config = ConfigDict(extra="allow", frozen=True)

    form: str | None = Field(
        None,
        description="One table of generalized cells; two tables (quasi-identifiers and "
        "sensitive values) that share only a class id; or, for several sensitive columns, a "
        "table for each of them. Left out: the form the method is made for.",
    )
    missing: MissingPolicy = Field(
        "keep",
        description="Keep rows with missing cells (published as *), drop them, or publish "
        "columns with missing cells as * in every row.",
    )
    suppression_limit: float = Field(
        0.05, ge=0, le=1, description="The largest share of rows a method may suppress."
    )
    seed: int | None = Field(
        None,
        ge=0,
        description="Makes the order of rows, class ids, and what the method draws repeatable. "
        "Left out: the method's own seed, or chance.",
    )

    def fixed_seed(self, method: Method) -> int | None:
        """The seed of row orders and class ids: the publication's own, or else the method's."""
        return method.seed if self.seed is None else self.seed

    def build(self, method: Method) -> Publication:
        """Make the form, or the one that the method is made for, where none is named."""
        form = self.form or method.publication
        given = self.model_extra or {}
        options = {name: value for name, value in given.items() if value is not None}
        for name in options:
            publications.require_option(name, form, beside=type(self).model_fields)
        return publications.from_spec({"form": form, **options})

    def completed(self, method: Method) -> PublicationPlan:
        """Name the form and all its options, so that nothing is left open."""
        return PublicationPlan(
            missing=self.missing,
            suppression_limit=self.suppression_limit,
            seed=self.seed,
            **self.build(method).completed().to_spec(),
        )

    @classmethod
    def of(cls, **options: Any) -> PublicationPlan:
        """Check options given in Python (raises `ParameterError`)."""
        try:
            return cls.model_validate({k: v for k, v in options.items() if v is not None})
        except pydantic.ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = "publication" if first["loc"] == ("form",) else str(first["loc"][0])
            reason = first["msg"][:1].lower() + first["msg"][1:]
            raise ParameterError(f"{name} is not right: {reason}.", SEE_SCHEMA) from None


class WeightsPlan(_Strict):
    """How much each column counts, found in the table."""

    kind: WeightKind = Field(
        description="By entropy, or by what a column tells about the label.",
    )
    label: str | None = Field(
        None, description="Of mutual-information and gain-ratio: the column to predict."
    )

    @pydantic.model_validator(mode="after")
    def _fits_the_kind(self) -> WeightsPlan:
        if self.kind in INFORMED and self.label is None:
            raise ValueError(f"kind = '{self.kind}' needs a label, the column to predict")
        if self.kind not in INFORMED and self.label is not None:
            raise ValueError(f"a label is only for {' and '.join(map(repr, INFORMED))}")
        return self

    @classmethod
    def of(cls, kind: Any, label: str | None) -> WeightsPlan:
        """Check what is given in Python (raises `ParameterError`)."""
        if kind not in KINDS:
            raise ParameterError(
                f"weights must be one of {', '.join(map(repr, KINDS))}, or a weight per column, "
                f"not {kind!r}.",
                did_you_mean(str(kind), KINDS),
            )
        try:
            return cls(kind=kind, label=label)
        except pydantic.ValidationError as error:
            reason = error.errors(include_url=False)[0]["msg"].removeprefix("Value error, ")
            raise ParameterError(f"weights is not right: {reason}.", SEE_SCHEMA) from None


class OutputPlan(_Strict):
    """Where the release goes."""

    path: str | None = Field(None, description="A folder, relative to the plan.")
    format: Literal["csv", "parquet"] = Field("csv", description="Of the published table.")
    formulas: Literal["escape", "keep"] = Field(
        "escape",
        description="CSV: texts that a spreadsheet would run as formulas get an apostrophe "
        "before them, or are written as they are.",
    )


class Plan(_Strict):
    """Every decision of a release.

    Examples
    --------
    >>> plan = Plan.from_dict({
    ...     "columns": {"age": {"role": "quasi", "kind": "numeric"}},
    ...     "require": [{"model": "k-anonymity", "k": 5}]})
    >>> plan.requirements()
    [KAnonymity(k=5)]
    >>> plan
    Plan(1 quasi; k-anonymity (k = 5); auto)
    """

    version: Literal[1] = Field(1, description="The version of this format.")
    entity: str | None = Field(
        None,
        description="Identifier column that tells people apart; 'none' says that nobody has two "
        "rows; while it is '?', a run asks.",
    )
    linkage: Linkage | None = Field(
        None,
        description="How many rows of a person an outsider may know: 'any-row' (the default), or "
        "'all-rows': then at least k people fit all rows of each person.",
    )
    input: InputPlan = Field(default_factory=InputPlan)
    population: PopulationPlan | None = Field(
        None,
        description="A table of the people whom the input was drawn from, with its "
        "quasi-identifiers and a row for each, for requirements that count them.",
    )
    columns: dict[str, ColumnPlan] = Field(description="Every column of the table.")
    require: list[dict[str, Any]] = Field(min_length=1, description="What must hold.")
    method: dict[str, Any] = Field(
        default_factory=lambda: {"name": "auto"}, description="How groups are found."
    )
    blocks: Literal["auto"] | Annotated[int, Field(strict=True, ge=1)] | None = Field(
        None,
        description="In how many blocks a large table is grouped, or 'auto': one per 250,000 rows; "
        "left out: as a whole.",
    )
    refine: dict[str, Any] | None = Field(
        None,
        description="How long groups are refined after they are found; left out: as the method "
        "'auto' says, or not.",
    )
    bound: dict[str, Any] | None = Field(
        None,
        description="How long to look for what any table loses at least; left out: as the method "
        "'auto' says, or not.",
    )
    weights: WeightsPlan | None = Field(
        None, description="How much columns count, found in the table; else their own weights."
    )
    publication: PublicationPlan = Field(default_factory=PublicationPlan)
    output: OutputPlan = Field(default_factory=OutputPlan)

    _folder: Path = PrivateAttr(default_factory=Path)

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except pydantic.ValidationError as error:
            raise PlanError(*explained(error, PARTS)) from None

    @pydantic.field_validator("blocks", mode="before")
    @classmethod
    def _counts_blocks(cls, given: Any) -> Any:
        if not is_block_count(given):
            raise PydanticCustomError("blocks", f"It {BLOCK_COUNT}")
        return given

    @pydantic.model_validator(mode="after")
    def _weighs_once(self) -> Plan:
        if self.weights is not None and any(c.weight != 1.0 for c in self.columns.values()):
            raise PydanticCustomError(
                "weighs_twice", "The plan weighs columns twice: under [weights], and one by one."
            )
        return self

    @classmethod
    def read(cls, path: str | PathLike[str], *, changes: Sequence[str] = ()) -> Plan:
        """Read a plan; its relative paths start from the plan's own folder.

        Parameters
        ----------
        changes
            What is to be otherwise than the file says, each as ``place=value``: see
            `shoal.plan.changing.changed`.
        """
        if not isinstance(path, str | PathLike):
            raise PlanError(
                f"A plan is read from a file, not from {a_type(path)}.",
                "Name the file, or give nested mappings to Plan.from_dict.",
            )
        path = Path(path)
        if path.suffix.lower() in (".csv", ".tsv", ".parquet") and path.exists():
            raise PlanError(
                f"'{path}' is a table, and a plan is asked for.",
                f"`shoal plan {path}` writes one.",
            )
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            raise PlanError(
                f"There is no plan at '{path}'.", "`shoal plan TABLE` writes one."
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise PlanError(
                f"The plan '{path}' cannot be read: {reason}.",
                "Check the file and its permissions.",
            ) from None
        except tomllib.TOMLDecodeError as error:
            raise PlanError(
                f"The plan '{path}' is not TOML: {error}.", "Mend the line it names."
            ) from None
        except RecursionError:
            raise PlanError(
                f"The plan '{path}' is nested too deeply.", "Leave out brackets."
            ) from None
        except ValueError:  # NUL, or half characters
            raise PlanError("The plan's name is no name of a file.", "Check the name.") from None
        if changes:
            from shoal.plan.changing import changed  # most plans are read as they are

            data = changed(data, changes)
        return cls.from_dict(data, folder=path.parent)

    @classmethod
    def of(
        cls,
        schema: Schema,
        require: Sequence[Requirement],
        method: Method,
        publication: PublicationPlan,
        weights: WeightsPlan | None,
        refinement: Refinement | None = None,
        bounding: Bounding | None = None,
        blocks: int | Literal["auto"] | None = None,
    ) -> Plan:
        """Write down what was asked in Python, so that the release can be repeated."""
        columns = {
            name: ColumnPlan(
                role=column.role,
                kind=column.kind,
                hierarchy=None
                if column.hierarchy is None or isinstance(column.hierarchy, Hierarchy)
                else column.hierarchy.to_spec(),
                weight=column.weight,
                missing=column.missing,
                levels=None if column.levels is None else dict(column.levels),
                degrees=None if column.degrees is None else dict(column.degrees),
            )
            for name, column in schema.items()
        }
        return cls(
            entity=schema.entity_said,
            linkage=None if schema.linkage == "any-row" else schema.linkage,
            input=InputPlan(missing=schema.missing),
            columns=columns,
            require=[requirement.to_spec() for requirement in require],
            method=method.to_spec(),
            blocks=blocks,
            refine=None if refinement is None else refinement.to_spec(),
            bound=None if bounding is None else bounding.to_spec(),
            weights=weights,
            publication=publication,
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, folder: str | Path = ".") -> Plan:
        """Check a plan given as nested mappings."""
        try:
            plan = cls.model_validate(data)
            for spec in plan.require:
                models.from_spec(spec).validate()
            method = methods.from_spec(plan.method)
            method.validate()
            plan.publication.completed(method)
            plan.refinement()
            plan.bounding()
        except pydantic.ValidationError as error:
            raise PlanError(*explained(error, PARTS)) from None
        except ParameterError as error:
            raise PlanError(error.problem, error.hint) from None
        plan._folder = Path(folder)
        return plan

    @property
    def folder(self) -> Path:
        """Where relative paths start."""
        return self._folder

    @property
    def input_path(self) -> Path:
        """The table to read (raises `PlanError` if the plan names none)."""
        if self.input.path is None:
            raise PlanError("The plan names no input.", 'Add path = "…" under [input].')
        return self._folder / self.input.path

    @property
    def population_path(self) -> Path | None:
        """The table of the population; ``None`` if the plan has none (or raises `PlanError`)."""
        if self.population is None:
            return None
        if self.population.path is None:
            raise PlanError("The plan's population has no path.", "Add path under [population].")
        return self._folder / self.population.path

    @property
    def output_path(self) -> Path:
        """The folder to write (raises `PlanError` if the plan names none)."""
        if self.output.path is None:
            raise PlanError("The plan names no output.", 'Add path = "…" under [output].')
        return self._folder / self.output.path

    def schema_(self) -> Schema:
        """Make the schema, reading levels from their files; hierarchies are read when built."""
        if self.entity == ASKED and self.entity not in self.columns:
            raise PlanError(
                "The plan does not say yet whether anybody has several rows: its entity is '?'.",
                "Write the name of the column that tells people apart, and make it an identifier, "
                'or entity = "none" if nobody has two rows.',
            )
        made = {}
        for name, column in self.columns.items():
            try:
                made[name] = column.column(self._folder)
            except ShoalError as error:
                raise error.about(f"Column '{name}'") from None
        return Schema(
            made,
            entity=self.entity,
            linkage=self.linkage or "any-row",
            missing=self.input.missing,
        )

    def weighed_schema(self, table: Any) -> Schema:
        """Make the schema, with the weights that the plan finds in a table."""
        schema = self.schema_()
        if self.weights is None:
            return schema
        return weighed(table, schema, self.weights.kind, self.weights.label)

    def requirements(self) -> list[Requirement]:
        """Make what must hold."""
        return [models.from_spec(spec) for spec in self.require]

    def build_method(self) -> Method:
        """Make the method."""
        return methods.from_spec(self.method)

    def refinement(self) -> Refinement | None:
        """Say how groups are refined, if they are."""
        return None if self.refine is None else Refinement.of(self.refine)

    def bounding(self) -> Bounding | None:
        """Say how a lower bound of the loss is sought, if it is."""
        return None if self.bound is None else Bounding.of(self.bound)

    def to_toml(self) -> str:
        """Write the plan as TOML; `read` gives the same plan back."""
        import tomlkit  # reading a plan does not need it

        return tomlkit.dumps(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Write the plan as nested mappings, without what is not said; `from_dict` reads them."""
        made: dict[str, Any] = _without_none(self.model_dump(mode="json"))
        return made

    def __repr__(self) -> str:
        """Say the roles, the requirements and the method in one line; levels are private."""
        roles = Counter(column.role.value for column in self.columns.values())
        columns = ", ".join(f"{roles[role]} {role}" for role in Role if role in roles)
        asked = " and ".join(_in_brief(spec, "model") for spec in self.require)
        form = f", {self.publication.form}" if self.publication.form else ""
        return f"Plan({columns}; {asked}; {_in_brief(self.method, 'name')}{form})"

    __str__ = __repr__  # pydantic's own would print levels

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """Describe plan files for editors, with every method's and requirement's options."""
        from shoal.plan.json_schema import json_schema  # reading a plan does not need it

        return json_schema(Plan)


def _in_brief(spec: Mapping[str, Any], key: str) -> str:
    """Name a requirement or a method, with its numbers."""
    numbers = [f"{k} = {v}" for k, v in spec.items() if isinstance(v, int | float) and k != "seed"]
    return " ".join([str(spec.get(key)), *([f"({', '.join(numbers)})"] if numbers else [])])


def _without_none(data: Any) -> Any:
    """Leave out what is not said, at every depth: TOML has no null."""
    if isinstance(data, dict):
        return {key: _without_none(value) for key, value in data.items() if value is not None}
    return [_without_none(value) for value in data] if isinstance(data, list) else data


PARTS: dict[str, type[BaseModel]] = {
    "": Plan,
    "input": InputPlan,
    "population": PopulationPlan,
    "columns": ColumnPlan,
    "weights": WeightsPlan,
    "publication": PublicationPlan,
    "output": OutputPlan,
}
"""The parts of a plan by their keys; the whole has none."""
