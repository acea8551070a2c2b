"""Build a release into ``dist/``, and check it: ``python -m release``. It uploads and tags nothing.

It takes what is committed, and runs with the standard library alone: what it needs is installed
into environments of its own, one for each Python of the classifiers that this machine has.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from release.bill import bill_of_materials
from release.contents import check_contents
from release.environments import Environment, pythons
from release.trial import check_lowest, check_wheel

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"


def main() -> None:
    """Build twice, compare, check, and write the bill and the sums."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    if _git("status", "--porcelain").strip():
        sys.exit("There are changes that are not committed. Commit them: a release is of a commit.")
    if f"\n## {version} (" not in (ROOT / "CHANGELOG.md").read_text("utf-8"):
        sys.exit(f"CHANGELOG.md has no heading '## {version} (date)'. Give *Unreleased* that one.")
    time = _git("log", "-1", "--format=%ct").strip()
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        makers = [Environment(work / "tools" / name, python) for name, python in pythons()]
        for maker in makers:
            maker.install("build", "hatchling>=1.25", "twine", "uv", str(_copy(work / "installed")))
            maker.remove("shoal")  # its packages alone: what is compiled is the text of the copy
        first, second = (_build(_copy(work / name), makers, time) for name in ("one", "other"))
        _compare(first, second)
        makers[0].run("-m", "twine", "check", "--strict", *map(str, first))
        files = _git("ls-files").splitlines()
        for path in first:
            check_contents(path, version, files, private=(place, str(ROOT)))
        tables = set()
        for path in first:
            if path.suffix == ".whl":
                maker = next((m for m in makers if f"-{m.tag}-" in path.name), makers[0])
                tried, table = check_wheel(path, version, maker.base, work / "tried")
                tables.add(table)
        if len(tables) > 1:
            sys.exit("Wheels publish different tables by the same plan.")
        bill = work / f"shoal-{version}.cdx.json"
        bill.write_text(bill_of_materials(tried, "shoal", int(time)), encoding="utf-8")
        check_lowest(_copy(work / "lowest"), makers[0], work / "lowest-versions")
        _publish([*first, bill])
    print(
        f"\nTo tag it, after the workflow has passed:\n  git tag --sign --annotate v{version}",
        end="",
    )
    print(f' --message "Shoal {version}"\n  git push origin v{version}')


def _copy(folder: Path) -> Path:
    """Copy what is committed."""
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True)
    subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
    return folder


def _build(source: Path, makers: list[Environment], time: str) -> list[Path]:
    """Build the archive, a wheel for all, and one with kernels for each Python."""
    out = source.with_name(f"{source.name}-built")
    build = ("-m", "build", "--no-isolation", "--outdir", str(out))
    common = {"SOURCE_DATE_EPOCH": time}
    makers[0].run(*build, str(source), **common)  # the wheel is made from the archive
    for maker in makers:
        maker.run(*build, "--wheel", str(source), **common, SHOAL_KERNELS="1")
    return sorted(out.iterdir())


def _compare(first: list[Path], second: list[Path]) -> None:
    """Refuse files that are not the same when they are built again elsewhere."""
    if [p.name for p in first] != [p.name for p in second]:
        sys.exit("Two builds of the same commit made different files.")
    if differ := [p.name for p, q in zip(first, second, strict=True) if _sum(p) != _sum(q)]:
        sys.exit(f"Two builds of the same commit differ in {', '.join(differ)}.")


def _publish(paths: list[Path]) -> None:
    """Put everything into ``dist/``, with the sums, and list it."""
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    sums = [f"{_sum(path)}  {path.name}\n" for path in paths]
    (DIST / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for path in paths:
        shutil.copy(path, DIST)
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.name}")


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _git(*arguments: str) -> str:
    run = subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return run.stdout.decode()


if __name__ == "__main__":
    os.umask(0o022)  # the rights of files are packed with them
    main()
