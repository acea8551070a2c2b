"""What people ask for themselves is in no public file, in no message and in no remark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import ShoalError
from shoal.models import MODELS, Private

CANARY = "Zq7canary"
WISH = "31337"
TREE = {
    **{f"i{i}": "mild" for i in range(6)},
    "mild": "any",
    f"{CANARY}node": "any",
    f"{CANARY}leaf": f"{CANARY}node",
}
ROLES = {**SCHEMA, "wanted": "identifier", "guard": "identifier"}
NEEDS = [shoal.PersonalK("wanted", 3), shoal.GuardingNode(0.9, "guard", parents=TREE)]


def table(wishes: list[Any], guards: list[Any]) -> pl.DataFrame:
    return mixed(60, missing=0.1).with_columns(
        pl.Series("wanted", wishes * (60 // len(wishes)), dtype=pl.String),
        pl.Series("guard", guards * (60 // len(guards)), dtype=pl.String),
    )


def careful() -> pl.DataFrame:
    """One row asks for more than there are and is left out; a third guard a node of a canary."""
    made = table([None, "2", "4"], [f"{CANARY}node", None, f"{CANARY}leaf"])
    return made.with_columns(wanted=pl.Series([WISH, *made["wanted"][1:]]))


def public(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize("form", ["generalized", "two-table"])
def test_canaries_never_reach_a_public_file(tmp_path: Path, kind: str, form: str) -> None:
    original = careful()
    file = tmp_path / "in.csv"
    original.write_csv(file)
    for name, data in (("frame", original), ("file", file)):
        made = shoal.anonymize(
            data, ROLES, require=NEEDS, method=shoal.GAACP(seed=5), publication=form
        )
        assert 0 not in made.rows  # who asks for too much is left out
        folder = made.write(tmp_path / name, format=kind)
        seen = public(folder)
        assert CANARY.encode() not in seen
        assert WISH.encode() not in seen
        assert CANARY not in repr(made) + made._repr_html_()
        facts = json.loads((folder / "release.json").read_text())
        assert [each["model"] for each in facts["require"]] == ["personal-k", "guarding-node"]
        assert all(not judged["achieved"] for judged in facts["verification"]["judgements"])


def test_other_wishes_of_the_same_effect_give_the_same_bytes(tmp_path: Path) -> None:
    """Nothing public depends on a wish, except through the groups that it takes."""
    needs, seen = [NEEDS[0], shoal.GuardingNode(1, "guard", parents=TREE)], set()
    for number, (wishes, guards) in enumerate(
        [
            ([None, "2", "3"], [None, "i0", None, f"{CANARY}leaf"]),
            (["1", "3", "2"], [f"{CANARY}node", None, "i1", None]),
            ([None], [None]),
        ]
    ):
        made = shoal.anonymize(
            table(wishes, guards), ROLES, require=needs, method=shoal.Mondrian(), seed=5
        )
        seen.add(public(made.write(tmp_path / str(number))))
    assert len(seen) == 1


def test_remarks_do_not_look_at_them(tmp_path: Path) -> None:
    """That everybody guards their own value would be told as two columns that say the same."""
    original = mixed(60)
    own = original.with_columns(wanted=pl.lit("2"), guard=original["illness"])
    need = [3, shoal.PersonalK("wanted"), shoal.GuardingNode(0.9, "guard")]
    made = shoal.anonymize(own, ROLES, require=need, seed=1)
    assert not [remark for remark in made.remarks if "guard" in remark]
    twin = mixed(60).with_columns(wanted=pl.lit("2"), guard=original["illness"])
    told = shoal.anonymize(twin, {**ROLES, "guard": "other"}, require=3, seed=1)
    assert [remark for remark in told.remarks if "guard" in remark]  # as it is said otherwise


@pytest.mark.parametrize(
    ("wishes", "guards"),
    [([CANARY, "2"], [None]), (["2"], [f"{CANARY}stranger", None]), ([WISH], [None])],
)
def test_messages_count_and_do_not_show(wishes: list[Any], guards: list[Any]) -> None:
    with pytest.raises(ShoalError) as caught:
        shoal.anonymize(table(wishes, guards), ROLES, require=NEEDS)
    assert CANARY not in str(caught.value)
    assert WISH not in str(caught.value)
    assert caught.value.hint


def test_the_public_folder_is_never_said_to_hold(tmp_path: Path) -> None:
    folder = shoal.anonymize(careful(), ROLES, require=NEEDS, seed=1).write(tmp_path / "out")
    (tmp_path / "out.private").rename(tmp_path / "elsewhere")
    opened = shoal.open_release(folder)
    assert [judged.passed for judged in opened.verify().judgements] == [None, None]
    assert not opened.verify().passed


def test_risks_do_without_them(tmp_path: Path) -> None:
    made = shoal.anonymize(careful(), ROLES, require=NEEDS, seed=1)
    said = json.dumps(made.risk(), default=str)
    assert CANARY not in said
    assert made.reidentification() is not None


def test_every_private_requirement_tells_no_wish() -> None:
    for kind in MODELS.values():
        if issubclass(kind, Private):
            told = repr(kind.example().published({}).to_spec())
            wishes = {w for each in kind.private_examples().values() for w in each if w}
            assert not any(f"'{wish}'" in told for wish in wishes)
