"""A plan: every decision of a release, in one TOML file."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from pydantic import BaseModel, Field, PrivateAttr
from pydantic_core import PydanticCustomError

from shoal import methods, models
from shoal.base.arguments import BLOCK_COUNT, is_block_count, is_number, plain
from shoal.errors import ParameterError, PlanError, ShoalError, a_type
from shoal.improve import Refinement
from shoal.improve.loss_bound import Bounding
from shoal.io.sql.source import SQL
from shoal.measures._weighing import weighed
from shoal.methods import Method
from shoal.methods.base import USUAL_LIMIT
from shoal.models import Requirement
from shoal.plan.about import AboutPlan
from shoal.plan.base import Strict
from shoal.plan.column import ColumnPlan
from shoal.plan.compatibility import Combination
from shoal.plan.explaining import explained
from shoal.plan.files import InputPlan, PopulationPlan
from shoal.plan.output import OutputPlan
from shoal.plan.publication import PublicationPlan
from shoal.plan.weights import WeightsPlan
from shoal.table.hierarchies import Hierarchy
from shoal.table.schema import Linkage, Role, Schema

UNANSWERED = "?"
"""Stands for the entity until the user names it."""


class Plan(Strict):
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
        description="Identifier column that identifies people; 'none' if no person has two rows; "
        "'?' until you decide.",
    )
    linkage: Linkage | None = Field(
        None,
        description="How many rows of a person an attacker may know: 'any-row' (the default), or "
        "'all-rows': then at least k people match all rows of each person.",
    )
    about: AboutPlan | None = Field(
        None,
        description="Title, purpose, recipient and owner of the release, shown at the top of its "
        "reports.",
    )
    input: InputPlan = Field(default_factory=InputPlan)
    population: PopulationPlan | None = Field(
        None,
        description="A table of the people from whom the input was drawn, with its "
        "quasi-identifiers and one row per person, for requirements that count them.",
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
        "'auto' decides, otherwise not at all.",
    )
    bound: dict[str, Any] | None = Field(
        None,
        description="How long to search for a lower bound of the loss; left out: as the method "
        "'auto' decides, otherwise not at all.",
    )
    weights: WeightsPlan | None = Field(
        None, description="How to weight columns by the table; left out: the columns' own weights."
    )
    publication: PublicationPlan = Field(default_factory=PublicationPlan)
    output: OutputPlan = Field(default_factory=OutputPlan)

    _folder: Path = PrivateAttr(default_factory=Path)

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**plain(data))
        except pydantic.ValidationError as error:
            raise PlanError(*explained(error, SECTIONS)) from None

    @pydantic.model_validator(mode="before")
    @classmethod
    def _limits_once(cls, data: Any) -> Any:
        """Keep one limit of suppression: the publication's, which a method's option may give."""
        spec = data.get("method") if isinstance(data, Mapping) else None
        if not isinstance(spec, Mapping) or not methods.has_option(spec, "suppression_limit"):
            return data
        own = spec.get("suppression_limit")
        if own is None:
            return data
        section = data.get("publication") or {}
        if isinstance(section, PublicationPlan):
            section = section.model_dump(exclude_unset=True)
        if not isinstance(section, Mapping):
            return data
        if section.get("suppression_limit") is not None:
            both = [limit for limit in (own, section["suppression_limit"]) if is_number(limit)]
            raise PydanticCustomError(
                "limits_twice",
                "The plan sets suppression_limit twice: under [method] and under [publication].",
                {"lower": min(both, default=USUAL_LIMIT)},
            )
        rest = {name: value for name, value in spec.items() if name != "suppression_limit"}
        return {**data, "method": rest, "publication": {**section, "suppression_limit": own}}

    @pydantic.field_validator("blocks", mode="before")
    @classmethod
    def _counts_blocks(cls, given: Any) -> Any:
        if not is_block_count(given):
            raise PydanticCustomError("blocks", f"It {BLOCK_COUNT}")
        return given

    @pydantic.model_validator(mode="after")
    def _is_consistent(self) -> Plan:
        if self.weights is not None and any(c.weight != 1.0 for c in self.columns.values()):
            raise PydanticCustomError(
                "weighs_twice",
                "The plan weights columns twice: under [weights] and in single columns.",
            )
        for name in self.input.numbers:
            if name not in self.columns:
                raise PydanticCustomError(
                    "unknown_numbers", f"The plan has no column '{name}' to read as numbers."
                )
        return self

    @classmethod
    def read(cls, path: str | PathLike[str], *, changes: Sequence[str] = ()) -> Plan:
        """Read a plan; its relative paths start from the plan's own folder.

        Parameters
        ----------
        changes
            Settings that override the file, each as ``place=value``: see
            `shoal.plan.changing.changed`.
        """
        if not isinstance(path, str | PathLike):
            raise PlanError(
                f"A plan is read from a file, not from {a_type(path)}.",
                "Name the file, or give nested mappings to Plan.from_dict.",
            )
        path = Path(path)
        if _is_table(path):
            raise PlanError(
                f"'{path}' is a table, but a plan is needed.", f"`shoal plan {path}` writes one."
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
                f"The plan '{path}' is not TOML: {error}.", "Correct the line it names."
            ) from None
        except RecursionError:
            raise PlanError(
                f"The plan '{path}' is nested too deeply.", "Leave out brackets."
            ) from None
        except ValueError:  # NUL, or half characters
            raise PlanError("The plan's name is not a file name.", "Check the name.") from None
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
        """Record the arguments given in Python, so that the release can be repeated."""
        columns = {
            name: ColumnPlan(
                role=column.role,
                kind=column.kind,
                hierarchy=None
                if column.hierarchy is None or isinstance(column.hierarchy, Hierarchy)
                else column.hierarchy.to_spec(),
                draft=column.draft or None,
                weight=column.weight,
                missing=column.missing,
                levels=None if column.levels is None else dict(column.levels),
                degrees=None if column.degrees is None else dict(column.degrees),
                **vars(column.preparation),
            )
            for name, column in schema.items()
        }
        return cls(
            entity=schema.declared_entity,
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
            raise PlanError(*explained(error, SECTIONS)) from None
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
            raise PlanError(
                "The plan names no input.",
                'Add path = "…" under [input], or name the table with --input.',
            )
        return self._folder / self.input.path

    @property
    def source(self) -> Path | SQL:
        """The table to read, in a file or in a database (raises `PlanError` if there is none)."""
        if self.input.sql is None:
            return self.input_path
        if self.input.path is not None:
            raise PlanError(
                "The plan names two inputs: a path and a database.", "Leave one of the two out."
            )
        section = self.input.sql
        return SQL(section.url, section.query, section.table).below(self._folder)

    @property
    def names_source(self) -> bool:
        """Whether it names a table that is there: a file, or one of a database."""
        if self.input.sql is not None:
            return True
        return self.input.path is not None and (self._folder / self.input.path).is_file()

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

    @property
    def signing_key(self) -> Path | None:
        """The file of the key that signs the release; ``None`` for no signature."""
        return None if self.output.sign is None else self._folder / self.output.sign

    def signed_with(self, key: str | Path) -> Plan:
        """Make the same plan with another key, whose path starts where we are."""
        output = self.output.model_copy(update={"sign": str(Path(key).absolute())})
        return self.model_copy(update={"output": output})

    def missing_of(self, name: str) -> tuple[str, ...]:
        """Texts that mean "missing" in one column."""
        own = self.columns[name].missing
        return self.input.missing if own is None else own

    def schema_(self) -> Schema:
        """Make the schema, reading levels from their files; hierarchies are read when built."""
        if self.entity == UNANSWERED and self.entity not in self.columns:
            raise PlanError(
                "The plan does not state whether a person may have several rows: its entity "
                "is '?'.",
                "Name the column that identifies people and make it an identifier, or write "
                'entity = "none" if no person has two rows.',
            )
        made = {}
        for name, column in self.columns.items():
            try:
                made[name] = column.column(self._folder)
            except ShoalError as error:
                raise error.about(f"Column '{name}'") from None
        return Schema(
            made, entity=self.entity, linkage=self.linkage or "any-row", missing=self.input.missing
        )

    def weightings(self, method: Method) -> list[tuple[Any, str | None]]:
        """List the weights that the plan and the method ask for, each with its label."""
        plans = [] if self.weights is None else [(self.weights.kind, self.weights.label)]
        return [(method.weighing, method.label), *plans]

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

    def combination(
        self, method: Method | None = None, require: Sequence[Requirement] | None = None
    ) -> Combination:
        """Say what the plan puts together, for `shoal.plan.compatibility` to judge.

        Parameters
        ----------
        method, require
            Instead of the plan's own.

        Examples
        --------
        >>> plan = Plan.from_dict({"columns": {"age": {"role": "quasi"}},
        ...     "require": [{"model": "k-anonymity", "k": 5}], "refine": {"steps": 9}})
        >>> plan.combination().refined, plan.combination().bounded
        (True, False)
        """
        how = self.build_method() if method is None else method
        refinement, bounding = self.refinement(), self.bounding()
        return Combination(
            how,
            tuple(self.requirements() if require is None else require),
            self.publication.completed(how).build(how),
            self.publication.missing,
            refined=refinement is not None and refinement.times != 0,
            bounded=bounding is not None and bounding.times != 0,
            blocks=isinstance(self.blocks, int) and self.blocks > 1,
            follows=self.publication.form is None,
        )

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
        required = " and ".join(_in_brief(spec, "model") for spec in self.require)
        form = f", {self.publication.form}" if self.publication.form else ""
        return f"Plan({columns}; {required}; {_in_brief(self.method, 'name')}{form})"

    __str__ = __repr__  # pydantic's own would print levels

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """Describe plan files for editors, with every method's and requirement's options."""
        from shoal.plan.json_schema import json_schema  # reading a plan does not need it

        return json_schema(Plan)


def _is_table(path: Path) -> bool:
    """Whether somebody named a table instead of a plan."""
    if path.suffix.lower() == ".toml":
        return False
    from shoal.io import table_suffixes  # only for those who name no .toml file

    last = Path(path.stem if path.suffix.lower() == ".gz" else path.name).suffix.lower()
    return last in table_suffixes() and path.exists()


def _in_brief(spec: Mapping[str, Any], key: str) -> str:
    """Name a requirement or a method, with its numbers."""
    numbers = [f"{k} = {v}" for k, v in spec.items() if isinstance(v, int | float) and k != "seed"]
    return " ".join([str(spec.get(key)), *([f"({', '.join(numbers)})"] if numbers else [])])


def _without_none(data: Any) -> Any:
    """Leave out what is not said, at every depth: TOML has no null."""
    if isinstance(data, dict):
        return {key: _without_none(value) for key, value in data.items() if value is not None}
    return [_without_none(value) for value in data] if isinstance(data, list) else data


SECTIONS: dict[str, type[BaseModel]] = {
    "": Plan,
    "about": AboutPlan,
    "input": InputPlan,
    "population": PopulationPlan,
    "columns": ColumnPlan,
    "weights": WeightsPlan,
    "publication": PublicationPlan,
    "output": OutputPlan,
}
"""The sections of a plan by their keys; the whole has none."""
