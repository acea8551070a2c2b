"""One random plan, from the draw to the judgement."""

from __future__ import annotations

import tomllib
import warnings
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import tomlkit
from polars.exceptions import PanicException

import shoal
from fuzz.faults import Fault
from fuzz.judge import judge_again, judge_files, judge_refusal, judge_release
from fuzz.plans import Settings, draw_plan, with_wishes
from fuzz.tables import DrawnTable, draw_table
from shoal.errors import OutputError, ShoalError, VerificationError

__all__ = ["Case", "Outcome", "draw", "try_plan"]

FACES = ("frame", "frame", "python", "python", "toml", "csv", "parquet", "pandas")


@dataclass(frozen=True)
class Case:
    """A table and a plan, both drawn from one seed, and the way they go."""

    seed: int
    random: Random
    table: DrawnTable
    settings: Settings
    face: str

    @property
    def method(self) -> str:
        """The method that the plan names."""
        method = self.settings.get("method")
        return str(method.get("name")) if isinstance(method, dict) else "?"

    @property
    def models(self) -> tuple[str, ...]:
        """The requirements that the plan names."""
        require = self.settings.get("require")
        specs = require if isinstance(require, list) else []
        return tuple(str(each.get("model")) for each in specs if isinstance(each, dict))

    def __str__(self) -> str:
        cells = self.table.frame.to_dict(as_series=False)
        return f"by {self.face}: {self.settings}\n{cells}"


@dataclass(frozen=True)
class Outcome:
    """How a plan ended: in a release (of some form, perhaps written), or with an error."""

    error: str | None
    form: str | None = None
    written: bool = False

    @property
    def released(self) -> bool:
        """Whether there is a release."""
        return self.error is None


def draw(seed: int, folder: Path) -> Case:
    """Draw a table and a plan; the files of its hierarchies go to the folder."""
    random = Random(seed)
    wild = random.random() < 0.3
    folder.mkdir(parents=True, exist_ok=True)
    table = draw_table(random, wild=wild)
    settings = draw_plan(random, table, folder, wild=wild)
    table = with_wishes(random, table, settings)
    return Case(seed, random, table, settings, random.choice(FACES))


def try_plan(seed: int, folder: Path) -> Outcome:
    """Draw a case, make the release, and judge what comes of it.

    Raises
    ------
    Fault
        If it is neither a verified release nor a `ShoalError` of two sentences.
    """
    case = draw(seed, folder)
    stage = "instead of a release or a refusal"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                release = _anonymize(case.random, case.table, case.settings, case.face, folder)
            except VerificationError:
                raise
            except ShoalError as error:
                judge_refusal(error)
                return Outcome(type(error).__name__)
            stage = "after a release was made"
            judge_release(release)
            written = case.random.random() < 0.4
            if written:
                try:
                    release.write(folder / "out")
                except OutputError as error:
                    judge_refusal(error)
                    return Outcome(type(error).__name__)
                judge_files(release, case.table, folder / "out")
                _go_on(release, case, folder)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a panic of polars is no Exception
        what = (
            str(error) if isinstance(error, AssertionError) else f"{type(error).__name__} {stage}"
        )
        raise Fault(seed, what, case, error) from None
    return Outcome(None, release.plan.publication.form, written)


def _anonymize(
    random: Random, table: DrawnTable, settings: Settings, face: str, folder: Path
) -> shoal.Release:
    """Go the way of Python, of a plan, or of a plan and a file."""
    data: Any = table.frame
    if face == "toml":
        try:
            text = tomlkit.dumps(settings)
        except Exception:  # TOML has no null
            text = ""
        settings = tomllib.loads(text) or settings
    plan = shoal.Plan.from_dict(settings, folder=folder)
    if face == "csv":
        data = _saved(table.frame, folder / "in.csv")
    elif face == "parquet":
        data = _saved(table.frame, folder / "in.parquet")
    elif face == "pandas":
        data = _in_pandas(table.frame)
    if face != "python":
        return shoal.anonymize(data, plan)
    options = {key: value for key, value in plan.publication.model_dump().items() if key != "form"}
    form: Any = plan.publication.form
    if {"categories", "centre"} & set(options):  # options that only the form itself takes
        own = [key for key in options if key in (plan.publication.model_extra or {})]
        form = plan.publication.build(plan.build_method())
        options = {key: value for key, value in options.items() if key not in own}
    if plan.weights is not None:
        options |= {"weights": plan.weights.kind, "label": plan.weights.label}
    schema = plan.schema_()
    if random.random() < 0.5:  # the data decide
        for name in schema.quasi:
            schema = schema.with_column(name, kind=None)
    return shoal.anonymize(
        data,
        schema,
        require=plan.requirements(),
        method=plan.build_method(),
        refine=plan.refine,
        bound=plan.bound,
        publication=form,
        population=plan.population_path,
        **options,
    )


def _go_on(release: shoal.Release, case: Case, folder: Path) -> None:
    """Publish other rows of the table again, where what is required speaks of several releases."""
    if not release.require[0].across_releases:
        return
    rows = [row for row in range(case.table.frame.height) if case.random.random() < 0.7]
    try:
        again = shoal.anonymize(
            case.table.frame[rows],
            release.schema,
            require=release.require,
            method=release.method,
            publication=release.publication,
            suppression_limit=1,
            again=folder / "out",
        )
    except VerificationError:
        raise
    except ShoalError as error:
        judge_refusal(error)
        return
    judge_release(again)
    again.write(folder / "again")
    judge_again(folder / "out", folder / "again")


def _in_pandas(frame: pl.DataFrame) -> Any:
    """Give a table to pandas, if it can hold it."""
    try:
        return frame.to_pandas()
    except (Exception, PanicException):
        return frame


def _saved(frame: pl.DataFrame, path: Path) -> Path | pl.DataFrame:
    """Save a table; one that no file can hold is given as it is."""
    try:
        if path.suffix == ".csv":
            frame.write_csv(path)
        else:
            frame.write_parquet(path)
    except (pl.exceptions.PolarsError, PanicException):
        return frame
    return path
