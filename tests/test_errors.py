"""Every error says what is wrong and what to do."""

from __future__ import annotations

import ast
from pathlib import Path

import shoal
from shoal import errors

OURS = {name for name in errors.__all__ if name.endswith("Error")}


def test_every_error_is_given_two_sentences() -> None:
    bare = []
    for path in Path(shoal.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            given = [*node.args, *(word.value for word in node.keywords)]
            spread = any(isinstance(each, ast.Starred) for each in given)
            if node.func.id in OURS and len(given) < 2 and not spread:
                bare.append(f"{path.name}:{node.lineno}")
    assert bare == []
