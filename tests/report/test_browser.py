"""The pages as a browser shows them: nothing asked from outside, nothing cut off, in any light."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.steward.comparison.writing import page
from tests.browser import visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CANARY = "canary-7F3A"
ABOUT = {"title": "Patients of one year", "purpose": "Research", "recipient": f"{CANARY}-reader"}
FORMS = ("generalized", "two-table", "microaggregated")
PAGES = [f"{form}{beside}" for form in FORMS for beside in ("", ".private")] + ["compared"]


def patients() -> pl.DataFrame:
    """People with names, of whom a few miss their age and many their region."""
    row = pl.int_range(pl.len())
    return mixed(400, seed=1).with_columns(
        id=pl.concat_str(pl.lit(f"{CANARY}-"), row),
        age=pl.when(row >= 2).then("age"),
        region=pl.when(row % 5 > 0).then("region"),
        note=pl.lit("a long note without a single break " * 4),
    )


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write a release in each form, and a comparison."""
    folder = tmp_path_factory.mktemp("pages")
    asked = {"require": [shoal.KAnonymity(5)], "method": shoal.GAACP(seed=3)}
    made = shoal.anonymize(patients(), SCHEMA, **asked)
    plan = made.plan.to_dict() | {"about": ABOUT}
    shoal.anonymize(patients(), shoal.Plan.from_dict(plan)).write(folder / "generalized")
    shoal.anonymize(patients(), SCHEMA, publication="two-table", **asked).write(
        folder / "two-table"
    )
    numbers = pl.DataFrame({"age": range(100), "pay": [row * 37 % 100 for row in range(100)]})
    shoal.anonymize(
        numbers, k=5, quasi=["age", "pay"], method="mdav", publication="microaggregated"
    ).write(folder / "microaggregated")
    found = {
        f"{form}{beside}": folder / f"{form}{beside}" / "report.html"
        for form in FORMS
        for beside in ("", ".private")
    }
    compared = shoal.compare(made.plan, patients(), k=[3, 5, 9], method="mondrian", workers=1)
    found["compared"] = folder / "compared.html"
    found["compared"].write_text(page(compared), encoding="utf-8")
    return found


@pytest.mark.parametrize("name", PAGES)
def test_a_page_stands_by_itself(browser: Browser, pages: dict[str, Path], name: str) -> None:
    backgrounds = []
    for width, dark in ((1280, False), (400, False), (400, True)):
        with visit(browser, pages[name], width=width, dark=dark) as seen:
            assert seen.errors == []
            assert seen.requests == [pages[name].resolve().as_uri()]
            assert seen.overflow <= 0, f"{seen.overflow} pixels too wide in {width}"
            assert seen.unnamed_pictures == []
            look = "getComputedStyle(document.body).backgroundColor"
            backgrounds.append(seen.page.evaluate(look))
            if width == 1280:
                printed = seen.page.pdf(format="A4")
    light, same, dark_one = backgrounds
    assert light == same == "rgb(255, 255, 255)"
    assert dark_one != light
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 1


def test_nothing_private_is_on_the_public_page(browser: Browser, pages: dict[str, Path]) -> None:
    with visit(browser, pages["generalized"]) as seen:
        public = seen.page.content()
    with visit(browser, pages["generalized.private"]) as seen:
        private, words = seen.page.content(), seen.page.inner_text("body")
    assert CANARY not in public
    assert f"{CANARY}-reader" in private
    assert CANARY not in private.replace(f"{CANARY}-reader", "")  # identifiers, not even here
    assert "Patients of one year" in public
    assert "10 rows before and after" in words


def test_a_page_that_asks_or_complains_is_seen(browser: Browser, tmp_path: Path) -> None:
    """The tests above can fail."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<!doctype html><p style='width: 2000px'>wide</p><svg></svg><img src='gone.png'>"
        "<script>console.error('no')</script>"
    )
    with visit(browser, bad) as seen:
        assert seen.overflow > 0
        assert len(seen.requests) == 2
        assert "no" in seen.errors
        assert len(seen.unnamed_pictures) == 1
