"""One random plan, from the draw to the judgement."""

from __future__ import annotations

import json
import tomllib
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
import tomlkit

import shoal
from fuzz.faults import Fault
from fuzz.plans import Settings, draw_plan
from fuzz.tables import PERSON, DrawnTable, draw_table
from shoal.cli import files
from shoal.errors import ShoalError, VerificationError

__all__ = ["Outcome", "try_plan"]


@dataclass(frozen=True)
class Outcome:
    """How a plan ended: in a release, or refused with an error."""

    error: str | None
    method: str
    models: tuple[str, ...]
    form: str | None = None
    written: bool = False

    @property
    def released(self) -> bool:
        """Whether there is a release."""
        return self.error is None


def try_plan(seed: int, folder: Path) -> Outcome:
    """Draw a table and a plan, make the release, and judge what comes of it.

    Raises
    ------
    Fault
        If it is neither a verified release nor a `ShoalError` of two sentences.
    """
    random = Random(seed)
    wild = random.random() < 0.3
    folder.mkdir(parents=True, exist_ok=True)
    table = draw_table(random, wild=wild)
    settings = draw_plan(random, table, folder, wild=wild)
    way = random.choice(("frame", "frame", "python", "python", "toml", "csv", "parquet", "pandas"))
    shown = f"by {way}: {settings}\n{table.frame.to_dict(as_series=False)}"
    names = [
        str(spec.get("model")) if isinstance(spec, dict) else "?"
        for spec in (settings.get("require") if isinstance(settings.get("require"), list) else [])
    ]
    method = settings.get("method")
    named = str(method.get("name")) if isinstance(method, dict) else "?"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                release = _anonymize(random, table, settings, way, folder)
            except VerificationError as error:
                raise Fault(seed, f"does not verify: {error}", shown, error) from None
            except ShoalError as error:
                _judge_refusal(seed, error, shown)
                return Outcome(type(error).__name__, named, tuple(names))
            _judge_release(seed, release, shown)
            written = random.random() < 0.5
            if written:
                _judge_files(seed, release, table, folder / "out", shown)
    except Fault:
        raise
    except Exception as error:
        raise Fault(seed, f"{type(error).__name__} instead of a ShoalError", shown, error) from None
    form = release.plan.publication.form
    return Outcome(None, named, tuple(names), form, written)


def _anonymize(
    random: Random, table: DrawnTable, settings: Settings, way: str, folder: Path
) -> shoal.Release:
    """Go the way of Python, of a plan, or of a plan and a file."""
    data: Any = table.frame
    if way == "toml":
        try:
            text = tomlkit.dumps(settings)
        except Exception:  # TOML has no null
            text = ""
        settings = tomllib.loads(text) or settings
    plan = shoal.Plan.from_dict(settings, folder=folder)
    if way == "csv":
        data = _saved(table.frame, folder / "in.csv")
    elif way == "parquet":
        data = _saved(table.frame, folder / "in.parquet")
    elif way == "pandas":
        data = _in_pandas(table.frame)
    if way != "python":
        return shoal.anonymize(data, plan)
    options = {key: value for key, value in plan.publication.model_dump().items() if key != "form"}
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
        publication=plan.publication.form,
        **options,
    )


def _in_pandas(frame: pl.DataFrame) -> Any:
    """Give a table to pandas, if it can hold it."""
    try:
        return frame.to_pandas()
    except Exception:
        return frame


def _saved(frame: pl.DataFrame, path: Path) -> Path | pl.DataFrame:
    """Save a table; one that no file can hold is given as it is."""
    try:
        if path.suffix == ".csv":
            frame.write_csv(path)
        else:
            frame.write_parquet(path)
    except pl.exceptions.PolarsError:
        return frame
    return path


def _judge_refusal(seed: int, error: ShoalError, shown: str) -> None:
    """A refusal says what is wrong and what to do, and quotes no cell."""
    if not error.problem.endswith((".", "?", "!")) or not error.hint.strip():
        raise Fault(seed, f"not two sentences: {error!r}", shown, error)
    if PERSON in str(error):
        raise Fault(seed, f"quotes a cell: {error!r}", shown, error)


