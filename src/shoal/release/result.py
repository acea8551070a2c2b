"""A release: what is published, with its plan, its measures and its proof."""

from __future__ import annotations

import hashlib
import html
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Generic, Literal, cast

import numpy as np
import numpy.typing as npt
import polars as pl
from typing_extensions import TypeVar

from shoal import io
from shoal.errors import InputError, OutputError, ParameterError, VerificationError, a_type
from shoal.frames import like
from shoal.grouping import Grouping
from shoal.hierarchies import Hierarchy
from shoal.io.disk import create_private
from shoal.measures import Fates, Pair
from shoal.methods import Method
from shoal.models import Requirement
from shoal.plan import Plan
from shoal.plural import counted
from shoal.recode import LinkedTables, LoneEnds
from shoal.release import report
from shoal.release.guard import Guard
from shoal.release.public_facts import missing_of, public_facts
from shoal.schema import Schema
from shoal.shuffling import ROW_ORDER, SENSITIVE_ORDER, permutation
from shoal.table.missingness import Missingness
from shoal.verification import Verification, verify

__all__ = [
    "Release",
    "private_folder",
    "read_manifest",
    "read_released",
    "recover",
    "release_id",
    "require_same_release",
    "require_writable",
]

FACTS = "release.json"
REPORT = "report.html"
MANIFEST = "manifest.json"
ROWS = "rows.parquet"
PLAN = "plan.toml"
PRIVATE = ".private"
"""How the name of the private folder ends."""
TABLES = ("table", "quasi", "sensitive")
COLUMN_TABLE = "sensitive-"
"""How the file of a sensitive column begins, where each has one."""

_WRITERS: dict[str, Callable[[pl.DataFrame, Path], None]] = {
    "csv": io.write_csv,
    "parquet": io.write_parquet,
}
UNWRITTEN = "Nothing was written."
PRIVATE_NOTE = (
    "PRIVATE: this folder links the published rows to the original ones. Keep it as safe as "
    "the original table, and never publish it."
)


TableT = TypeVar("TableT", default=Any, covariant=True)
"""The type of the published table, which is the input's."""


