"""What every attack must keep."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from shoal.checks.contract import checks_of, require
from shoal.checks.tables import SCHEMA, mixed
from shoal.judging.risk import Attack, AttackFunction, sight

COLUMN = "illness"
LEVELED = SCHEMA.with_column(COLUMN, levels={f"i{i}": 1 + i // 2 for i in range(6)})
"""The checks' table with levels, so that every attack makes sense of it."""
WIDE = pl.Series(["[0, 200]", "*"] * 30)


def describes_itself(attack: AttackFunction[...]) -> None:
    """It has a name and says in a line what it counts."""
    require(attack.name.isidentifier(), "its name cannot be written in Python")
    require(attack.summary.strip(), "it has no documentation")


def counts_people(attack: AttackFunction[...]) -> None:
    """It succeeds against a share of those who are published, and says what that means."""
    for found in _tried(attack):
        require(isinstance(found, Attack), "it does not give an Attack")
        require(found.name == attack.name, "its result has another name")
        about = COLUMN if attack.of_column else None
        require(found.column == about, "its result is about another column")
        require(0 <= found.people <= found.total, "it counts people who are not there")
        require(abs(found.share * found.total - found.people) < 1e-6, "its share is another count")
        require(found.meaning.strip(), "it does not say what success means")
        for share in (found.control, found.promise):
            require(share is None or 0 <= share <= 1, "its control or promise is no share")


def tells_no_value(attack: AttackFunction[...]) -> None:
    """What it says in words and numbers names no sensitive value."""
    values = set(mixed(60)[COLUMN].to_list())
    for found in _tried(attack):
        words = str(found.to_dict()).replace("'", " ").replace(",", " ").split()
        require(not values & set(words), "it names a value")


def same_twice(attack: AttackFunction[...]) -> None:
    """It gives the same answer twice."""
    require(list(_tried(attack)) == list(_tried(attack)), "it gives another answer the second time")


def _tried(attack: AttackFunction[...]) -> Iterator[Attack]:
    """Attack classes of one row, of some rows, and one class of all; then all that is known."""
    frame = mixed(60)
    column = COLUMN if attack.of_column else None
    ages = (frame["age"].cast(pl.String), WIDE, pl.repeat("*", 60, eager=True))
    for age in ages:
        blurred = frame.drop("id").with_columns(age=age, region=pl.lit("*"), sex=pl.lit("*"))
        alone = sight(blurred, LEVELED)
        people = [row // 2 for row in range(60)]
        informed = sight(blurred, LEVELED, people=people, original=frame, outside=mixed(80)[60:])
        for seen in (alone, informed):
            if attack.applies(seen, column):
                yield attack(seen, column=column)


ATTACK_CHECKS = checks_of(globals(), "AttackFunction[...]")
"""Every check of an attack; each takes it and raises `ContractError`."""