def _judge_release(seed: int, release: shoal.Release, shown: str) -> None:
    """A release is verified, and a count of our own agrees."""
    if not release.verification.passed:
        raise Fault(seed, f"does not verify: {release.verification.reasons()}", shown)
    ids = None if release.linked is None else release.linked.class_column
    people = None if release.people is None else release.people[release.rows]
    secrets = release.frame if ids is None else None
    reason = count_again(release.frame, release.schema, release.require, ids, people, secrets)
    if reason:
        raise Fault(seed, f"counted again, {reason}", shown)
    if set(release.schema.identifiers) & set(release.frame.columns):
        raise Fault(seed, "an identifier is published", shown)
    json.dumps(release.facts(), allow_nan=False)
    repr(release), release._repr_html_(), release.tables


def count_again(
    frame: pl.DataFrame,
    schema: shoal.Schema,
    require: Sequence[Any],
    ids: str | None,
    people: Any,
    secrets: pl.DataFrame | None,
) -> str:
    """Count the classes as a stranger would; give what is wrong, or nothing."""
    cells = [frame[ids]] if ids is not None else [frame[name] for name in schema.quasi]
    keys = list(zip(*(column.cast(pl.String) for column in cells), strict=True))
    who = list(range(frame.height)) if people is None else list(people)
    sizes = Counter(key for key, _ in set(zip(keys, who, strict=True)))
    for each in require:
        k = getattr(each, "k", None)
        if k is not None and min(sizes.values()) < k:
            return f"a class holds {min(sizes.values())}, not {k}"
        if secrets is None:
            continue
        column = getattr(each, "column", None) or (schema.sensitive or [None])[0]
        if each.name == "alpha-k" and each.value is None and column:
            held = set(zip(keys, secrets[column].cast(pl.String), who, strict=True))
            counts = Counter((key, value) for key, value, _ in held)
            most = max(Fraction(count, sizes[key]) for (key, _), count in counts.items())
            if most > Fraction(str(each.alpha)):
                return f"a value has the share {most}, not {each.alpha}"
        if each.name == "l-diversity" and each.kind == "distinct" and column:
            held = set(zip(keys, secrets[column].cast(pl.String), strict=True))
            if (least := min(Counter(key for key, _ in held).values())) < int(each.l):
                return f"a class holds {least} values, not {each.l}"
    return ""


def _judge_files(
    seed: int, release: shoal.Release, table: DrawnTable, folder: Path, shown: str
) -> None:
    """What is written verifies from the files alone, and beside the original."""
    release.write(folder)
    found = files.open_published(folder)
    assert found.facts is not None
    schema, require = files.claim(found.facts)
    asked = {"people": found.people, "class_column": found.class_column}
    # Whose a value is that is shown once, only the original says.
    hidden = found.secrets and release.people is not None
    proof = None if hidden else shoal.verify(found.tables, schema, require, **asked)
    if proof is not None and not proof.passed:
        raise Fault(seed, f"the files do not verify: {proof.reasons()}", shown)
    plan = found.private_plan()
    assert plan is not None
    proof = shoal.verify(
        found.tables,
        plan.schema_(),
        plan.requirements(),
        original=release.source
        if not plan.input.path
        else shoal.pipeline.read(plan.input_path, plan)[0],
        rows=found.rows,
        as_written=bool(found.secrets),
        **asked,
    )
    if not proof.passed:
        raise Fault(seed, f"beside the original: {proof.reasons()}", shown)
    if not all(finding.passed for finding in found.unchanged()):
        raise Fault(seed, "the files changed", shown)
    removed = release.schema.identifiers
    if all(name in removed for name in table.of("key", "person")):
        for path in folder.iterdir():
            if PERSON.encode() in path.read_bytes():
                raise Fault(seed, f"an identifier is in {path.name}", shown)