@dataclass(frozen=True, eq=False)
class Release(Generic[TableT]):
    """What `anonymize` gives: the published table and everything known about it.

    Examples
    --------
    >>> import shoal
    >>> plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    >>> release = shoal.anonymize(shoal.datasets.adult().head(200), plan)
    >>> release.verification.passed, release.table.shape
    (True, (200, 9))
    """

    frame: pl.DataFrame
    """The published table in input order, as a polars frame; of several the first."""
    original: Any
    source: pl.DataFrame
    plan: Plan
    schema: Schema
    require: Sequence[Requirement]
    method: Method
    grouping: Grouping
    n_dropped: int
    """Rows left out because a quasi-identifier was missing (``missing="drop"``)."""
    suppressed_columns: tuple[str, ...]
    """Columns published as ``*`` in every row (``missing="suppress-column"``)."""
    missingness: Missingness
    """What is missing in the quasi-identifiers of the input (private: exact)."""
    pair: Pair = field(repr=False)
    """The table as codes, beside what was published of it (private)."""
    measures: dict[str, float]
    fates: dict[str, Fates]
    """What became of the cells of each quasi-identifier (private: exact)."""
    verification: Verification
    seed: int
    seconds: dict[str, float] = field(default_factory=dict)
    """Time per step."""
    people: npt.NDArray[np.int64] | None = None
    read_as: str = ""
    """How the input file was read, where it was a file."""
    linked: LinkedTables | None = None
    """The tables of a ``two-table`` or ``sensitive-groups`` publication."""
    remarks: tuple[str, ...] = ()
    """What people must know: an l that was lowered, a column that points at single rows, …"""
    lone_ends: LoneEnds | None = None
    """Ranges that end at one record's value (``bounds="observed"``; private: exact)."""

    @cached_property
    def table(self) -> TableT:
        """The published table, of the same type as the input, in input order.

        Of several tables it is the one of quasi-identifiers.
        """
        return cast(TableT, like(self.frame, self.original))

    @cached_property
    def tables(self) -> dict[str, Any]:
        """All published tables by name: ``table``, or ``quasi`` and ``sensitive``.

        Of sensitive groups, ``sensitive`` holds a table per column, by its name. The quasi
        table keeps the input order; a table of values is ordered by group id and value.
        `write` puts each into a random order of its own.
        """
        if self.linked is None:
            return {"table": self.table}
        secrets = {n: like(frame, self.original) for n, frame in self.linked.secrets.items()}
        apart = secrets if self.linked.by_column else next(iter(secrets.values()))
        return {"quasi": self.table, "sensitive": apart}

    @property
    def rows(self) -> npt.NDArray[np.intp]:
        """For each row of `table`, the row of the input it stands for (private)."""
        return self.grouping.rows

    @property
    def n_suppressed(self) -> int:
        """Rows that the method could not place."""
        return self.grouping.n_suppressed - self.n_dropped

    @property
    def n_noise(self) -> int:
        """Values that the method added to groups (private: exact)."""
        return sum(len(added) for added in self.grouping.padding.values())

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
        folder: str | os.PathLike[str],
        *,
        format: Literal["csv", "parquet"] | None = None,  # noqa: A002
        formulas: Literal["escape", "keep"] | None = None,
    ) -> Path:
        """Write the release, after it has been read back from disk and verified again.

        The folder gets the published table (``table``, or ``quasi`` and ``sensitive``, or
        ``quasi`` and ``sensitive-COLUMN`` for each sensitive column, each in a random order of
        its own), ``release.json``, and ``report.html``, which shows the same
        facts to people.
        Beside it, ``FOLDER.private`` gets what must stay in the house: the seed, which
        original row each published row stands for, and the plan with its hierarchies.

        Parameters
        ----------
        format
            ``"csv"`` or ``"parquet"``, instead of the plan's.
        formulas
            In CSV: ``"escape"`` puts an apostrophe before texts that a spreadsheet would run
            as formulas, ``"keep"`` writes them as they are; instead of the plan's.

        Raises
        ------
        VerificationError
            If a requirement does not hold; nothing is written.
        OutputError
            If the folder holds other files, or the disk refuses; an older release stays.
        """
        require_passed(self.verification, UNWRITTEN)
        kind = format or self.plan.output.format
        if kind not in _WRITERS:
            raise ParameterError(f"There is no format {kind!r}.", "Use csv or parquet.")
        if kind == "csv":
            self._require_told_nulls()
        escaping = _escaping(kind, formulas or self.plan.output.formulas)
        with io.replace_folders(_targets(folder)) as (outside, inside):
            order = permutation(self.frame.height, self._fixed_seed, ROW_ORDER)
            names = self._file_names()
            paths = {name: outside / f"{names[name]}.{kind}" for name in names}
            for name, frame in self._shuffled(order).items():
                _WRITERS[kind](_written(frame, **escaping), paths[name])
            proof = self._verify_files(paths, order, **escaping)
            facts = public_facts(self, proof) | escaping
            if self.linked is not None and self.linked.by_column:
                columns = {name: paths[name].name for name in self.schema.sensitive}
                facts["sensitive_groups"]["files"] = columns
            facts["files"] = {
                path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths.values()
            }
            facts = {"id": release_id(facts), **facts}
            _write_json(outside / FACTS, facts)
            (outside / REPORT).write_text(report.page(facts), encoding="utf-8", newline="\n")
            self._write_private(inside, order, facts["id"])
        return Path(folder)

    def _require_told_nulls(self) -> None:
        """Refuse nulls that CSV, where a null is an empty cell, would turn into values."""
        for name in self.schema.sensitive:
            nulls = self.source[name].gather(self.rows).null_count()
            if nulls and "" not in self.schema.missing_of(name):
                raise OutputError(
                    f"Column '{name}' has {nulls} nulls, and CSV can only write them as the empty "
                    "text, which its missing texts leave out.",
                    'Add "" to its missing texts, or write Parquet.',
                )

    def file_names(self) -> list[str]:
        """List the files that the published tables are written to, in the plan's format."""
        return [f"{name}.{self.plan.output.format}" for name in self._file_names().values()]

    def _file_names(self) -> dict[str | None, str]:
        """Name the file of each sensitive column, and of the table itself (``None``)."""
        if self.linked is None:
            return {None: "table"}
        if not self.linked.by_column:
            return {None: "quasi", self.schema.sensitive[0]: "sensitive"}
        names = io.file_names(self.schema.sensitive, "")
        return {None: "quasi"} | {column: COLUMN_TABLE + name for column, name in names.items()}

    @property
    def _fixed_seed(self) -> int | None:
        return self.plan.publication.fixed_seed(self.method)

    def _shuffled(self, order: npt.NDArray[np.intp]) -> dict[str | None, pl.DataFrame]:
        """Put each table into a random order of its own, so that no order links them."""
        made: dict[str | None, pl.DataFrame] = {None: self.frame[order]}
        for number, (name, secrets) in enumerate(
            {} if self.linked is None else self.linked.secrets.items()
        ):
            own = permutation(secrets.height, self._fixed_seed, SENSITIVE_ORDER + number)
            made[name] = secrets[own]
        return made

    def _verify_files(
        self,
        paths: Mapping[str | None, Path],
        order: npt.NDArray[np.intp],
        formulas: str = "keep",
    ) -> Verification:
        """Read what was written and verify it as if it came from a stranger."""
        read = {name: read_released(path, formulas) for name, path in paths.items()}
        published: Any = read.pop(None)
        rows = self.rows[order]
        if self.linked is not None:
            secrets = read if self.linked.by_column else next(iter(read.values()))
            published = {"quasi": published, "sensitive": secrets}
        proof = verify(
            published,
            self.schema,
            self.require,
            original=self.source,
            rows=rows,
            as_written=self.linked is not None,
        )
        require_passed(proof, UNWRITTEN)
        return proof

    def _write_private(self, folder: Path, order: npt.NDArray[np.intp], shared_id: str) -> None:
        rows = self.rows[order]
        links = {"original_row": rows, "group": self.grouping.labels[rows]}
        if self.people is not None:
            links["person"] = self.people[rows]
        io.write_parquet(pl.DataFrame(links), folder / ROWS, private=True)
        (folder / "hierarchies").mkdir(mode=0o700)
        completed = self._completed_plan(folder).to_toml()
        create_private(folder / PLAN).write_text(completed, encoding="utf-8")
        manifest = {
            "note": PRIVATE_NOTE,
            "id": shared_id,
            "shoal": version("shoal"),
            "seed": self.seed,
            "read_as": self.read_as,
            "rows": {
                "input": len(self.grouping.labels),
                "published": self.frame.height,
                "dropped": self.n_dropped,
                "suppressed": self.n_suppressed,
                "groups": self.grouping.n_groups,
            },
            "noise": {name: len(added) for name, added in self.grouping.padding.items()},
            "missing": missing_of(self, Guard.none()),
            "cells": {name: fates._asdict() for name, fates in self.fates.items()},
            "lone_ends": self.lone_ends and asdict(self.lone_ends),
            "measures": self.measures,
            "weights": self.plan.weights and self.plan.weights.model_dump(),
            "search": self.grouping.search and dict(self.grouping.search),
            "seconds": self.seconds,
        }
        _write_json(create_private(folder / MANIFEST), manifest)

    def _completed_plan(self, folder: Path) -> Plan:
        """Write down what the data and the generator decided, so that nothing is left open."""
        columns = dict(self.plan.columns)
        for number, name in enumerate([*self.schema.quasi, *self.schema.sensitive]):
            column = self.schema[name]
            completed: dict[str, Any] = {"kind": column.kind, "weight": column.weight}
            if isinstance(column.hierarchy, Hierarchy):
                completed["hierarchy"] = f"hierarchies/{number + 1:02d}.csv"
                column.hierarchy.to_csv(create_private(folder / completed["hierarchy"]))
            columns[name] = columns[name].model_copy(update=completed)
        for name in self.schema.sensitive:
            # Files of levels and degrees lie elsewhere: their place is the plan.
            levels, degrees = self.schema[name].levels, self.schema[name].degrees
            completed = {
                "levels": None if levels is None else dict(levels),
                "degrees": None if degrees is None else dict(degrees),
            }
            columns[name] = columns[name].model_copy(update=completed)
        is_file = isinstance(self.original, str | os.PathLike)
        place = str(Path(self.original).resolve()) if is_file else None
        drawn = {"seed": self.seed} if self.method.draws() else {}
        return self.plan.model_copy(
            update={
                "input": self.plan.input.model_copy(update={"path": place}),
                "columns": columns,
                "weights": None,  # each column has its own now
                "method": {**self.plan.method, **drawn},
            }
        )

    def __repr__(self) -> str:
        verdict = "verified" if self.verification.passed else "NOT VERIFIED"
        reached = ", ".join(
            f"{name} = {level}" for name, level in self.verification.achieved.items()
        )
        shape = (
            f"{counted(self.frame.height, 'row')}, {counted(self.verification.classes, 'class')}"
        )
        return f"Release({shape}, {reached}, {verdict})"

    def _repr_html_(self) -> str:
        """Show the release in a notebook: the verdict, the cost, the first rows."""
        passed = self.verification.passed
        lines = [
            f"<p><b>{'Verified' if passed else 'Not verified'}</b>: "
            + html.escape("; ".join(j.description for j in self.verification.judgements))
            + f". {counted(self.frame.height, 'row')} in "
            + f"{counted(self.verification.classes, 'class')}.</p>",
            "<table><tr><th>measure</th><th>value</th></tr>",
            *(
                f"<tr><td>{html.escape(name)}</td><td>{value:,.4g}</td></tr>"
                for name, value in self.measures.items()
            ),
            "</table>",
            self.frame.head(10)._repr_html_(),
        ]
        return "\n".join(lines)


