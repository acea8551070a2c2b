"""Every page: accessible, without a complaint of the browser, and without a request elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

import shoal
from shoal.studio.gate import Keys
from shoal.studio.jobs import State
from shoal.studio.panels import panels
from shoal.studio.studio import Studio
from shoal.studio.texts import LANGUAGES
from shoal.studio.workspace import Workspace
from tests.studio.conftest import serving, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Full = tuple[Studio, Callable[[], str]]

SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Full]:
    """A studio with a table, two runs and an attack, served: and what makes addresses of it."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "workspace").mkdir(mode=0o700)
    shoal.datasets.adult().head(300).write_csv(folder / "people.csv")
    studio = Studio(Workspace(folder / "workspace"))
    studio.load(folder / "people.csv")
    wait_for(lambda: studio.loading is None)
    for k in (5, 10):
        studio.change(lambda data, k=k: data["require"][0].update(k=k))
        asked = {"plan": studio.data, "folder": str(studio.folder)}
        job = studio.queue.add("release", asked)
        assert studio.queue.wait(job.number, 120).state is State.DONE
    release = str(studio.queue.job(1).folder / "release")
    attack = studio.queue.add("attack", {"release": release, "number": 1})
    studio.queue.wait(attack.number, 120)
    keys = Keys()
    with serving(studio, keys=keys) as address:
        base = address.partition("?")[0]
        yield studio, lambda: f"{base}?token={keys.issue('test')}"
    studio.close()


def visited(page: Page, address: str) -> tuple[str, list[str], list[str]]:
    """Open the studio, and note what the browser asks for and complains about."""
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None,
    )
    page.goto(address)
    page.wait_for_url(lambda url: "/open" not in url)
    return address.split("/open")[0], asked, complaints


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (800, "dark")])
def test_every_step_is_sound(
    full: Full, browser: Browser, code: str, width: int, scheme: Any
) -> None:
    studio, address = full
    studio.language = code
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    base, asked, complaints = visited(page, address())
    for panel in panels():
        page.goto(f"{base}/{panel.name}")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, panel.name
        found = Axe().run(page).response["violations"]
        faults = [
            (each["id"], [node["html"][:160] for node in each["nodes"][:3]])
            for each in found
            if each["impact"] in SERIOUS
        ]
        assert faults == [], panel.name
    context.close()
    assert complaints == []
    here = urlsplit(base).netloc
    assert {urlsplit(url).netloc for url in asked} == {here}
    assert not any(word in url for url in asked for word in ("Private", "Divorced", "workclass"))


def test_undo_by_the_keys_that_everybody_knows(full: Full, browser: Browser) -> None:
    studio, address = full
    before = studio.data
    studio.change(lambda data: data["require"][0].update(k=7))
    page = browser.new_context().new_page()
    base, _, complaints = visited(page, address())
    page.goto(f"{base}/table")
    with page.expect_navigation():
        page.keyboard.press("Control+z")
    assert studio.data == before
    with page.expect_navigation():
        page.keyboard.press("Control+Shift+z")
    assert studio.data["require"][0]["k"] == 7
    studio.undo()
    assert complaints == []
    page.context.close()


def test_a_dropped_file_is_read_and_shown(
    studio: Studio, served: str, people: Path, browser: Browser
) -> None:
    page = browser.new_context().new_page()
    visited(page, served)
    page.set_input_files("form.drop input[type=file]", people)
    page.wait_for_selector("table", timeout=60_000)
    assert "people.csv" in page.inner_text("main")
    assert studio.data["input"]["path"] == "people.csv"
    page.context.close()
