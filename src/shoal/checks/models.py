"""What every requirement must keep."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from shoal.base import options
from shoal.checks.contract import checks_of, require
from shoal.errors import InfeasibleError
from shoal.models import GroupStatistics, HandCase, Private, Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table.sensitive import SensitiveColumn


def is_read_back(model: Requirement) -> None:
    """Its plan gives it back."""
    require(_read(model.to_spec(), model) == model, "its plan gives another requirement")


def _read(spec: Mapping[str, Any], like: Requirement) -> Requirement:
    return options.from_spec({like.name: type(like)}, "model", spec, noun="requirement")


def states_facts(model: Requirement) -> None:
    """It is frozen, describes itself, and names only statistics that exist."""
    require(type(model).__dataclass_params__.frozen, "it is not frozen")  # type: ignore[attr-defined]
    require(model.describe().strip(), "it does not describe itself")
    known = {field.name for field in dataclasses.fields(GroupStatistics)}
    require(model.needs <= known, "it needs statistics that do not exist")
    require(isinstance(model.monotone, bool), "it does not say whether it is monotone")
    private = bool(model.private_columns)
    require(private == isinstance(model, Private), "it reads private columns, and is not Private")
    require(private == ("private" in model.needs), "it does not say that it needs private columns")
    model.validate()


def agrees_with_its_cases(model: Requirement) -> None:
    """It judges the cases that it brings as its author did by hand; some groups fail, some hold."""
    found = type(model).cases()
    for number, case in enumerate(found, start=1):
        require(type(case.requirement) is type(model), f"case {number} is not about it")
        case.requirement.validate()
        verdicts = case.requirement.judge(case.groups).holds.tolist()
        require(verdicts == list(case.holds), f"it judges case {number} otherwise than by hand")
    reported = {verdict for case in found for verdict in case.holds}
    require(reported == {False, True}, "its cases do not show both what holds and what fails")


def has_cases_at_its_thresholds(model: Requirement) -> None:
    """Of each number in its cases some group is exactly at it: the slightest step changes it."""
    found = type(model).cases()
    for case in found:
        need = case.requirement
        mine = [each.groups for each in found if each.requirement == need]
        for name, (less, more) in need.thresholds().items():
            at = any(
                (need.judge(groups).holds & ~more.judge(groups).holds).any()
                or (less.judge(groups).holds & ~need.judge(groups).holds).any()
                for groups in mine
            )
            require(at, f"no case of {need.describe()} is exactly at its {name}")


def refuses_something(model: Requirement) -> None:
    """Of many random groups it refuses some, and accepts some."""
    seen: set[bool] = set()
    for grouping, people, sensitive in _random_groupings(model, 8, 100):
        pinned = _pinned(model, people, sensitive)
        seen |= set(pinned.judge(grouping.statistics(people, sensitive)).holds.tolist())
    require(False in seen, "it never refuses a group")
    require(True in seen, "it never accepts a group")


def stricter_never_accepts_more(model: Requirement) -> None:
    """What holds a requirement holds the next weaker one; what fails it fails the next stricter."""
    for case in type(model).cases():
        _require_ordered(case.requirement, case.groups)
    for grouping, people, sensitive in _random_groupings(model, 9, 20):
        _require_ordered(model, grouping.statistics(people, sensitive))


def _require_ordered(model: Requirement, groups: GroupStatistics) -> None:
    holds = model.judge(groups).holds
    for name, (less, more) in model.thresholds().items():
        require((holds <= less.judge(groups).holds).all(), f"it accepts less with a weaker {name}")
        require((more.judge(groups).holds <= holds).all(), f"it accepts more, stricter in {name}")


def bounds_mean_it(model: Requirement) -> None:
    """The shares it bounds are those it judges by, and all besides size if it says so."""
    groups = [case._replace(holds=()) for case in type(model).cases()]
    for grouping, people, sensitive in _random_groupings(model, 10, 20):
        for who in (None, people):
            groups.append(HandCase(model, grouping.statistics(who, sensitive), ()))
    for need, found, _ in groups:
        fits = found.counts >= need.required_size
        reported = need.shares(found)
        require(
            need.bounds_shares == bool(reported), "it is not told alike whether it bounds shares"
        )
        levels = any(bounds.levels is not None for bounds in reported)
        require(need.tells_levels == levels, "it is not told alike whether it tells levels")
        for bounds in reported:
            histogram = found.histograms[bounds.column]
            fits &= ~bounds.exceeded(histogram, found.counts)
        holds = need.judge(found).holds
        mixed = need.as_shares().judge(found).holds
        require((mixed <= holds).all(), "a group that keeps to its `as_shares` does not hold it")
        if need.complete:
            require(np.array_equal(holds, fits), "its size and its shares are not all it asks")
        elif found.people is None:
            require((holds <= fits).all(), "a group that exceeds its bounds holds it")


def judges_each_group(model: Requirement) -> None:
    """It gives one verdict per group, and the same one for a group on its own.

    One that compares groups with all others is told what to compare with.
    """
    for grouping, people, sensitive in _random_groupings(model, 1, 20):
        model = _pinned(model, people, sensitive)
        whole = model.judge(grouping.statistics(people, sensitive))
        require(len(whole.holds) == grouping.n_groups, "not one verdict per group")
        require(whole.achieved, "it does not say what was achieved")
        for label in range(grouping.n_groups):
            rows = grouping.labels == label
            alone = _one_group(np.flatnonzero(rows), people, sensitive)
            verdict = bool(model.judge(alone).holds[0])
            require(verdict == bool(whole.holds[label]), "a verdict depends on other groups")


def relative_means_it(model: Requirement) -> None:
    """Unless it says so, nothing but a group itself counts; told nothing, the groups given do."""
    for grouping, _, sensitive in _random_groupings(model, 7, 20):
        people = np.arange(len(grouping.labels))
        groups = grouping.statistics(people, sensitive)
        pinned = _pinned(model, people, sensitive)
        reported, unreported = pinned.judge(groups).holds, model.judge(groups).holds
        if model.of_table:
            require(model.relative, "it is about the whole table, and says that it is not relative")
            require(unreported.all() or not reported.all(), "groups that would do for it do not")
            rest = model.judge(groups.only(unreported)).passed
            require(rest, "the groups that it accepts do not hold it without the others")
        else:
            same = np.array_equal(reported, unreported)
            require(same, "it judges against other rows than those given")
        require(model.judges_alone != model.relative, "it is relative, and judges alone")
        require(pinned is model or pinned.judges_alone, "told what to judge by, it does not")
        freed = pinned.against(None)
        require(freed == model, "told what to compare with, it is another requirement")
        if not model.relative:
            require(pinned is model, "it says that it is not relative, and can be told so")
        one = _one_group(np.flatnonzero(grouping.labels == 0), people, sensitive)
        require(freed.judge(one).passed == model.judge(one).passed, "it remembers what it was told")


def monotone_means_it(model: Requirement) -> None:
    """If it says it is monotone, two groups that hold it hold it together."""
    if not model.monotone:
        return
    for grouping, people, sensitive in _random_groupings(model, 2, 50):
        if not model.monotone_in_people:
            people = np.arange(len(people))
        model = _pinned(model, people, sensitive)
        holds = np.flatnonzero(model.judge(grouping.statistics(people, sensitive)).holds)
        if len(holds) < 2:
            continue
        merged = np.flatnonzero(np.isin(grouping.labels, holds[:2]))
        union = _one_group(merged, people, sensitive)
        require(model.judge(union).passed, "two groups hold it, their union does not")


def joining_means_it(model: Requirement) -> None:
    """If it says that rows may join, a group that holds it holds it with any others."""
    if not model.monotone_in_rows:
        return
    require(model.monotone, "rows may join, but it does not say that it is monotone")
    rng = np.random.default_rng(6)
    for grouping, people, sensitive in _random_groupings(model, rng, 50):
        model = _pinned(model, people, sensitive)
        for label in np.flatnonzero(model.judge(grouping.statistics(people, sensitive)).holds):
            joined = np.flatnonzero((grouping.labels == label) | (rng.random(len(people)) < 0.5))
            union = _one_group(joined, people, sensitive)
            require(model.judge(union).passed, "a group holds it, with more rows it does not")


def lacking_means_it(model: Requirement) -> None:
    """With fewer rows than it says a group lacks, the group fails; one that holds lacks none."""
    rng = np.random.default_rng(11)
    for grouping, people, sensitive in _random_groupings(model, rng, 30):
        model = _pinned(model, people, sensitive)
        groups = grouping.statistics(people, sensitive)
        lacking = model.rows_lacking(groups)
        require(
            np.array_equal(lacking == 0, model.judge(groups).holds),
            "it does not say alike which groups hold and which lack rows",
        )
        for label in np.flatnonzero(lacking > 1).tolist():
            others = rng.permutation(np.flatnonzero(grouping.labels != label))
            for more in range(1, min(lacking[label], len(others) + 1)):
                joined = np.append(np.flatnonzero(grouping.labels == label), others[:more])
                union = _one_group(joined, people, sensitive)
                require(not model.judge(union).passed, "a group holds it with fewer rows")


def least_size_is_least(model: Requirement) -> None:
    """No group of fewer rows, or people, than its least holds it."""
    for grouping, people, sensitive in _random_groupings(model, 4, 50):
        for who, least in ((None, model.least_size), (people, model.least_people)):
            groups = grouping.statistics(who, sensitive)
            small = groups.counts < least
            require(not model.judge(groups).holds[small].any(), "a group below its least holds it")


def says_what_must_go(model: Requirement) -> None:
    """Nothing must go just where all rows, as one group, hold it."""
    for grouping, _, sensitive in _random_groupings(model, 5, 50):
        n = len(grouping.labels)
        whole = _one_group(np.arange(n), np.arange(n), sensitive)
        none = model.least_suppression(whole) == 0
        require(none == model.judge(whole).passed, "it is wrong about what must be suppressed")


def tells_nothing_unpublished(model: Requirement) -> None:
    """What it says in public names no value that is not published, and can be read again."""
    reported = model.published({"illness": {"i1"}}).to_spec()
    words = repr(reported).replace(":", " ").replace("{", " ").replace(",", " ").split()
    require(not {f"'i{i}'" for i in (0, 2, 3)} & set(words), "it names other values")
    _read(model.published({"illness": {f"i{i}" for i in range(6)}}).to_spec(), model)


def impossible_is_refused(model: Requirement) -> None:
    """A table of one row cannot hold it, and the refusal says what could."""
    ((_, people, sensitive),) = _random_groupings(model, 3, 1)
    one = _one_group(np.array([0]), people, sensitive)
    if model.judge(one).passed:
        return
    try:
        model.require_feasible(one)
    except InfeasibleError as error:
        require(error.hint, "the refusal does not say what would be possible")
    else:
        require(False, "it accepted a table that cannot hold it")


def _pinned(
    model: Requirement, people: np.ndarray, sensitive: dict[str, SensitiveColumn]
) -> Requirement:
    """Let a requirement judge against all rows."""
    return model.against(_one_group(np.arange(len(people)), people, sensitive))


def _random_groupings(
    model: Requirement, seed: int | np.random.Generator, times: int
) -> Iterator[tuple[Grouping, np.ndarray, dict[str, SensitiveColumn]]]:
    """Make groups of people, with an illness each as in the checks' table, so many times.

    For a requirement that reads private columns, these are drawn, too.
    """
    rng = np.random.default_rng(seed)
    for _ in range(times):
        n = int(rng.integers(2, 40))
        _, labels = np.unique(rng.integers(0, 6, n), return_inverse=True)
        illness = SensitiveColumn(rng.integers(0, 6, n), tuple(f"i{i}" for i in range(6)))
        people, columns = rng.integers(0, n, n), {"illness": illness}
        if isinstance(model, Private):
            for name, texts in type(model).private_examples().items():
                codes = rng.integers(0, len(texts), n)
                columns[name] = SensitiveColumn(codes, tuple(texts), private=True)
        grouping = Grouping(labels.astype(np.int32), population=_fitting(np.arange(n), labels))
        yield grouping, people, columns


def _one_group(
    rows: np.ndarray, people: np.ndarray, sensitive: dict[str, SensitiveColumn]
) -> GroupStatistics:
    part = {name: c.take(rows) for name, c in sensitive.items()}
    one = np.zeros(len(rows), dtype=np.int32)
    return Grouping(one, population=_fitting(rows, one)).statistics(people[rows], part)


def _fitting(rows: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Count a population of one to four people per row, by group."""
    return np.bincount(labels, 1 + rows % 4).astype(np.int64)


MODEL_CHECKS = checks_of(globals(), "Requirement")
"""Every check of a requirement; each takes it and raises `ContractError`."""
