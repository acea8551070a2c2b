"""Who is let in: the browser with the token, and only its own pages."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import httpx2
import pytest

from shoal.studio.entrance import Entrance
from shoal.studio.gate import ENTRANCE, FORGERY, HEADERS, Keys
from shoal.studio.studio import Studio
from tests.studio.conftest import PORT, Asked, serving, wait_for

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = f"http://127.0.0.1:{PORT}"


@pytest.mark.parametrize("way", ["address", "form"])
def test_the_token_is_changed_for_a_strict_cookie(asked: Asked, way: str) -> None:
    def come(token: str, **headers: str) -> Any:
        if way == "address":
            return asked.client.get(ENTRANCE, params={"token": token}, headers=headers)
        # From a file: the browser says that it comes from nowhere.
        headers = {"Origin": "null", "Sec-Fetch-Site": "cross-site", FORGERY: "", **headers}
        return asked.client.post(ENTRANCE, data={"token": token}, headers=headers)

    asked.client.cookies.clear()
    assert asked.get("/table").status_code == 403
    token = asked.keys.issue("test")
    for wrong in ("", "wrong", token[:-1], asked.keys.cookie, "ü"):
        assert come(wrong).status_code == 403
    # Neither a look before somebody opens the page nor a head spends it.
    assert come(token, **{"Sec-Purpose": "prefetch;prerender"}).status_code == 403
    assert asked.client.head(ENTRANCE, params={"token": token}).status_code == 403
    let_in = come(token)
    assert let_in.status_code == 200
    cookie = let_in.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert token not in let_in.text
    assert asked.get("/table").status_code == 200
    # The browser that is in may go back; nobody else gets in by what was used.
    assert come(token).status_code == 200
    asked.client.cookies.clear()
    assert come(token).status_code == 403
    assert asked.get("/table").status_code == 403


def test_a_fresh_address_ends_the_one_before(asked: Asked, tmp_path: Path) -> None:
    entrance = Entrance(HERE, asked.keys, tmp_path)
    old, new = entrance.address(), entrance.address()
    asked.client.cookies.clear()
    assert asked.client.get(old).status_code == 403
    assert asked.client.get(new).status_code == 200


def test_the_browser_is_given_a_private_file_that_goes_when_it_was_used(
    studio: Studio, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = Keys()
    told: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda place: told.append(place) or True)
    with serving(studio, keys=keys) as address:
        entrance = Entrance(address.partition("/open")[0], keys, tmp_path)
        assert entrance.open_browser()
        (place,) = told
        file = Path(unquote(urlsplit(place).path))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        token = re.findall(r'value="([^"]+)"', file.read_text("utf-8"))[0]
        assert token not in place
        context = browser.new_context()
        page = context.new_page()
        seen: list[str] = []
        page.on("request", lambda request: seen.append(request.url))
        page.goto(place)
        page.wait_for_url("**/table")
        assert not file.exists()
        assert not any(token in url for url in seen)
        # What somebody else saw of it later is worth nothing.
        other = browser.new_context()
        answer = other.request.post(f"{entrance.base}/open", form={"token": token})
        assert answer.status == 403
        assert other.request.get(f"{entrance.base}/table").status == 403
        other.close()
        context.close()


def test_where_there_is_no_browser_no_file_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda place: False)
    assert not Entrance(HERE, Keys(), tmp_path).open_browser()
    assert list(tmp_path.iterdir()) == []


def test_the_command_hands_no_secret_to_the_browser_and_shows_one_that_works_once(
    tmp_path: Path,
) -> None:
    told = tmp_path / "arguments"
    fake = tmp_path / "browser"
    fake.write_text(f'#!/bin/sh\necho "$@" > {told}\n', encoding="utf-8")
    fake.chmod(0o700)
    command = [sys.executable, "-m", "shoal", "studio"]
    for options in ([], ["--no-browser"]):
        started = subprocess.Popen(
            [*command, *options],
            env={**os.environ, "BROWSER": str(fake), "TMPDIR": str(tmp_path)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert started.stdout is not None
        try:
            said = started.stdout.readline()
            if not options:
                assert "token" not in said
                wait_for(told.exists)
                wait_for(lambda: told.read_text().strip())
                argument = told.read_text().strip()
                assert argument.startswith("file://")
                token = re.findall(r'value="([^"]+)"', Path(urlsplit(argument).path).read_text())[0]
                assert token not in argument
                continue
            address = said.split()[-1]
            assert "works once" in started.stdout.readline()
            assert httpx2.get(address).status_code == 200
            assert httpx2.get(address).status_code == 403
        finally:
            started.terminate()
            started.wait(20)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": f"evil.example:{PORT}"},
        {"Host": "127.0.0.1:1"},
        {"Cookie": f"shoal-studio-{PORT}=wrong"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_nobody_else_may_look(asked: Asked, headers: dict[str, str]) -> None:
    assert asked.client.get("/table", headers=headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://localhost:{PORT}"},
        {"Origin": f"https://127.0.0.1:{PORT}"},
        {FORGERY: "wrong"},
        {FORGERY: ""},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_nobody_else_may_change_anything(asked: Asked, headers: dict[str, str]) -> None:
    before = asked.studio.language
    said = asked.client.post("/language", data={"code": "zh"}, headers=headers)
    assert said.status_code == 403
    assert asked.studio.language == before


def test_every_answer_forbids_what_pages_do_not_need(asked: Asked) -> None:
    for place in ("/table", "/nowhere", "/static/studio.css"):
        said = asked.get(place)
        for name, value in HEADERS.items():
            if name != "cache-control" or not place.startswith("/static"):
                assert said.headers[name] == value
    assert "unsafe" not in HEADERS["content-security-policy"]


def test_too_much_is_not_taken(asked: Asked) -> None:
    name = {"X-File-Name": "x.csv"}
    said = asked.client.post("/table/upload", content=b"a" * (2**20 + 1), headers=name)
    assert said.status_code == 413

    def lies():  # type: ignore[no-untyped-def]  # a body without a length
        for _ in range(3):
            yield b"a" * 2**19

    said = asked.client.post("/table/upload", content=lies(), headers=name)
    assert said.status_code == 413
    assert list(asked.studio.workspace.uploads.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    ["", "..", "../x.csv", "a/b.csv", "a\\b.csv", "%2e%2e%2fx.csv", ".x.csv", "x\0.csv", "x" * 300],
)
def test_a_path_in_the_name_of_an_upload_is_refused(asked: Asked, name: str) -> None:
    from urllib.parse import quote

    sent = name if name.startswith("%") else quote(name, safe="")
    said = asked.client.post(
        "/table/upload", content=b"a,b\n1,2\n", headers={"X-File-Name": sent, "HX-Request": "true"}
    )
    assert said.status_code == 422
    assert "file name" in said.text
    assert list(asked.studio.workspace.uploads.iterdir()) == []
