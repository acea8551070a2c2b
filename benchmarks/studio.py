"""The studio: from a dropped file to published rows, and how long a click takes."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import shoal
from benchmarks.timing import Figures

__all__ = ["studio", "studio_million"]

PORT = 8700
CLICKS = 5


def studio() -> Figures:
    """The studio on Adult (48,842 rows): seconds by the clock, milliseconds a click."""
    return _studio(shoal.datasets.adult().write_csv)


def studio_million() -> Figures:
    """The studio on a census of 1 M rows: seconds by the clock, milliseconds a click."""
    return _studio(shoal.datasets.census(1_000_000).write_csv)


def _studio(write: Callable[[Path], object]) -> Figures:
    from fastapi.testclient import TestClient

    from shoal.studio.app import build
    from shoal.studio.gate import ENTRANCE, FORGERY, Keys
    from shoal.studio.studio import Studio
    from shoal.studio.workspace import workspace

    keys, figures = Keys(), Figures()
    base = f"http://127.0.0.1:{PORT}"
    headers = {"Origin": base, FORGERY: keys.forgery, "HX-Request": "true"}
    with tempfile.TemporaryDirectory() as place, workspace() as own:
        file = Path(place) / "people.csv"
        write(file)
        made = Studio(own)
        app = build(made, keys=keys, port=PORT, most_upload=2**31)
        with TestClient(app, base_url=base, headers=headers, follow_redirects=False) as client:
            client.get(f"{ENTRANCE}?token={keys.issue('benchmark')}")
            time.sleep(6)  # the worker gets warm while people look at the page
            began = time.perf_counter()
            sent = client.post(
                "/table/upload", content=file.read_bytes(), headers={"X-File-Name": file.name}
            )
            assert sent.headers["HX-Redirect"] == "/table"
            slowest = 0.0
            while made.loading is not None:
                slowest = max(slowest, _seconds(lambda: client.get("/table")))
                time.sleep(0.05)
            figures["drop to the table shown (s)"] = time.perf_counter() - began
            figures["slowest page meanwhile (ms)"] = 1000 * slowest
            client.post("/runs/start")
            job = made.queue.of_kind("release")[0]
            made.queue.wait(job.number, 600)
            shown = client.get("/runs").text
            assert job.result is not None, job.problem
            assert "<table" in shown
            figures["drop to published rows (s)"] = time.perf_counter() - began
            figures |= _clicks(client, made)
        made.close()
    return figures


def _clicks(client: Any, made: Any) -> Figures:
    """Measure each kind of click, the median of some, the first one apart."""
    names = list(made.plan.columns)
    sex = names.index("sex")
    sized = next(i for i, each in enumerate(made.plan.require) if "k" in each)
    k = made.plan.require[sized]["k"]

    def turn() -> None:
        role = "other" if made.data["columns"]["sex"]["role"] == "quasi" else "quasi"
        client.post(f"/columns/{sex}/role", data={"role": role})

    clicks: dict[str, Callable[[], object]] = {
        "page of the table": lambda: client.get("/table"),
        "pictures of columns": lambda: client.get("/table/profiles"),
        "page of columns": lambda: client.get("/columns"),
        "another role": turn,
        "who is unique": lambda: client.get("/columns/risk"),
        "page of a hierarchy": lambda: client.get(f"/hierarchies/{names.index('education')}"),
        "page of the promise": lambda: client.get("/promise"),
        "a slider on its way": lambda: client.post(f"/promise/judge/{sized}", data={"k": k + 1}),
        "undo": lambda: client.post("/undo"),
        "page of runs": lambda: client.get("/runs"),
        "page of a release": lambda: client.get("/release/1"),
    }
    figures: Figures = {}
    for name, click in clicks.items():
        first = _seconds(click)
        again = median(_seconds(click) for _ in range(CLICKS))
        figures[f"{name}, first (ms)"] = 1000 * first
        figures[f"{name}, then (ms)"] = 1000 * again
    return figures


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
