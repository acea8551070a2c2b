from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from shoal.errors import InputError, OutputError, ParameterError
from shoal.io import replace_folder, replace_folders


def ours(folder: Path) -> bool:
    return (folder / "mark").exists()


def content(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def old(folder: Path, text: str = "old") -> Path:
    (folder / "deep").mkdir(parents=True)
    (folder / "mark").write_text("mark")
    (folder / "deep" / "table.csv").write_text(text)
    return folder


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_new_folder(tmp_path: Path) -> None:
    target = tmp_path / "some" / "where" / "release"
    with replace_folder(target, owned=ours) as work:
        assert work.parent == target.parent
        assert work.name.startswith(".release.tmp-")
        assert mode(work) == 0o700
        assert not target.exists()
        (work / "deep").mkdir()
        (work / "deep" / "x").write_text("new")
    assert content(target) == {"deep/x": b"new"}
    assert [path.name for path in target.parent.iterdir()] == ["release"]


def test_modes_follow_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replace_folders([(tmp_path / "a", False), (tmp_path / "b", True)], owned=ours):
            pass
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == 0o750
    assert mode(tmp_path / "b") == 0o700
    assert content(tmp_path / "a") == {}


def test_own_folder_is_replaced_whole(tmp_path: Path) -> None:
    target = old(tmp_path / "release")
    with replace_folder(target, owned=ours) as work:
        (work / "mark").write_text("new")
        assert content(target)["deep/table.csv"] == b"old"
    assert content(target) == {"mark": b"new"}
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_foreign_files_are_never_replaced(tmp_path: Path) -> None:
    target = tmp_path / "release"
    target.mkdir()
    (target / "thesis.doc").write_text("x")
    with (
        pytest.raises(OutputError, match="exists and holds other files"),
        replace_folder(target, owned=ours),
    ):
        pytest.fail("checked before any work")
    (tmp_path / "file").write_text("x")
    with (
        pytest.raises(OutputError, match="is a file"),
        replace_folder(tmp_path / "file", owned=ours),
    ):
        pytest.fail("checked before any work")
    assert {path.name for path in tmp_path.iterdir()} == {"release", "file"}


def test_files_that_appear_during_the_work_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "release"

    def work() -> None:
        with replace_folder(target, owned=ours):
            target.mkdir()
            (target / "thesis.doc").write_text("x")

    with pytest.raises(OutputError, match="exists and holds other files"):
        work()
    assert content(target) == {"thesis.doc": b"x"}
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    with replace_folder(tmp_path / "release", owned=ours) as work:
        (work / "x").write_text("new")
    assert content(tmp_path / "release") == {"x": b"new"}


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), SystemExit(1), InputError("no"), ValueError("no")]
)
def test_any_error_leaves_the_old_folder(tmp_path: Path, error: BaseException) -> None:
    target = old(tmp_path / "release")
    before = content(target)

    def work() -> None:
        with replace_folder(target, owned=ours) as folder:
            (folder / "raw").write_text("half")
            raise error

    with pytest.raises(type(error)):
        work()
    assert content(target) == before
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_full_disk_is_explained(tmp_path: Path) -> None:
    target = tmp_path / "new" / "release"
    with (
        pytest.raises(OutputError, match=r"cannot be written: No space left.*free space"),
        replace_folder(target, owned=ours),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", range(4))
def test_a_failure_at_any_rename_puts_all_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int, after: bool, error: BaseException
) -> None:
    public, private = old(tmp_path / "p" / "release", "1"), old(tmp_path / "q" / "manifest", "2")
    before = content(tmp_path)
    real = Path.rename
    done: list[str] = []

    def rename(self: Path, target: Path) -> Path:
        done.append(self.name)
        if len(done) == step + 1:
            if after:
                real(self, target)
            raise error
        return real(self, target)

    def work() -> None:
        with replace_folders([(public, False), (private, True)], owned=ours) as folders:
            for folder in folders:
                (folder / "mark").write_text("new")
            monkeypatch.setattr(Path, "rename", rename)

    with pytest.raises((OutputError, KeyboardInterrupt)):
        work()
    monkeypatch.undo()
    assert done[0] == "manifest"  # private first
    assert content(tmp_path) == before
    assert {path.name for path in tmp_path.glob("*/*")} == {"release", "manifest"}


def test_two_folders_together(tmp_path: Path) -> None:
    public, private = tmp_path / "release", old(tmp_path / "manifest")
    with replace_folders([(public, False), (private, True)], owned=ours) as works:
        (works[0] / "x").write_text("public")
        (works[1] / "y").write_text("private")
    assert content(tmp_path) == {"release/x": b"public", "manifest/y": b"private"}
    assert mode(private) == 0o700


def test_targets_must_be_apart(tmp_path: Path) -> None:
    for other in (tmp_path / "a", tmp_path / "a" / "b"):
        with (
            pytest.raises(ParameterError),
            replace_folders([(tmp_path / "a", False), (other, True)], owned=ours),
        ):
            pytest.fail("checked before any work")


def test_a_work_folder_removed_inside_harms_nothing(tmp_path: Path) -> None:
    target = old(tmp_path / "release")
    before = content(target)
    with pytest.raises(OutputError), replace_folder(target, owned=ours, private=True) as work:
        work.rmdir()
    assert content(target) == before
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_link_to_a_folder_keeps_pointing_there(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with replace_folder(tmp_path / "link", owned=ours) as work:
        (work / "x").write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert content(tmp_path / "real") == {"x": b"new"}


def test_leftovers_of_a_killed_run_do_not_matter(tmp_path: Path) -> None:
    (tmp_path / ".release.tmp-dead").mkdir()
    with replace_folder(tmp_path / "release", owned=ours):
        pass
    assert (tmp_path / ".release.tmp-dead").exists()
