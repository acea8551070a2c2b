"""One level per column on Spark: the levels, the rows and the facts of one machine, exactly."""

from __future__ import annotations

import json
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engines.spark.levels import Classes
from shoal.errors import InfeasibleError, InputError, ParameterError
from tests.engines.spark.test_engines import on_spark, rows_of
from tests.methods.test_lattice import table_of

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    warnings.warn("NO TEST OF SPARK RAN: there is no Java on this machine.", stacklevel=1)
    pytest.skip("Spark needs Java", allow_module_level=True)

UNEVEN = {"Ulm": "south", "Hof": "south", "Bonn": "west", "Kiel": "Kiel", "Jena": "west"}
K = {"model": "k-anonymity", "k": 6}


def visits(n: int = 700, seed: int = 8) -> pl.DataFrame:
    """Let people come some three times, so that rows are equal; some cells are missing."""
    rng = np.random.default_rng(seed)
    who, shares = rng.integers(0, n // 3, n), [0.4, 0.3, 0.15, 0.1, 0.05]
    age, town, sex = (
        pl.Series(rng.choice(of, n // 3, p=p))
        for of, p in ((range(18, 60), None), (list(UNEVEN), shares), (["f", "m"], None))
    )
    holes = [pl.Series(rng.random(n) < 0.02) for _ in range(2)]
    return pl.DataFrame(
        {
            "id": who,
            "age": age[who].set(holes[0], None),
            "town": town[who].set(holes[1], None),
            "sex": sex[who],
            "ill": rng.choice(["flu", "HIV", "cold", "cough"], n, p=[0.4, 0.1, 0.3, 0.2]),
            "note": rng.integers(0, 9, n),
        }
    )


def plan(folder: Path, require: list[dict[str, Any]], **others: Any) -> shoal.Plan:
    tree = folder / "towns.csv"
    tree.write_text("".join(f"{town};{above};*\n" for town, above in UNEVEN.items()))
    columns = {
        "id": {"role": "identifier"},
        "age": {
            "role": "quasi",
            "kind": "numeric",
            "hierarchy": {"builder": "intervals", "width": 5},
        },
        "town": {"role": "quasi", "hierarchy": str(tree)},
        "sex": {"role": "quasi"},
        "ill": {"role": "sensitive", "levels": {"HIV": 1, "flu": 2, "cold": 2, "cough": 2}},
        "note": {"role": "other"},
    }
    made = {"columns": columns, "require": require, "method": {"name": "full-domain"}}
    return shoal.Plan.from_dict({**made, **others})


def full(**options: Any) -> dict[str, Any]:
    return {"method": {"name": "full-domain", **options}}


ALPHA = {"model": "alpha-k", "k": 6, "alpha": 0.6}
LEVELED = {"model": "leveled-alpha-k", "k": 6, "alphas": [0.2, 0.9]}
L = {"model": "l-diversity", "l": 3}
CASES: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "k": ([K], full(suppression_limit=0)),
    "suppression": ([K], full()),
    "values": ([K, {**L, "l": 4}], full(objective="non-uniform-entropy")),
    "shares": ([ALPHA, LEVELED], full(objective="loss-geometric")),
    "beside the others": ([K, {"model": "t-closeness", "t": 0.28}], full()),
    "people": ([K, L], {**full(), "entity": "id"}),
    "shares of people": ([{**ALPHA, "alpha": 0.85}], {**full(weights={"age": 3}), "entity": "id"}),
    "incognito": ([K], {"method": {"name": "incognito", "objective": "discernibility"}}),
    "datafly": ([K], {"method": {"name": "datafly", "suppression_limit": 0.03}}),
}


@pytest.mark.parametrize("case", CASES)
def test_both_engines_find_the_same_levels(session: Any, tmp_path: Path, case: str) -> None:
    require, others = CASES[case]
    frame, asked = visits(), plan(tmp_path, require, **others)
    made = on_spark(session, frame, asked, tmp_path / "out")
    local = shoal.anonymize(frame, asked)
    opened = shoal.open_release(tmp_path / "out")
    assert rows_of(opened.table.select(local.table.columns)) == rows_of(local.table)
    assert made.verification.passed
    assert made.verification.achieved == local.verification.achieved
    assert made.verification.classes == local.verification.classes == local.grouping.n_groups
    for name, value in made.measures.items():
        assert value == pytest.approx(local.measures[name])
    told = local.facts()
    for key in ("require", "columns", "entity", "counted", "bounds", "method"):
        assert made.facts[key] == told[key]
    assert set(told["remarks"]) >= set(made.facts["remarks"])
    assert any("uneven depth" in each for each in made.facts["remarks"])
    search = made.facts["search"]
    for key in ("score", "gap", "levels", "heights", "lattice", "optimal", "objective", "examples"):
        assert search[key] == told["search"][key]
    private = json.loads((tmp_path / "out.private" / "manifest.json").read_text())
    assert private["search"] == json.loads(json.dumps(dict(local.grouping.search or {})))
    assert private["rows"]["groups"] == local.grouping.n_groups
    assert private["rows"]["suppressed"] == local.n_suppressed
    assert private["rows"]["blocks"] == made.blocks == 1
    assert bool(local.n_suppressed) == (case != "k")  # or the test would look at little
    rows = pl.read_parquet(tmp_path / "out.private" / "rows.parquet" / "*.parquet")
    assert rows_of(rows["original"].struct.unnest()) == rows_of(frame[local.grouping.rows])
    cells = rows.unnest("published").group_by("group").agg(pl.col("age", "town", "sex").n_unique())
    assert cells.height == local.grouping.n_groups
    assert set(cells.drop("group").unique().row(0)) == {1}
    assert opened.verify().achieved == local.verification.achieved


@pytest.mark.parametrize("one", [False, True])
def test_values_that_differ_in_spelling_alone_are_told(
    session: Any, tmp_path: Path, one: bool
) -> None:
    spelled = {"HIV": "flu ", "cold": "Flu"}
    frame = visits().with_columns(
        pl.col("ill").replace(spelled), sex=pl.col("sex").replace({"m": "F "})
    )
    made = plan(tmp_path, [K], **full()).to_dict()
    del made["columns"]["ill"]["levels"]
    for name in ("sex", "ill"):
        made["columns"][name]["normalize"] = one
    asked = shoal.Plan.from_dict(made)
    release, local = (
        on_spark(session, frame, asked, tmp_path / "out"),
        shoal.anonymize(frame, asked),
    )
    told = [each for each in release.facts["remarks"] if "agree with another one" in each]
    assert told == [each for each in local.remarks if "agree with another one" in each]
    assert [each[:21] for each in told] == (
        [] if one else ["2 values of column 's", "3 values of column 'i"]
    )
    assert shoal.open_release(tmp_path / "out").verify().passed


def test_nothing_is_hidden_where_nothing_is_missing(session: Any, tmp_path: Path) -> None:
    frame = visits().drop_nulls()
    asked = plan(tmp_path, [{"model": "k-anonymity", "k": 3}], **full(suppression_limit=0))
    made = on_spark(session, frame, asked, tmp_path / "out")
    told = shoal.anonymize(frame, asked).facts()
    assert made.facts["search"] == told["search"]
    assert made.facts["search"]["score"] > 0
    assert made.facts["loss"] == told["loss"]
    assert made.facts["measures"].items() <= told["measures"].items()


@pytest.mark.parametrize("seed", range(20))
def test_rows_look_up_the_class_of_their_point(seed: int) -> None:
    """Wherever they lie: in rows that nobody saw together, of trees of uneven depth, with holes."""
    table = table_of(seed)
    need = [shoal.KAnonymity(2)]
    found = shoal.FullDomain(suppression_limit=0.5).group(table, need, rng=np.random.default_rng(0))
    classes = Classes.of(table, found)
    for rows in np.array_split(np.random.default_rng(seed).permutation(table.n_rows), 3):
        looked_up = classes.find([column.codes[rows] for column in table.quasi])
        assert looked_up.tolist() == found.labels[rows].tolist()


def test_more_points_than_one_place_holds_are_refused(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame, asked = visits(), plan(tmp_path, [K, L], entity="id")
    points = frame.select("age", "town", "sex", "ill", "id").n_unique()
    monkeypatch.setattr("shoal.engines.spark.points.MOST_POINTS", points - 1)
    with pytest.raises(InfeasibleError, match=rf"{points:,} different.*and people.*gaa-cp"):
        on_spark(session, frame, asked, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_levels_that_hold_are_refused_in_the_words_of_one_machine(
    session: Any, tmp_path: Path
) -> None:
    asked = plan(tmp_path, [K], **full(levels={"age": 0, "town": 0}, suppression_limit=0))
    with pytest.raises(InfeasibleError) as alone:
        shoal.anonymize(visits(), asked)
    with pytest.raises(InfeasibleError) as there:
        on_spark(session, visits(), asked, tmp_path / "out")
    assert str(there.value) == str(alone.value)


REFUSED: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str]] = {
    "weights": ([K], full(weights="entropy"), "'entropy' are found in a table that is whole"),
    "blocks": ([K], {"blocks": 3}, "in blocks"),
    "all classes": ([{"model": "average-risk", "risk": 0.2}], {}, "all classes at once"),
    "people of all classes": (
        [K, {"model": "t-closeness", "t": 0.4}],
        {"entity": "id"},
        "people of a class with those of all",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_levels_on_spark_cannot_hold_is_refused(
    session: Any, tmp_path: Path, what: str
) -> None:
    require, others, reason = REFUSED[what]
    frame = session.createDataFrame([(1, "a")], "age int, town string")
    with pytest.raises(ParameterError, match=reason):
        shoal.spark.anonymize(frame, plan(tmp_path, require, **others), output=tmp_path / "out")


def test_a_signature_covers_every_part_of_the_table(session: Any, tmp_path: Path) -> None:
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519")
    key, plain = ed25519.Ed25519PrivateKey.generate(), serialization.NoEncryption()
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    of = serialization.PublicFormat.SubjectPublicKeyInfo
    public = tmp_path / "public.pem"
    public.write_bytes(key.public_key().public_bytes(pem, of))
    asked = plan(tmp_path, [K], **full()).signed_with(tmp_path / "key.pem")
    with pytest.raises(InputError, match=r"key\.pem"):
        on_spark(session, visits(), asked, tmp_path / "out")
    (tmp_path / "key.pem").write_bytes(key.private_bytes(pem, pkcs8, plain))
    on_spark(session, visits(), asked, tmp_path / "out")
    assert shoal.open_release(tmp_path / "out").verify(key=public).passed
    told = json.loads((tmp_path / "out" / "release.sig").read_text())["files"]
    parts = [each for each in told if each.endswith(".parquet")]
    assert all(each.startswith("table.parquet/") for each in parts)
    (tmp_path / "out" / parts[0]).rename(tmp_path / "out" / "table.parquet" / "x.parquet")
    found = shoal.open_release(tmp_path / "out").verify(key=public).findings
    (signed,) = [each for each in found if each.check == "signed by this key"]
    assert signed.passed is False
    assert "signed, and missing" in signed.detail
