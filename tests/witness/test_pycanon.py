"""An outside witness agrees on the achieved k, l, t, α, β and δ."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv-witness" / "bin" / "python"


def ask(script: str, *arguments: str | Path) -> dict[str, Any]:
    assert PYTHON.exists(), "`make setup` makes the witnesses' environment"
    command = [PYTHON, ROOT / "tests" / "witness" / script, *arguments]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(answer))


def pycanon(table: Path, quasi: list[str]) -> int:
    return int(ask("count_k.py", table, "|".join(quasi))["k"])


@pytest.mark.parametrize("k", [2, 5, 10])
def test_pycanon_finds_the_same_k_on_adult(tmp_path: Path, k: int) -> None:
    bundled = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    adult = shoal.datasets.adult().sample(3000, seed=k)
    schema = bundled.schema_()
    made = shoal.anonymize(adult, schema, require=[shoal.KAnonymity(k)], method=shoal.GAACP(seed=k))
    folder = made.write(tmp_path / "out")
    found = pycanon(folder / "table.csv", schema.quasi)
    assert found == made.verification.achieved["k"] >= k


def test_pycanon_and_verify_agree_on_a_table_that_fails(tmp_path: Path) -> None:
    frame = mixed(200, missing=0.1).select(pl.exclude("id", "age")).fill_null("*")
    frame.write_csv(tmp_path / "raw.csv")
    schema = shoal.Schema({name: SCHEMA[name] for name in frame.columns})
    ours = shoal.verify(frame, schema, [shoal.KAnonymity(50)])
    assert not ours.passed
    assert ours.achieved["k"] == pycanon(tmp_path / "raw.csv", schema.quasi)


# pycanon's recursive (c, l)-diversity takes the rarest value for the most frequent one, so it is
# no witness of ours.


@pytest.mark.parametrize("secret", ["word", "number"])
def test_pycanon_finds_the_same_l_and_t(tmp_path: Path, secret: str) -> None:
    """Words are equally far apart, numbers lie in their order."""
    rng = np.random.default_rng(11)
    words = rng.choice(list("aaabbcdef"), 400)
    frame = pl.DataFrame(
        {
            "a": rng.choice(["x", "y", "z"], 400),
            "b": rng.integers(0, 4, 400),
            "s": words if secret == "word" else rng.integers(1, 30, 400) ** 2,
        }
    )
    frame.write_csv(tmp_path / "table.csv")
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "s": shoal.sensitive()})
    found = ask("count_spread.py", tmp_path / "table.csv", "a|b", "s", secret)
    distance: Any = "equal" if secret == "word" else "ordered"

    def ours(need: shoal.models.Requirement) -> float:
        (level,) = shoal.verify(frame, schema, [need]).achieved.values()
        return level

    assert ours(shoal.LDiversity(2)) == found["distinct"]
    assert int(ours(shoal.LDiversity(2, "entropy"))) == found["entropy"]
    assert ours(shoal.TCloseness(1, distance=distance)) == pytest.approx(found["t"], abs=1e-12)


def test_pycanon_and_a_release_agree(tmp_path: Path) -> None:
    bundled = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    schema = bundled.schema_()
    need = [shoal.KAnonymity(5), shoal.LDiversity(3), shoal.TCloseness(0.5)]
    adult = shoal.datasets.adult(complete=True).head(600)
    made = shoal.anonymize(adult, schema, require=need, method=shoal.KMember(seed=3))
    folder = made.write(tmp_path / "out")
    (secret,) = schema.sensitive
    found = ask("count_spread.py", folder / "table.csv", "|".join(schema.quasi), secret, "word")
    assert found["distinct"] == made.verification.achieved["l"] >= 3
    assert found["t"] == pytest.approx(made.verification.achieved["t"], abs=1e-12)
    assert made.verification.achieved["t"] <= 0.5


def test_pycanon_rounds_where_we_do_not(tmp_path: Path) -> None:
    """Three equally frequent values: it says 2, since e to the power of the entropy is 2.99…"""
    frame = pl.DataFrame({"a": ["x"] * 3, "s": ["a", "b", "c"]})
    frame.write_csv(tmp_path / "table.csv")
    schema = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive()})
    assert ask("count_spread.py", tmp_path / "table.csv", "a", "s", "word")["entropy"] == 2
    assert shoal.verify(frame, schema, [shoal.LDiversity(3, "entropy")]).passed


# pycanon's enhanced β-likeness takes the lesser of the largest gain and the largest −ln p of all
# values, whichever they are; the paper compares gain and −ln p of the same value.


def test_pycanon_finds_the_same_of_random_tables(tmp_path: Path) -> None:
    """Its δ looks only at values that a class shows, as ours does if absent ones are allowed."""
    frames = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n, values = int(rng.integers(4, 200)), int(rng.integers(1, 8))
        frames.append(
            pl.DataFrame(
                {
                    "a": rng.choice(["x", "y", "z"], n),
                    "b": rng.integers(0, 3, n),
                    "s": rng.choice([f"v{i}" for i in range(values)], n),
                }
            )
        )
    paths = [tmp_path / f"{number}.csv" for number in range(len(frames))]
    for frame, path in zip(frames, paths, strict=True):
        frame.write_csv(path)
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "s": shoal.sensitive()})
    need = [
        shoal.AlphaK(1, 2),
        shoal.LDiversity(2),
        shoal.TCloseness(1),
        shoal.BetaLikeness(1, "basic"),
        shoal.DeltaDisclosure(1, absent="allowed"),
    ]
    for frame, found in zip(
        frames, ask("count_gains.py", "a|b", "s", *paths)["found"], strict=True
    ):
        ours = shoal.verify(frame, schema, need).achieved
        assert ours == pytest.approx(found, abs=1e-9)
