"""What attacks get on Adult, beside what chance gets and what is promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

import shoal
from benchmarks.timing import Figures, cpu
from shoal.judging import risk

__all__ = ["attacks"]

SAMPLE = 5_000
"""So many rows where the attack is on people who are hard to find in a crowd."""

LATER = ("workclass", "marital-status", "salary-class")
"""What may differ in a later row of a person, besides the age."""


def attacks() -> Figures:
    """Attacks on Adult (45,222 complete rows, 8 QIs, occupation), with their controls."""
    adult = shoal.datasets.adult(complete=True)
    return {
        **_learning(adult),
        **_two_releases(adult),
        **_several_rows(adult),
        **_cells(adult),
        **_values(adult),
        **_membership(adult),
        **_linkage(adult),
    }


def _schema(*sensitive: str, **more: Any) -> shoal.Schema:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    roles = dict(plan.schema_())
    roles["occupation"] = shoal.identifier()
    roles |= dict.fromkeys(sensitive or ("occupation",), shoal.sensitive())
    tree = shoal.Hierarchy.from_csv(shoal.datasets.folder("adult") / "hierarchies" / "age.csv")
    return shoal.Schema(roles, **more).with_column("age", hierarchy=tree)


def _levels() -> dict[str, int]:
    """Read the levels of occupations that are bundled with Adult."""
    text = (shoal.datasets.folder("adult") / "levels" / "occupation.csv").read_text("utf-8")
    return {name: int(level) for name, level in (line.split(";") for line in text.splitlines())}


def _reported(name: str, found: risk.Attack) -> Figures:
    """Give the share of an attack, its control and its promise."""
    made: Figures = {name: found.share}
    if found.control is not None:
        made[f"{name}, control"] = found.control
    if found.promise is not None:
        made[f"{name}, promised at most"] = found.promise
    return made


def _learning(adult: pl.DataFrame) -> Figures:
    figures: Figures = {}
    for secret, least in [
        ("occupation", 2),
        ("occupation", 3),
        ("occupation", 4),
        ("occupation", 6),
        ("relationship", 2),
    ]:
        release = shoal.anonymize(
            adult,
            _schema(secret),
            require=[shoal.AlphaK(f"1/{least}", least)],
            method="anatomy",
            publication="two-table",
            seed=3,
        )
        figures |= _reported(f"learning {secret}, two tables, l = {least}", risk.learning(release))
    figures["learning, 45,222 rows (s CPU)"] = cpu(lambda: risk.learning(release))
    release = shoal.anonymize(
        adult, _schema(), require=[shoal.AlphaK("1/4", 4)], method=shoal.GAACP(seed=1)
    )
    return figures | _reported(
        "learning occupation, one table, GAA-CP, 1/4", risk.learning(release)
    )


def _two_releases(adult: pl.DataFrame) -> Figures:
    figures: Figures = {}
    for rows, frame in ((SAMPLE, adult.sample(SAMPLE, seed=1)), (adult.height, adult)):
        made = [
            shoal.anonymize(
                frame, _schema(), require=10, method=shoal.GAACP(seed=seed), bounds="observed"
            )
            for seed in (1, 2)
        ]
        name = f"two releases, GAA-CP, 10 + 10, {rows:,} rows: people with fewer than 10"
        figures |= _reported(name, risk.two_releases(*made)[0])
    pair = [shoal.anonymize(adult, _schema(), require=k, method="full-domain") for k in (10, 5)]
    name = "two releases, full-domain, 10 + 5: people with fewer than 5"
    return figures | _reported(name, risk.two_releases(*pair)[0])


def visits(adult: pl.DataFrame, people: int = SAMPLE, seed: int = 1) -> pl.DataFrame:
    """Give people one to five rows: later ones are older, and some of their cells changed."""
    rng = np.random.default_rng(seed)
    first = adult.sample(people, seed=seed).with_columns(person=pl.Series(range(people)))
    parts = [first]
    for later in range(1, 5):
        held = first.filter(pl.Series(np.arange(people) % 5 >= later))
        others = adult.select(LATER)[rng.integers(0, adult.height, held.height)]
        changed = rng.random(held.height) < 0.5
        parts.append(
            held.with_columns(
                (pl.col("age") + later).clip(upper_bound=90),
                *(
                    pl.when(pl.Series(changed))
                    .then(others[name])
                    .otherwise(pl.col(name))
                    .alias(name)
                    for name in LATER
                ),
            )
        )
    return pl.concat(parts)


def _several_rows(adult: pl.DataFrame) -> Figures:
    roles = {**_schema(), "person": shoal.identifier()}
    table = visits(adult)
    figures: Figures = {}
    for linkage in ("any-row", "all-rows"):
        schema = shoal.Schema(roles, entity="person", linkage=linkage)
        release = shoal.anonymize(table, schema, require=10, method=shoal.GAACP(seed=1))
        found = risk.several_rows(release)
        name = f"several rows, k = 10, GAA-CP, {linkage}: people with fewer than 10"
        figures |= _reported(name, found)
        figures |= {f"{name}, {n} rows": share for n, share in found.details["by_rows"].items()}
        lost = release.measures["iloss_rate"]
        figures[f"several rows, k = 10, GAA-CP, {linkage}: iloss_rate"] = lost
    return figures


def _cells(adult: pl.DataFrame) -> Figures:
    figures: Figures = {}
    for k in (2, 5, 10):
        for bounds in ("observed", "rounded"):
            release = shoal.anonymize(
                adult, _schema(), require=k, method=shoal.GAACP(seed=1), bounds=bounds
            )
            case = f"GAA-CP, k = {k}, {bounds} bounds"
            figures |= _reported(f"downcoding, {case}: cells", risk.downcoding(release))
            figures |= _reported(f"end points, {case}: people", risk.end_points(release))
    release = shoal.anonymize(adult, _schema(), require=10, method="full-domain")
    return figures | _reported("downcoding, full-domain, k = 10: cells", risk.downcoding(release))


def _values(adult: pl.DataFrame) -> Figures:
    figures: Figures = {}
    leveled = _schema().with_column("occupation", levels=_levels())
    for k in (2, 5, 10):
        release = shoal.anonymize(adult, _schema(), require=k, method=shoal.GAACP(seed=1))
        figures |= _reported(f"sensitivity, k = {k}, gaa-cp", risk.sensitivity(release))
    for method in (shoal.GAACP(seed=1), "mondrian", "full-domain"):
        release = shoal.anonymize(adult, leveled, require=10, method=method)
        name = f"k = 10, {release.method.name}"
        for attack in (risk.homogeneity, risk.similarity):
            figures |= _reported(f"{attack.name}, {name}", attack(release))
        found = risk.probability(release)
        figures |= _reported(f"probability, {name}: a share above 1/2", found)
        figures[f"probability, {name}: guessed right"] = found.details["mean"]
        figures[f"probability, {name}: guessed right without classes"] = found.details["prior"]
        for known in (0, 1, 2):
            found = risk.negation(release, known=known)
            figures |= _reported(f"{known} values ruled out, {name}: certain", found)
        figures |= _reported(
            f"skewness, {name}: a share is 25 points larger", risk.skewness(release)
        )
        release = shoal.anonymize(adult, _schema(), require=shoal.AlphaK("1/2", 4), method=method)
        name = f"alpha = 1/2, k = 4, {release.method.name}"
        figures |= _reported(f"minimality, {name}", risk.minimality(release))
    return figures


def _membership(adult: pl.DataFrame) -> Figures:
    mixed = adult.sample(fraction=1.0, shuffle=True, seed=1)
    inside, outside = mixed.head(adult.height // 2), mixed.tail(adult.height // 2)
    figures: Figures = {}
    for method in (shoal.GAACP(seed=1), "mondrian", "full-domain"):
        release = shoal.anonymize(inside, _schema(), require=10, method=method)
        found = risk.membership(release, outside=outside)
        name = f"membership, k = 10, {release.method.name}"
        figures |= _reported(f"{name}: people outside who fit no class", found)
        figures[f"{name}: guessed right"] = found.details["guessed"]
    return figures


def _linkage(adult: pl.DataFrame) -> Figures:
    """Set rows that show both secrets beside groups that show each apart."""
    figures: Figures = {}
    both = _schema("occupation", "relationship")
    needed = shoal.MultiLDiversity({"occupation": 3, "relationship": 3})
    for name, release in {
        "one table, GAA-CP, k = 10": shoal.anonymize(
            adult, both, require=10, method=shoal.GAACP(seed=1)
        ),
        "sensitive groups, MICD, l = 3": shoal.anonymize(
            adult, both, require=needed, method=shoal.MICD(seed=1)
        ),
    }.items():
        for link in risk.linkage(release):
            case = f"linkage, {name}: {link.known} tells of {link.other}"
            figures[case] = link.value
            figures[f"{case}, by the cells alone"] = link.cells
    return figures
