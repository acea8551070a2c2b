"""What a release in Spark loses: measures that are sums over cells, and the fate of each cell."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from shoal.engines.spark.columns import GROUP
from shoal.engines.spark.marks import Marks
from shoal.engines.spark.publishing import Cells, recode
from shoal.measures import MEASURES, CellOutcomes, Pair, cells_by_outcome
from shoal.table.missingness import Missingness

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame

MEANS = ("loss", "iloss_rate", "generalization_loss_rate")
"""Measures that are means over rows; `iloss` is a sum."""


@dataclass(frozen=True)
class Losses:
    """What rows lose, of all of them or of the published ones alone."""

    measures: Mapping[str, float]
    outcomes: Mapping[str, CellOutcomes]
    shown: Mapping[str, float]
    """The measures of the published rows, each ``*`` counted as lost."""
    shown_outcomes: Mapping[str, CellOutcomes]
    missingness: Missingness
    marks: Marks
    """How many rows there are of each kind, as far as missing cells and ``*`` go."""


def measure(rows: DataFrame, cells: Broadcast[Cells], suppressed: int) -> Losses:
    """Measure grouped rows; those that were left out cost all of their cells."""
    domain = cells.value.domain
    names = [column.name for column in domain.quasi]
    coded = rows.select(*cells.value.made_from)
    found = coded.mapInArrow(partial(_measured, cells), "said string").collect()
    parts = [json.loads(each["said"]) for each in found]
    n, m = domain.rows + suppressed, len(names)
    whole = _summed(parts, "all", names, n)
    lost = {"iloss": suppressed * m} | dict.fromkeys(MEANS, suppressed / n)
    lost["generalization_loss_rate"] = 0.0
    measures = {name: value + lost[name] for name, value in whole[0].items()}
    outcomes = {name: each._replace(removed=suppressed) for name, each in whole[1].items()}
    shown, shown_outcomes = _summed(parts, "shown", names, n - suppressed)
    marks = Marks.joined(parts)
    return Losses(measures, outcomes, shown, shown_outcomes, marks.missingness(names), marks)


def _measured(
    cells: Broadcast[Cells], batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        held = batch.column(GROUP).to_numpy() >= 0
        both = Pair(*recode(cells.value, batch.filter(pa.array(held)))) if held.any() else None
        marks = Marks.of(batch, cells.value.domain, both)
        summary: dict[str, Any] = {"marks": marks.counted()}
        if both is not None:
            summary["all"] = _of(both)
            alone = replace(both, published_only=True)
            summary["shown"] = _of(alone) if marks.missing.any() else summary["all"]
        yield pa.RecordBatch.from_arrays([pa.array([json.dumps(summary)])], names=["said"])


def _of(both: Pair) -> dict[str, Any]:
    """Sum up what the rows of a pair lose."""
    sums = {name: MEASURES[name].of(both) * both.table.n_rows for name in MEANS}
    outcomes = {name: list(each) for name, each in cells_by_outcome(both).items()}
    return {"sums": {"iloss": MEASURES["iloss"].of(both), **sums}, "outcomes": outcomes}


def _summed(
    parts: list[dict[str, Any]], which: str, names: list[str], rows: int
) -> tuple[dict[str, float], dict[str, CellOutcomes]]:
    held = [part[which] for part in parts if which in part]
    sums = {name: fsum(part["sums"][name] for part in held) for name in ("iloss", *MEANS)}
    means = {name: sums[name] / max(rows, 1) for name in MEANS}
    counts = {name: np.sum([part["outcomes"][name] for part in held], axis=0) for name in names}
    outcomes = {name: CellOutcomes(*np.asarray(each).tolist()) for name, each in counts.items()}
    return {"iloss": sums["iloss"], **means}, outcomes
