"""The cases of `python -m benchmarks versus` can be run, and what they publish is compared."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal
from benchmarks import versus
from benchmarks.versus_cases import CASES
from shoal.engines import pipeline


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.prepare])
def test_the_plan_of_a_case_is_read_with_its_table(name: str, tmp_path: Path) -> None:
    prepare = CASES[name].prepare
    assert prepare is not None
    prepare(tmp_path, 200)
    plan = shoal.Plan.read(tmp_path / "plan.toml")
    assert plan.input_path is not None
    frame, _ = pipeline.read(plan.input_path, plan)
    assert frame.frame.height == 200


def test_a_case_that_works_after_another_works_after_one_that_has_a_table() -> None:
    for case in CASES.values():
        assert (case.prepare is None) == (case.after is not None)
        assert case.after is None or CASES[case.after].prepare is not None


def test_rows_in_another_order_are_told_from_other_rows() -> None:
    one = {"data.csv": [b"age", b"20", b"30"]}
    assert versus._same(one, dict(one)) == "yes"
    assert versus._same(one, {"data.csv": [b"age", b"30", b"20"]}) == "rows"
    assert versus._same(one, {"data.csv": [b"age", b"20", b"20"]}) == "no"
    assert versus._same(one, {**one, "more.csv": []}) == "no"


def test_a_version_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="rev-parse"):
        versus.main(["--base", "no-such-version", "small"])
    with pytest.raises(SystemExit):
        versus.main(["--base", "HEAD", "no-such-case"])
    assert "no-such-case" in capsys.readouterr().err
