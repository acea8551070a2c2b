"""A release to be looked at: its public report, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import shoal
from shoal.errors import InputError
from shoal.studio.app import build_read_only
from shoal.studio.gate import ENTRANCE, Keys


def test_only_the_public_report_is_served(tmp_path: Path) -> None:
    people = shoal.datasets.patients(1)
    folder = shoal.anonymize(people, shoal.propose(people).plan).write(tmp_path / "out")
    keys = Keys()
    app = build_read_only(folder, keys=keys, port=1)
    with TestClient(app, base_url="http://127.0.0.1:1") as client:
        assert client.get("/").status_code == 403
        client.get(f"{ENTRANCE}?token={keys.issue('test')}")
        assert client.get("/").text == (folder / "report.html").read_text("utf-8")
        for other in ("/table", "/release/1", "/report.html", "/../out.private/plan.toml"):
            assert client.get(other).status_code == 404


def test_what_is_no_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is not a release|no release"):
        build_read_only(tmp_path, keys=Keys(), port=1)
