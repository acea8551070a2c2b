"""Every parameter that a docstring lists is there, under that name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.docs.site import ROOT

TREES = {
    str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
    for source in ("src", "papers/src")
    for path in sorted((ROOT / source).rglob("*.py"))
}
CLASSES = {
    node.name: node
    for tree in TREES.values()
    for node in ast.walk(tree)
    if isinstance(node, ast.ClassDef)
}
LIST = re.compile(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-+\n|\Z)", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"^(``\w+``(?:, ``\w+``)*): ", re.MULTILINE)
"""How what is not public says it, in a line: ``name``: what it is."""


def listed(text: str) -> Iterator[str]:
    """Give the names in the list of parameters of a docstring."""
    found = LIST.search(text)
    for line in found[1].splitlines() if found else ():
        if line and not line[0].isspace():
            yield from (name.strip("*` ") for name in line.split(":")[0].split(","))
    for names in LINE.findall(text):
        yield from (name.strip("` ") for name in names.split(","))


def is_closed(node: ast.FunctionDef) -> bool:
    """Say whether a function takes no options beyond those that it names."""
    return node.args.kwarg is None


def names(node: ast.AST) -> set[str]:
    """List the arguments of a function, or the fields of a class and of those it is made from."""
    if isinstance(node, ast.FunctionDef):
        return {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
    assert isinstance(node, ast.ClassDef)
    found = set()
    for each in node.body:
        if isinstance(each, ast.AnnAssign | ast.Assign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        elif isinstance(each, ast.FunctionDef):
            found |= {each.name} | (names(each) if each.name in ("__init__", "__new__") else set())
    for base in node.bases:
        plain = base.value if isinstance(base, ast.Subscript) else base
        name = plain.attr if isinstance(plain, ast.Attribute) else getattr(plain, "id", "")
        found |= names(CLASSES[name]) if name in CLASSES and name != node.name else set()
    return found


@pytest.mark.parametrize("path", TREES)
def test_listed_parameters_are_there(path: str) -> None:
    wrong = [
        f"{node.name}: {name}"
        for node in ast.walk(TREES[path])
        if isinstance(node, ast.ClassDef) or (isinstance(node, ast.FunctionDef) and is_closed(node))
        for name in listed(ast.get_docstring(node) or "")
        if name not in names(node)
    ]
    assert wrong == []


def test_a_parameter_of_another_name_is_found() -> None:
    text = "Do it.\n\nParameters\n---\none, two\n    Two.\nthree : int\n\nNotes\n---\nfour\n"
    assert [*listed(text)] == ["one", "two", "three"]
    assert [*listed("Do it.\n\n``one``, ``two``: two.\n``three``: see\n    ``four``.")] == [
        "one",
        "two",
        "three",
    ]
