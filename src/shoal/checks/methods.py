"""What every method must keep."""

from __future__ import annotations

import dataclasses
from tempfile import TemporaryDirectory
from typing import Any, Self

import numpy as np
import polars as pl

from shoal.base import options as options_
from shoal.base.cells import STAR
from shoal.checks.contract import checks_of, require, verifies
from shoal.checks.non_interference import method_forgets_removed_rows as method_forgets_removed_rows
from shoal.checks.one_group import publishes_what_one_group_holds as publishes_what_one_group_holds
from shoal.checks.points import points_are_enough as points_are_enough
from shoal.checks.tables import SCHEMA, equal_rows, mixed, with_wishes
from shoal.engines.pipeline import anonymize
from shoal.errors import InfeasibleError, InputError, ShoalError
from shoal.methods import METHODS, Method
from shoal.models import (
    MODELS,
    DeltaPresence,
    GroupStatistics,
    HandCase,
    KAnonymity,
    KMap,
    MInvariance,
    MultiLDiversity,
    Outcome,
    Requirement,
    TCloseness,
)
from shoal.release import Release
from shoal.table.schema import Role, Schema
from shoal.table.sensitive import SensitiveColumn

K = 3


def _requirements(method: Method, *, relative: bool = False) -> list[Requirement]:
    """Ask for everything the method says it carries.

    Groups that fail beside the others are suppressed for it, and those that fail together are
    merged, which would hide bad ones; so what is judged that way is asked for only in a check of
    its own.
    """
    names = MODELS if method.carries is None else method.carries
    made = [MODELS[name].example() for name in sorted(names)]
    made = [each for each in made if not each.across_releases]  # asked for alone
    made = [each for each in made if "population" not in each.needs]  # in a check of its own
    return [each for each in made if relative or (each.monotone and not each.relative)]


def _policy(method: Method) -> str:
    """Keep missing cells if the method says that it groups them."""
    return "keep" if method.carries_missing else "drop"


def _release(
    method: Method,
    frame: pl.DataFrame,
    schema: Schema = SCHEMA,
    *,
    relative: bool = False,
    **options: Any,
) -> Release:
    """Publish a table in the form that the method is made for; it must verify."""
    needs = _requirements(method, relative=relative)
    options.setdefault("missing", _policy(method))
    frame, schema = with_wishes(frame, schema, needs)
    with verifies():
        return anonymize(
            frame, schema, require=needs, method=method, suppression_limit=1.0, **options
        )


def describes_itself(method: Method) -> None:
    """Its plan gives it back, and it says in words what it does."""
    known = {method.name: type(method)}
    again = options_.from_spec(known, "name", method.to_spec(), noun="method")
    require(again == method, "its plan gives another method")
    require(method.carries is None or method.carries, "it carries no requirement")
    require(method.describe().strip(), "it does not describe itself")


def only_stores(method: Method) -> None:
    """It is frozen, and making it does no work: wrong options are refused at use."""
    require(dataclasses.is_dataclass(method), "it is not a dataclass")
    require(type(method).__dataclass_params__.frozen, "it is not frozen")  # type: ignore[attr-defined]


def output_verifies(method: Method) -> None:
    """What it groups passes verification, with and without missing cells."""
    for missing in (0.0, 0.2):
        _release(method, mixed(60, missing=missing))


def goes_on(method: Method) -> None:
    """If it has a closeness, a release goes on from another: everyone keeps their values."""
    form = {"publication": "two-table", "suppression_limit": 1.0, "missing": _policy(method)}
    how: dict[str, Any] = {"require": [MInvariance(2)], "method": method, **form}
    frame, schema = mixed(60, missing=0.1), Schema(dict(SCHEMA), entity="id")
    if not method.has_closeness:
        try:
            anonymize(frame, schema, **how)
        except ShoalError:
            return
        require(False, "it has no closeness, and groups as if it had one")
    if method.name not in METHODS:  # the plan of the first release could not be read back
        return
    with TemporaryDirectory() as place, verifies():
        anonymize(frame[:45], schema, **how).write(f"{place}/first")
        anonymize(frame[15:], schema, again=f"{place}/first", **how)
        # In one table counterfeits are rows, which have no note.
        rows = schema.with_column("note", role=Role.IDENTIFIER)
        how["publication"] = "generalized"
        anonymize(frame[15:], rows, again=f"{place}/first", **how)


