"""The recount of what people ask for themselves: beside the original, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.cli.app import app
from shoal.errors import InputError, SchemaError
from shoal.judging.verification import UNRECOUNTED

ROLES = {
    "who": "identifier",
    "age": "quasi",
    "ill": "sensitive",
    "wanted": "identifier",
    "guard": "identifier",
}
TREE = {"flu": "virus", "HIV": "virus", "ulcer": "gut", "virus": "any", "gut": "any"}
WISH, NODE = shoal.PersonalK("wanted"), shoal.GuardingNode("1/2", "guard", parents=TREE)
ORIGINAL = pl.DataFrame(
    {
        "who": ["ann", "bob", "cid", "dan", "eve"],
        "age": ["young"] * 3 + ["old"] * 2,
        "ill": ["flu", "ulcer", "ulcer", "flu", "HIV"],
        "wanted": ["3", None, "2", "2", None],
        "guard": ["virus", None, None, "HIV", None],
    }
)
SHOWN = ORIGINAL.select("age", "ill")


def changed(column: str, row: int, cell: str) -> pl.DataFrame:
    cells = ORIGINAL[column].to_list()
    return ORIGINAL.with_columns(pl.Series(column, [*cells[:row], cell, *cells[row + 1 :]]))


def test_it_holds_beside_the_original() -> None:
    found = shoal.verify(SHOWN, ROLES, [WISH, NODE], original=ORIGINAL)
    assert found.passed
    assert found.achieved == {"k": 2, "share": 0.5}


@pytest.mark.parametrize(
    ("original", "failing"),
    [
        (changed("wanted", 3, "3"), [1, 0]),
        (changed("wanted", 0, "4"), [1, 0]),
        (changed("guard", 4, "virus"), [0, 1]),
        (changed("guard", 1, "gut"), [0, 1]),
    ],
)
def test_one_wish_more_and_it_fails(original: pl.DataFrame, failing: list[int]) -> None:
    found = shoal.verify(SHOWN, ROLES, [WISH, NODE], original=original)
    assert not found.passed
    assert found.failed
    assert [judged.failing_classes for judged in found.judgements] == failing


def test_rows_say_whose_wish_it_is() -> None:
    order = [4, 2, 0, 3, 1]
    assert shoal.verify(SHOWN[order], ROLES, [WISH, NODE], original=ORIGINAL, rows=order).passed
    found = shoal.verify(SHOWN.head(2), ROLES, WISH, original=ORIGINAL, rows=[0, 1])
    assert [judged.failing_rows for judged in found.judgements] == [2]


def test_without_the_original_nobody_knows() -> None:
    found = shoal.verify(SHOWN, ROLES, [2, WISH, NODE])
    assert [judged.passed for judged in found.judgements] == [True, None, None]
    assert (found.passed, found.failed) == (False, False)
    assert not found
    assert [reason.endswith(UNRECOUNTED) for reason in found.reasons()] == [True, True]
    assert repr(found).startswith("Verification(NOT RECOUNTED")
    bad = shoal.verify(SHOWN, ROLES, [3, WISH])
    assert (bad.passed, bad.failed) == (False, True)


@pytest.mark.parametrize("by_column", [False, True])
def test_several_tables_are_recounted_alike(by_column: bool) -> None:
    quasi = SHOWN.select("age").with_columns(id=pl.Series([1, 1, 1, 2, 2]))
    values: Any = pl.DataFrame({"id": [1, 1, 1, 2, 2], "ill": ORIGINAL["ill"]})
    tables = {"quasi": quasi, "sensitive": {"ill": values} if by_column else values}
    assert shoal.verify(tables, ROLES, [WISH, NODE], original=ORIGINAL).passed
    found = shoal.verify(tables, ROLES, [WISH, NODE], original=changed("guard", 4, "virus"))
    assert [judged.passed for judged in found.judgements] == [True, False]
    assert [j.passed for j in shoal.verify(tables, ROLES, [WISH, NODE]).judgements] == [None, None]


def test_people_are_told_apart_by_whoever_says_so() -> None:
    """Ann's wish for three counts in her other row; there are two people in that class."""
    several = changed("who", 4, "ann")
    assert shoal.verify(SHOWN, ROLES, WISH, original=several).passed
    by_name = shoal.Schema(ROLES, entity="who")
    found = shoal.verify(SHOWN, by_name, WISH, original=several)
    assert [judged.failing_classes for judged in found.judgements] == [1]
    nameless = several.drop("who")
    found = shoal.verify(SHOWN, by_name, WISH, original=nameless, people=[7, 1, 2, 3, 7])
    assert [judged.failing_classes for judged in found.judgements] == [1]


def test_an_original_without_the_column_is_refused() -> None:
    with pytest.raises(SchemaError, match="no column 'wanted', which 'personal-k' reads"):
        shoal.verify(SHOWN, ROLES, WISH, original=ORIGINAL.drop("wanted"))
    with pytest.raises(InputError, match="1 cell is not a whole number"):
        shoal.verify(SHOWN, ROLES, WISH, original=changed("wanted", 0, "lots"))


def test_columns_of_any_name() -> None:
    for name in ("count", "rows", "who", "cell", "rank"):
        renamed = ORIGINAL.drop("who").rename({"wanted": name})
        roles = {"age": "quasi", "ill": "sensitive", name: "identifier", "guard": "identifier"}
        assert shoal.verify(SHOWN, roles, shoal.PersonalK(name), original=renamed).passed


PLAN = """
[input]
path = "people.csv"
[columns]
who = { role = "identifier" }
age = { role = "quasi", kind = "numeric" }
ill = { role = "sensitive" }
wanted = { role = "identifier" }
guard = { role = "identifier" }
[[require]]
model = "personal-k"
column = "wanted"
[[require]]
model = "guarding-node"
share = "2/3"
guard = "guard"
parents = { flu = "virus", HIV = "virus", ulcer = "gut", virus = "any", gut = "any" }
[method]
name = "mondrian"
[output]
path = "release"
"""


def test_at_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_text(PLAN)
    people = pl.concat([ORIGINAL] * 4).with_columns(
        who=pl.format("p{}", pl.int_range(20)), age=20 + pl.int_range(20) // 5
    )
    people.write_csv("people.csv")

    def shoal_(*words: str) -> tuple[int, str]:
        made = CliRunner().invoke(app, list(words))
        return made.exit_code, " ".join(made.output.split())

    code, said = shoal_("run", "plan.toml")
    assert code == 0
    assert "shoal verify release --original" in said
    code, said = shoal_("verify", "release")
    assert code == 1
    assert "Some checks need more" in said
    assert "It holds" not in said
    code, said = shoal_("verify", "release", "--original", "people.csv")
    assert code == 0
    assert "It holds" in said
    people.with_columns(wanted=pl.lit(19)).write_csv("careful.csv")
    code, said = shoal_("verify", "release", "--original", "careful.csv")
    assert code == 1
    assert "It does not hold" in said
    opened = shoal.open_release("release")
    assert not opened.verify().passed
    assert opened.verify(original=people).passed
