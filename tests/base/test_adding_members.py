"""A member of any kind is one file, one page and one picture: no file that is there is edited.

One of each kind is added to a copy of the tree. `make docs` runs there, and then the tests that
look at every member: they are found, documented, drawn, and keep the contract of their kind.
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
STRANGERS = ROOT / "tests" / "plugin" / "strangers"
COPIED = ("src", "docs", "tests", "benchmarks", "papers", "fuzz", "torture")


@dataclass(frozen=True)
class Member:
    """What is added: its name, where its file goes, and its page; a stranger's file is taken."""

    name: str
    file: str
    page: str
    text: str
    source: str | None = None

    @property
    def module(self) -> str:
        """The code of the member."""
        stem = self.name.replace("-", "_")
        return self.source or (STRANGERS / f"{stem}.py").read_text(encoding="utf-8")

    @property
    def picture(self) -> tuple[str, str] | None:
        """Where its picture goes and what draws it; a format and a command have none."""
        kind = self.page.split("/")[1]
        if not self.page or kind == "formats":
            return None
        path = f"docs/pictures/{kind}/{self.name.replace('-', '_')}.py"
        return path, PICTURE.format(name=self.name)


PICTURE = '''"""A new member."""

from __future__ import annotations

from docs.pictures.draw import Picture


def draw() -> str:
    """Draw its name."""
    picture = Picture("{name}", "This is {name}.", 100)
    picture.text(20, 50, "{name}")
    return picture.svg()
'''

LINES = '''"""Files of lines: one column."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.errors import InputError
from shoal.io.formats.base import Format
from shoal.io.frames import Coded
from shoal.io.result import Read


def _read(path: Path, **options: object) -> Read:
    try:
        found = path.read_text(encoding="ascii").splitlines()
    except ValueError:
        found = []
    if not found or not found[0].isprintable() or found[0].startswith("PK"):
        raise InputError("The file holds no lines.", "Name a file of lines.")
    return Read(Coded(pl.DataFrame({"line": found})), None, "lines")


LINES = Format(
    name="lines", title="line", suffixes=(".lines",), fits=lambda head, path: False, read=_read
)
'''

GREET = '''"""A command that greets."""

from __future__ import annotations

from typing import Annotated

import typer


def greet(
    name: Annotated[str, typer.Argument(help="Who is greeted.")] = "you",
) -> None:
    """Greet somebody."""
    print(f"Hello, {name}.")
'''

ATTACK = """\
## What the adversary knows

The classes.

## What the attack does

It takes the largest one.

## By hand

```python
import polars as pl, shoal

table = pl.DataFrame({"age": ["30"] * 3 + ["40"], "ill": ["flu", "HIV", "TB", "flu"]})
schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
assert shoal.risk.largest_class(table, schema).people == 3
```

## On Adult

| table | found | control |
|---|---|---|
| Adult | 10 % | 5 % |

## What helps

Even classes.

## Reference

None.
"""


def page(name: str, folder: str, rest: str) -> str:
    return f"# {name}\n\n![This is {name}.](../figures/{folder}/{name}.svg)\n\n{rest}"


ADDED = [
    Member(
        "by-order",
        "methods/partition/by_order.py",
        "docs/methods/by-order.md",
        page("by-order", "methods", "It has the options `picks` and `seed`.\n"),
    ),
    Member(
        "many-values",
        "models/many_values.py",
        "docs/models/many-values.md",
        page("many-values", "models", "It has the option `values`.\n"),
    ),
    Member(
        "class_count",
        "measures/utility/class_count.py",
        "docs/measures/class_count.md",
        page("class_count", "measures", "It counts classes.\n"),
    ),
    Member(
        "largest_class",
        "judging/risk/attacking/largest_class.py",
        "docs/risk/largest_class.md",
        page("largest_class", "risk", ATTACK),
    ),
    Member(
        "first-letter",
        "table/hierarchies/builders/first_letter.py",
        "docs/hierarchies/first-letter.md",
        page("first-letter", "hierarchies", "It has no options.\n"),
    ),
    Member(
        "crowds",
        "publications/crowds.py",
        "docs/publications/crowds.md",
        page(
            "crowds",
            "publications",
            "`crowds` has `quasi_cells`, `sensitive_cells`, `bounds` and `word`.\n",
        ),
    ),
    Member(
        "lines",
        "io/formats/lines.py",
        "docs/formats/lines.md",
        "# lines\n\nFiles that end in `.lines`.\n",
        LINES,
    ),
    Member("greet", "cli/commands/greet.py", "", "", GREET),
]

TESTS = [
    "tests/base/test_members.py",
    "tests/docs/test_generated.py::test_page_is_current",
    "tests/docs/test_pages.py",
    "tests/docs/test_pictures.py",
    "tests/docs/test_trust.py",
    "tests/io/test_formats.py",
    "tests/judging/risk/test_further_attacks.py::test_every_attack_of_ours_has_a_control",
    "tests/measures/test_against_reference.py::test_measures_have_twins",
    "tests/release/test_promise.py::test_every_requirement_has_a_promise",
    "tests/release/test_words.py::test_every_form_and_family_is_looked_at",
    "tests/studio/test_texts.py",
    "tests/table/hierarchies/test_specs.py",
    "src/shoal/io/formats",
    "src/shoal/judging/risk/base.py",
]
"""Those that look at every member, besides the contract; a new member needs no line in any."""


def run(folder: Path, *command: str) -> str:
    """Run Python in the copy, with what is compiled already."""
    sources = (folder / "src", folder / "papers" / "src")
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
        | {"PYTHONPATH": os.pathsep.join(map(str, sources)), "COLUMNS": "100"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(folder: Path) -> set[str]:
    ignored = ("__pycache__", ".pytest_cache", ".mypy_cache", ".hypothesis")
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not set(ignored) & set(path.parts)
    }


def test_a_member_is_one_file_and_one_page(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for name in COPIED:  # with the times of files, so that compiled kernels are taken as they are
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name)
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith("."):
            shutil.copy2(path, copy)
    before = files(copy)
    written = set()
    for member in ADDED:
        new = {f"src/shoal/{member.file}": member.module, member.page: member.text}
        new |= dict([member.picture] if member.page and member.picture else [])
        for name, text in new.items():
            if name:
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                (copy / name).write_text(text, encoding="utf-8")
                written.add(name)
    assert not before & written
    made = run(copy, "-m", "docs.generate")
    generated = set(re.findall(r"^Wrote (.+)$", made, flags=re.M))
    changed = {name for name in before if not filecmp.cmp(ROOT / name, copy / name, shallow=False)}
    assert changed <= generated
    assert files(copy) - before <= generated | written

    own = [member.page.removeprefix("docs/") for member in ADDED if member.page]
    run(
        copy, "-c", f"from docs.site import _settings; _settings({own})"
    )  # fails if one is left out

    contract = [member.name for member in ADDED if member.name not in ("lines", "greet")]
    assert re.search(r"^\d+ checks hold, 0 fail$", run(copy, "-m", "shoal.checks", *contract))
    unchanged = "not figures and not papers"  # drawn and written a moment ago
    run(copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", unchanged, *TESTS)
    assert run(copy, "-m", "shoal", "greet", "Ann") == "Hello, Ann.\n"
    assert "greet" in run(copy, "-m", "shoal", "--help")
