"""What a known secret tells about another, by a slow look at every cell, group and value."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from fractions import Fraction
from importlib import import_module
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st
from typer.testing import CliRunner

import shoal
from shoal import risk
from shoal.cli import app
from shoal.errors import ParameterError, SchemaError
from tests.examples import examples

SECRETS = ("s", "t", "u")
SCHEMA = shoal.Schema({"q": shoal.quasi(), **dict.fromkeys(SECRETS, shoal.sensitive())})

ROWS = st.lists(
    st.tuples(
        st.sampled_from("xyz"),
        st.integers(0, 2),
        st.sampled_from("abc"),
        st.sampled_from(["d", "e", None]),
        st.sampled_from("fg"),
    ),
    min_size=1,
    max_size=12,
)


def beside(cells: list[Any], known: list[Any], other: list[Any]) -> tuple[Fraction, Fraction]:
    """The best guess among the rows with the same cell, and with the same known value, too."""
    hits = []
    for classes in (cells, list(zip(cells, known, strict=True))):
        inside = defaultdict(Counter)
        for own, value in zip(classes, other, strict=True):
            inside[own][value] += 1
        right = sum(max(counts.values()) for counts in inside.values())
        hits.append(Fraction(right, len(cells)))
    return hits[0], hits[1]


def apart(
    cells: list[Any],
    groups: list[int],
    known: dict[int, Counter[Any]],
    other: dict[int, Counter[Any]],
) -> tuple[Fraction, Fraction]:
    """Every value of a group is as likely as it is shown, whatever else is known."""
    alone: dict[Any, Counter[Any]] = defaultdict(Counter)
    informed: dict[Any, Counter[Any]] = defaultdict(Counter)
    for cell, group in zip(cells, groups, strict=True):
        for b, often in other[group].items():
            likely = Fraction(often, other[group].total())
            alone[cell][b] += likely
            for a, count in known[group].items():
                informed[cell, a][b] += likely * Fraction(count, known[group].total())
    best = [sum(max(c.values()) for c in each.values()) for each in (alone, informed)]
    return best[0] / len(cells), best[1] / len(cells)


@settings(max_examples=examples(100), deadline=None)
@given(ROWS, st.booleans(), st.data())
def test_every_form(rows: list[tuple[Any, ...]], once: bool, data: st.DataObject) -> None:
    cells, groups, *columns = (list(part) for part in zip(*rows, strict=True))
    held = dict(zip(SECRETS, columns, strict=True))
    values = pl.DataFrame(held, schema=dict.fromkeys(SECRETS, pl.String))
    table = values.with_columns(q=pl.Series(cells))
    for found in risk.linkage(table, SCHEMA):
        slow = beside(cells, held[found.known], held[found.other])
        assert (found.cells, found.value) == pytest.approx([float(each) for each in slow])
        assert (found.linked_cells, found.linked) == (found.cells, found.value)
    shown: dict[str, dict[int, Counter[Any]]] = {}
    tables, listed = {}, {}
    for name, own in held.items():
        shown[name] = defaultdict(Counter)
        for group, value in zip(groups, own, strict=True):
            shown[name][group][value] += 1
        if once:  # each value once, and some that were added
            for group, counts in shown[name].items():
                noise = data.draw(st.sets(st.sampled_from(sorted(set(own), key=str))))
                shown[name][group] = Counter({*counts, *noise})
        rows_of = [(g, v) for g, counts in shown[name].items() for v in counts.elements()]
        listed[name] = pl.DataFrame(rows_of, schema={"g": pl.Int64, name: pl.String}, orient="row")
        tables[name] = listed[name]
    quasi = pl.DataFrame({"q": cells, "g": groups})
    published = {"quasi": quasi, "sensitive": tables}
    found_in = risk.linkage(published, SCHEMA, original=table)
    assert [(each.known, each.other) for each in found_in] == [*permutations(SECRETS, 2)]
    for found in found_in:
        slow = apart(cells, groups, shown[found.known], shown[found.other])
        assert (found.cells, found.value) == pytest.approx([float(each) for each in slow])
        slow = beside(cells, held[found.known], held[found.other])
        assert (found.linked_cells, found.linked) == pytest.approx([float(each) for each in slow])
        assert found.gain >= -1e-12
        json.dumps(found.to_dict())
    unknown = risk.linkage(published, SCHEMA)
    assert all(each.linked is None and each.linked_gain is None for each in unknown)
    pair = shoal.measures.pair(table, quasi.select("q"), SCHEMA, groups=groups, values=listed)
    for one, two in zip(risk.linkage(pair), found_in, strict=True):
        assert one.to_dict() == pytest.approx(two.to_dict())


def test_work_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    release = made()
    whole = risk.linkage(release)
    monkeypatch.setattr(import_module("shoal.judging.risk.linking"), "_AT_ONCE", 3)
    for one, two in zip(risk.linkage(release), whole, strict=True):
        assert one.to_dict() == pytest.approx(two.to_dict())


def test_a_known_value_tells_next_to_nothing_in_sensitive_groups() -> None:
    for found in risk.linkage(made()):
        assert found.linked_gain is not None
        assert found.gain < found.linked_gain


def made() -> shoal.Release:
    frame = shoal.datasets.adult(complete=True).head(400)
    frame = frame.select("age", "sex", "education", "occupation")
    schema = shoal.Schema(
        {
            "age": shoal.quasi(),
            "sex": shoal.quasi(),
            "education": shoal.sensitive(),
            "occupation": shoal.sensitive(),
        }
    )
    need = shoal.MultiLDiversity({"education": 3, "occupation": 3})
    return shoal.anonymize(frame, schema, require=[need], method=shoal.MICD(seed=1))


def test_secrets_that_have_nothing_to_do_with_each_other_tell_nothing() -> None:
    rng = np.random.default_rng(1)
    table = pl.DataFrame(
        {name: rng.choice(list("aaabbc"), 6000) for name in SECRETS} | {"q": ["x", "y", "z"] * 2000}
    )
    for link in risk.linkage(table, SCHEMA):
        assert link.cells == pytest.approx(0.5, abs=0.03)
        assert link.gain == pytest.approx(0, abs=0.01)
    told = table.with_columns(t=pl.col("s"))
    known = {(link.known, link.other): link.value for link in risk.linkage(told, SCHEMA)}
    assert known["s", "t"] == 1


def test_refusals() -> None:
    table = pl.DataFrame({"q": ["x"], "s": ["a"]})
    schema = shoal.Schema({"q": shoal.quasi(), "s": shoal.sensitive()})
    with pytest.raises(ParameterError, match="sensitive columns to each other, and there is 1"):
        risk.linkage(table, schema)
    quasi = pl.DataFrame({"q": ["x"], "g": [1]})
    secret = {name: pl.DataFrame({"g": [1], name: ["a"]}) for name in SECRETS}
    original = pl.DataFrame({name: ["a"] for name in SECRETS})
    tables = {"quasi": quasi, "sensitive": secret}
    for rows in ([1], [-1], [0, 0], [0.5]):
        with pytest.raises(ParameterError, match="rows must name"):
            risk.linkage(tables, SCHEMA, original=original, rows=rows)
    del secret["t"]
    with pytest.raises(SchemaError, match="no table for the sensitive column 't'"):
        risk.linkage(tables, SCHEMA)


def test_the_command(tmp_path: Path) -> None:
    release = made()
    release.write(tmp_path / "out")
    release.source.write_csv(tmp_path / "adult.csv")
    shown = CliRunner().invoke(app, ["risk", str(tmp_path / "out")])
    assert shown.exit_code == 0, shown.output
    assert "best guess" in shown.output
    asked = ["risk", str(tmp_path / "out"), "--original", str(tmp_path / "adult.csv"), "--json"]
    answer = CliRunner().invoke(app, asked)
    assert answer.exit_code == 0, answer.output
    for read, found in zip(
        json.loads(answer.stdout)["linkage"], risk.linkage(release), strict=True
    ):
        assert read == pytest.approx(found.to_dict())
