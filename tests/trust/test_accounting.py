"""Every public byte is accounted for, and no claim is believed that can be recomputed."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app
from shoal.errors import InputError
from shoal.judging.verification import Verification
from shoal.measures import Measure
from shoal.publications.published.files import digest
from shoal.release.accounting import is_bare
from shoal.release.promise import stated
from shoal.release.public_facts import release_id

NEEDS: dict[str, Any] = {
    "generalized": (shoal.GAACP(seed=1), shoal.KAnonymity(3)),
    "two-table": (shoal.Anatomy(seed=1), shoal.AlphaK(0.5, 3)),
    "sensitive-groups": (shoal.MICD(seed=1), shoal.MultiLDiversity({"illness": 3})),
}
Edit = Callable[[dict[str, Any]], object]


def written(place: Path, form: str = "generalized", kind: str = "csv") -> Path:
    mixed(60, missing=0.1).write_parquet(place / "in.parquet")
    method, needs = NEEDS[form]
    made = shoal.anonymize(
        place / "in.parquet",
        SCHEMA,
        require=[needs],
        method=method,
        publication=form,
        suppression_limit=0.5,
    )
    return made.write(place / "out", format=kind)


def edit(folder: Path, change: Edit, *, new_id: bool) -> None:
    """Change what a release says of itself; also its id, as somebody would who covers it up."""
    facts = json.loads((folder / "release.json").read_text())
    change(facts)
    if new_id:
        facts["id"] = release_id(facts)
    (folder / "release.json").write_text(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")


def rehash(folder: Path, file: Path) -> None:
    edit(folder, lambda facts: facts["files"].update({file.name: digest(file)}), new_id=False)


def verified(folder: Path, *, original: bool = False) -> Verification:
    given = pl.read_parquet(folder.parent / "in.parquet") if original else None
    return shoal.open_release(folder).verify(original=given)


def wrong(found: Verification) -> dict[str, str]:
    return {each.check: each.detail for each in found.findings if not each.passed}


def forget_digests(folder: Path) -> None:
    """Make the private folder what it was before digests were kept."""
    manifest = folder.with_name("out.private") / "manifest.json"
    told = json.loads(manifest.read_text())
    del told["public"]
    manifest.write_text(json.dumps(told))


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
@pytest.mark.parametrize("form", NEEDS)
def test_an_intact_release_holds_with_all_that_can_be_given(
    tmp_path: Path, form: str, kind: str
) -> None:
    folder = written(tmp_path, form, kind)
    for original in (True, False):
        assert verified(folder, original=original).reasons() == []
    forget_digests(folder)
    old = verified(folder, original=True)
    assert old.reasons() == []
    assert "from before digests were kept" in old.remarks[0]
    shutil.rmtree(folder.with_name("out.private"))
    assert verified(folder).reasons() == []
    assert verified(folder).remarks == ()


@pytest.mark.parametrize("missing", ["keep", "drop"])
def test_weights_that_the_table_gives_are_found_again(tmp_path: Path, missing: str) -> None:
    frame = mixed(60, missing=0.1)
    made = shoal.anonymize(
        frame, SCHEMA, require=3, method="top-down", weights="entropy", missing=missing, seed=1
    )
    folder = made.write(tmp_path / "out")
    assert shoal.open_release(folder).verify(original=frame).reasons() == []


CLAIMS: dict[str, Edit] = {
    "rows.published": lambda facts: facts["rows"].update(published=59),
    "verification.classes": lambda facts: facts["verification"].update(classes=2),
    "verification.achieved.k": lambda facts: facts["verification"]["achieved"].update(k=30),
    "measures.average_class_size": lambda f: f["measures"].update(average_class_size=2.5),
    "measures.largest_group": lambda facts: facts["measures"].update(largest_group=99.0),
    "measures_of_published.starred_rate": lambda f: f["measures_of_published"].update(
        starred_rate=0.01
    ),
    "measures_of_published.discernibility": lambda facts: facts["measures_of_published"].update(
        discernibility=90.0
    ),
    "columns.extra": lambda facts: facts["columns"].update(extra="other"),
    "counted": lambda facts: facts.update(counted="people"),
    "counted_rule": lambda facts: facts.update(counted_rule="Every person counts once."),
    "stated.cells": lambda facts: facts["stated"].update(cells="No person is found."),
    "verification.findings": lambda facts: facts["verification"]["findings"].pop(0),
    "verification.judgements": lambda facts: facts["verification"]["judgements"][0].update(
        description="anonymous"
    ),
    "verification.passed": lambda facts: facts["verification"].update(passed=False),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_false_claim_is_named_from_the_public_folder_alone(tmp_path: Path, claim: str) -> None:
    folder = written(tmp_path)
    shutil.rmtree(folder.with_name("out.private"))
    edit(folder, CLAIMS[claim], new_id=True)
    (folder / "report.html").write_text(
        shoal.release.report.page(json.loads((folder / "release.json").read_text()))
    )
    found = wrong(verified(folder))
    assert set(found) == {"claims of release.json"}
    first, *_, last = claim.split(".") if "." in claim else (claim, claim)
    said = found["claims of release.json"]
    assert last in said or f"'{first}'" in said or claim == "counted"


EDITS: dict[str, Edit] = CLAIMS | {
    "columns.note": lambda facts: facts["columns"].update(note="identifier"),
    "require": lambda facts: facts["require"][0].update(k=2),
    "loss.age.kept": lambda facts: facts["loss"]["age"].update(kept=0.99),
    "measures.loss": lambda facts: facts["measures"].update(loss=0.01),
    "method.name": lambda facts: facts["method"].update(name="mondrian"),
    "rows.suppressed": lambda facts: facts["rows"].update(suppressed=0.5),
    "remarks": lambda facts: facts.update(remarks=["All is well."]),
    "title": lambda facts: facts.update(title="Another"),
}


@pytest.mark.parametrize("claim", EDITS)
def test_whatever_is_edited_is_named_with_the_private_folder(tmp_path: Path, claim: str) -> None:
    folder = written(tmp_path)
    edit(folder, EDITS[claim], new_id=False)
    found = wrong(verified(folder, original=claim in ("loss.age.kept", "measures.loss")))
    assert f"'{claim}'" in found["release.json"]
    assert "release.json" in found["files of the release"]
    assert "id" in found["claims of release.json"]


def test_what_was_edited_is_named_where_the_id_was_made_to_fit(tmp_path: Path) -> None:
    folder = written(tmp_path)
    edit(folder, EDITS["loss.age.kept"], new_id=True)
    with pytest.raises(
        InputError, match=r"ids differ, and so does what they state of 'loss'\."
    ) as told:
        shoal.open_release(folder)
    assert "0.99" not in str(told.value)


@pytest.mark.parametrize("claim", ["columns.note", "require", "rows.suppressed"])
def test_the_plan_and_the_counts_of_an_older_private_folder_contradict(
    tmp_path: Path, claim: str
) -> None:
    folder = written(tmp_path)
    forget_digests(folder)
    edit(folder, EDITS[claim], new_id=False)
    said = wrong(verified(folder))["claims of release.json"].split("; ")
    assert len(said) >= 2
    assert any("plan" in each or "private folder" in each for each in said)


@pytest.mark.parametrize("shift", [-4e-15, 4e-15])
def test_a_sum_in_another_order_is_no_contradiction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shift: float
) -> None:
    """Just below a half it is rounded down, and just above it up."""
    usual, off = Measure.of, 0.0

    def nearly(self: Measure, pair: Any) -> float:
        return 13.5 + off if self.name == "iloss" else usual(self, pair)

    monkeypatch.setattr(Measure, "of", nearly)
    folder = written(tmp_path)
    off = shift
    assert verified(folder, original=True).reasons() == []


def test_a_rounded_measure_is_taken_again_from_the_original(tmp_path: Path) -> None:
    folder = written(tmp_path)
    forget_digests(folder)
    edit(folder, lambda facts: facts["measures"].update(iloss_rate=0.011), new_id=False)
    assert "iloss_rate" not in wrong(verified(folder))["claims of release.json"]
    assert "iloss_rate" in wrong(verified(folder, original=True))["claims of release.json"]


RECOUNTED: dict[str, tuple[str, Edit]] = {
    "loss": ("loss", lambda facts: facts["loss"]["region"].update(kept=0.6, generalized=0.05)),
    "measure": ("iloss", lambda facts: facts["measures_of_published"].update(iloss=6.5)),
    "bounds": ("bounds", lambda facts: facts.update(bounds="observed")),
    "method": ("method", lambda facts: facts["method"].update(name="mondrian")),
    "missing policy": ("missing.policy", lambda facts: facts["missing"].update(policy="drop")),
    "missing cells": (
        "other missing cells of 'age'",
        lambda facts: facts["missing"]["columns"]["age"].update(missing="40 or more"),
    ),
}


@pytest.mark.parametrize("claim", RECOUNTED)
def test_claims_are_recounted_where_the_private_folder_has_no_copy_of_them(
    tmp_path: Path, claim: str
) -> None:
    named, change = RECOUNTED[claim]
    folder = written(tmp_path)
    forget_digests(folder)
    edit(folder, change, new_id=True)
    facts = json.loads((folder / "release.json").read_text())
    retell(facts)
    edit(folder, lambda old: old.update(stated=facts["stated"]), new_id=True)
    manifest = folder.with_name("out.private") / "manifest.json"
    known = json.loads((folder / "release.json").read_text())["id"]
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "id": known}))
    found = wrong(verified(folder, original=True))
    assert named in found["claims of release.json"]


def test_an_edited_release_does_not_hold_at_the_command_line(tmp_path: Path) -> None:
    folder = written(tmp_path)
    edit(folder, EDITS["loss.age.kept"], new_id=False)
    asked = ["verify", str(folder), "--original", str(tmp_path / "in.parquet")]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 1
    assert "It does not hold" in done.stdout


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("name", ["people.csv", ".hidden", "table.parquet"])
def test_a_foreign_file_is_found(tmp_path: Path, name: str, private: bool) -> None:
    folder = written(tmp_path)
    (folder / name).write_text("Ann,HIV\n")
    if not private:
        shutil.rmtree(folder.with_name("out.private"))
    assert name in wrong(verified(folder))["files of the release"]


@pytest.mark.parametrize("private", [True, False])
def test_a_replaced_report_is_found(tmp_path: Path, private: bool) -> None:
    folder = written(tmp_path)
    page = (folder / "report.html").read_text()
    (folder / "report.html").write_text(page.replace("</body>", "<p>Ann has HIV</p></body>"))
    if not private:
        shutil.rmtree(folder.with_name("out.private"))
    found = wrong(verified(folder))
    assert set(found) == {"files of the release" if private else "report.html"}


def test_a_report_that_cannot_be_drawn_again_is_named(tmp_path: Path) -> None:
    folder = written(tmp_path)
    assert verified(folder).remarks == ()
    shutil.rmtree(folder.with_name("out.private"))
    edit(folder, lambda facts: facts.update(shoal="0.0.1"), new_id=True)
    (folder / "report.html").write_text("<p>Ann has HIV</p>")
    (told,) = verified(folder).remarks
    assert "report.html" in told
    assert "not compared" in told


@pytest.mark.parametrize("where", ["file", "column"])
@pytest.mark.parametrize("private", [True, False])
def test_raw_rows_in_parquet_metadata_are_found(tmp_path: Path, private: bool, where: str) -> None:
    file = written(tmp_path, kind="parquet") / "table.parquet"
    table = pq.read_table(file)
    if where == "file":
        table = table.replace_schema_metadata({"raw": "Ann,HIV"})
    else:
        field = table.schema.field(0).with_metadata({"raw": "Ann,HIV"})
        table = table.cast(table.schema.set(0, field))
    pq.write_table(table, file)
    rehash(file.parent, file)
    if not private:
        shutil.rmtree(file.parent.with_name("out.private"))
    found = wrong(verified(file.parent))
    assert "table.parquet alone" in found
    assert ("files of the release" in found) is private


def by_spark(names: list[str], kind: str = "string", **more: str) -> dict[str, str]:
    fields = [{"name": each, "type": kind, "nullable": True, "metadata": {}} for each in names]
    told = json.dumps({"type": "struct", "fields": [each | more for each in fields]})
    return {"org.apache.spark.sql.parquet.row.metadata": told}


@pytest.mark.parametrize(
    ("bare", "told"),
    [
        (True, {"org.apache.spark.version": "3.5.1"} | by_spark(["age", "ill"])),
        (False, by_spark(["age"])),
        (False, by_spark(["age", "ill"], raw="Ann,HIV")),
        (False, by_spark(["age", "ill"], kind="Ann,HIV")),
        (False, {"org.apache.spark.version": "Ann,HIV"}),
        (False, {"org.apache.spark.1": "Ann,HIV"}),
    ],
)
def test_raw_rows_where_spark_writes_its_metadata_are_found(
    tmp_path: Path, bare: bool, told: dict[str, str]
) -> None:
    table = pl.DataFrame({"age": ["*"], "ill": ["flu"]}).to_arrow()
    with pq.ParquetWriter(tmp_path / "part.parquet", table.schema, store_schema=False) as file:
        file.write_table(table)
        file.add_key_value_metadata(told)
    assert is_bare(tmp_path / "part.parquet") is bare


def test_raw_rows_instead_of_the_writer_of_a_parquet_file_are_found(tmp_path: Path) -> None:
    file = written(tmp_path, kind="parquet") / "table.parquet"
    assert is_bare(file)
    writer = pq.read_metadata(file).created_by.encode()
    file.write_bytes(file.read_bytes().replace(writer, b"Ann,HIV".ljust(len(writer))))
    assert not is_bare(file)


def test_bytes_between_the_columns_of_a_parquet_file_are_found(tmp_path: Path) -> None:
    file = written(tmp_path, kind="parquet") / "table.parquet"
    shutil.rmtree(file.parent.with_name("out.private"))
    data = file.read_bytes()
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    file.write_bytes(data[:footer] + b"Ann,HIV\n" + data[footer:])
    rehash(file.parent, file)
    edit(file.parent, lambda facts: None, new_id=True)
    assert "table.parquet alone" in wrong(verified(file.parent))


def test_a_second_sheet_of_an_excel_file_is_found(tmp_path: Path) -> None:
    file = written(tmp_path, kind="xlsx") / "table.xlsx"
    shutil.rmtree(file.parent.with_name("out.private"))
    with zipfile.ZipFile(file, "a") as book:
        book.writestr("xl/worksheets/sheet2.xml", "<Ann/>")
    rehash(file.parent, file)
    edit(file.parent, lambda facts: None, new_id=True)
    assert "table.xlsx alone" in wrong(verified(file.parent))


def add_value(folder: Path) -> None:
    """Let a class show one value more, which another class has, too; and update the hash."""
    file = folder / "sensitive-illness.csv"
    frame = pl.read_csv(file, infer_schema=False)
    (ids,) = (name for name in frame.columns if name != "illness")
    pairs = set(frame.select(ids, "illness").rows())
    some = next(
        (each, value)
        for each in frame[ids].unique().sort()
        for value in frame["illness"].unique().sort()
        if (each, value) not in pairs
    )
    added = pl.DataFrame({ids: [some[0]], "illness": [some[1]]}).select(frame.columns)
    pl.concat([frame, added]).write_csv(file)
    rehash(folder, file)


@pytest.mark.parametrize("digests", [True, False])
def test_a_value_added_to_a_sensitive_groups_table_is_found(tmp_path: Path, digests: bool) -> None:
    folder = written(tmp_path, "sensitive-groups")
    add_value(folder)
    if not digests:
        forget_digests(folder)
        edit(folder, lambda facts: None, new_id=False)
    found = wrong(verified(folder, original=True))
    assert ("files of the release" in found) is digests
    assert "the number of values added" in found["claims of release.json"]


def test_damaged_claims_are_told_and_never_a_traceback(tmp_path: Path) -> None:
    folder = written(tmp_path)
    plan = shoal.open_release(folder).private_plan
    edit(folder, lambda facts: facts.update(verification=[]), new_id=False)
    assert "damaged" in wrong(verified(folder))["claims of release.json"]
    edit(folder, lambda facts: facts["columns"].update(note="nonsense"), new_id=False)
    found = shoal.release.open_published(folder, plan=plan).verify()
    assert "damaged" in wrong(found)["claims of release.json"]


def retell(facts: dict[str, Any]) -> None:
    """Say the sentences again that follow from an edited claim."""
    facts["stated"] = stated(facts)


TABLE_CLAIMS: dict[str, tuple[str, Edit]] = {
    "'loss.region'": (
        "generalized",
        lambda facts: facts["loss"]["region"].update(kept=0.8, starred=0.0),
    ),
    "'loss.sex'": ("generalized", lambda facts: facts["loss"]["sex"].update(kept=0.2)),
    "missing.rule": ("two-table", lambda facts: facts["missing"].update(rule="All is known.")),
    "missing illness": (
        "two-table",
        lambda facts: facts["missing"]["sensitive"]["illness"].update(missing=3),
    ),
    "'age'": ("two-table", lambda f: f["missing"]["columns"]["age"].update(missing=59)),
    "'two_table.class_column'": (
        "two-table",
        lambda facts: facts["two_table"].update(class_column=""),
    ),
    "cells that differ": (
        "two-table",
        lambda facts: (facts["two_table"].update(quasi_cells="generalized"), retell(facts)),
    ),
    "group": ("sensitive-groups", lambda f: f["sensitive_groups"].update(class_column="")),
}


@pytest.mark.parametrize("named", TABLE_CLAIMS)
def test_false_claims_about_the_tables_are_named_from_the_public_folder_alone(
    tmp_path: Path, named: str
) -> None:
    form, change = TABLE_CLAIMS[named]
    folder = written(tmp_path, form)
    shutil.rmtree(folder.with_name("out.private"))
    assert verified(folder).reasons() == []
    edit(folder, change, new_id=True)
    facts = json.loads((folder / "release.json").read_text())
    (folder / "report.html").write_text(shoal.release.report.page(facts), newline="\n")
    found = wrong(verified(folder))
    assert set(found) == {"claims of release.json"}
    assert named.removeprefix("missing ") in found["claims of release.json"]


DAMAGE: dict[str, Edit] = {
    "findings": lambda facts: facts["verification"]["findings"][0].pop("detail"),
    "judgements": lambda facts: facts["verification"]["judgements"].append("nonsense"),
    "missing": lambda facts: facts["missing"].pop("policy"),
    "rows": lambda facts: facts.pop("rows"),
    "publication": lambda facts: facts.update(publication="nonsense"),
}


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_release_is_never_a_defect(tmp_path: Path, damage: str, private: bool) -> None:
    folder = written(tmp_path)
    edit(folder, DAMAGE[damage], new_id=not private)
    if not private:
        shutil.rmtree(folder.with_name("out.private"))
    assert {"claims of release.json", "report.html"} & set(wrong(verified(folder)))
    assert CliRunner().invoke(app, ["verify", str(folder)]).exit_code == 1
    done = CliRunner().invoke(app, ["explain", str(folder)])
    assert done.exit_code == (0 if damage in ("findings", "missing") else 2)
    assert done.exit_code == 0 or "damaged" in done.output or "not known" in done.output


@pytest.mark.parametrize("kept", ["nonsense", {"files": 3, "claims": {}}, {"files": {}}])
def test_damaged_digests_are_refused(tmp_path: Path, kept: Any) -> None:
    folder = written(tmp_path)
    manifest = folder.with_name("out.private") / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "public": kept}))
    with pytest.raises(InputError, match="damaged"):
        shoal.open_release(folder)
