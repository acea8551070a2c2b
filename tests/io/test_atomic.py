from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shoal.errors import InputError, OutputError, ParameterError
from shoal.io import Target, recover, replace_folders, target
from shoal.io.lock import hold
from tests.kill import Killed, kill_at


def ours(folder: Path) -> bool:
    return (folder / "mark").exists()


def at(path: Path, *, private: bool = False) -> Target:
    return target(path, owned=ours, private=private)


@contextlib.contextmanager
def replace_folder(path: Path, *, private: bool = False) -> Iterator[Path]:
    with replace_folders([at(path, private=private)]) as [work]:
        yield work


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
    with replace_folder(target) as work:
        beside = work.parent.parent
        assert beside.parent == target.parent
        assert beside.name.startswith(".release.tmp-")
        assert mode(beside) == mode(work) == 0o700
        assert not target.exists()
        (work / "deep").mkdir()
        (work / "deep" / "x").write_text("new")
    assert content(target) == {"deep/x": b"new"}
    assert [path.name for path in target.parent.iterdir()] == ["release"]


def test_modes_follow_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with replace_folders([at(tmp_path / "a"), at(tmp_path / "b", private=True)]):
            pass
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == 0o750
    assert mode(tmp_path / "b") == 0o700
    assert content(tmp_path / "a") == {}


def test_own_folder_is_replaced_whole(tmp_path: Path) -> None:
    target = old(tmp_path / "release")
    with replace_folder(target) as work:
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
        replace_folder(target),
    ):
        pytest.fail("checked before any work")
    (tmp_path / "file").write_text("x")
    with (
        pytest.raises(OutputError, match="is a file"),
        replace_folder(tmp_path / "file"),
    ):
        pytest.fail("checked before any work")
    assert {path.name for path in tmp_path.iterdir()} == {"release", "file"}


def test_files_that_appear_during_the_work_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "release"

    def work() -> None:
        with replace_folder(target):
            target.mkdir()
            (target / "thesis.doc").write_text("x")

    with pytest.raises(OutputError, match="exists and holds other files"):
        work()
    assert content(target) == {"thesis.doc": b"x"}
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "release").mkdir()
    with replace_folder(tmp_path / "release") as work:
        (work / "x").write_text("new")
    assert content(tmp_path / "release") == {"x": b"new"}


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), SystemExit(1), InputError("no"), ValueError("no")]
)
def test_any_error_leaves_the_old_folder(tmp_path: Path, error: BaseException) -> None:
    target = old(tmp_path / "release")
    before = content(target)

    def work() -> None:
        with replace_folder(target) as folder:
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
        replace_folder(target),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [OSError(errno.EIO, "Input/output error"), KeyboardInterrupt()])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", range(4))
def test_a_failure_at_any_rename_puts_all_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int, after: bool, error: BaseException
) -> None:
    public, private = old(tmp_path / "release", "1"), old(tmp_path / "manifest", "2")
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
        with replace_folders([at(public), at(private, private=True)]) as folders:
            for folder in folders:
                (folder / "mark").write_text("new")
            monkeypatch.setattr(Path, "rename", rename)

    with pytest.raises((OutputError, KeyboardInterrupt)):
        work()
    monkeypatch.undo()
    assert done[0] == "manifest"  # private first
    assert content(tmp_path) == before
    assert {path.name for path in tmp_path.iterdir()} == {"release", "manifest"}


def test_two_folders_together(tmp_path: Path) -> None:
    public, private = tmp_path / "release", old(tmp_path / "manifest")
    with replace_folders([at(public), at(private, private=True)]) as works:
        (works[0] / "x").write_text("public")
        (works[1] / "y").write_text("private")
    assert content(tmp_path) == {"release/x": b"public", "manifest/y": b"private"}
    assert mode(private) == 0o700


def test_targets_must_be_apart(tmp_path: Path) -> None:
    for other in (tmp_path / "a", tmp_path / "a" / "b", tmp_path / "c" / "d"):
        with pytest.raises(ParameterError), replace_folders([at(tmp_path / "a"), at(other)]):
            pytest.fail("checked before any work")


def test_a_work_folder_removed_inside_harms_nothing(tmp_path: Path) -> None:
    target = old(tmp_path / "release")
    before = content(target)
    with pytest.raises(OutputError), replace_folder(target, private=True) as work:
        work.rmdir()
    assert content(target) == before
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


