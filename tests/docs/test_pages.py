"""Everything that exists has its page, every plan key is explained, every link resolves."""

from __future__ import annotations

import dataclasses
import inspect
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from docs.pictures import SHARED
from shoal import plan as plans
from shoal.io import FORMATS
from shoal.judging.risk import ATTACKS, sight
from shoal.measures import MEASURES
from shoal.methods import METHODS
from shoal.models import MODELS
from shoal.publications import FORMS
from shoal.table.hierarchies import BUILDERS
from tests.docs.site import DOCS, PAGES, ROOT, anchors, blocks, generator, links, name_of, prose

FAMILIES = {"methods": METHODS, "models": MODELS, "measures": MEASURES, "risk": ATTACKS}
MEMBERS = [(family, name) for family, members in FAMILIES.items() for name in members]
JOINING = ("linkage", "two_releases")
"""Attacks that take several columns or releases, and so are called on their own."""
NO_MEMBERS = {"risk": {"reidentification", *JOINING}}
"""Pages in a family's folder that are about something else."""
PARTS_OF_ATTACKS = (
    "What the adversary knows",
    "What the attack does",
    "By hand",
    "On Adult",
    "What helps",
    "Reference",
)


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("family", "name"), MEMBERS)
def test_member_has_its_page(family: str, name: str) -> None:
    assert (DOCS / family / f"{name}.md").is_file(), f"write docs/{family}/{name}.md"
    assert f"({family}/{name}.md)" in text("index.md"), f"link {family}/{name}.md in docs/index.md"


@pytest.mark.parametrize("family", FAMILIES)
def test_page_has_its_member(family: str) -> None:
    pages = {page.stem for page in (DOCS / family).glob("*.md")}
    assert pages == {*FAMILIES[family], *NO_MEMBERS.get(family, ())}


def test_every_page_is_on_the_map() -> None:
    linked = {(DOCS / link.split("#")[0]).resolve() for link in links(DOCS / "index.md")}
    pages = {page for page in PAGES if DOCS in page.parents and page.name != "index.md"}
    assert not {name_of(page) for page in pages - linked}


def test_every_command_is_in_the_reference() -> None:
    reference = text("cli.md")
    for name, _ in generator().commands():
        assert f"\n## {name}\n" in reference


@pytest.mark.parametrize(
    "model",
    [
        plans.Plan,
        plans.InputPlan,
        plans.ColumnPlan,
        plans.WeightsPlan,
        plans.PublicationPlan,
        plans.OutputPlan,
    ],
)
def test_every_plan_key_is_explained(model: type[plans.Plan]) -> None:
    page = prose(DOCS / "plan.md")
    assert [key for key in model.model_fields if f"| `{key}` |" not in page] == []


@pytest.mark.parametrize(("family", "name"), MEMBERS)
def test_every_option_is_in_the_page_of_its_member(family: str, name: str) -> None:
    if family == "measures":
        return
    page = text(f"{family}/{name}.md")
    member = FAMILIES[family][name]
    if family == "risk":
        usual = {*inspect.signature(sight).parameters, "column"}  # explained in the overview
        options = sorted({*inspect.signature(member).parameters} - usual)
    else:
        options = [field.name for field in dataclasses.fields(member)]
    assert [option for option in options if not re.search(rf"`{option}(`| = )", page)] == []


@pytest.mark.parametrize("name", [*ATTACKS, *JOINING])
def test_the_page_of_an_attack_says_all_there_is_to_say(name: str) -> None:
    page = DOCS / "risk" / f"{name}.md"
    assert re.findall(r"^## (.+)$", prose(page), flags=re.M) == [*PARTS_OF_ATTACKS]
    by_hand = [block for block in blocks(page) if f"shoal.risk.{name}(" in block.text]
    assert [block.language for block in by_hand] == ["python"]
    figures = prose(page).split("## On Adult")[1].split("## What helps")[0]
    assert " %" in figures
    assert "control" in figures


