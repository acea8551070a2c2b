"""People with several rows are found by what their rows hold, or asked about."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import ParameterError, PlanError, SchemaError

YEARS = 8


def panel(men: int = 120, *, even: bool = True, constant: bool = True) -> pl.DataFrame:
    """Men over years, as in a survey: a number per man, nobody's year twice."""
    rng = np.random.default_rng(7)
    rows = np.full(men, YEARS) if even else rng.integers(1, 2 * YEARS, men)
    number = np.repeat(rng.permutation(9_000)[:men], rows)
    n = len(number)
    educ, black = rng.integers(3, 17, men), rng.integers(0, 2, men)
    return pl.DataFrame(
        {
            "nr": number,
            "year": np.concatenate([1980 + np.arange(each) for each in rows]),
            "educ": np.repeat(educ, rows) if constant else rng.integers(3, 17, n),
            "black": np.repeat(black, rows) if constant else rng.integers(0, 2, n),
            "hours": rng.integers(0, 400, n) * 10,
        }
    ).sample(fraction=1, shuffle=True, seed=5)


@pytest.mark.parametrize(("even", "constant"), [(True, True), (False, True), (True, False)])
def test_a_panel_is_found_by_its_values(even: bool, constant: bool) -> None:
    frame = panel(even=even, constant=constant)
    draft = shoal.propose(frame)
    assert draft.entity == "nr"
    assert draft.roles["nr"] == "identifier"
    assert 'entity = "nr"' in draft.to_toml()
    release = shoal.anonymize(frame, draft.plan)
    men = frame["nr"].to_numpy()[release.rows]
    classes = release.frame.select("year", "educ", "black", "hours").with_columns(man=men)
    least = classes.group_by(pl.exclude("man")).agg(pl.col("man").n_unique())["man"].min()
    assert least >= draft.k


def doubtful() -> pl.DataFrame:
    """Hospitals, perhaps: their rows agree in city and kind, but come as they like."""
    rng = np.random.default_rng(3)
    where = rng.choice(60, 900, p=rng.dirichlet(np.ones(60)))
    city, kind = rng.integers(0, 20, 60), rng.integers(0, 3, 60)
    return pl.DataFrame(
        {
            "place": 700 + where,
            "town": city[where],
            "sort": kind[where],
            "age": rng.integers(20, 90, 900),
        }
    )


def test_a_doubt_is_asked_about_and_stops_the_run() -> None:
    draft = shoal.propose(doubtful())
    assert draft.entity is None
    assert draft.doubted is not None
    assert draft.doubted.column == "place"
    text = draft.to_toml()
    assert "CHECK: 'place' may identify people" in " ".join(text.replace("# ", "").split())
    assert "You can run it now" not in text
    with pytest.raises(PlanError, match="entity is '\\?'") as caught:
        shoal.anonymize(doubtful(), draft.plan)
    assert 'entity = "none"' in caught.value.hint


def test_none_answers_that_nobody_has_two_rows() -> None:
    draft = shoal.propose(doubtful(), entity="none", k=3)
    assert draft.doubted is None
    assert 'entity = "none"' in draft.to_toml()
    release = shoal.anonymize(doubtful(), draft.plan)
    assert release.schema.entity is None
    assert not [remark for remark in release.remarks if "names no entity" in remark]
    assert release.plan.schema_().one_row_each
    assert "Counted in rows" in release.verification.counted_rule


def test_a_column_may_be_called_none() -> None:
    frame = panel().rename({"nr": "none"})
    schema = shoal.Schema(
        {
            "none": "identifier",
            "year": "quasi",
            "educ": "quasi",
            "black": "quasi",
            "hours": "quasi",
        },
        entity="none",
    )
    assert schema.entity == "none"
    assert not schema.one_row_each
    assert shoal.propose(frame, entity="none").entity == "none"


@pytest.mark.parametrize("table", ["adult", "census"])
def test_tables_of_one_row_each_are_not_doubted(table: str) -> None:
    frame = shoal.datasets.adult() if table == "adult" else shoal.datasets.census(5_000)
    draft = shoal.propose(frame)
    assert (draft.entity, draft.doubted) == (None, None)


def test_roles_that_were_said_stay() -> None:
    draft = shoal.propose(
        panel(), k=4, quasi="educ", sensitive=["hours"], drop=("black",), other="year", entity="nr"
    )
    assert draft.roles == {
        "nr": "identifier",
        "year": "other",
        "educ": "quasi",
        "black": "identifier",
        "hours": "sensitive",
    }
    assert draft.reasons["educ"].startswith("As specified.")
    assert shoal.anonymize(panel(), draft.plan).verification.passed


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"quasi": "edu"}, "'edu'"),
        ({"quasi": "educ", "drop": ["educ"]}, "listed in quasi and in drop"),
        ({"quasi": ["nr"], "entity": "nr"}, "identifies people"),
        ({"entity": "who"}, "'who'"),
    ],
)
def test_what_was_said_wrongly(said: dict[str, object], words: str) -> None:
    with pytest.raises(SchemaError, match=words):
        shoal.propose(panel(), **said)  # type: ignore[arg-type]


@pytest.mark.parametrize("said", [{"quasi": 3}, {"drop": [3]}, {"entity": 3}])
def test_what_was_said_in_other_types(said: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        shoal.propose(panel(), **said)  # type: ignore[arg-type]


def test_what_means_missing_in_one_column_does_so_in_others() -> None:
    frame = pl.DataFrame(
        {
            "age": [str(20 + i % 50) if i % 9 else "NA" for i in range(300)],
            "smokes": ["yes", "no", "NA"] * 100,
            "country": ["DE", "FR", "NA"] * 100,
        }
    )
    draft = shoal.propose(frame)
    missing = {column.name: column.missing for column in draft.columns}
    assert missing == {"age": ("NA",), "smokes": ("NA",), "country": ()}
    assert {warning.column for warning in draft.warnings} == {"smokes", "country"}


@pytest.mark.parametrize(
    "name", ["health_status", "party", "Gewerkschaft", "union", "belief", "origin", "lwage"]
)
def test_special_categories_are_sensitive_by_name(name: str) -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"age": rng.integers(20, 90, 200), name: rng.choice(list("abc"), 200)})
    assert shoal.propose(frame).roles[name] == "sensitive"


def test_an_original_is_no_origin() -> None:
    assert shoal.judging.remarks.words.Name("original_colour").sensitive_tier is None
