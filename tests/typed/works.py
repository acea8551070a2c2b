"""A user's program: type checkers find no fault in it, and know every type."""

from __future__ import annotations

from typing import reveal_type

import polars as pl

import shoal
from shoal.hierarchies import Intervals
from shoal.risk import homogeneity

frame = pl.DataFrame({"age": [30, 31], "disease": ["flu", "HIV"]})
schema = shoal.Schema(
    {"age": shoal.quasi(hierarchy=Intervals(width=10)), "disease": shoal.sensitive()}
)
need = shoal.KAnonymity(2)
method = shoal.GAACP(seed=7)
release = shoal.anonymize(frame, schema, require=[need, shoal.AlphaK(0.9, 2)], method=method)

reveal_type(need)  # KAnonymity
reveal_type(need.k)  # int
reveal_type(method)  # GAACP
reveal_type(release)  # Release
reveal_type(release.table)  # DataFrame
reveal_type(shoal.hierarchies.Prefixes(step=2))  # Prefixes
reveal_type(shoal.publications.TwoTable())  # TwoTable
reveal_type(shoal.measures.iloss_rate(frame, release.table, schema))  # float
reveal_type(shoal.risk.homogeneity(release, column="disease"))  # Attack
reveal_type(homogeneity(release, column="disease").people)  # int
