"""What is decided in a studio: the table, the plan with its history, and the jobs."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.errors import InputError
from shoal.io import SQL, require_memory
from shoal.plan import Plan
from shoal.release import open_release
from shoal.studio.history import History
from shoal.studio.jobs import Queue, reason_of
from shoal.studio.loaded import LoadedTable
from shoal.studio.numbers import RequirementNumbers
from shoal.studio.workspace import Workspace


@dataclass
class Loading:
    """A table on its way in: which, and why it did not come."""

    name: str
    problem: str = ""
    hint: str = ""
    source: Path | SQL | None = None
    reading: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether it ended in an error."""
        return bool(self.problem)


class Studio:
    """One table, one plan, and all that was made of them.

    Every change of the plan goes through `change`, which checks it and notes it, so that it can be
    taken back.

    `workspace`: where uploads and jobs lie.
    `language`: in which language it speaks first.
    """

    def __init__(self, workspace: Workspace, *, language: str = "en") -> None:
        self.workspace = workspace
        self.language = language
        self.queue = Queue(workspace.jobs, workspace.folder)
        self.lock = threading.RLock()
        self.loading: Loading | None = None
        self.budget: float | None = None
        """How many times the usual time the next run refines; ``None``: as in the plan."""
        self.requirement_numbers = RequirementNumbers()
        self._table: LoadedTable | None = None
        self._history: History[dict[str, Any]] | None = None
        self._folder = Path()

    # -- the table ------------------------------------------------------------------------

    @property
    def table(self) -> LoadedTable:
        """The table (raises `InputError` while there is none)."""
        if self._table is None:
            raise InputError("There is no table yet.", "Open one first.")
        return self._table

    @property
    def has_table(self) -> bool:
        """Whether there is one."""
        return self._table is not None

    def begin_with(self, given: Path) -> None:
        """Open what was named at the start: a table, a plan, or the folder of a release."""
        if given.suffix.lower() == ".toml":
            plan = Plan.read(given)
            self.load(plan.source, plan=plan)
        elif given.is_dir():
            known = open_release(given).private_plan
            if known is not None and known.names_source:
                self.load(known.source, plan=known)
            self.queue.add("opened", {"release": str(given.resolve())})
        else:
            self.load(given.resolve())

    def load(
        self,
        source: Path | SQL,
        *,
        plan: Plan | None = None,
        name: str | None = None,
        reading: Mapping[str, str | int] | None = None,
        within: Path | None = None,
    ) -> None:
        """Read a table while pages go on answering; `loading` says how it goes.

        `within`: a folder that the table lies in; the plan then names it from there.
        Raises `InputError` if work on the present table is not done yet.
        """
        self.require_idle()
        called = name or (source.name if isinstance(source, Path) else source.describe())
        loading = Loading(called, source=source, reading=dict(reading or {}))
        self.loading = loading

        def work() -> None:
            try:
                if isinstance(source, Path):
                    require_memory(source)
                made = LoadedTable.read(source, plan=plan, name=name, reading=reading)
                self._take(made, within, loading)
            except BaseException as error:  # a panic of polars is no Exception
                loading.problem, loading.hint = reason_of(error)

        threading.Thread(target=work, daemon=True, name="shoal-studio-load").start()

    def require_idle(self) -> None:
        """Refuse another table while work on the present one goes on (raises `InputError`)."""
        if any(job.is_open for job in self.queue.jobs):
            raise InputError(
                "Jobs of the present table are running or waiting.",
                "Wait until they are done, or stop them; then open another table.",
            )

    def stop_loading(self) -> None:
        """Wait no longer for a table that is being read; the one before stays."""
        with self.lock:
            self.loading = None

    def _take(self, made: LoadedTable, within: Path | None, loading: Loading) -> None:
        """Work on a table from now on, with a plan of its own."""
        data = made.plan.to_dict()
        folder = made.plan.folder
        if isinstance(made.source, Path) and within is not None:
            folder = within
            data.setdefault("input", {})["path"] = str(made.source.relative_to(within))
        # With a seed of its own, the plan gives the same bytes wherever it is run again.
        drawn = "seed" in data.get("method", {}) or "seed" in data.get("publication", {})
        if not drawn:
            data.setdefault("publication", {})["seed"] = secrets.randbits(53)
        with self.lock:
            if self.loading is loading:  # else somebody opened another one meanwhile
                if self._table is not None:  # what was made is about another one
                    self.queue.clear()
                self.budget = None
                self.requirement_numbers = RequirementNumbers()
                self._table, self._folder = made, folder
                self._history = History(data)
                self.loading = None

    # -- the plan -------------------------------------------------------------------------

    @property
    def history(self) -> History[dict[str, Any]]:
        """The plan, and what it was (raises `InputError` while there is no table)."""
        if self._history is None:
            raise InputError("There is no table yet.", "Open one first.")
        return self._history

    @property
    def data(self) -> dict[str, Any]:
        """The plan as nested mappings: a copy, which may be changed and given to `change`."""
        made: dict[str, Any] = _copied(self.history.now)
        return made

    @property
    def folder(self) -> Path:
        """Where paths of the plan start."""
        return self._folder

    @property
    def plan(self) -> Plan:
        """The plan."""
        return Plan.from_dict(self.history.now, folder=self._folder)

    def change(self, how: Callable[[dict[str, Any]], object]) -> None:
        """Change the plan, if what comes of it is one.

        `how`: changes the nested mappings that it is given.
        """
        with self.lock:
            data = self.data
            how(data)
            if data != self.history.now:
                Plan.from_dict(data, folder=self._folder)
                self.history.add(data)

    def replace(self, make: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
        """Take another plan, made of the nested mappings of this one."""

        def change(data: dict[str, Any]) -> None:
            made = make(data)
            data.clear()
            data.update(made)

        self.change(change)

    def undo(self) -> None:
        """Take the last change back."""
        with self.lock:
            self.history.back()

    def redo(self) -> None:
        """Take back what was taken back."""
        with self.lock:
            self.history.forth()

    def close(self) -> None:
        """Stop all work."""
        self.queue.close()


def _copied(data: Any) -> Any:
    """Copy nested mappings and lists; much quicker than `copy.deepcopy`, and trees are large."""
    if isinstance(data, dict):
        return {key: _copied(value) for key, value in data.items()}
    return [_copied(value) for value in data] if isinstance(data, list) else data
