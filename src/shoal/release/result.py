"""A release: what is published, with its plan, its measures and its proof."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, cast

import numpy as np
import numpy.typing as npt
import polars as pl
from typing_extensions import TypeVar

from shoal.base.arrays import Bools, Ints
from shoal.base.plural import counted
from shoal.io import Dialect
from shoal.io.frames import Coded, like
from shoal.judging.verification import Verification, verify
from shoal.measures import CellOutcomes, Pair
from shoal.methods import Method
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.publications import Publication
from shoal.publications.groups.grouping import Grouping
from shoal.publications.published import Published
from shoal.publications.published.tables import COUNTERFEIT
from shoal.publications.recoding import UniqueEndPoints
from shoal.release.again import across, groups_of, names_of, verify_across
from shoal.release.analysis import Analysis, tables_like
from shoal.release.missing_cost import MissingCost, starred_beside_missing
from shoal.release.promise import cells_stated
from shoal.release.public_facts import public_facts
from shoal.release.writing import write
from shoal.table import Table
from shoal.table.missingness import Missingness
from shoal.table.preparing import given_cells
from shoal.table.schema import Schema

if TYPE_CHECKING:
    from shoal.improve import Refined, Refinement
    from shoal.improve.loss_bound import LossBound
    from shoal.release.earlier import Earlier

TableT = TypeVar("TableT", default=Any, covariant=True)
"""The type of the published table, which is the input's."""


