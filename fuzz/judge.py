"""What a refusal, a release and its files must be; counted with code of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl

import shoal
from fuzz.tables import PERSON, DrawnTable
from shoal.engines import pipeline
from shoal.errors import ShoalError
from shoal.models import private_columns

__all__ = ["count_again", "judge_again", "judge_files", "judge_refusal", "judge_release"]


def judge_refusal(error: ShoalError) -> None:
    """A refusal says what is wrong and what to do, and quotes no cell."""
    if not error.problem.endswith((".", "?", "!")) or not error.hint.strip():
        raise AssertionError(f"not two sentences: {error!r}")
    if PERSON in str(error):
        raise AssertionError(f"quotes a cell: {error!r}")


def judge_release(release: shoal.Release) -> None:
    """A release is verified, a count of our own agrees, and it loses no less than its bound."""
    if not release.verification.passed:
        raise AssertionError(f"does not verify: {release.verification.reasons()}")
    ids = release.published.class_column
    people = None if release.people is None else release.people[release.rows]
    frame = release.published.held.frame
    secrets = frame if ids is None else None
    reason = count_again(frame, release.schema, release.require, ids, people, secrets)
    reason = reason or count_wishes(release)
    if reason:
        raise AssertionError(f"counted again, {reason}")
    if set(release.schema.identifiers) & set(release.frame.columns):
        raise AssertionError("an identifier is published")
    bound = release.bound
    if bound is not None and bound.least > bound.lost * (1 + 1e-9):
        raise AssertionError(f"it lost {bound.lost}, and nothing loses less than {bound.least}")
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
        k = None if each.name == "k-map" else getattr(each, "k", None)  # that k is the population's
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


def count_wishes(release: shoal.Release) -> str:
    """Count the classes beside what their members ask for; give what is wrong, or nothing."""
    ids = release.published.class_column
    names = release.schema.quasi if ids is None else [ids]
    keys = list(zip(*(release.frame[name].cast(pl.String) for name in names), strict=True))
    rows = release.rows.tolist()
    everyone = range(len(release.source))
    who = list(everyone) if release.people is None else release.people.tolist()
    sizes = Counter(
        key for key, _ in {(key, who[row]) for key, row in zip(keys, rows, strict=True)}
    )
    for each in release.require:
        if each.name != "personal-k":
            continue
        wishes: Counter[int] = Counter()
        for person, wish in zip(who, release.source[each.column], strict=True):
            if wish not in (None, *release.schema.missing):
                wishes[person] = max(wishes[person], int(float(wish)))
        if any(sizes[key] < wishes[who[row]] for key, row in zip(keys, rows, strict=True)):
            return "a class holds fewer than a member asks for"
    return ""


def judge_again(first: Path, second: Path) -> None:
    """Whoever is in two releases stands among the same values in both."""
    shown = []
    for folder in (first, second):
        found = shoal.open_release(folder)
        links = found.files.links
        assert links is not None
        (name,) = found.schema.sensitive
        missing = found.schema.missing_of(name)
        if found.published.linked:
            table = found.published.value_tables[name]
            whose, keys, texts = found.published.ids, table.ids, table.values
        else:  # the classes that readers are not told
            whose, keys, texts = links["group"], links["group"], found.table[name]
        values: dict[str, set[str | None]] = {}
        for key, value in zip(keys, texts.cast(pl.String), strict=True):
            values.setdefault(key, set()).add(None if value in missing else value)
        shown.append(dict(zip(links["name"], map(values.get, whose), strict=True)))
        shown[-1].pop(None, None)  # counterfeits
    if any(shown[1][who] != values for who, values in shown[0].items() if who in shown[1]):
        raise AssertionError("somebody stands among other values in the second release")


def judge_files(release: shoal.Release, table: DrawnTable, folder: Path) -> None:
    """What is written verifies from the files alone, and beside the original.

    What people ask for themselves is never said to hold from the files alone.
    """
    found = shoal.open_release(folder)
    # Whose a value is that is shown once, only the original says.
    hidden = found.published.linked and release.people is not None
    proof = None if hidden else found.verify()
    if proof is not None and release.population is not None:
        if proof.passed or proof.failed or not proof.uncounted:
            raise AssertionError("the files alone tell what is asked of a population")
        proof = found.verify(population=release.population)
    if proof is not None and proof.passed == bool(private_columns(release.require)):
        raise AssertionError(f"the files do not verify: {proof.reasons()}")
    if proof is not None and proof.failed:
        raise AssertionError(f"the files fail: {proof.reasons()}")
    plan = found.private_plan
    assert plan is not None
    original = release.source
    if plan.input.path:
        original = pipeline.read(plan.input_path, plan)[0]
    proof = found.verify(original=original, population=release.population)
    if not proof.passed:
        raise AssertionError(f"beside the original: {proof.reasons()}")
    repr(found), found.measures, found.table_as("bounds"), release.table_as("bounds")
    removed = release.schema.identifiers
    if all(name in removed for name in table.of("key", "person")):
        for path in folder.iterdir():
            if PERSON.encode() in path.read_bytes():
                raise AssertionError(f"an identifier is in {path.name}")