@pytest.mark.parametrize("name", ["release", "manifest"])
def test_a_link_is_not_followed(tmp_path: Path, name: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    both = [at(tmp_path / "release"), at(tmp_path / "manifest", private=True)]
    with pytest.raises(OutputError, match="is a link"), replace_folders(both):
        pytest.fail("checked before any work")
    assert content(tmp_path / "elsewhere") == {}
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", name}


def test_a_link_that_is_planted_during_the_work_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    private = tmp_path / "manifest"

    def work() -> None:
        with replace_folders([at(tmp_path / "release"), at(private, private=True)]) as works:
            (works[1] / "rows").write_text("secret")
            private.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OutputError, match="is a link"):
        work()
    assert content(tmp_path) == {}
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", "manifest"}


@pytest.mark.parametrize("name", [".release.tmp-dead", ".release.old-dead", ".release.lock"])
def test_a_link_at_a_temporary_name_is_not_followed(tmp_path: Path, name: str) -> None:
    old(tmp_path / "elsewhere")
    before = content(tmp_path / "elsewhere")
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="is a link"), replace_folder(tmp_path / "release"):
        pytest.fail("checked before any work")
    assert content(tmp_path / "elsewhere") == before
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", name}


def test_a_link_on_the_way_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with replace_folder(tmp_path / "link" / "release") as work:
        (work / "x").write_text("new")
    assert content(tmp_path / "real") == {"release/x": b"new"}


def test_the_root_is_refused() -> None:
    with pytest.raises(OutputError, match="root of the file system"):
        at(Path("/"))


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o277])
def test_private_is_private_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        with replace_folder(tmp_path / "manifest", private=True) as work:
            (work / "deep").mkdir()
            (work / "deep" / "rows").write_text("secret")
    finally:
        os.umask(before)
    assert mode(tmp_path / "manifest") == mode(tmp_path / "manifest" / "deep") == 0o700
    assert mode(tmp_path / "manifest" / "deep" / "rows") == 0o600


# What a killed process leaves.


def test_remains_are_removed_by_the_next_start(tmp_path: Path) -> None:
    for name in (".release.tmp-dead", ".release.old-dead", ".release.tmp-x.tmp-other"):
        old(tmp_path / name)
    (tmp_path / ".release.lock").touch()
    recover([at(tmp_path / "release")])
    assert [path.name for path in tmp_path.iterdir()] == [".release.tmp-x.tmp-other"]
    old(tmp_path / ".release.tmp-dead")
    with replace_folder(tmp_path / "release"):
        pass
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"release", ".release.tmp-x.tmp-other"}


def test_what_the_first_version_moved_aside_is_put_back(tmp_path: Path) -> None:
    old(tmp_path / ".release.old-dead" / "old", "only copy")
    recover([at(tmp_path / "release")])
    assert content(tmp_path / "release")["deep/table.csv"] == b"only copy"
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_what_a_living_process_has_is_left_alone(tmp_path: Path) -> None:
    both = [at(tmp_path / "release"), at(tmp_path / "manifest", private=True)]
    with replace_folders(both) as works:
        (works[0] / "x").write_text("first")
        with pytest.raises(OutputError, match="Another process is writing"):
            recover(both)
        for other in (both, both[1:]):
            with pytest.raises(OutputError, match="is writing"), replace_folders(other):
                pytest.fail("two writers at once")
    assert content(tmp_path) == {"release/x": b"first"}
    assert {path.name for path in tmp_path.iterdir()} == {"release", "manifest"}


def test_a_lock_is_let_go_and_leaves_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        with hold(tmp_path / "x") as alone:
            assert alone
            assert mode(tmp_path / ".x.lock") == 0o600
    assert list(tmp_path.iterdir()) == []


def replace_until_killed(both: list[Target], renames: int, patch: pytest.MonkeyPatch) -> None:
    with patch.context() as inner:
        kill_at(renames, inner, "rename")
        with pytest.raises(Killed):
            replace(both)


def replace(both: list[Target]) -> None:
    with replace_folders(both) as works:
        for work in works:
            (work / "mark").write_text("new")


