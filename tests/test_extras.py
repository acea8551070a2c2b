"""A plain installation lacks what only some commands need; they say so, and how to get it."""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

import shoal
from shoal.base.members import Members
from shoal.cli import app
from shoal.engines import pipeline
from shoal.errors import InstallationError
from shoal.judging.utility import utility

FRAME = pl.DataFrame({"age": [20, 30] * 10, "ill": ["flu", "HIV"] * 10})


def test_the_papers_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Members, "declared", {})
    found = CliRunner().invoke(app, ["paper", "gaa-cp"])
    assert found.exit_code == 2
    said = " ".join(found.stderr.split())
    assert "comes with shoal-papers, which is not installed" in said
    assert "`pip install shoal-papers`, or `pip install ./papers`" in said
    assert "paper" not in CliRunner().invoke(app, ["--help"]).stdout.split()


def test_utility_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    with pytest.raises(InstallationError, match=r'sklearn.*"shoal\[utility\]"'):
        utility(FRAME, FRAME, schema, "ill")


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("x.xlsx", "fastexcel"),
        ("x.sav", "pyreadstat"),
        ("x.dta", "pyreadstat"),
        ("x.xpt", "pyreadstat"),
    ],
)
def test_a_format_says_what_to_install(
    name: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / name).write_bytes(b"x")
    found = CliRunner().invoke(app, ["plan", str(tmp_path / name)])
    assert found.exit_code == 2
    assert f"This needs {package}" in found.stderr
    assert 'pip install "shoal[files]"' in found.stderr


def test_parquet_and_other_frames_say_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pandas

    wanted = {"quasi": ["age"], "sensitive": ["ill"], "k": 2}
    shoal.anonymize(FRAME, **wanted).write(tmp_path / "out", format="parquet")
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    FRAME.write_parquet(tmp_path / "x.parquet")
    said = r'This needs pyarrow.*"shoal\[arrow\]"'
    for table in (pandas.DataFrame({"age": [1, 2]}), str(tmp_path / "x.parquet")):
        with pytest.raises(InstallationError, match=said):
            shoal.anonymize(table, **wanted)
    release = shoal.anonymize(FRAME, **wanted)
    with pytest.raises(InstallationError, match=said):
        release.write(tmp_path / "other", format="parquet")
    assert not (tmp_path / "other").exists()
    found = CliRunner().invoke(app, ["verify", str(tmp_path / "out")])
    assert found.exit_code == 2
    assert 'pip install "shoal[arrow]"' in " ".join(found.stderr.split())


def test_signing_says_what_to_install_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    release = shoal.anonymize(FRAME, schema, require=[shoal.KAnonymity(2)])
    folder = release.write(tmp_path / "out")
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(InstallationError, match=r'cryptography.*"shoal\[evidence\]"'):
        release.write(tmp_path / "signed", sign="key.pem")
    assert not (tmp_path / "signed").exists()
    found = CliRunner().invoke(app, ["verify", str(folder), "--key", "public.pem"])
    assert found.exit_code == 2
    assert 'pip install "shoal[evidence]"' in found.stderr


def test_writing_excel_says_what_to_install_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    plan = shoal.Plan.from_dict(
        {
            "input": {"path": "nothing.csv"},
            "output": {"path": "out", "format": "xlsx"},
            "columns": {"age": {"role": "quasi"}},
            "require": [{"model": "k-anonymity", "k": 2}],
        },
        folder=tmp_path,
    )
    with pytest.raises(InstallationError, match=r'xlsxwriter.*"shoal\[files\]"'):
        pipeline.run(plan)
    assert list(tmp_path.iterdir()) == []


def test_spark_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME.write_parquet(tmp_path / "in.parquet")
    (tmp_path / "plan.toml").write_text(
        '[input]\npath = "in.parquet"\n[output]\npath = "out"\n'
        '[columns]\nage.role = "quasi"\nill.role = "sensitive"\n'
        '[[require]]\nmodel = "k-anonymity"\nk = 2\n'
    )
    asked = ["run", str(tmp_path / "plan.toml"), "--engine", "spark"]
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    found = CliRunner().invoke(app, asked)
    assert found.exit_code == 2
    assert "Install Java 17" in found.stderr
    monkeypatch.setitem(sys.modules, "pyspark", None)
    found = CliRunner().invoke(app, asked)
    assert found.exit_code == 2
    assert 'pip install "shoal[spark]"' in " ".join(found.stderr.split())
    assert not (tmp_path / "out").exists()


def test_where_spark_runs_is_only_said_with_spark(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text(
        '[input]\npath = "in.csv"\n[output]\npath = "out"\n[columns]\nage.role = "quasi"\n'
        '[[require]]\nmodel = "k-anonymity"\nk = 2\n'
    )
    (tmp_path / "in.csv").write_text("age\n1\n2\n")
    for options, said in (
        (["--master", "local[1]"], "--engine spark"),
        (["--engine", "sparc"], "spark"),
        (["--engine", "spark"], "Convert it to Parquet"),
        (["--engine", "spark", "--dry-run"], "dry run"),
    ):
        found = CliRunner().invoke(app, ["run", str(tmp_path / "plan.toml"), *options])
        assert found.exit_code == 2
        assert said in " ".join(found.stderr.split())
        assert "Traceback" not in found.stderr


def test_publishing_needs_none_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = (
        "cryptography",
        "fastexcel",
        "pandas",
        "pyarrow",
        "pyreadstat",
        "pyspark",
        "xlsxwriter",
    )
    for name in ("altair", "sklearn", "vl_convert", *others):
        monkeypatch.setitem(sys.modules, name, None)
    schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
    release = shoal.anonymize(FRAME, schema, require=[shoal.KAnonymity(2)])
    release.write(tmp_path / "out")
    assert shoal.verify(release.table, schema, require=[shoal.KAnonymity(2)]).passed