def own_page(kind: str, name: str) -> str | None:
    """The page of a member of a kind that shares one; ``None``: it has a part of that."""
    page = DOCS / kind / f"{name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else None


@pytest.mark.parametrize("name", BUILDERS)
def test_every_builder_and_its_options_are_explained(name: str) -> None:
    page = own_page("hierarchies", name)
    if page is None:
        shared = text("hierarchies.md")
        assert f"\n## {name}:" in shared, f"write docs/hierarchies/{name}.md"
        page = shared.split(f"\n## {name}:")[1].split("\n## ")[0]
    options = {field.name for field in dataclasses.fields(BUILDERS[name])} - {"folder", "root"}
    assert [option for option in sorted(options) if not re.search(rf"`{option}(`| = )", page)] == []


@pytest.mark.parametrize("name", FORMS)
def test_every_form_and_its_options_are_explained(name: str) -> None:
    page = own_page("publications", name) or text("publication.md")
    assert f"`{name}`" in page, f"write docs/publications/{name}.md"
    options = [field.name for field in dataclasses.fields(FORMS[name])]  # type: ignore[arg-type]
    assert [option for option in options if not re.search(rf"`{option}(`| = )", page)] == []


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_explained(name: str) -> None:
    page = own_page("formats", name) or text("files.md")
    for suffix in FORMATS[name].suffixes:
        assert f"`{suffix}`" in page, f"write docs/formats/{name}.md"


@pytest.mark.parametrize("kind", SHARED)
def test_own_pages_are_of_members(kind: str) -> None:
    known = {"hierarchies": BUILDERS, "publications": FORMS, "formats": FORMATS}[kind]
    assert {page.stem for page in (DOCS / kind).glob("*.md")} <= set(known)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_resolve(page: Path) -> None:
    for link in links(page):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name_of(page)} links to {link}, which does not exist"
        if anchor:
            assert anchor in anchors(target), f"{name_of(page)}: no heading for {link}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_shown_commands_exist(page: Path) -> None:
    known = dict(generator().commands())
    for block in blocks(page):
        for line in block.text.splitlines() if block.language == "sh" else []:
            words = shlex.split(line, comments=True)
            if not words or words[0] != "shoal":
                continue
            length = 3 if " ".join(words[:3]) in known else 2
            command = known.get(" ".join(words[:length]))
            assert command is not None, f"{name_of(page)}: no command for {line!r}"
            options = {flag for param in command.params for flag in param.opts}
            used = {word for word in words[length:] if word.startswith("-") and word != "-"}
            assert used <= options, f"{name_of(page)}: {line!r} uses {used - options}"


CODE = re.compile(r"`([^`\n]+)`")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_named_commands_and_extras_exist(page: Path) -> None:
    commands = {name.split()[1] for name, _ in generator().commands()}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = {*settings["project"]["optional-dependencies"]}
    if page.name == "CHANGELOG.md":
        return  # names of their time
    for code in CODE.findall(prose(page)):
        if named := re.match(r"shoal ([a-z][a-z-]+)\b", code):
            assert named[1] in commands, code
        for each in re.findall(r"\bshoal\[([\w, -]+)\]", code):
            assert {*re.split(r",\s*", each)} <= extras, code


def test_what_peers_are_compared_with_exists() -> None:
    """Every key, role, builder or form in the right column is still one of Shoal's."""
    known = {*BUILDERS, *FORMS, *METHODS, *MODELS, *MEASURES}
    known |= {field.name for method in METHODS.values() for field in dataclasses.fields(method)}
    known |= {*re.findall(r"\w+", text("plan.schema.json"))}
    for line in text("peers.md").splitlines():
        cells = line.strip("| ").split(" | ")
        if not line.startswith("|") or len(cells) != 2 or "shoal" in cells[1]:
            continue
        for code in CODE.findall(cells[1]):
            word = code.split(" = ")[0].strip("[]=").rstrip("()")
            if word[:1].isalpha() and "." not in word:
                assert word in known, f"peers.md: {code}"
