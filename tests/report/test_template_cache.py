"""Compiled templates are kept where that is possible, and never taken for others."""

from __future__ import annotations

from pathlib import Path

from jinja2 import DictLoader, Environment

from shoal.release.report.template_cache import TemplateCache


def rendered(folder: Path, source: str) -> str:
    """What a fresh process makes of a template."""
    made = Environment(
        loader=DictLoader({"page": source}), bytecode_cache=TemplateCache(folder), autoescape=True
    )
    return made.get_template("page").render(name="<b>")


def test_a_template_is_compiled_once(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    assert rendered(folder, "Hello {{ name }}") == "Hello &lt;b&gt;"
    (kept,) = folder.iterdir()
    before = kept.stat().st_mtime_ns
    assert rendered(folder, "Hello {{ name }}") == "Hello &lt;b&gt;"
    assert kept.stat().st_mtime_ns == before


def test_a_changed_template_is_compiled_anew(tmp_path: Path) -> None:
    rendered(tmp_path / "kept", "Hello {{ name }}")
    assert rendered(tmp_path / "kept", "Bye {{ name }}") == "Bye &lt;b&gt;"


def test_a_damaged_copy_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    rendered(folder, "Hello {{ name }}")
    for kept in folder.iterdir():
        kept.write_bytes(b"damaged")
    assert rendered(folder, "Hello {{ name }}") == "Hello &lt;b&gt;"


def test_where_nothing_can_be_written_it_is_compiled_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert rendered(tmp_path / "file" / "kept", "Hello {{ name }}") == "Hello &lt;b&gt;"
