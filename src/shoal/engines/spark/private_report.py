"""The private report of a release that Spark made: counted over all rows, or drawn by the seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.engines.spark.columns import GROUP, ORIGINAL, PUBLISHED, functions as f, quoted
from shoal.engines.spark.domain import Domain
from shoal.engines.spark.facts import Made
from shoal.engines.spark.sampling import Drawn, draw_classes, draw_rows
from shoal.engines.spark.spreads import Spreads, class_sizes
from shoal.release.report.private import attempts, example_rows, margins, relations
from shoal.release.report.private.attempts import Attempts
from shoal.release.report.private.example_rows import ExampleRows
from shoal.release.report.private.margins import Margins
from shoal.release.report.private.page import Panels, commands
from shoal.release.report.private.relations import Relations
from shoal.release.report.private.risks import Risks

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

UNBOUNDED = "a lower bound needs all rows in one process, but Spark has no such process"


@dataclass(frozen=True, eq=False)
class Written:
    """What lies in Spark when a release has been written."""

    rows: DataFrame
    """All rows with their codes and groups."""
    public: DataFrame
    private: DataFrame
    """The two folders, read back."""
    domain: Domain

    @property
    def left_out(self) -> DataFrame:
        """The rows that are not published."""
        return self.rows.where(f"{GROUP} < 0").select(ORIGINAL)


def private_panels(
    written: Written, made: Made, *, seed: int, folder: Path, source: bool
) -> Panels:
    """Look at a release: at all rows where Spark can count them, else at some.

    `source`: whether the plan says where the table lies, so that it can be run again.
    """
    import pyspark

    domain, plan = written.domain, made.plan
    spreads = Spreads.count(written.rows, written.public, domain)
    pictures = Margins.drawn(spreads.names, lambda n: spreads.margin(n, margins.VALUES))
    unread = len(domain.quasi) - len(spreads.cells)
    number = _number(seed, relations.DRAW)
    most = relations.MOST_ROWS
    drawn = draw_rows(written.private, written.left_out, domain, number, most)
    pair = drawn.pair(domain)
    part = domain.rows > most
    return Panels(
        about=plan.about,
        risks=_risks(written),
        attempts=_attempts(written, drawn, made, seed),
        coarse=spreads.coarseness(made.losses.outcomes),
        bound=None,
        unbounded=UNBOUNDED,
        examples=_examples(drawn, domain),
        margins=replace(pictures, left_out=pictures.left_out + unread),
        relations=Relations.between(pair, sampled=drawn.rows if part else None),
        repeat=commands(folder, "shoal run --engine spark" if source else None),
        seeded=plan.publication.fixed_seed(made.method) is not None,
        made_with=f"Spark {pyspark.__version__}",
    )


def _risks(written: Written) -> Risks:
    """Count people by the sizes of their classes, in the table and in what was written of it."""
    layout = written.domain.layout
    person = None if layout.entity is None else layout.person
    codes = [f.col(code) for code in layout.codes]
    cells = [f.col(f"{PUBLISHED}.{quoted(name)}") for name in layout.quasi]
    return Risks.between(
        class_sizes(written.rows, codes, person), class_sizes(written.private, cells, person)
    )


def _attempts(written: Written, drawn: Drawn, made: Made, seed: int) -> Attempts | None:
    """Attack all rows if there are few, else some whole classes."""
    from shoal.judging.risk.sight import sight

    domain, most = written.domain, attempts.MOST_ROWS
    seen: Drawn | None = drawn
    large, skipped = domain.rows > most, False
    if large:
        number, proof = _number(seed, attempts.DRAW), made.verification
        seen, skipped = draw_classes(
            written.private, domain, number, most, rows=proof.rows, classes=proof.classes
        )
    if seen is None:
        return None
    required = tuple(each.of_equal_cells() for each in made.require)
    found = Attempts.against(replace(sight(seen.pair(domain)), require=required), large=large)
    return replace(found, skipped=skipped)


def _examples(drawn: Drawn, domain: Domain) -> ExampleRows:
    """Show the first published rows that were drawn."""
    names: list[str] = [*domain.schema.quasi, *domain.schema.untouched]
    few = slice(0, example_rows.MOST)
    before: dict[str, Any] = {name: drawn.original[name][few] for name in names}
    after = {name: drawn.published[name][few] for name in names}
    return ExampleRows.beside({n: cells[: len(after[n])] for n, cells in before.items()}, after)


def _number(seed: int, draw: int) -> int:
    """Draw what a draw of rows follows from."""
    return int(np.random.default_rng([seed, draw]).integers(2**62))
