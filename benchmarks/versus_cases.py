"""The commands that `versus` times: each with a table and a plan of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import polars as pl

import shoal
from shoal.steward.bench.cases import AFTER, prepare

__all__ = ["CASES", "Case"]

NINE = ("age", "workclass", "education", "marital-status", "occupation", "race", "sex")
NINE += ("native-country", "salary-class")
ELEVEN = (*NINE[:-1], "relationship", "hours-per-week", "education-num")
EIGHT = ("age", "sex", "education", "marital-status", "race", "workclass")
EIGHT += ("native-country", "salary-class")
SENSITIVE = ("education", "occupation", "marital-status", "race", "workclass")
NUMBERS = ("age", "education-num", "capital-gain", "capital-loss", "hours-per-week")


@dataclass(frozen=True)
class Case:
    """A command of Shoal, in a folder that is prepared for it.

    Parameters
    ----------
    rows
        Of the table; with ``--quick`` a fiftieth, but at least a thousand.
    after
        The case in whose folder it works, which goes before it.
    """

    what: str
    rows: int
    prepare: Callable[[Path, int], None] | None
    words: str = "run plan.toml"
    after: str | None = None


def _plan(
    where: Path,
    frame: pl.DataFrame,
    columns: Mapping[str, str],
    method: str,
    require: str = 'model = "k-anonymity"\nk = 10',
    form: str = "generalized",
    limit: float = 0.05,
) -> None:
    """Write a table and its plan; other columns are left out."""
    frame.select(list(columns)).write_csv(where / "adult.csv")
    bundled = shoal.datasets.folder("adult") / "hierarchies"
    (where / "hierarchies").mkdir(exist_ok=True)
    for tree in bundled.iterdir():
        (where / "hierarchies" / tree.name).write_bytes(tree.read_bytes())
    parts = ["version = 1", '[input]\npath = "adult.csv"\nmissing = [""]']
    parts += [f"[columns.{name}]\n{text}" for name, text in columns.items()]
    parts += [f"[[require]]\n{each}" for each in require.split("\n\n")]
    form = f'form = "{form}"\nmissing = "keep"\nsuppression_limit = {limit}'
    parts += [f"[method]\n{method}", f"[publication]\n{form}"]
    parts += ['[output]\npath = "release"\nformat = "csv"']
    (where / "plan.toml").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _role(name: str, *, ladder: bool = False) -> str:
    """Say that a column of Adult is a quasi-identifier; with a ladder, numbers have a tree."""
    few = {"hours-per-week": 2, "education-num": 1}
    if ladder and name in few:
        tree = f'{{ builder = "intervals", bins = 4, levels = {few[name]} }}'
        return f'role = "quasi"\nkind = "numeric"\nhierarchy = {tree}'
    text = 'role = "quasi"'
    if name in NUMBERS:
        text += '\nkind = "numeric"'
    if name not in NUMBERS or (ladder and name == "age"):
        text += f'\nhierarchy = "hierarchies/{name}.csv"'
    return text


def _by(method: str) -> Callable[[Path, int], None]:
    """Group a census by its eight quasi-identifiers."""

    def write(where: Path, rows: int) -> None:
        columns = {name: _role(name) for name in EIGHT} | {"occupation": 'role = "sensitive"'}
        _plan(where, shoal.datasets.census(rows), columns, method)

    return write


def _in_sets(method: str) -> Callable[[Path, int], None]:
    """Group a census so that five columns are diverse."""

    def write(where: Path, rows: int) -> None:
        exact = ("age", "sex", "salary-class", "native-country")
        columns = dict.fromkeys(exact, 'role = "quasi"')
        columns |= dict.fromkeys(SENSITIVE, 'role = "sensitive"')
        required = ", ".join(f'"{name}" = 3' for name in SENSITIVE)
        require = f'model = "multi-l-diversity"\nl = {{ {required} }}\nlower = true'
        table = shoal.datasets.census(rows)
        _plan(where, table, columns, f'name = "{method}"\nseed = 1', require, "sensitive-groups")

    return write


def _full_domain(
    quasi: tuple[str, ...], limit: float, require: str = "", secret: str = ""
) -> Callable[[Path, int], None]:
    def write(where: Path, rows: int) -> None:
        columns = {name: _role(name, ladder=True) for name in quasi if name != secret}
        columns |= {secret: 'role = "sensitive"'} if secret else {}
        needs = 'model = "k-anonymity"\nk = 5' + (f"\n\n{require}" if require else "")
        table = shoal.datasets.adult(complete=True).head(rows)
        _plan(where, table, columns, 'name = "full-domain"', needs, limit=limit)

    return write


def _thirteen(where: Path, rows: int) -> None:
    columns = {name: _role(name) for name in (*EIGHT, *NUMBERS[1:])}
    columns["occupation"] = 'role = "quasi"\nhierarchy = "hierarchies/occupation.csv"'
    _plan(where, shoal.datasets.census(rows), columns, 'name = "gaa-cp"\nseed = 1')


def _zip_codes(where: Path, rows: int) -> None:
    """Six zip codes for ten rows, drawn at random, by their prefixes."""
    rng = np.random.default_rng(1)
    codes = [f"{code:05}" for code in np.sort(rng.choice(100_000, rows * 6 // 10, replace=False))]
    frame = pl.DataFrame(
        {
            "zip": pl.Series(codes)[rng.integers(0, len(codes), rows)],
            "age": np.clip(rng.normal(45, 20, rows), 0, 99).astype(np.int64),
            "sex": rng.choice(["Female", "Male"], rows),
        }
    )
    paths = [";".join((c, *(c[:n] + "*" * (5 - n) for n in range(4, 0, -1)), "*")) for c in codes]
    columns = {
        "zip": 'role = "quasi"\nkind = "categorical"\nhierarchy = "hierarchies/zip.csv"',
        "age": 'role = "quasi"\nkind = "numeric"',
        "sex": 'role = "quasi"',
    }
    _plan(where, frame, columns, 'name = "gaa-cp"\nseed = 1')
    (where / "hierarchies" / "zip.csv").write_text("\n".join(paths) + "\n", encoding="utf-8")


def _dates(where: Path, rows: int) -> None:
    """A date of birth that hardly anyone shares, a sex, and a label that depends on both."""
    rng = np.random.default_rng(1)
    days = rng.integers(0, 30_000, rows)
    sex = rng.choice(["Female", "Male"], rows)
    ill = (days / 30_000 + (sex == "Male") + rng.random(rows)) > 1.5
    born = [date.fromordinal(date(1930, 1, 1).toordinal() + int(day)).isoformat() for day in days]
    frame = pl.DataFrame({"born": born, "sex": sex, "ill": np.where(ill, "yes", "no")})
    columns = {"born": 'role = "quasi"', "sex": 'role = "quasi"', "ill": 'role = "sensitive"'}
    _plan(where, frame, columns, 'name = "gaa-cp"\nseed = 1')


def _census(where: Path, rows: int) -> None:
    prepare(where, shoal.datasets.census(rows))


CASES: dict[str, Case] = {"run": Case("`shoal run`, GAA-CP, census", 1_000_000, _census)}
CASES |= {
    words.split()[0]: Case(f"`shoal {words}`", 1_000_000, None, words, "run") for words in AFTER
}
CASES |= {
    "small": Case("`shoal run`, GAA-CP, census", 1_000, _census),
    "zip-codes": Case("GAA-CP, 6 zip codes for 10 rows", 100_000, _zip_codes),
    "thirteen": Case("GAA-CP, 13 attributes, census", 200_000, _thirteen),
    "close": Case(
        "GAA-CP, 0.3-closeness, census",
        100_000,
        lambda where, rows: _plan(
            where,
            shoal.datasets.census(rows),
            {name: _role(name) for name in EIGHT} | {"occupation": 'role = "sensitive"'},
            'name = "gaa-cp"\nseed = 1',
            'model = "k-anonymity"\nk = 5\n\nmodel = "t-closeness"\nt = 0.3',
        ),
    ),
    "mdav": Case("MDAV, census", 100_000, _by('name = "mdav"')),
}
CASES |= {
    name: Case(f"{name.upper()}, census", 200_000, _by(f'name = "{name}"\nseed = 1'))
    for name in ("kaca", "ebkc")
}
CASES |= {
    name: Case(f"{name}, 5 sensitive columns, census", 200_000, _in_sets(name))
    for name in ("micd", "decomposition")
}
CASES |= {
    f"full-domain-{len(quasi)}-{limit:g}": Case(
        f"full domain, {len(quasi)} QIs, limit {limit:.0%}, Adult",
        45_222,
        _full_domain(quasi, limit),
    )
    for quasi in (NINE, ELEVEN)
    for limit in (0.0, 0.02, 1.0)
}
CASES |= {
    f"full-domain-{name}": Case(
        f"full domain, 8 QIs, {name}, limit 2 %, Adult",
        45_222,
        _full_domain(NINE, 0.02, require, "occupation"),
    )
    for name, require in {
        "t": 'model = "t-closeness"\nt = 0.2',
        "entropy": 'model = "l-diversity"\nl = 5\nkind = "entropy"',
        "recursive": 'model = "l-diversity"\nl = 3\nkind = "recursive"\nc = 4',
    }.items()
}
CASES |= {
    "dates": Case("`shoal run`, GAA-CP, dates of birth", 50_000, _dates),
    "utility": Case(
        "`shoal utility`, dates of birth",
        50_000,
        None,
        "utility release --label ill --plan plan.toml --model naive-bayes",
        "dates",
    ),
}
