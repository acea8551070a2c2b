"""A headless Chromium for tests of pages: found on the machine, or installed where that is allowed.

`python -m tests.browser`, which `make setup` runs, looks for one, and says so if there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NONE = (
    "NO BROWSER: pages are not tested. Install chromium (apt-get install chromium), or run "
    "`playwright install chromium`."
)


def find_browser() -> str | None:
    """Find Chromium on the machine; ``None`` if there is none."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def launched() -> Iterator[Browser | None]:
    """Start a browser: the machine's, or Playwright's own; ``None`` if neither is there."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        place = find_browser() or playwright.chromium.executable_path
        if not Path(place).exists():
            yield None
            return
        alone = ["--no-sandbox"] if os.geteuid() == 0 else []  # root has no sandbox
        browser = playwright.chromium.launch(executable_path=place, args=alone)
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page that was opened, what it asked for and what it complained about."""

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def overflow(self) -> int:
        """How many pixels the page is wider than its window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    @property
    def unnamed_pictures(self) -> list[str]:
        """Pictures that are neither decoration nor have a text instead."""
        found: list[str] = self.page.evaluate(
            """[...document.querySelectorAll("svg")]
            .filter(svg => svg.getAttribute("aria-hidden") !== "true")
            .filter(svg => svg.getAttribute("role") !== "img" ||
                !(svg.getAttribute("aria-label") || svg.querySelector(":scope > title")))
            .map(svg => svg.outerHTML.slice(0, 80))"""
        )
        return found


@contextmanager
def visit(
    browser: Browser, file: Path, *, width: int = 1280, dark: bool = False
) -> Iterator[Visit]:
    """Open a file in a window of its own."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
    )
    made = Visit(context.new_page())
    made.page.on("request", lambda request: made.requests.append(request.url))
    made.page.on("pageerror", lambda error: made.errors.append(str(error)))
    made.page.on(
        "console",
        lambda said: made.errors.append(said.text) if said.type in ("error", "warning") else None,
    )
    made.page.goto(file.resolve().as_uri())
    yield made
    context.close()


def _install() -> None:
    """Install Chromium where that is allowed; say it loudly if there is none in the end."""
    if find_browser() is None and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["apt-get", "install", "--yes", "--quiet", "chromium"], check=False, **quiet)  # type: ignore[call-overload]
    if find_browser() is None:
        sys.stderr.write(f"{NONE}\n")


if __name__ == "__main__":
    _install()
