"""Groups that a reader cannot tell apart hold as one, however intervals end."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import InfeasibleError

SCHEMA = shoal.Schema(
    {
        "age": shoal.quasi(),
        "sex": shoal.quasi(),
        "who": shoal.identifier(),
        "ill": shoal.sensitive(),
    },
    entity="who",
)

ALIKE = (28, 31, 32, 45, 46, 50, 52, 61, 67, 70, 82, 88, 99, 115, 126, 134, 136, 143, 146)
"""Seeds of which each method meets groups that are alike and would fail as one, if they stayed."""


def crowded(seed: int) -> pl.DataFrame:
    """People with several rows, of ages that rounding makes alike; the oldest has no sex."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 40))
    return pl.DataFrame(
        {
            "age": [300, *rng.integers(20, 60, n - 1).tolist()],
            "sex": [None, *["f"] * (n - 1)],
            "who": rng.integers(0, max(n // 2, 4), n),
            "ill": rng.choice(["flu", "HIV", "gout"], n),
        }
    )


@pytest.mark.parametrize("missing", ["keep", "drop"])
@pytest.mark.parametrize("bounds", ["observed", "rounded"])
@pytest.mark.parametrize(
    "method", [shoal.GAACP(seed=1), shoal.KACA(seed=1)], ids=lambda method: method.name
)
def test_shares_of_people_hold_in_what_is_published(
    method: shoal.Method, bounds: str, missing: str
) -> None:
    """A person with rows in two groups counts once in their union, whose shares then differ."""
    need = [shoal.AlphaK(0.6, 2)]
    made, seeds = 0, (*range(20), *ALIKE)
    for seed in seeds:
        frame = crowded(seed)
        try:
            release = shoal.anonymize(
                frame,
                SCHEMA,
                require=need,
                method=method,
                bounds=bounds,
                missing=missing,
                suppression_limit=0.5,
            )
        except InfeasibleError:
            continue
        made += 1
        proof = shoal.verify(release.frame, SCHEMA, need, original=frame, rows=release.rows)
        assert proof.passed, (seed, proof.reasons())
    assert made > len(seeds) / 2