@pytest.mark.parametrize("replacing", [False, True])
def test_a_kill_at_any_step_leaves_the_old_pair_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replacing: bool
) -> None:
    ends = []
    step = 0
    while True:
        home = tmp_path / str(step)
        home.mkdir()
        both = [at(home / "release"), at(home / "manifest", private=True)]
        before = {}
        if replacing:
            before = content(old(home / "release", "old").parent)
            before |= content(old(home / "manifest", "old").parent)
        finished = True
        with monkeypatch.context() as patch:
            done = kill_at(step, patch)
            try:
                replace(both)
            except Killed:
                finished = False
        recover(both)
        after = content(home)
        new = {"release/mark": b"new", "manifest/mark": b"new"}
        assert after in (before, new), (step, done[-1:])
        assert after == new or not finished
        assert {path.name for path in home.iterdir()} <= {"release", "manifest"}, (step, done)
        ends.append(after == new)
        if finished:
            break
        step += 1
    assert step > 30
    # Once it goes forward it never goes back, and both ends were seen before the last step.
    assert ends == sorted(ends)
    assert ends.count(True) > 5
    assert ends.count(False) > 5


def test_a_kill_while_clearing_up_is_cleared_up_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kill between the two folders, and then at every step of the next start."""
    step = 0
    while True:
        home = tmp_path / str(step)
        both = [at(home / "release"), at(home / "manifest", private=True)]
        for place in both:
            old(place.path, "old")
        replace_until_killed(both, 2, monkeypatch)
        assert content(home) != {"release/mark": b"new", "manifest/mark": b"new"}
        finished = True
        with monkeypatch.context() as patch:
            kill_at(step, patch)
            try:
                recover(both)
            except Killed:
                finished = False
        recover(both)
        assert content(home) == {"release/mark": b"new", "manifest/mark": b"new"}
        assert {path.name for path in home.iterdir()} == {"release", "manifest"}
        if finished:
            break
        step += 1
    assert step > 10


def test_files_that_appear_after_a_kill_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [at(tmp_path / "release"), at(tmp_path / "manifest", private=True)]

    replace_until_killed(both, 1, monkeypatch)
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "thesis.doc").write_text("x")
    with pytest.raises(OutputError, match="holds other files"):
        recover(both)
    assert (tmp_path / "release" / "thesis.doc").read_text() == "x"
    (tmp_path / "release" / "thesis.doc").unlink()
    recover(both)
    assert content(tmp_path) == {"release/mark": b"new", "manifest/mark": b"new"}


# Nothing counts as written before it is on the disk.


def test_files_are_synced_before_the_renames_and_folders_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public, private = old(tmp_path / "release"), old(tmp_path / "manifest")
    events: list[tuple[str, Any]] = []
    real_sync, real_rename, real_unlink = os.fsync, os.rename, os.unlink

    def fsync(handle: int) -> None:
        status = os.fstat(handle)
        events.append(("sync", (status.st_dev, status.st_ino)))
        real_sync(handle)

    def rename(source: Any, goal: Any, **named: Any) -> None:
        events.append(("rename", Path(goal).name))
        real_rename(source, goal, **named)

    def unlink(path: Any, **named: Any) -> None:
        events.append(("unlink", Path(path).name))
        real_unlink(path, **named)

    def place(path: Path) -> tuple[str, Any]:
        status = path.stat()
        return "sync", (status.st_dev, status.st_ino)

    with replace_folders([at(public), at(private, private=True)]) as works:
        for work in works:
            (work / "deep").mkdir()
            (work / "mark").write_text("new")
            (work / "deep" / "x").write_text("new")
        beside = works[0].parent.parent
        inside = [place(beside), place(works[0].parent)]
        monkeypatch.setattr(os, "fsync", fsync)
        monkeypatch.setattr(os, "rename", rename)
        monkeypatch.setattr(os, "unlink", unlink)
    monkeypatch.undo()
    first = events.index(("rename", "manifest"))
    last = max(i for i, (what, _) in enumerate(events) if what == "rename")
    closed = events.index(("unlink", "commit"))
    for folder in (public, private):
        for path in (folder, *folder.rglob("*")):
            assert place(path) in events[:first], path
    for folder in inside:  # the mark's name, and the names of the new folders
        assert folder in events[:first]
    home = place(tmp_path)
    assert home in events[:first]
    assert home in events[last:closed]
    assert inside[0] in events[closed:]