@dataclass(frozen=True, eq=False)
class Release(Analysis, Generic[TableT]):
    """What `anonymize` gives: the published table and everything known about it.

    Examples
    --------
    >>> import shoal
    >>> plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    >>> release = shoal.anonymize(shoal.datasets.adult().head(200), plan)
    >>> release.verification.passed, release.table.shape
    (True, (200, 9))
    """

    published: Published = field(repr=False)
    """The published tables, in input order."""
    publication: Publication
    """The form in which groups are released, with its options."""
    original: Any
    plan: Plan
    schema: Schema
    """What each column is, and what becomes of its cells as they come in; trees are built."""
    require: Sequence[Requirement]
    method: Method
    grouping: Grouping
    n_dropped: int
    """Rows left out because a quasi-identifier was missing (``missing="drop"``)."""
    suppressed_columns: tuple[str, ...]
    """Columns published as ``*`` in every row (``missing="suppress-column"``)."""
    pair: Pair = field(repr=False)
    """The published rows as codes, beside what was published of them (private)."""
    measures: dict[str, float]
    outcomes: dict[str, CellOutcomes]
    """What became of the cells of each quasi-identifier (private: exact)."""
    verification: Verification
    seed: int
    whole: Table = field(repr=False)
    """The whole input as codes, rows that were left out among them (private)."""
    given: Coded = field(repr=False)
    """The whole input as it came in (private)."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Time per step."""
    read_as: str = ""
    """How the input file was read, where it was a file."""
    dialect: Dialect | None = None
    """How the input file is written, where it was a CSV file."""
    decimal_columns: tuple[str, ...] | None = None
    """Columns whose numbers were read by a decimal sign of the plan; ``None`` if it has none."""
    remarks: tuple[str, ...] = ()
    """What people must know: an l that was lowered, a column that points at single rows, …"""
    to_be_found: frozenset[str] = frozenset()
    """Columns whose trees the same plan must find again, because rows were removed (private)."""
    warnings: tuple[str, ...] = ()
    """What only those who publish must know (private): that the folder held another release, …"""
    refinement: Refinement | None = None
    """How groups were refined, if they were."""
    refined: Refined | None = None
    """What refinement gained (private: exact)."""
    bound: LossBound | None = None
    """What was lost, and what any table of this kind loses at least (private: exact)."""
    blocks: int = 1
    """In how many blocks the table was grouped."""
    read_again: Callable[[], pl.DataFrame] | None = field(default=None, repr=False)
    """Reads the original, of which only what is published is kept in memory."""
    unique_end_points: UniqueEndPoints | None = None
    """Ranges that end at one record's value (``bounds="observed"``; private: exact)."""
    earlier: Earlier | None = field(default=None, repr=False)
    """The release that this one goes on from, with all before it (private)."""
    population: Coded | None = field(default=None, repr=False)
    """The people from whom the table was drawn, where a requirement counts them (private)."""
    again: Mapping[str, int] = field(default_factory=dict)
    """How many people earlier releases showed, or did not, and which are left out (private)."""

    @cached_property
    def source(self) -> pl.DataFrame:
        """The original as it came in (private); read again where it came from a file.

        The values of sensitive columns with a hierarchy are as they are published.
        """
        if self.read_again is not None:
            return self.read_again()
        return given_cells(self.whole.coded, self.given, self.schema).frame

    @property
    def people(self) -> Ints | None:
        """A number per row of the input that tells people apart (private)."""
        return self.whole.people

    @property
    def missingness(self) -> Missingness:
        """What is missing in the quasi-identifiers of the input (private: exact)."""
        return self.whole.missingness

    @cached_property
    def beside_missing(self) -> Bools | None:
        """Which known cells are ``*`` because others were missing: rows × columns (private)."""
        return starred_beside_missing(self)

    @cached_property
    def missing_cost(self) -> MissingCost:
        """What was lost because cells were missing, and for no other reason (private: exact)."""
        return MissingCost.of(self)

    @property
    def frame(self) -> pl.DataFrame:
        """The published table in input order, as a polars frame; of several the first."""
        return self.published.frame

    @cached_property
    def table(self) -> TableT:
        """The published table, of the same type as the input, in input order.

        Of several tables it is the one of quasi-identifiers.
        """
        return cast(TableT, like(self.frame, self.original, untouched=self.schema.untouched))

    @cached_property
    def tables(self) -> dict[str, Any]:
        """All published tables by name: ``table``, or ``quasi`` and ``sensitive``.

        Of sensitive groups, ``sensitive`` holds a table per column, by its name. The quasi
        table keeps the input order; a table of values is ordered by group id and value.
        `write` puts each into a random order of its own.
        """
        return tables_like(self.published, self.original, self.table)

    @property
    def rows(self) -> npt.NDArray[np.intp]:
        """For each row of `table`, the row of the input it stands for (private).

        Counterfeits stand for none, and are left out here: see `stands_for`.
        """
        return self.grouping.rows

    @property
    def input_rows(self) -> int:
        """How many rows the input has."""
        return len(self.grouping.labels)

    @property
    def groups(self) -> Grouping:
        """The groups of the published rows, in the order of `pair` (private)."""
        return replace(self.grouping, labels=self.grouping.labels[self.rows])

    @property
    def stands_for(self) -> Ints:
        """For each row of `table`, the row of the input; −1 for a counterfeit (private)."""
        return self.published.in_order(self.rows.astype(np.int64), COUNTERFEIT)

    @property
    def row_groups(self) -> Ints:
        """For each row of `table`, its group (private)."""
        return groups_of(self.published, self.grouping)

    @property
    def persons(self) -> Ints | None:
        """For each row of `table` whose it is (private); ``None`` if every row is a person."""
        return None if self.people is None else self.people[self.rows]

    @property
    def has_original(self) -> bool:
        """Whether the original is at hand: of a release that was just made, it is."""
        return True

    @property
    def names(self) -> npt.NDArray[np.str_] | None:
        """For each row of `table` the name of its person, where m-invariance asks (private)."""
        if across(self.require) is None:
            return None
        return names_of(self.whole)[self.rows].to_numpy().astype(np.str_)

    @property
    def n_suppressed(self) -> int:
        """Rows that the method could not place."""
        return self.grouping.n_suppressed - self.n_dropped

    @property
    def n_removed(self) -> int:
        """Rows of the input that are not published."""
        return self.grouping.n_suppressed

    @property
    def n_noise(self) -> int:
        """Values that the method added to groups (private: exact)."""
        return sum(len(added) for added in self.grouping.padding.values())

    @property
    def added(self) -> str:
        """What is published that nobody holds, and its share; empty if nothing is (private)."""
        form_facts = {self.publication.key(): self.publication.facts(self.published)}
        height = self.published.coded.height
        share = self.n_noise / max(height, 1)
        return self.publication.added(
            {**form_facts, "noise_ratio": share, "rows": {"published": height}}
        )

    def facts(self) -> dict[str, Any]:
        """Collect what may be known about the release in public.

        A number has all its digits only if the published files give it away anyhow, and two
        otherwise. Counts below the least size of a group are not given, nor is anything they
        could be worked out from (see `shoal.release.guard`). Nothing here depends on the row order,
        the grouping's labels or the seed.
        """
        return public_facts(self)

    @property
    def weights(self) -> dict[str, float]:
        """How much each quasi-identifier counts in distances and in the loss; they sum to 1.

        A search of levels may go by weights of its own: see `Grouping.search`.
        """
        total = sum(self.schema[name].weight for name in self.schema.quasi)
        return {name: self.schema[name].weight / total for name in self.schema.quasi}

    def write(
        self,
        folder: str | PathLike[str],
        *,
        format: Literal["csv", "parquet", "xlsx"] | None = None,  # noqa: A002
        formulas: Literal["escape", "keep"] | None = None,
        separator: str | None = None,
        encoding: str | None = None,
        decimal: Literal[".", ","] | None = None,
        sign: str | PathLike[str] | None = None,
    ) -> Path:
        """Write the release, after it has been read back from disk and verified again.

        The folder gets the published table (``table``, or ``quasi`` and ``sensitive``, or
        ``quasi`` and ``sensitive-COLUMN`` for each sensitive column, each in a random order of
        its own), ``release.json``, and ``report.html``, which shows the same
        facts to people.
        Beside it, ``FOLDER.private`` gets what must stay private: the seed, which
        original row each published row stands for, the plan with its hierarchies, and a
        ``report.html`` with exact figures and rows before and after.

        Parameters
        ----------
        format
            ``"csv"``, ``"parquet"`` or ``"xlsx"``, instead of the plan's.
        formulas
            In CSV: ``"escape"`` puts an apostrophe before texts that a spreadsheet would run
            as formulas, ``"keep"`` writes them as they are; instead of the plan's.
        separator, encoding, decimal
            How CSV is written, instead of the plan's; without both, as the input was if it was a
            CSV file, else with commas, in UTF-8, with a decimal point.
        sign
            A file with an Ed25519 private key (PEM), instead of the plan's: the folder also gets
            ``release.sig``, a signature of all its files. The password of a protected key is
            taken from the environment variable ``SHOAL_KEY_PASSWORD``.

        Raises
        ------
        VerificationError
            If a requirement does not hold; nothing is written.
        InputError
            If the key cannot be used; nothing is written.
        OutputError
            If the folder holds other files, the disk refuses, or the format or the encoding
            cannot hold the table; an older release stays.
        """
        return write(
            self,
            folder,
            kind=format or self.plan.output.format,
            formulas=formulas or self.plan.output.formulas,
            style_options={"separator": separator, "encoding": encoding, "decimal": decimal},
            sign=self.plan.signing_key if sign is None else sign,
        )

    def verify(self) -> Verification:
        """Recount the published tables, beside the original, as `shoal.verify` does."""
        found = verify(
            self.published,
            self.schema,
            self.require,
            original=self.given,
            rows=self.rows,
            centres=self.published.centres,
            population=self.population,
        )
        return self.with_earlier(found, self.published, np.arange(self.published.coded.height))

    def with_earlier(
        self, found: Verification, published: Published, order: npt.NDArray[np.intp]
    ) -> Verification:
        """Add whether everyone stands among the same values as in earlier releases, if asked.

        Parameters
        ----------
        order
            For each row of ``published``, its place in `table`.
        """
        if across(self.require) is None:
            return found
        rows = self.stands_for[order]
        return verify_across(
            found,
            self.require,
            published,
            self.schema,
            groups=self.row_groups[order],
            names=names_of(self.whole)[rows[rows != COUNTERFEIT]],
            earlier=self.earlier,
        )

    def file_names(self) -> list[str]:
        """List the files that the published tables are written to, in the plan's format."""
        names = self.publication.file_names(self.schema.sensitive)
        return [f"{name}.{self.plan.output.format}" for name in names.values()]

    def __repr__(self) -> str:
        verdict = "verified" if self.verification.passed else "NOT VERIFIED"
        reached = ", ".join(
            f"{name} = {level}" for name, level in self.verification.achieved.items()
        )
        rows, classes = self.published.coded.height, self.verification.classes
        shape = f"{counted(rows, 'row')}, {counted(classes, 'class')}"
        return f"Release({shape}, {reached}, {verdict})"

    def _repr_html_(self) -> str:
        """Show the release in a notebook: the verdict, the cost, the first rows."""
        passed = self.verification.passed
        cells = cells_stated(self.publication, self.suppressed_columns)
        lines = [
            f"<p><b>{'Verified' if passed else 'Not verified'}</b>: "
            + html.escape("; ".join(j.description for j in self.verification.judgements))
            + f". {counted(self.published.coded.height, 'row')} in "
            + f"{counted(self.verification.classes, 'class')}.</p>",
            f"<p>The cells of quasi-identifiers are {html.escape(cells)}. "
            f"{html.escape(self.added)}</p>",
            "<table><tr><th>measure</th><th>value</th></tr>",
            *(
                f"<tr><td>{html.escape(name)}</td><td>{value:,.4g}</td></tr>"
                for name, value in self.measures.items()
            ),
            "</table>",
            self.frame.head(10)._repr_html_(),
        ]
        return "\n".join(lines)
