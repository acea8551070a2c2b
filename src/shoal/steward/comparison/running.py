"""Run all points of a comparison, on all cores, from where an earlier one stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import InputError, ParameterError, a_type, did_you_mean, require_extra
from shoal.io.frames import to_polars
from shoal.plan import Plan
from shoal.steward.comparison.point import Point, measure_point
from shoal.steward.comparison.processes import require_workers, work_on_each
from shoal.steward.comparison.result import Comparison
from shoal.steward.comparison.setting import settings

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


def compare(
    plan: Plan,
    data: IntoFrame | str | PathLike[str] | None = None,
    *,
    k: int | Iterable[int] | None = None,
    method: str | Iterable[str] | None = None,
    label: str | None = None,
    workers: int | None = None,
    keep: str | PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Run a plan with several k and methods, and say what each costs and protects.

    Nothing is published or written, and one that fails does not stop the others. The answer is
    private, as that of `shoal.risk` is.

    Parameters
    ----------
    plan
        What is varied: each requirement that has a k, and the method.
    data
        A table to use instead of the plan's.
    k, method
        What is tried, each k with each method. Left out: 3, 5, 10, 20 and 50, and the plan's
        method with auto, gaa-cp, mondrian and full-domain where they can carry the plan.
    label
        A column whose prediction tells what the release is worth; needs ``shoal[utility]``.
    workers
        How many processes work, which changes no result; as many as there are cores if left out.
    keep
        A file in which points are kept as they are made, so that the next call goes on from there.
    progress
        Called with the points that are done and all of them.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> plan = shoal.propose(patients, k=2).plan
    >>> found = shoal.compare(plan, patients, k=[2, 3], method="mondrian", workers=1)
    >>> [(point.setting.k, point.highest) for point in found.points]
    [(2, 0.5), (3, 0.2)]
    """
    if not isinstance(plan, Plan):
        raise ParameterError(
            f"compare varies a plan, not {a_type(plan)}.", "Read one with shoal.Plan.read."
        )
    require_workers(workers)
    if label is not None:
        require_extra("utility", "sklearn")
        if label not in plan.columns:
            raise ParameterError(
                f"The plan has no column '{label}'.", did_you_mean(str(label), plan.columns)
            )
    wanted = settings(plan, k, method)
    plan.schema_()  # what is wrong with the plan itself is said at once
    source = plan.source if data is None else data
    if not isinstance(source, str | PathLike):
        source = to_polars(source)
    elif not Path(source).is_file():
        raise InputError(f"There is no file '{source}'.", "Check the name and the folder.")
    kept = Kept(keep, plan, source, label)
    found = {point.setting: point for point in kept.read() if point.setting in wanted}
    left = [setting for setting in wanted if setting not in found]
    report = progress or (lambda done, total: None)
    report(len(found), len(wanted))
    work = partial(measure_point, plan, source, label=label)
    for point in work_on_each(work, left, workers):
        found[point.setting] = point
        if not point.failed:
            kept.add(point)
        report(len(found), len(wanted))
    return Comparison(plan, tuple(found[setting] for setting in wanted), label)


class Kept:
    """Points in a file: a line each, with what they were made of.

    Points of another plan, table or label are not read. The file is private: its numbers are exact.
    """

    def __init__(
        self, path: str | PathLike[str] | None, plan: Plan, source: Any, label: str | None
    ) -> None:
        self.path = None if path is None else Path(path)
        self.made_of = "" if path is None else _digest(plan, source, label)

    def read(self) -> Iterator[Point]:
        """Read what was kept; a line that was cut off is none."""
        if self.path is None or not self.path.is_file():
            return
        for line in self.path.read_text("utf-8").splitlines():
            with suppress(ValueError, TypeError, KeyError):
                message = json.loads(line)
                if message.pop("of") == self.made_of:
                    yield Point.from_dict(message)

    def add(self, point: Point) -> None:
        """Keep a point."""
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(file, "a", encoding="utf-8") as out:
            out.write(json.dumps({"of": self.made_of, **point.to_dict()}) + "\n")


def _digest(plan: Plan, source: Any, label: str | None) -> str:
    """Tell plans and tables apart: by what the plan says, and by what is in the files it names."""
    data = plan.to_dict()
    data.pop("output", None)
    found = sha256(json.dumps([data, label], sort_keys=True).encode())
    files = [] if plan.population_path is None else [plan.population_path]
    for column in plan.columns.values():
        named = (column.hierarchy, column.levels, column.degrees)
        files += [plan.folder / each for each in named if isinstance(each, str)]
    if isinstance(source, str | PathLike):
        files.append(Path(source))
    else:
        found.update(source.hash_rows(seed=0).to_numpy().tobytes())
    for path in files:
        with suppress(OSError), path.open("rb") as file:  # one that is not there fails each point
            while part := file.read(1 << 20):
                found.update(part)
    return found.hexdigest()
