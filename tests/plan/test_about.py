"""What a plan says of the release itself: plain texts of bounded length, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import shoal
from shoal.errors import PlanError

PLAN: dict[str, Any] = {
    "columns": {"age": {"role": "quasi"}},
    "require": [{"model": "k-anonymity", "k": 2}],
}


def plan(**about: Any) -> shoal.Plan:
    return shoal.Plan.from_dict(PLAN | {"about": about})


def test_texts_are_kept(tmp_path: Path) -> None:
    said = {"title": "Ward 3", "purpose": "Research\nand teaching", "date": "May 2026"}
    made = plan(**said)
    assert made.about is not None
    assert made.about.model_dump(exclude_none=True) == said
    (tmp_path / "plan.toml").write_text(made.to_toml(), encoding="utf-8")
    assert shoal.Plan.read(tmp_path / "plan.toml").about == made.about


def test_a_date_may_be_one(tmp_path: Path) -> None:
    text = '[about]\ndate = 2026-11-17\n[columns.age]\nrole = "quasi"\n'
    text += '[[require]]\nmodel = "k-anonymity"\nk = 2\n'
    (tmp_path / "plan.toml").write_text(text, encoding="utf-8")
    about = shoal.Plan.read(tmp_path / "plan.toml").about
    assert about is not None
    assert about.date == "2026-11-17"


def test_a_plan_that_says_nothing_of_it_stays_silent() -> None:
    made = shoal.Plan.from_dict(PLAN)
    assert made.about is None
    assert "about" not in made.to_toml()


@pytest.mark.parametrize(
    "about",
    [
        {"title": ""},
        {"title": 3},
        {"title": "x" * 201},
        {"purpose": "x" * 2001},
        {"author": "tab\there"},
        {"recipient": "\x1b[31mred"},
        {"tilte": "misspelt"},
    ],
)
def test_anything_else_is_refused(about: dict[str, Any]) -> None:
    with pytest.raises(PlanError) as caught:
        plan(**about)
    assert f"about.{next(iter(about))}" in str(caught.value)
    assert "\x1b" not in str(caught.value)
