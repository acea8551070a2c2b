"""A studio for tests: asked without a browser, or served on this machine for one."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi")
import uvicorn
from fastapi.testclient import TestClient

import shoal
from shoal.studio.app import build
from shoal.studio.gate import ENTRANCE, FORGERY, Keys
from shoal.studio.jobs import Queue
from shoal.studio.studio import Studio
from shoal.studio.workspace import Workspace

PORT = 8765


@dataclass
class Asked:
    """A studio and a client that its gate lets in, as a page of its own would ask."""

    studio: Studio
    keys: Keys
    client: TestClient

    def get(self, place: str) -> Any:
        return self.client.get(place, headers={"HX-Request": "true"})

    def post(self, place: str, **data: Any) -> Any:
        return self.client.post(place, data=data)

    def open(self, path: Path) -> None:
        """Open a table, and wait until it is there."""
        self.studio.load(path)
        wait_for(lambda: self.studio.loading is None or self.studio.loading.failed)

    def run(self, **asked: Any) -> Any:
        """Make the release of the plan, and wait for it."""
        asked = {"plan": self.studio.data, "folder": str(self.studio.folder), **asked}
        return self.studio.queue.wait(self.studio.queue.add("release", asked).number, 120)


def wait_for(true: Any, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A small table of the census kind."""
    path = tmp_path / "people.csv"
    shoal.datasets.adult().head(300).write_csv(path)
    return path


@pytest.fixture(autouse=True)
def cold(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start the process that does jobs with the first job: most tests ask for none."""
    start = Queue._start_process

    def start_for_jobs(queue: Queue) -> None:
        if queue.jobs:
            start(queue)

    if request.path.name != "test_jobs.py":
        monkeypatch.setattr(Queue, "_start_process", start_for_jobs)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    folder = tmp_path / "workspace"
    folder.mkdir(mode=0o700)
    made = Studio(Workspace(folder))
    yield made
    made.close()


@pytest.fixture
def asked(studio: Studio) -> Iterator[Asked]:
    keys = Keys()
    app = build(studio, keys=keys, port=PORT, most_upload=2**20)
    base = f"http://127.0.0.1:{PORT}"
    headers = {"Origin": base, FORGERY: keys.forgery}
    with TestClient(app, base_url=base, headers=headers, follow_redirects=False) as client:
        client.get(f"{ENTRANCE}?token={keys.issue('test')}")
        yield Asked(studio, keys, client)


@pytest.fixture
def served(studio: Studio) -> Iterator[str]:
    """Serve the studio on this machine, for a browser: the address to open, token and all."""
    with serving(studio) as address:
        yield address


QUIET = """
(() => {
  const timers = new Set();
  let requests = 0;
  let leaving = false;
  const { setTimeout, clearTimeout } = window;
  window.setTimeout = (act, ...more) => {
    const number = setTimeout((...given) => { timers.delete(number); act(...given); }, ...more);
    timers.add(number);
    return number;
  };
  window.clearTimeout = (number) => { timers.delete(number); clearTimeout(number); };
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...given) {
    requests += 1;
    this.addEventListener("loadend", () => {
      requests -= 1;
      leaving ||= ["HX-Redirect", "HX-Refresh"].some((name) => this.getResponseHeader(name));
    });
    send.apply(this, given);
  };
  window.isWaiting = () => requests > 0 || leaving || document.readyState !== "complete";
  window.isQuiet = () => !window.isWaiting() && !timers.size;
})();
"""
"""Lets a page of a test know whether anything is still to come: an answer, a timer, a new page."""


def wait_until_quiet(page: Any) -> None:
    """Wait until nothing more comes by itself to a page that `visiting` opened."""
    page.wait_for_function("() => window.isQuiet()", timeout=60_000)


def hold(page: Any, selector: str) -> dict[str, float]:
    """Press the mouse near the left end of a control, and say where the control is.

    An answer may replace or move it until it is held: then the mouse goes elsewhere, so that
    letting go is no click, and presses again. What is held is not replaced: its place can be read.
    """
    place = """(selector) => {
      const found = document.querySelector(selector);
      return found?.matches(":active") ? found.getBoundingClientRect().toJSON() : null;
    }"""
    for _ in range(20):
        page.locator(selector).hover(position={"x": 10, "y": 5})
        page.mouse.down()
        if found := page.evaluate(place, selector):
            return dict(found)
        page.mouse.move(0, 0)
        page.mouse.up()
    raise AssertionError(f"{selector} could not be held")


@contextmanager
def visiting(browser: Any, address: str, place: str = "", *, refused: str = "?") -> Iterator[Any]:
    """Enter a studio in a window of its own, and let no fault pass but what is refused."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(QUIET)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    page.goto(address)
    page.wait_for_url(lambda url: ENTRANCE not in url)
    faults.clear()  # the first page is not ours
    if place:
        page.goto(address.partition(ENTRANCE)[0] + place)
    yield page
    assert [each for each in faults if refused not in each] == []
    context.close()


@dataclass
class Slow:
    """Answers scripts of a page later than the work is done, and counts what they ask."""

    app: Any
    seconds: float = 0.0
    asked: int = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if (b"hx-request", b"true") not in scope["headers"]:
            await self.app(scope, receive, send)
            return
        seconds = self.seconds
        self.asked += 1

        async def late(message: Any) -> None:
            if message["type"] == "http.response.start":
                await asyncio.sleep(seconds)
            await send(message)

        await self.app(scope, receive, late)


@contextmanager
def serving(studio: Studio, slow: Slow | None = None, keys: Keys | None = None) -> Iterator[str]:
    keys = keys or Keys()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        app = build(studio, keys=keys, port=port, most_upload=2**26)
        if slow is not None:
            slow.app = app
        server = uvicorn.Server(uvicorn.Config(slow or app, log_config=None, lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{port}{ENTRANCE}?token={keys.issue('test')}"
        server.should_exit = True
        thread.join(10)
