"""What a release holds besides code: long description, bill of materials, locked versions."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from docs.long_description import long_description
from release.bill import bill_of_materials
from release.contents import check_contents
from tests.docs.site import ROOT
from tests.docs.test_project import PAPERS, PROJECT


def test_the_long_description_has_nothing_that_works_in_a_checkout_alone() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = long_description(readme)
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert targets
    assert all(target.startswith("https://") for target in targets)
    assert "![" not in text
    assert "<img" not in text
    assert re.findall(r"^```.*?^```$", text, re.M | re.S) == re.findall(
        r"^```.*?^```$", readme, re.M | re.S
    )
    assert "readme" in PROJECT["project"]["dynamic"]


def test_locked_versions_are_of_all_that_development_needs() -> None:
    locked = (ROOT / "locked.txt").read_text(encoding="utf-8")
    names = set(re.findall(r"^([\w.-]+)==", locked, flags=re.M))
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = [*PROJECT["project"]["dependencies"], *PAPERS["project"]["dependencies"]]
    for each in (*wanted, *(text for extra in extras for text in extra)):
        name = re.match(r"[\w.-]+", each)[0].lower()  # type: ignore[index]
        assert name in names | {"shoal"}, f"{name} is missing: call `make lock`"
    blocks = re.split(r"\n(?=[a-z])", locked)[1:]
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in locked, "an address of a registry"


class Installed:
    """An environment that answers what is installed."""

    def answer(self, *_: str) -> str:
        shared = {"summary": "", "licence": "", "classified": [], "words": ""}
        return json.dumps(
            [
                {
                    **shared,
                    "name": "Shoal",
                    "version": "1.0",
                    "licence": "Apache-2.0",
                    "requires": ["typing_extensions>=4", 'pandas; extra == "spark"', "gone>=1"],
                },
                {**shared, "name": "typing-extensions", "version": "4.1", "requires": []},
                {**shared, "name": "pandas", "version": "2", "words": "BSD", "requires": []},
            ]
        )


def test_a_bill_of_materials_lists_what_is_there_and_what_needs_it() -> None:
    environment: Any = Installed()
    bill = json.loads(bill_of_materials(environment, "shoal", 0))
    assert bill == json.loads(bill_of_materials(environment, "shoal", 0))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["timestamp"] == "1970-01-01T00:00:00Z"
    assert bill["metadata"]["component"]["purl"] == "pkg:pypi/shoal@1.0"
    assert bill["metadata"]["component"]["licenses"] == [{"expression": "Apache-2.0"}]
    assert [each["name"] for each in bill["components"]] == ["pandas", "typing-extensions"]
    needs = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    assert needs["pkg:pypi/shoal@1.0"] == ["pkg:pypi/typing-extensions@4.1"]


FILES = ["src/shoal/a.py", "README.md", ".github/x.yml"]


def _wheel(folder: Path, tag: str, **files: str) -> Path:
    path = folder / f"{len([*folder.iterdir()])}-shoal-1-{tag}.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {"shoal/a.py": "", "shoal-1.dist-info/RECORD": "", **files}.items():
            archive.writestr(name, text)
    return path


def _source(folder: Path, *names: str) -> Path:
    path = folder / f"{len([*folder.iterdir()])}-shoal-1.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name in ("src/shoal/a.py", "PKG-INFO", *names):
            archive.addfile(tarfile.TarInfo(f"shoal-1/{name}"), BytesIO())
    return path


KERNEL = "shoal/kernels/brought/x.kernel"


def test_archives_hold_what_is_committed_and_nothing_else(tmp_path: Path) -> None:
    def check(path: Path) -> None:
        check_contents(path, "1", FILES, private=("/home/ann",))

    check(_wheel(tmp_path, "py3-none-any"))
    check(_wheel(tmp_path, "cp311-cp311-linux", **{KERNEL: "x"}))
    check(_source(tmp_path, "README.md"))
    for wrong, said in (
        (_wheel(tmp_path, "py3-none-any", **{"shoal/b.py": ""}), "besides what is committed"),
        (_wheel(tmp_path, "py3-none-any", **{KERNEL: "x"}), "kernels belong"),
        (_wheel(tmp_path, "cp311-cp311-linux"), "kernels belong"),
        (_wheel(tmp_path, "cp311-cp311-linux", **{KERNEL: "/home/ann/shoal"}), "names a folder"),
        (_source(tmp_path), "lacks: README.md"),
        (_source(tmp_path, "README.md", "notes.txt"), "besides what is committed: notes.txt"),
    ):
        with pytest.raises(SystemExit, match=said):
            check(wrong)
