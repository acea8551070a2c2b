"""A requirement says itself which shares it bounds; every method reads it from there."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import AlphaK, Release
from shoal.errors import InfeasibleError
from shoal.methods import METHODS, Method

LEVELS = {"a": 1, "b": 2, "c": 3, "": 1}

METHODS_OF_SHARES = [
    kind(seed=3) for kind in METHODS.values() if kind.carries is None or "alpha-k" in kind.carries
]


def incomplete(seed: int, *, people: bool = False) -> tuple[pl.DataFrame, shoal.Schema]:
    """A table of which many sensitive values are missing."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 60))
    secrets = rng.choice(["a", "b", "c", None], n, p=[0.2, 0.2, 0.2, 0.4])
    frame = pl.DataFrame(
        {
            "x": rng.integers(0, 30, n),
            "y": rng.choice(["u", "v", "w"], n),
            "who": rng.integers(0, n, n),
            "secret": pl.Series(secrets.tolist(), dtype=pl.String),
        }
    )
    columns = {
        "who": shoal.identifier(),
        "x": shoal.quasi(),
        "y": shoal.quasi(),
        "secret": shoal.sensitive(levels=LEVELS),
    }
    return frame, shoal.Schema(columns, entity="who" if people else None)


def publish(
    seed: int, method: Method, need: Any, *, limit: float = 0.4, people: bool = False
) -> Release | None:
    frame, schema = incomplete(seed, people=people)
    try:
        return shoal.anonymize(
            frame, schema, require=[need], method=method, suppression_limit=limit
        )
    except InfeasibleError:
        return None


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
@pytest.mark.parametrize("method", METHODS_OF_SHARES, ids=lambda method: method.name)
def test_the_missing_value_is_bounded_like_any_other(method: Method, people: bool) -> None:
    published = []
    for seed in range(12):
        need = AlphaK([0.3, 0.45, 0.5][seed % 3], 2, value="")
        published.append(publish(seed, method, need, limit=1, people=people))
    made = [release for release in published if release is not None]
    assert len(made) >= 2  # methods that leave out whole classes only refuse many
    assert all(release.verification.passed for release in made)


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
@pytest.mark.parametrize("name", ["kaca", "ebkc", "top-down"])
def test_whoever_merges_publishes_where_gaa_cp_does(name: str, people: bool) -> None:
    for seed in range(20):
        need = AlphaK([0.25, 0.3, 0.4][seed % 3], 2 + seed % 2, value="")
        if publish(seed, shoal.GAACP(seed=seed), need, people=people) is None:
            continue
        made = publish(seed, METHODS[name](seed=seed), need, people=people)
        assert made is not None
        assert made.verification.passed