def counts_population(method: Method) -> None:
    """If it says that it counts people of a population, what is asked of them holds."""
    people = mixed(240, missing=0.1)
    options: dict[str, Any] = {"method": method, "suppression_limit": 1.0, "population": people}
    for need in (KMap(8), DeltaPresence(0, "1/2"), DeltaPresence("1/10", 1)):
        try:
            required = [KAnonymity(2), need]
            with verifies():
                anonymize(people[:60], SCHEMA, require=required, missing=_policy(method), **options)
        except ShoalError as error:
            refused = "cannot carry" in error.problem
            require(refused and not method.counts_population, "it refuses a population it counts")
        else:
            require(method.counts_population, "it takes a population that it does not count")


def relative_verifies(method: Method) -> None:
    """It groups by requirements that compare a group with all published ones, if it carries any."""
    if all(not each.relative for each in _requirements(method, relative=True)):
        return
    for frame in (mixed(60), mixed(60, missing=0.2), equal_rows(20)):
        _release(method, frame, relative=True)
    people = mixed(60).with_columns(id=pl.int_range(60) // 4)
    _release(method, people, Schema(dict(SCHEMA), entity="id"), relative=True)


def merging_is_enough(method: Method) -> None:
    """Where all rows in one group would hold, it publishes within the suppression limit.

    A requirement that compares groups with all published ones may fail as soon as rows are
    suppressed, and suppressing what fails may go on until little is left.
    """
    if all(not each.relative for each in _requirements(method, relative=True)):
        return
    people = Schema(dict(SCHEMA), entity="id")
    for seed, t in enumerate(("1/50", "1/10", "1/5", "2/5")):
        frame = mixed(60, seed=seed, missing=0.1)
        if not method.carries_missing:
            frame = frame.drop_nulls()
        several = frame.with_columns(id=pl.int_range(frame.height) // 3)
        how: dict[str, Any] = {"method": method, "missing": _policy(method)}
        needs = [KAnonymity(3), TCloseness(t)]
        for rows, schema in ((frame, SCHEMA), (several, people)):
            try:
                with verifies():
                    anonymize(rows, schema, require=needs, suppression_limit=0.05, **how)
            except InfeasibleError as error:
                require(False, f"it gives up where one group would hold: {error.problem}")


def every_missing_policy(method: Method) -> None:
    """It groups a table with missing cells, by every policy."""
    frame = mixed(60, missing=0.15).with_columns(mixed(60)["sex"])  # one column is complete
    missing = frame.select(SCHEMA.quasi).null_count().row(0)
    incomplete = frame.height - frame.drop_nulls(SCHEMA.quasi).height
    if method.carries_missing:
        kept = _release(method, frame, missing="keep")
        whole = not kept.n_dropped and not kept.suppressed_columns
        require(whole, "it dropped rows that were kept")
    dropped = _release(method, frame, missing="drop")
    require(dropped.n_dropped == incomplete, "it did not drop the incomplete rows")
    starred = _release(method, frame, missing="suppress-column")
    named = tuple(name for name, n in zip(SCHEMA.quasi, missing, strict=True) if n)
    require(starred.suppressed_columns == named, "it did not suppress the incomplete columns")
    shown = set(starred.frame.select(named).unique().row(0))
    require(shown == {STAR}, "a suppressed column shows something")


def labels_are_whole(method: Method) -> None:
    """It labels every row, from 0 without gaps, or −1."""
    grouping = _release(method, mixed(50)).grouping
    require(len(grouping.labels) == 50, "there is not one label per row")
    require(grouping.labels.dtype == np.int32, "labels are not 32-bit integers")
    used = np.unique(grouping.labels[grouping.labels >= 0])
    require(np.array_equal(used, np.arange(len(used))), "labels have gaps")


def adds_what_is_lacking(method: Method) -> None:
    """Values it adds to a group are of the column, once each, and held by no row of the group.

    It adds some only if it says so, and only where values of more than one column are asked for.
    """
    made = _release(method, mixed(50))
    require(not made.grouping.padding, "it added values where those of one column are asked for")
    if method.carries is not None and MultiLDiversity.name not in method.carries:
        return
    two = SCHEMA.with_column("note", role=Role.SENSITIVE)
    needs = [MultiLDiversity({"illness": 4, "note": 4})]
    how: dict[str, Any] = {"method": method, "missing": _policy(method)}
    made = anonymize(mixed(50), two, require=needs, suppression_limit=1.0, **how)
    added_some = bool(made.grouping.padding)
    require(method.adds_values or not added_some, "it adds values, and does not say so")
    for name, added in made.grouping.padding.items():
        column = SensitiveColumn.encode(made.source[name], made.schema.missing_of(name))
        size, codes = column.size, column.codes
        require(((added.value >= 0) & (added.value < size)).all(), "an added value does not exist")
        keys = added.group * size + added.value
        require(len(np.unique(keys)) == len(keys), "it added a value twice")
        rows = made.grouping.rows
        real = made.grouping.labels[rows].astype(np.int64) * size + codes[rows]
        require(not np.isin(keys, real).any(), "it added a value that the group holds")


def input_untouched(method: Method) -> None:
    """It does not change the caller's table."""
    frame = mixed(40, missing=0.1)
    before = frame.clone()
    _release(method, frame)
    require(frame.equals(before), "it changed the caller's table")


def same_seed_same_result(method: Method) -> None:
    """The same seed gives the same groups, twice in a row and in a second object."""
    if not method.draws():
        one, other = (_release(method, mixed(60), seed=seed).grouping.labels for seed in (1, 2))
        require(np.array_equal(one, other), "it draws, and takes no seed")
        return
    seeded = dataclasses.replace(method, seed=11)  # type: ignore[type-var]
    twin = dataclasses.replace(method, seed=11)  # type: ignore[type-var]
    first, second = _release(seeded, mixed(60)), _release(seeded, mixed(60))
    third = _release(twin, mixed(60))
    same = np.array_equal(first.grouping.labels, second.grouping.labels)
    require(same, "the same seed gave two results")
    require(np.array_equal(first.grouping.labels, third.grouping.labels), "it keeps state")


def global_random_untouched(method: Method) -> None:
    """It draws from the passed generator, never from the global one."""
    before = repr(np.random.get_state(legacy=False))  # noqa: NPY002
    _release(method, mixed(40))
    after = repr(np.random.get_state(legacy=False))  # noqa: NPY002
    require(before == after, "it used the global random generator")


def too_few_rows_refused(method: Method) -> None:
    """With fewer rows than k it says so, instead of giving an empty table."""
    for requirement in _requirements(method):
        if requirement.size_only:
            try:
                _release(method, mixed(requirement.least_size - 1))
            except InfeasibleError as error:
                require(error.hint, "the refusal does not say what would be possible")
            else:
                require(False, "it grouped fewer rows than k")


def just_enough_rows(method: Method) -> None:
    """It copes with n = k and n = 2k − 1."""
    for n in (K, 2 * K - 1):
        frame = mixed(n)
        if method.carries is not None:  # it may need different values, and of both levels
            frame = frame.with_columns(illness=pl.format("i{}", 1 + pl.int_range(n) % 5))
        _release(method, frame)


def duplicates_cost_nothing(method: Method) -> None:
    """Equal rows are published as they are; only a suppressed one costs all its cells."""
    made = _release(method, equal_rows(20))
    lost = sum(outcome.generalized + outcome.starred for outcome in made.outcomes.values())
    require(lost == 0, "it lost information on equal rows")
    require(
        made.grouping.n_suppressed == 0 or method.carries is not None, "it suppressed an equal row"
    )


def one_column(method: Method) -> None:
    """It works on a single quasi-identifier of either kind."""
    for name in ("age", "region"):
        schema = Schema({name: SCHEMA[name], "illness": SCHEMA["illness"]})
        _release(method, mixed(30).select(name, "illness"), schema)


def missing_column_refused(method: Method) -> None:
    """A quasi-identifier that is missing everywhere is refused by name, kept or dropped."""
    for missing in dict.fromkeys((_policy(method), "drop")):
        try:
            _release(method, _without("age"), missing=missing)
        except InputError as error:
            require("'age'" in error.problem, "the refusal does not name the column")
        else:
            require(False, "it accepted a column that is missing everywhere")


def missing_column_suppressed(method: Method) -> None:
    """A quasi-identifier that is missing everywhere can be published as ``*``, for nothing."""
    for name in SCHEMA.quasi:
        made = _release(method, _without(name), missing="suppress-column")
        require(made.suppressed_columns == (name,), "the column is not named")
        require(set(made.frame[name]) == {STAR}, "the column shows something")
        require(made.outcomes[name].starred == 0, "the column cost something")


def _without(name: str) -> pl.DataFrame:
    """Make a table in which a column is missing everywhere."""
    frame = mixed(20)
    return frame.with_columns(pl.lit(None, dtype=frame[name].dtype).alias(name))


def missing_row_kept(method: Method) -> None:
    """A row in which every quasi-identifier is missing is grouped and counted like any other."""
    if not method.carries_missing:
        return
    frame = mixed(20).with_columns(
        pl.when(pl.int_range(20) != 7).then(pl.col(name)).alias(name) for name in SCHEMA.quasi
    )
    made = _release(method, frame)
    require(7 in made.rows or made.n_suppressed, "the row is lost without a word")
    require(made.missingness.columns == dict.fromkeys(SCHEMA.quasi, 1), "it is not counted")
    if 7 in made.rows:
        place = made.rows.tolist().index(7)
        shown = made.frame.select(SCHEMA.quasi).row(place)
        require(set(shown) == {STAR}, "a missing cell is not published as a star")


def people_are_counted(method: Method) -> None:
    """Where an entity is named, k counts people, not rows."""
    rows = 4 if method.carries is None else 3  # one that mixes values needs people to mix
    frame = mixed(60).with_columns(id=pl.int_range(60) // rows)
    schema = Schema(dict(SCHEMA), entity="id")
    made = _release(method, frame, schema)
    require(made.verification.counted == "people", "rows were counted")


def progress_ends(method: Method) -> None:
    """It reports progress, never beyond the end, and Ctrl-C leaves no trace."""
    seen: list[tuple[int, int]] = []
    _release(method, mixed(80), progress=lambda step, done, total: seen.append((done, total)))
    require(seen, "it reports nothing")
    require(all(0 <= done <= total for done, total in seen), "it reports more than there is")

    def interrupt(step: str, done: int, total: int) -> None:
        if step == "group":
            raise KeyboardInterrupt

    try:
        _release(method, mixed(80), progress=interrupt)
    except KeyboardInterrupt:
        return
    require(False, "it swallowed Ctrl-C")


@dataclasses.dataclass(frozen=True)
class EvenRows(Requirement):
    """A requirement no method knows: every group has an even number of rows."""

    name = "even-rows"
    monotone = True
    needs = frozenset({"sizes"})

    @classmethod
    def example(cls) -> Self:
        """Give the only one there is."""
        return cls()

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Tell even from odd."""
        groups = GroupStatistics(np.array([1, 2, 3, 4]))
        return [HandCase(cls(), groups, [False, True, False, True])]

    def thresholds(self) -> dict[str, tuple[Self, Self]]:
        """It has no numbers."""
        return {}

    def validate(self) -> None:
        """Allow everything."""

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Say which groups have an even number of rows."""
        return Outcome(groups.sizes % 2 == 0, {"odd": int((groups.sizes % 2).sum())})

    def describe(self) -> str:
        """Say in words what is required."""
        return "even groups"

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Name a way out."""
        return "Leave one row out."


def carries_what_it_says(method: Method) -> None:
    """A requirement it does not know is refused with the reason, or held if it carries any."""
    how: dict[str, Any] = {"method": method, "missing": _policy(method)}
    if method.carries is None:
        needs = [KAnonymity(3), EvenRows()]
        with verifies():
            anonymize(mixed(60), SCHEMA, require=needs, suppression_limit=0.2, **how)
        return
    try:
        anonymize(mixed(20), SCHEMA, require=[KAnonymity(3), EvenRows()], **how)
    except ShoalError as error:
        require("cannot carry" in error.problem, "the refusal does not give the reason")
    else:
        require(False, "it accepted a requirement it does not know")


METHOD_CHECKS = checks_of(globals(), "Method")
"""Every check of a method; each takes the method and raises `ContractError`."""
