"""The whole way in a browser, on a small table: from a dropped file to the bytes of `shoal run`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from shutil import copy
from typing import TYPE_CHECKING

from shoal.studio.studio import Studio
from tests.studio.test_pages import visited

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LONG = 60_000


def test_from_a_dropped_file_to_a_release_that_the_command_line_repeats(
    studio: Studio, served: str, people: Path, browser: Browser, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    base, asked, complaints = visited(page, served)

    # The table: dropped, read, shown.
    page.set_input_files("form.drop input[type=file]", people)
    page.wait_for_selector("table", timeout=LONG)

    # The columns: another role by the keyboard.
    page.goto(f"{base}/columns")
    number = list(studio.plan.columns).index("native-country")
    with page.expect_response(lambda said: said.url.endswith(f"/columns/{number}/role")):
        page.focus(f"#role-{number}-quasi")
        page.keyboard.press("ArrowRight")
    assert studio.data["columns"]["native-country"]["role"] == "sensitive"

    # The promise: a smaller k, typed.
    page.goto(f"{base}/promise")
    k = page.get_by_label("Smallest group (k)").first
    with page.expect_response(lambda said: "/promise/require/" in said.url):
        k.fill("3")
        k.press("Enter")
    assert studio.data["require"][0]["k"] == 3

    # Two runs, compared.
    page.goto(f"{base}/runs")
    _run(page, studio, 1)
    studio.change(lambda data: data["require"][0].update(k=8))
    page.goto(f"{base}/runs")
    _run(page, studio, 2)
    for box in page.get_by_label("compare").all()[:2]:
        box.check()
    page.click("#compare")
    page.wait_for_selector("#shown-what[value=compare]", state="attached", timeout=LONG)

    # The attacks, and the release.
    page.goto(f"{base}/attack")
    page.click("#found button")
    page.wait_for_selector(".risks", timeout=LONG)
    page.goto(f"{base}/release")
    page.click("[data-copy]")
    page.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert complaints == []
    assert {url.split("/")[2] for url in asked if not url.startswith("data:")} == {
        base.split("/")[2]
    }
    context.close()

    # What was copied gives the same bytes by the command line, beside the same table.
    place = tmp_path / "elsewhere"
    place.mkdir()
    copy(people, place / people.name)
    (place / "plan.toml").write_text(copied, encoding="utf-8")
    command = [sys.executable, "-m", "shoal", "run", "plan.toml", "--output", "again"]
    subprocess.run(command, cwd=place, check=True, capture_output=True)
    made = studio.queue.of_kind("release")[1].folder / "release"
    assert sorted(p.name for p in made.iterdir()) == sorted(
        p.name for p in (place / "again").iterdir()
    )
    for file in made.iterdir():
        assert (place / "again" / file.name).read_bytes() == file.read_bytes(), file.name


def _run(page: Page, studio: Studio, number: int) -> None:
    page.click("[hx-post='/runs/start']")
    page.get_by_role("heading", name=f"Run {number}", exact=True).wait_for(timeout=LONG)
    job = studio.queue.of_kind("release")[number - 1]
    assert studio.queue.wait(job.number, 60).problem == ""
    page.get_by_text(f"What run {number} publishes").wait_for(timeout=LONG)
