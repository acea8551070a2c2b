"""From a database into a database, beside reading and writing the same rows without Shoal."""

from __future__ import annotations

import os
import tempfile
import time

import shoal
from benchmarks.timing import Figures
from shoal.io.frames import Coded
from shoal.io.sql import SQL, Address, deliver, read_sql
from tests.databases import Database
from tests.postgres import server

__all__ = ["database"]

ROWS = 1_000_000


def database() -> Figures:
    """Census, 1 M rows, GAA-CP, k = 10, 8 QIs: PostgreSQL to PostgreSQL, CPU of Shoal's process."""
    people = shoal.datasets.census(ROWS, seed=1)
    spec = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml").to_dict()
    columns = {name: spec["columns"].get(name, {"role": "identifier"}) for name in people.columns}
    with server() as running, tempfile.TemporaryDirectory() as folder:
        os.environ |= running.environment
        Database(running.url).fill("people", people)
        spec |= {
            "columns": columns,
            "method": {"name": "gaa-cp", "seed": 7},
            "input": {"sql": {"url": running.url, "table": "people"}},
            "output": {
                "path": f"{folder}/release",
                "sql": {"url": running.url, "table": "published"},
            },
        }
        plan = shoal.Plan.from_dict(spec, folder=shoal.datasets.folder("adult"))
        began, spent = time.perf_counter(), time.process_time()
        release = shoal.run(plan)
        clock, used = time.perf_counter() - began, time.process_time() - spent
        spent = time.process_time()
        rows = read_sql(SQL(running.url, table="people")).frame
        with deliver(Address(running.url)) as delivery:
            delivery.write("copied", Coded(rows))
        copied = time.process_time() - spent
    return {
        "run: CPU (s)": used,
        "run: clock, with the server on the same cores (s)": clock,
        "read (s)": release.seconds["read"],
        "write, read back, verify, commit; files too (s)": release.seconds["write"],
        "reading and writing the same rows alone: CPU (s)": copied,
        "ratio": used / copied,
    }