def private_folder(folder: Path) -> Path:
    """Name the folder beside a release that stays in the house."""
    try:
        place = folder.resolve()
        return place.with_name(f"{place.name}{PRIVATE}")
    except (OSError, RuntimeError, ValueError):  # NUL, a ring of links, the root of the disk
        raise OutputError(
            f"'{folder}' is no folder that a release could be, with a private one beside it.",
            "Name another folder.",
        ) from None


def release_id(facts: Mapping[str, Any]) -> str:
    """Give the id of a release, which its private folder has, too.

    It is a hash of what the release says in public, the hashes of its tables among it, so it
    tells nothing else, and anyone can compute it again.

    Examples
    --------
    >>> one = release_id({"rows": 3, "files": {"table.csv": "ab12"}})
    >>> one == release_id({"id": one, "files": {"table.csv": "ab12"}, "rows": 3})
    True
    """
    said = {key: value for key, value in facts.items() if key != "id"}
    read = json.loads(json.dumps(said))  # as it comes back from the file
    text = json.dumps(read, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def require_same_release(facts: Mapping[str, Any], private: Path) -> None:
    """Refuse a private folder of another release than the one with these public facts."""
    if private.is_symlink():
        problem = f"The private folder '{private}' is a link, which is not followed."
        raise InputError(problem, "Name the folder itself with --manifest, or remove the link.")
    try:
        manifest = json.loads((private / MANIFEST).read_text(encoding="utf-8"))
        other = manifest.get("id")
    except (OSError, ValueError, AttributeError):
        problem = f"'{private / MANIFEST}' is missing or damaged."
        raise InputError(problem, f"Move '{private}' away, or bring it back whole.") from None
    if other != facts.get("id"):
        raise InputError(
            f"The private folder '{private}' belongs to another release: its id is not the one "
            f"in {FACTS}.",
            "Move it away to look at the published files alone, or bring back the one that "
            "belongs to them.",
        )


def recover(folder: str | os.PathLike[str]) -> None:
    """Finish or undo a write that was killed, and remove what it left (see `io.recover`)."""
    io.recover(_targets(folder))


def require_writable(folder: str | os.PathLike[str]) -> None:
    """Refuse, before any work, a folder that holds other files (raises `OutputError`)."""
    recover(folder)
    for each in _targets(folder):
        try:
            io.check_free(each.path, each.owned)
        except OSError as error:
            raise io.cannot_write(each.path, error) from None


def _targets(folder: str | os.PathLike[str]) -> list[io.Target]:
    if not isinstance(folder, str | os.PathLike):
        raise ParameterError(
            f"A release is written to a folder, not to {a_type(folder)}.",
            'Name the folder, such as "release".',
        )
    beside = private_folder(Path(folder))
    public = io.target(folder, owned=_is_release)
    return [public, io.target(beside, owned=_is_private, private=True)]


def require_passed(verification: Verification, hint: str) -> None:
    """Refuse a release that does not hold what it promises (raises `VerificationError`)."""
    if not verification.passed:
        raise VerificationError(
            f"The release does not verify: {'; '.join(verification.reasons())}.", hint
        )


def read_released(path: Path, formulas: str = "keep") -> pl.DataFrame:
    """Read a table as `Release.write` writes it: no guess, as a column may be named ``;``.

    ``formulas`` is what ``release.json`` says of them; what was escaped is as it was again.
    """
    if path.suffix == ".csv":
        frame = io.read(path, separator=",", encoding="utf-8", quote='"').frame
        return io.unescape(frame) if formulas == "escape" else frame
    return io.read(path).frame


def read_manifest(folder: str | Path) -> pl.DataFrame:
    """Read from a private folder which original row each published row stands for."""
    path = Path(folder) / ROWS
    if not path.is_file():
        raise InputError(f"There is no private manifest in '{folder}'.", f"It holds {ROWS}.")
    return io.read(path).frame


def _written(frame: pl.DataFrame, formulas: str = "keep") -> pl.DataFrame:
    """Give a table the texts that are written."""
    return io.escape(frame) if formulas == "escape" else frame


def _escaping(kind: str, formulas: str) -> dict[str, Any]:
    """Say what becomes of formulas: only in CSV, since Parquet cells have types."""
    if formulas not in io.FORMULAS:
        raise ParameterError(
            f"formulas must be 'escape' or 'keep', not {formulas!r}.",
            "Escape them, unless no spreadsheet will ever open the file.",
        )
    return {"formulas": formulas} if kind == "csv" else {}


def _write_json(path: Path, data: dict[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _is_release(folder: Path) -> bool:
    """Tell an older release, which may be replaced, from a folder with other files."""
    names = {path.name for path in folder.iterdir()}
    tables = {f"{name}.{kind}" for name in TABLES for kind in _WRITERS}
    tables |= {name for name in _listed(folder) if name.startswith(COLUMN_TABLE)}
    return FACTS in names and names <= {FACTS, REPORT, *tables}


def _is_private(folder: Path) -> bool:
    """Tell the private folder of an older release from a folder with other files."""
    names = {path.name for path in folder.iterdir()}
    return MANIFEST in names and names <= {MANIFEST, ROWS, PLAN, "hierarchies"}


def _listed(folder: Path) -> set[str]:
    """List the files that a release says are its own."""
    try:
        return set(json.loads((folder / FACTS).read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
