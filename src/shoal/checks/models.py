"""What every requirement must keep."""

from __future__ import annotations

import dataclasses

import numpy as np

from shoal import models as models_
from shoal.checks.contract import require
from shoal.errors import InfeasibleError
from shoal.grouping import Grouping
from shoal.models import GroupStatistics, Requirement
from shoal.sensitive_column import SensitiveColumn

__all__ = ["MODEL_CHECKS"]


def is_registered(model: Requirement) -> None:
    """It can be named in a plan, and its plan gives it back."""
    require(models_.MODELS.get(model.name) is type(model), "it is not in MODELS")
    require(models_.from_spec(model.to_spec()) == model, "its plan gives another requirement")


def states_facts(model: Requirement) -> None:
    """It is frozen, describes itself, and names only statistics that exist."""
    require(type(model).__dataclass_params__.frozen, "it is not frozen")  # type: ignore[attr-defined]
    require(model.describe().strip(), "it does not describe itself")
    known = {field.name for field in dataclasses.fields(GroupStatistics)}
    require(model.needs <= known, "it needs statistics that do not exist")
    require(isinstance(model.monotone, bool), "it does not say whether it is monotone")
    model.validate()


def judges_each_group(model: Requirement) -> None:
    """It gives one verdict per group, and the same one for a group on its own.

    One that compares groups with all others is told what to compare with.
    """
    rng = np.random.default_rng(1)
    for _ in range(20):
        grouping, people, secrets = _random_grouping(rng)
        model = _pinned(model, people, secrets)
        whole = model.judge(grouping.statistics(people, secrets))
        require(len(whole.holds) == grouping.n_groups, "not one verdict per group")
        require(whole.achieved, "it does not say what was achieved")
        for label in range(grouping.n_groups):
            rows = grouping.labels == label
            alone = _one_group(np.flatnonzero(rows), people, secrets)
            verdict = bool(model.judge(alone).holds[0])
            require(verdict == bool(whole.holds[label]), "a verdict depends on other groups")


def relative_means_it(model: Requirement) -> None:
    """Unless it says so, nothing but a group itself counts; told nothing, the groups given do."""
    rng = np.random.default_rng(7)
    for _ in range(20):
        grouping, _, secrets = _random_grouping(rng)
        people = np.arange(len(grouping.labels))
        groups = grouping.statistics(people, secrets)
        pinned = _pinned(model, people, secrets)
        same = np.array_equal(pinned.judge(groups).holds, model.judge(groups).holds)
        require(same, "it judges against other rows than those given")
        freed = pinned.against(None)
        require(freed == model, "told what to compare with, it is another requirement")
        if not model.relative:
            require(pinned is model, "it says that it is not relative, and can be told so")
        one = _one_group(np.flatnonzero(grouping.labels == 0), people, secrets)
        require(freed.judge(one).passed == model.judge(one).passed, "it remembers what it was told")


def monotone_means_it(model: Requirement) -> None:
    """If it says it is monotone, two groups that hold it hold it together."""
    if not model.monotone:
        return
    rng = np.random.default_rng(2)
    for _ in range(50):
        grouping, people, secrets = _random_grouping(rng)
        if not model.monotone_in_people:
            people = np.arange(len(people))
        model = _pinned(model, people, secrets)
        holds = np.flatnonzero(model.judge(grouping.statistics(people, secrets)).holds)
        if len(holds) < 2:
            continue
        merged = np.flatnonzero(np.isin(grouping.labels, holds[:2]))
        union = _one_group(merged, people, secrets)
        require(model.judge(union).passed, "two groups hold it, their union does not")


def joining_means_it(model: Requirement) -> None:
    """If it says that rows may join, a group that holds it holds it with any others."""
    if not model.monotone_in_rows:
        return
    require(model.monotone, "rows may join, but it does not say that it is monotone")
    rng = np.random.default_rng(6)
    for _ in range(50):
        grouping, people, secrets = _random_grouping(rng)
        model = _pinned(model, people, secrets)
        for label in np.flatnonzero(model.judge(grouping.statistics(people, secrets)).holds):
            joined = np.flatnonzero((grouping.labels == label) | (rng.random(len(people)) < 0.5))
            union = _one_group(joined, people, secrets)
            require(model.judge(union).passed, "a group holds it, with more rows it does not")


def least_size_is_least(model: Requirement) -> None:
    """No group smaller than its least size holds it."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        grouping, _, secrets = _random_grouping(rng)
        holds = model.judge(grouping.statistics(None, secrets)).holds
        small = grouping.sizes < model.least_size
        require(not holds[small].any(), "a group below its least size holds it")


def says_what_must_go(model: Requirement) -> None:
    """Nothing must go just where all rows, as one group, hold it."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        grouping, _, secrets = _random_grouping(rng)
        n = len(grouping.labels)
        whole = _one_group(np.arange(n), np.arange(n), secrets)
        none = model.least_suppression(whole) == 0
        require(none == model.judge(whole).passed, "it is wrong about what must be suppressed")


def tells_nothing_unpublished(model: Requirement) -> None:
    """What it says in public names no value that is not published, and can be read again."""
    said = model.published({"illness": {"i1"}}).to_spec()
    require(not {f"'i{i}'" for i in (0, 2, 3)} & set(_words(said)), "it names other values")
    models_.from_spec(model.published({"illness": {f"i{i}" for i in range(6)}}).to_spec())


def _words(spec: object) -> list[str]:
    return repr(spec).replace(":", " ").replace("{", " ").replace(",", " ").split()


def impossible_is_refused(model: Requirement) -> None:
    """A table of one row cannot hold it, and the refusal says what could."""
    _, people, secrets = _random_grouping(np.random.default_rng(3))
    one = _one_group(np.array([0]), people, secrets)
    if model.judge(one).passed:
        return
    try:
        model.require_feasible(one)
    except InfeasibleError as error:
        require(error.hint, "the refusal does not say what would be possible")
    else:
        require(False, "it accepted a table that cannot hold it")


def _pinned(
    model: Requirement, people: np.ndarray, secrets: dict[str, SensitiveColumn]
) -> Requirement:
    """Let a requirement judge against all rows."""
    return model.against(_one_group(np.arange(len(people)), people, secrets))


def _random_grouping(
    rng: np.random.Generator,
) -> tuple[Grouping, np.ndarray, dict[str, SensitiveColumn]]:
    """Make groups of people, with an illness each as in the checks' table."""
    n = int(rng.integers(2, 40))
    _, labels = np.unique(rng.integers(0, 6, n), return_inverse=True)
    illness = SensitiveColumn(rng.integers(0, 6, n), tuple(f"i{i}" for i in range(6)))
    return Grouping(labels.astype(np.int32)), rng.integers(0, n, n), {"illness": illness}


def _one_group(
    rows: np.ndarray, people: np.ndarray, secrets: dict[str, SensitiveColumn]
) -> GroupStatistics:
    part = {name: SensitiveColumn(c.codes[rows], c.labels) for name, c in secrets.items()}
    return Grouping(np.zeros(len(rows), dtype=np.int32)).statistics(people[rows], part)


MODEL_CHECKS = (
    is_registered,
    states_facts,
    judges_each_group,
    relative_means_it,
    monotone_means_it,
    joining_means_it,
    least_size_is_least,
    says_what_must_go,
    tells_nothing_unpublished,
    impossible_is_refused,
)
"""Every check of a requirement; each takes it and raises `ContractError`."""
