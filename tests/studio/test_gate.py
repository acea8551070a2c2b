"""Who is let in: the browser with the token, and only its own pages."""

from __future__ import annotations

import pytest

from shoal.studio.gate import ENTRANCE, FORGERY, HEADERS
from tests.studio.conftest import PORT, Asked

HERE = f"http://127.0.0.1:{PORT}"


def test_the_token_is_changed_for_a_strict_cookie(asked: Asked) -> None:
    asked.client.cookies.clear()
    assert asked.get("/table").status_code == 403
    for wrong in ("", "wrong", asked.keys.token[:-1], asked.keys.cookie, "ü"):
        assert asked.client.get(ENTRANCE, params={"token": wrong}).status_code == 403
    let_in = asked.client.get(ENTRANCE, params={"token": asked.keys.token})
    cookie = let_in.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert asked.keys.token not in let_in.text
    assert asked.get("/table").status_code == 200


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
    assert "name of a file" in said.text
    assert list(asked.studio.workspace.uploads.iterdir()) == []
