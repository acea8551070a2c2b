"""The report: made from public facts alone, safe to open, the same every time."""

from __future__ import annotations

import copy
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.release import report

VOID = {"meta", "link", "br"}
SHARES = {"kept": 0.5, "generalized": 0.2, "starred": 0.1, "already_missing": 0.2, "removed": 0.0}
FACTS: dict[str, Any] = {
    "shoal": "9.9",
    "publication": "generalized",
    "bounds": "rounded",
    "columns": {"id": "identifier", "age": "quasi", "zip": "quasi", "ill": "sensitive"},
    "entity": None,
    "counted": "rows",
    "require": [{"model": "k-anonymity", "k": 10}],
    "method": {"name": "gaa-cp", "distance": "paper"},
    "missing": {
        "policy": "keep",
        "rule": "A missing cell is published as *.",
        "done": "Rows with missing cells are kept.",
        "cost": 0.0123,
        "columns": {
            "age": {"missing": 1234, "share": 0.1234},
            "zip": {"missing": "1 to 9", "share": None},
        },
        "patterns": [
            {"columns": [], "rows": 8766},
            {"columns": ["age"], "rows": 1229},
            {"columns": ["age", "zip"], "rows": "1 to 9"},
        ],
        "value_missing_rate": None,
        "record_missing_rate": 0.1234,
        "suppressed_columns": [],
        "sensitive": {"ill": {"missing": "1 to 9", "rule": "It is a value of its own."}},
    },
    "rows": {"published": 10_000, "dropped": 0, "suppressed": "1 to 9"},
    "measures": {"iloss_rate": 0.25, "discernibility": 123456.0},
    "loss": {"age": SHARES, "zip": SHARES},
    "verification": {
        "passed": True,
        "achieved": {"k": 10},
        "rows": 10_000,
        "classes": 900,
        "counted": "rows",
        "judgements": [
            {
                "requirement": "k-anonymity",
                "description": "10-anonymity",
                "passed": True,
                "achieved": {"k": 10},
                "failing_classes": 0,
                "failing_rows": 0,
            }
        ],
        "findings": [{"check": "roles known", "passed": True, "detail": "every column has one"}],
        "missing_rule": "A missing cell is published as *.",
    },
    "files": {"table.csv": "0" * 64},
}


