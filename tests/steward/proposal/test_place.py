from pathlib import Path

import pytest

from shoal.errors import OutputError
from shoal.io import file_names
from shoal.steward.proposal.place import place_files


def writes(text: str):  # type: ignore[no-untyped-def]
    return lambda path: path.write_text(text)


def fails(path: Path) -> None:
    path.write_text("half")
    raise KeyboardInterrupt


def tree(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()} | {
        str(p.relative_to(folder)) + "/": "" for p in folder.rglob("*") if p.is_dir()
    }


def test_all_or_none(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with pytest.raises(KeyboardInterrupt):
        place_files(folder, {"h/a.csv": writes("a"), "plan": fails})
    assert tree(tmp_path) == {}
    place_files(folder, {"h/a.csv": writes("a"), "plan": writes("p")})
    assert tree(folder) == {"h/": "", "h/a.csv": "a", "plan": "p"}


def test_interrupted_moves_are_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")
    before, moves, replace = tree(tmp_path), 0, Path.replace

    def strike(self: Path, target: Path) -> Path:
        nonlocal moves
        moves += 1
        if moves == 4:
            raise KeyboardInterrupt
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", strike)
    files = {"a": writes("new"), "b": writes("b"), "h/c": writes("c")}
    with pytest.raises(KeyboardInterrupt):
        place_files(tmp_path, files, overwrite=True)
    assert tree(tmp_path) == before


def test_overwrite(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    with pytest.raises(OutputError, match="already exists"):
        place_files(tmp_path, {"a": writes("new"), "b": writes("b")})
    assert tree(tmp_path) == {"a": "old"}
    place_files(tmp_path, {"a": writes("new"), "b": writes("b")}, overwrite=True)
    assert tree(tmp_path) == {"a": "new", "b": "b"}


def test_what_stands_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "plan").mkdir()
    with pytest.raises(OutputError, match="folder"):
        place_files(tmp_path, {"plan": writes("p")}, overwrite=True)
    (tmp_path / "h").write_text("a file")
    with pytest.raises(OutputError):
        place_files(tmp_path, {"h/a.csv": writes("a")})


def test_file_names() -> None:
    columns = ["a b", "a_b", "A B", "../../etc", "con", "年龄", "性别", "x" * 300, "..", "a/b", '"']
    made = file_names(columns)
    assert len({name.lower() for name in made.values()}) == len(columns)
    assert all(len(name) < 80 and set(name) <= set(ALLOWED) for name in made.values())
    assert not any(name.startswith((".", "-")) for name in made.values())


ALLOWED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
