"""A run can be stopped and goes on; another configuration starts anew."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

import shoal_papers as papers
from shoal.errors import OutputError
from tests.papers.small import Toy


@pytest.fixture(autouse=True)
def steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let runs that are compared find the machine equally busy."""
    monkeypatch.setattr("os.getloadavg", lambda: (1.5, 1.0, 0.5), raising=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "run"


def test_a_stopped_run_goes_on_where_it_stopped(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        papers.run(Toy(stop_after=4), folder)
    assert not (folder / "README.md").exists()
    second = Toy()
    made = papers.run(second, folder)
    assert second.calls == Toy().cells()[4:]
    assert (made.found, made.restarted) == (4, False)
    whole = papers.run(Toy(), folder.with_name("whole"))
    assert made.results.runs.equals(whole.results.runs)
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        "README.md",
        "comparisons.csv",
        "figure-1.svg",
        "numbers.csv",
        "run.json",
        "runs.csv",
    ]
    for name in names:
        assert (folder / name).read_bytes() == (folder.with_name("whole") / name).read_bytes()


def test_it_says_where_and_how_busy(folder: Path) -> None:
    text = papers.run(Toy(), folder).page.read_text(encoding="utf-8")
    assert f"with Shoal {version('shoal')} on " in text
    assert "(load 1.5 when it began), Python 3" in text


def test_a_finished_run_is_only_written_again(folder: Path) -> None:
    papers.run(Toy(), folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    again = Toy(stop_after=0)
    assert papers.run(again, folder).found == 6
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_line_that_was_cut_off_is_measured_again(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        papers.run(Toy(stop_after=3), folder)
    file = folder / "runs.csv"
    file.write_bytes(file.read_bytes()[:-4])
    second = Toy()
    papers.run(second, folder)
    assert second.calls == Toy().cells()[2:]
    assert len(file.read_text().splitlines()) == 7


def test_another_configuration_starts_anew(folder: Path) -> None:
    papers.run(Toy(), folder)
    for other in (Toy(quick=True), Toy(quick=True, ks=(2, 5))):
        made = papers.run(other, folder)
        assert made.restarted
        assert other.calls == other.cells()
        assert len((folder / "runs.csv").read_text().splitlines()) == 1 + len(other.cells())


def test_another_version_starts_anew(folder: Path) -> None:
    papers.run(Toy(), folder)
    facts = json.loads((folder / "run.json").read_text())
    facts["configuration"]["shoal"] = "0.0.1"
    (folder / "run.json").write_text(json.dumps(facts))
    made = papers.run(Toy(), folder)
    assert (made.found, made.restarted) == (0, True)


def test_fresh_starts_anew(folder: Path) -> None:
    papers.run(Toy(), folder)
    again = Toy()
    assert papers.run(again, folder, fresh=True).found == 0
    assert again.calls == again.cells()


def test_a_stop_before_the_first_cell_of_a_new_run_keeps_no_old_numbers(folder: Path) -> None:
    papers.run(Toy(), folder)
    with pytest.raises(KeyboardInterrupt):
        papers.run(Toy(quick=True, stop_after=0), folder)
    assert not (folder / "README.md").exists()
    assert not list(folder.glob("*.svg"))
    assert papers.run(Toy(quick=True), folder).found == 0


def test_progress_counts_cells(folder: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        papers.run(Toy(stop_after=4), folder)
    said: list[tuple[str, int, int]] = []
    papers.run(Toy(), folder, progress=lambda *step: said.append(step))
    assert said[:3] == [("measure", 4, 6), ("measure", 5, 6), ("measure", 6, 6)]
    assert said[-1] == ("write", 1, 1)


def test_a_folder_of_someone_else_is_left_alone(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="holds other files"):
        papers.run(Toy(), folder)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    papers.run(Toy(), folder.with_name("ours"))
    (folder.with_name("ours") / "figure.svg").write_text("mine")
    with pytest.raises(OutputError, match="holds other files"):
        papers.run(Toy(), folder.with_name("ours"), fresh=True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.json", "{"),
        ("run.json", "3"),
        ("runs.csv", "a,b\n1,2\n"),
        ("runs.csv", "method,k,seed,square\ntoy,2,1,x\n"),
        ("runs.csv", "method,k,seed,square\ntoy,2,1\n"),
        ("runs.csv", b"method,k,seed,square\n\xff,2,1,3\n"),
    ],
)
def test_a_damaged_file_is_named(folder: Path, name: str, content: str | bytes) -> None:
    papers.run(Toy(), folder)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(OutputError, match=f"{name}' is damaged"):
        papers.run(Toy(), folder)


def test_csv_files_hold_every_run_and_the_means(folder: Path) -> None:
    papers.run(Toy(), folder)
    runs = (folder / "runs.csv").read_text().splitlines()
    assert runs[:2] == ["method,k,seed,square", '"toy, quoted",2,1,4.333333333333333']
    means = (folder / "numbers.csv").read_text().splitlines()
    assert means[0] == "method,k,number,repetitions,mean,min,max"
    assert means[1] == '"toy, quoted",2,square,2,4.5,4.333333333333333,4.666666666666667'


def test_what_was_measured_is_judged_again(folder: Path) -> None:
    """By whichever version, and though nothing can be measured any more."""
    before = papers.run(Toy(), folder).page.read_text(encoding="utf-8")
    facts = json.loads((folder / "run.json").read_text())
    facts["configuration"]["shoal"] = "0.0.1"
    (folder / "run.json").write_text(json.dumps(facts))
    runs = (folder / "runs.csv").read_bytes()
    (folder / "figure-9.svg").write_text("of a figure that is no more")
    again = Toy(stop_after=0)
    made = papers.judge_again(again, folder)
    assert not again.calls
    assert [found.verdict for _, found in made.claims] == ["holds"]
    text = made.page.read_text(encoding="utf-8")
    assert text == before.replace(f"with Shoal {version('shoal')}", "with Shoal 0.0.1")
    assert (folder / "runs.csv").read_bytes() == runs
    assert [path.name for path in folder.glob("*.svg")] == ["figure-1.svg"]


def test_only_a_finished_run_of_the_same_form_is_judged_again(folder: Path) -> None:
    def refused(wanted: Toy, where: Path) -> str:
        before = {path.name: path.read_bytes() for path in where.glob("*")}
        with pytest.raises(OutputError) as caught:
            papers.judge_again(wanted, where)
        assert {path.name: path.read_bytes() for path in where.glob("*")} == before
        return str(caught.value)

    assert "holds no run of 'shoal paper toy'" in refused(Toy(), folder)
    with pytest.raises(KeyboardInterrupt):
        papers.run(Toy(stop_after=4), folder)
    file = folder / "runs.csv"
    file.write_bytes(file.read_bytes()[:-2])
    assert "lacks 3 of 6 measurements" in refused(Toy(), folder)
    papers.run(Toy(), folder)
    assert "holds no run of 'shoal paper toy --quick'" in refused(Toy(quick=True), folder)
    assert "lacks 2 of 8 measurements" in refused(Toy(ks=(2, 5, 10, 20)), folder)
    (folder / "notes.txt").write_text("mine")
    assert "holds other files" in refused(Toy(), folder)


def test_every_comparison_is_written_with_its_interval(folder: Path) -> None:
    papers.run(Toy(), folder)
    assert (folder / "comparisons.csv").read_text().splitlines() == [
        "claim,part,place,finding,margin,low,high",
        "claim 1,k²,k = 2→5,holds,21,21,21",
        "claim 1,k²,k = 5→10,holds,75,75,75",
        "claim 1,whole,k = all,holds,,,",
    ]