class Reader(HTMLParser):
    """Reads a page strictly: every element that is opened is closed, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def changed(**facts: Any) -> dict[str, Any]:
    return copy.deepcopy(FACTS) | facts


def test_it_shows_the_facts() -> None:
    text = Reader(report.page(FACTS)).text
    for words in (
        "It holds: every published row looks like at least 9 others (k = 10, counted in rows).",
        "k-anonymity does not hide a value of 'ill' that everyone in a class shares,",
        "1.2% of all cells lost only because of them",
        "10,000 rows published",
        "k = 10 reached",
        "gaa-cp (distance = paper)",
        "round numbers",
        "Left out: 1 to 9 rows that the method could not place",
        "identifier removed",
        "123,456 lower Discernibility",
        "Policy: keep. Rows with missing cells are kept.",
        "12.3% of the rows had a missing cell",
        "age 12.3% 1,234",
        "zip not shown 1 to 9",
        "already missing 20.0%",
        "ill 1 to 9 It is a value of its own.",
    ):
        assert words in text, words


def test_a_rate_that_is_not_public_is_left_out() -> None:
    assert "value missing rate" not in Reader(report.page(FACTS)).text


def test_a_guarded_count_has_no_length() -> None:
    page = report.page(FACTS)
    assert re.findall(r'class="hole" fill="#\w+" width="([^"]*)"', page) == ["12.34%"]


def test_parts_of_a_bar_follow_each_other() -> None:
    page = report.page(FACTS)
    drawn = re.findall(r'<rect class="(\w+)" fill="#\w+" x="([\d.]+)%" width="([\d.]+)%"', page)
    column = drawn[: len(drawn) // 2]
    assert [outcome for outcome, _, _ in column] == [
        "kept",
        "generalized",
        "starred",
        "already_missing",
    ]
    place = 0.0
    for _, start, length in column:
        assert float(start) == pytest.approx(place)
        place += float(length)
    assert place == pytest.approx(100)


def test_nothing_is_asked_from_outside_and_nothing_runs() -> None:
    page = report.page(FACTS)
    assert "http://" not in page
    assert "https://" not in page
    assert "url(" not in page
    assert "@import" not in page
    read = Reader(page)
    assert not {"script", "iframe", "img", "object", "form", "a"} & set(read.tags)
    links = [value for name, value in read.attributes if name in ("src", "href", "xlink:href")]
    assert links == ["data:,"]
    assert not [name for name, _ in read.attributes if name.startswith("on")]


@pytest.mark.parametrize("name", ["<b>bold</b>", '" onclick="x', "{{ facts }}", "a&b", "items"])
def test_names_are_only_text(name: str) -> None:
    facts = changed(columns={name: "quasi"}, loss={name: SHARES}, entity=name)
    facts["missing"] |= {
        "columns": {name: {"missing": 5000, "share": 0.5}},
        "patterns": [{"columns": [name], "rows": 5000}],
        "suppressed_columns": [name],
        "sensitive": {name: {"missing": 5000, "rule": name}},
    }
    read = Reader(report.page(facts))
    assert "b" not in set(read.tags) - set(Reader(report.page(FACTS)).tags)
    assert "bold" not in read.tags
    assert not [key for key, _ in read.attributes if key == "onclick"]
    assert read.text.count(" ".join(name.split())) >= 7


def test_what_is_left_out_is_said() -> None:
    facts = changed(
        measures={},
        measures_of_published={"iloss_rate": 0.25},
        measures_note="of the published rows alone: too few",
    )
    text = Reader(report.page(facts)).text
    assert "iloss_rate, published rows alone 0.25" in text
    assert "Those “published rows alone” are of the published rows alone: too few." in text
    assert "and concern the published rows alone, counting each * as a known cell" in text
    facts = changed()
    facts["missing"]["columns"]["age"] = {"missing": None, "share": None}
    assert "age not shown not shown" in Reader(report.page(facts)).text


def test_nothing_missing() -> None:
    facts = changed()
    facts["missing"] |= {
        "columns": {"age": {"missing": 0, "share": 0.0}},
        "patterns": [{"columns": [], "rows": 10_000}],
    }
    text = Reader(report.page(facts)).text
    assert "No cell of the quasi-identifiers was missing." in text
    assert "Which columns are missing together" not in text


def test_many_columns_and_patterns() -> None:
    names = [f"c{i}" for i in range(100)]
    facts = changed()
    facts["missing"] |= {
        "columns": {name: {"missing": 1000, "share": 0.1} for name in names},
        "patterns": [
            *({"columns": names[: 10 * i], "rows": 20} for i in range(10)),
            {"columns": ["other patterns"], "rows": "about 1,000", "patterns": 88},
        ],
    }
    page = report.page(facts)
    assert page.count('class="hole"') == 100
    assert page.count('class="name"') == 24
    text = Reader(page).text
    assert "+66" in text
    assert "88 more patterns, in about 1,000 rows." in text


def test_a_table_that_does_not_hold() -> None:
    facts = changed()
    facts["verification"]["passed"] = False
    facts["verification"]["judgements"][0] |= {"passed": False, "failing_classes": 3}
    text = Reader(report.page(facts)).text
    assert "It does not hold." in text
    assert "fails in 3 classes" in text


SEARCH: dict[str, Any] = {
    "objective": "mutual-information-loss",
    "optimal": True,
    "score": 0.31,
    "gap": 0.0,
    "looked_at": 113,
    "lattice": 8064,
    "levels": {"age": 3, "zip": 0, "<i>sex</i>": 1},
    "heights": {"age": 4, "zip": 5, "<i>sex</i>": 1},
    "examples": {"age": "[20, 60)", "zip": "<b>1</b>"},
    "weights": {
        "kind": "mutual-information",
        "label": "ill",
        "columns": {"age": 0.25, "zip": 0.7, "<i>sex</i>": 0.05},
    },
}


def test_a_search_is_told() -> None:
    page = report.page(changed(search=SEARCH))
    read = Reader(page)
    for words in (
        "mutual-information-loss 0.31 objective, minimized",
        "Proven optimal: no other levels that meet the requirements have a lower "
        "mutual-information-loss. About 113 of 8,064 nodes",
        "age 3 of 4 3 levels up its hierarchy, such as [20, 60)",
        "zip 0 of 5 original values, such as <b>1</b>",
        "<i>sex</i> 1 of 1 the root of its hierarchy",
        "In the search columns are weighted by mutual information",
        "The label is ill",
        "zip 0.70 age 0.25 <i>sex</i> 0.05",
    ):
        assert words in read.text, words
    assert 'width="70.0%"' in page
    assert "i" not in read.tags


def test_what_is_not_proven_is_said_so() -> None:
    late = SEARCH | {"optimal": False, "gap": 0.02}
    text = Reader(report.page(changed(search=late))).text
    assert "not proven optimal" in text
    assert "the lowest mutual-information-loss may be up to 0.02 lower" in text
    assert "Proven" not in text
    plain = late | {"objective": None, "score": None, "gap": None, "weights": None}
    text = Reader(report.page(changed(search=plain))).text
    assert "other levels may lose less" in text
    assert "Weights" not in text
    hidden = SEARCH | {"score": None, "weights": SEARCH["weights"] | {"columns": None}}
    text = Reader(report.page(changed(search=hidden))).text
    assert "mutual-information-loss not shown" in text
    assert "The weights are left out" in text


def test_weights_of_the_plan_are_told_once() -> None:
    mine = SEARCH["weights"]
    same = Reader(report.page(changed(search=SEARCH, weights=mine))).text
    assert same.count("columns are weighted") == 1
    other = Reader(report.page(changed(search=SEARCH, weights=mine | {"kind": "entropy"}))).text
    assert other.count("columns are weighted") == 2
    assert "In the measure loss columns are weighted by entropy" in other
    alone = Reader(report.page(changed(weights=mine))).text
    assert "In the method and the measure loss" in alone
    alike = SEARCH["weights"] | {"kind": "schema", "columns": {"age": 0.5, "zip": 0.5}}
    assert (
        "columns are weighted"
        not in Reader(report.page(changed(search=SEARCH | {"weights": alike}))).text
    )


def test_other_methods_have_no_search() -> None:
    assert 'id="search"' not in report.page(FACTS)
    assert 'id="weights"' not in report.page(FACTS)


@pytest.mark.parametrize(
    "method",
    [
        shoal.FullDomain("mutual-information-loss", label="illness"),
        shoal.Datafly(),
        shoal.Samarati(),
    ],
)
def test_a_search_is_told_from_release_json_alone(tmp_path: Path, method: shoal.Method) -> None:
    made = shoal.anonymize(mixed(300), SCHEMA, require=[shoal.KAnonymity(3)], method=method)
    folder = made.write(tmp_path / "out")
    page = (folder / "report.html").read_text(encoding="utf-8")
    facts = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    assert page == report.page(facts)
    published = pl.read_csv(folder / "table.csv", infer_schema=False)
    for name, cell in facts["search"]["examples"].items():
        counts = published[name].value_counts()
        assert counts.filter(pl.col(name) == cell)["count"].item() == counts["count"].max()
    assert set(facts["search"]["heights"]) == set(SCHEMA.quasi)
    assert f"{facts['search']['lattice']:,} nodes" in page


@pytest.mark.parametrize(
    ("method", "said"),
    [
        (shoal.GAACP(), "exact values of people"),
        (shoal.GAACP(), "round numbers"),
        (shoal.KACA(), "come from the hierarchies"),
    ],
)
def test_where_ranges_end_is_told(method: shoal.Method, said: str) -> None:
    bounds = "observed" if said.startswith("exact") else None
    release = shoal.anonymize(
        mixed(60), SCHEMA, require=[shoal.KAnonymity(3)], method=method, bounds=bounds
    )
    assert said in report.page(release.facts())


def test_what_is_counted_and_what_a_role_means_is_told() -> None:
    text = report.page(FACTS)
    assert "Counted in rows: correct only if no person has two rows." in text
    assert "the link to people is hidden" in text
    assert "published as it is: what nobody may learn" not in text
    named = report.page(changed(counted="people", entity="id"))
    assert "correct only if no person has two rows" not in named


def test_one_is_not_many() -> None:
    facts = changed(rows={"published": 1, "dropped": 1, "suppressed": 0})
    facts["verification"] = facts["verification"] | {"rows": 1, "classes": 1}
    text = report.page(facts)
    assert "1 row in 1 class." in text
    assert "1 published row was recounted" in text
    assert not re.search(r"(?<![\d,.])1 (rows|classes|cells|patterns)", text)


def test_exact_quasi_identifiers_show_no_levels() -> None:
    made = shoal.anonymize(
        mixed(300),
        SCHEMA,
        require=[shoal.KAnonymity(3)],
        method=shoal.FullDomain(),
        publication="two-table",
    )
    facts = made.facts()
    assert facts["search"]["examples"] == {}
    facts["files"] = {}
    assert "the published quasi-identifiers are exact" in Reader(report.page(facts)).text


def test_the_written_report_is_made_from_release_json_alone(tmp_path: Path) -> None:
    made = shoal.anonymize(
        mixed(60, missing=0.2),
        SCHEMA,
        require=[shoal.KAnonymity(3)],
        method=shoal.GAACP(seed=5),
    )
    one, two = made.write(tmp_path / "one"), made.write(tmp_path / "two")
    page = (one / "report.html").read_text(encoding="utf-8")
    assert page == (two / "report.html").read_text(encoding="utf-8")
    facts = json.loads((one / "release.json").read_text(encoding="utf-8"))
    assert page == report.page(facts)
    assert "It holds:" in Reader(page).text


def test_the_facts_are_not_touched() -> None:
    before = copy.deepcopy(FACTS)
    report.page(FACTS)
    assert before == FACTS


def test_columns_of_any_name_are_published_with_a_report(tmp_path: Path) -> None:
    name = "<script>alert(1)</script>"
    frame = pl.DataFrame({name: ["a", "b", None, "a", "b", None]})
    schema = shoal.Schema({name: shoal.quasi()})
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(2)])
    page = (made.write(tmp_path / "out") / "report.html").read_text(encoding="utf-8")
    assert "script" not in Reader(page).tags
