"""Random plans over random tables: roles, hierarchies, requirements, methods, publications."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import polars as pl
from polars.exceptions import PanicException

from fuzz.preparing import add_preparation
from fuzz.tables import DrawnTable
from shoal.measures._weighing import KINDS as WEIGHTS
from shoal.methods import METHODS, Method
from shoal.methods.lattice._objective import AIMS
from shoal.models import MODELS
from shoal.publications import FORMS

__all__ = ["draw_plan", "with_wishes"]

Settings = dict[str, Any]

QUASI = ("number", "word", "code", "date", "truth", "huge")
"""What can be generalized."""

LINKED = ("two-table", "sensitive-groups")
"""Forms of several tables."""

NODES = ("left node", "right node")
"""Nodes of drawn trees of values."""

SILLY = (0, 1, -1, 10**9, 0.5, "x", "", None, True, [], {}, float("nan"), float("inf"), "1/0")
"""Values that some option somewhere does not expect."""


def draw_plan(random: Random, table: DrawnTable, folder: Path, *, wild: bool) -> Settings:
    """Draw the settings of a plan, as a TOML file would give them; hierarchies go to files."""
    method = random.choice(list(METHODS))
    sensitive = _sensitive(random, table, method)
    roles = _roles(random, table, sensitive)
    columns = {
        name: _column(random, table, name, role, folder, wild=wild) for name, role in roles.items()
    }
    entity = None
    if "who" in roles and random.random() < 0.6:
        entity = "who"
    elif wild and random.random() < 0.1:
        entity = random.choice(list(roles))
    require = _require(random, table, method, sensitive, columns, wild=wild)
    settings: Settings = {
        "columns": columns,
        "require": require,
        "method": _method(random, table, method, roles, wild=wild),
        "publication": _publication(random, method, len(sensitive), wild=wild),
        "output": {"format": random.choice(("csv", "parquet"))},
    }
    if entity is not None:
        settings["entity"] = entity
    if random.random() < 0.12 and not any("weight" in column for column in columns.values()):
        settings["weights"] = _weights(random, roles)
    _improve(random, settings, METHODS[method], wild=wild)
    if not wild and require[0]["model"] == "m-invariance":
        _publish_again(random, settings)
    if any(_counts_people(spec) for spec in require) and random.random() < 0.95:
        _add_population(random, table, settings, folder, wild=wild)
    if random.random() < 0.15:
        settings["input"] = {"missing": random.choice((["", "*"], ["NA"], [], ["", "none", "7"]))}
    if wild and random.random() < 0.25:
        _spoil(random, settings)
    return settings


def _counts_people(spec: Settings) -> bool:
    return spec["model"] == "delta-presence" or (
        spec["model"] == "k-map" and "fraction" not in spec
    )


def _add_population(
    random: Random, table: DrawnTable, settings: Settings, folder: Path, *, wild: bool
) -> None:
    """Write a population: the table several times, and some of its rows mixed up."""
    frame = table.frame
    mixed = pl.DataFrame(
        {c.name: c[random.sample(range(len(c)), len(c))] for c in frame.iter_columns()}
    )
    people = pl.concat([frame] * random.choice((1, 2, 4)) + [mixed] * random.choice((0, 1, 3)))
    if wild and random.random() < 0.3:
        people = people.head(random.choice((0, people.height // 2)))
    with suppress(pl.exceptions.PolarsError, PanicException):  # a type that no file can hold
        people.write_parquet(folder / "people.parquet")
        settings["population"] = {"path": "people.parquet"}
    if wild:
        return
    settings.pop("entity", None)
    settings["publication"].pop("form", None)
    for column in settings["columns"].values():  # nodes that name values are refused
        tree = column.get("hierarchy")
        named = isinstance(tree, dict) and (tree["builder"] in ("auto", "order") or "bins" in tree)
        if named and column["role"] == "quasi":
            del column["hierarchy"]


def _sensitive(random: Random, table: DrawnTable, method: str) -> list[str]:
    """Choose the sensitive columns: as many as the method's form takes, mostly."""
    able = table.of("word", "truth", "code", "number", "date", "empty", "odd", "huge")
    if not able:
        return []
    form = METHODS[method].publication
    most = {"two-table": (1, 1), "sensitive-groups": (1, 2)}.get(form, (0, 2))
    if random.random() < 0.05:
        most = (0, 2)
    words = [name for name in able if table.kinds[name] in ("word", "truth")]
    pool = words if words and random.random() < 0.8 else able
    most_of = min(len(pool), max(1, len(table.of(*QUASI)) - 1))
    return random.sample(pool, min(most_of, random.randint(*most)))


def _roles(random: Random, table: DrawnTable, sensitive: list[str]) -> dict[str, str]:
    """Give each column a role."""
    roles = {}
    for name, kind in table.kinds.items():
        if name in sensitive:
            roles[name] = "sensitive"
        elif kind == "person" or (kind == "key" and random.random() < 0.8):
            roles[name] = "identifier"
        else:
            roles[name] = random.choices(("quasi", "identifier", "other"), (8, 1, 1))[0]
    free = [name for name in table.of(*QUASI) if name not in sensitive]
    if "quasi" not in roles.values() and free:
        roles[free[0]] = "quasi"
    return roles


def _column(
    random: Random, table: DrawnTable, name: str, role: str, folder: Path, *, wild: bool
) -> Settings:
    made: Settings = {"role": role}
    kind = table.kinds[name]
    if role == "quasi":
        numeric = kind in ("number", "huge") and random.random() < 0.8
        if numeric:
            made["kind"] = "numeric"
        elif random.random() < 0.3:
            made["kind"] = "categorical"
        if random.random() < 0.6:
            made["hierarchy"] = _hierarchy(random, table, name, folder, numeric=numeric)
        if random.random() < 0.1:
            made["weight"] = random.choice((0.5, 2.0, 1e-9, 1e9))
    if role == "sensitive":
        if kind == "number" and random.random() < 0.4:
            made["hierarchy"] = _hierarchy(random, table, name, folder, numeric=True)
        if random.random() < 0.15 and ("hierarchy" not in made or wild):
            values = table.values(name) or ["x"]
            made["degrees"] = {random.choice(values): random.choice((0.0, 1.0, 9.5))}
    if random.random() < 0.05 and role in ("quasi", "sensitive"):
        made["missing"] = random.choice(([], [""], table.values(name)[:1]))
    if wild and random.random() < 0.1:
        made[random.choice(("kind", "weight", "hierarchy", "levels", "role"))] = random.choice(
            ("numeric", 0, -1.0, "quasi", {"builder": "auto"}, "none.csv", {"a": 1})
        )
    add_preparation(random, made, kind, wild=wild)
    return made


def _hierarchy(
    random: Random, table: DrawnTable, name: str, folder: Path, *, numeric: bool
) -> str | Settings:
    kind, values = table.kinds[name], table.values(name)
    if numeric:
        low = float(table.frame[name].alias("x").cast(float, strict=False).min() or 0)
        high = float(table.frame[name].alias("x").cast(float, strict=False).max() or 0)
        choice: Settings = random.choice(
            (
                {"width": random.choice((1, 5, 10, 0.5))},
                {"width": max((high - low) / 8, 0.1), "fan_out": 3, "levels": 2},
                {"bins": random.choice((1, 4, 7))},
                {"bins": 8, "start": low},
                {"cuts": [low - 1, (low + high) / 2, high + 1]},
            )
        )
        if (high - low) / choice.get("width", high - low + 1) > 10**6:
            choice = {"bins": 5}
        return {"builder": "intervals", **choice}
    if kind == "date" and random.random() < 0.8:
        return {
            "builder": "dates",
            **random.choice(({}, {"levels": ["month", "year"]}, {"levels": ["day", "decade"]})),
        }
    if kind == "code" and random.random() < 0.7:
        return {
            "builder": "prefixes",
            **random.choice(({}, {"keep": 2}, {"step": 2}, {"mask": "#"}, {"root": "any"})),
        }
    which = random.choice(("auto", "flat", "order", "tree", "file", "json", "csv"))
    if which in ("auto", "flat", "order"):
        options: Settings = {} if which == "flat" else {"fan_out": random.choice((2, 3))}
        if which == "order" and random.random() < 0.3:
            options["order"] = random.sample(values, len(values))
        return {"builder": which, **options}
    return _written(random, which, values, folder)


def _written(random: Random, which: str, values: list[str], folder: Path) -> str | Settings:
    """Write a tree of two parts, some as a table and some as a file; it may miss a value."""
    if values and random.random() < 0.05:
        values = values[1:]
    half = len(values) // 2
    tree = {"one": values[:half], "two": values[half:]} if half > 0 else {"one": values or ["x"]}
    if which == "tree":
        return {"builder": "tree", "tree": tree}
    number = len(list(folder.iterdir()))
    if which == "json":
        (folder / f"{number}.json").write_text(json.dumps(tree), encoding="utf-8")
        return f"{number}.json"
    lines = [f"{_quoted(value)};{part};*" for part, some in tree.items() for value in some]
    (folder / f"{number}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
    return f"{number}.csv" if which == "file" else {"builder": "csv", "path": f"{number}.csv"}


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _require(
    random: Random,
    table: DrawnTable,
    method: str,
    sensitive: list[str],
    columns: dict[str, Settings],
    *,
    wild: bool,
) -> list[Settings]:
    """Draw one or two requirements, mostly ones that the method carries."""
    carried = METHODS[method].carries or frozenset(MODELS)
    known = list(carried) if not wild or random.random() < 0.8 else list(MODELS)
    able = METHODS[method]().has_closeness and len(sensitive) == 1
    if not able and (not wild or random.random() < 0.9):
        carried -= {"m-invariance"}
        known = [name for name in known if name != "m-invariance"]
    counts = METHODS[method].counts_population
    if not counts and (not wild or random.random() < 0.9):
        carried -= {"delta-presence"}
        known = [name for name in known if name != "delta-presence"]
    if not sensitive and not wild:
        known = ["k-anonymity", *(["k-map", "delta-presence"] if counts else [])]
    if method == "anatomy" and not wild:
        known = ["alpha-k", "l-diversity"]
    if method in ("gca", "leveled-gca") and not wild:
        known = ["leveled-alpha-k"] if method == "leveled-gca" else ["alpha-k", "leveled-alpha-k"]
    if METHODS[method].publication == "sensitive-groups" and not wild:
        known = ["multi-l-diversity"]
    names = [random.choice(sorted(known))]
    if random.random() < 0.3:
        names.append(random.choice(sorted(carried)))
    if not wild and "m-invariance" in names:  # asked for alone
        names = ["m-invariance"]
    made = [_DRAW[name](random, table, sensitive, columns) for name in dict.fromkeys(names)]
    made = [{"model": name, **spec} for name, spec in zip(dict.fromkeys(names), made, strict=True)]
    if not counts and not wild:
        made = [{"fraction": 0.5, **spec} if _counts_people(spec) else spec for spec in made]
    if wild and random.random() < 0.3:
        spec = random.choice(made)
        spec[random.choice([*(key for key in spec if key != "model"), "k"])] = random.choice(SILLY)
    return made


def _k(random: Random, table: DrawnTable) -> int:
    large = max(2, table.frame.height) if random.random() < 0.1 else 5
    return random.choice((2, 2, 3, 3, 4, large))


def _of_one(random: Random, sensitive: list[str]) -> Settings:
    """Name the column that is meant, where it is not plain, mostly."""
    if len(sensitive) == 1 and random.random() < 0.7:
        return {}
    return {"column": random.choice(sensitive)} if sensitive and random.random() < 0.98 else {}


def _alpha(random: Random) -> float | str:
    return random.choice((1, 1.0, 0.9, 0.75, 0.6, 0.5, "2/3", "1/3", 0.1))


def _draw_alpha_k(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    made = {"alpha": _alpha(random), "k": _k(random, table), **_of_one(random, sensitive)}
    if sensitive and random.random() < 0.3:
        made["value"] = random.choice([*table.values(sensitive[0]), ""])
    return made


def _draw_leveled(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    levels = random.choice((1, 2, 3))
    made: Settings = {
        "alphas": [_alpha(random) for _ in range(levels)],
        "k": _k(random, table),
        "scope": random.choice(("value", "level")),
        **_of_one(random, sensitive),
    }
    if sensitive:
        name = made.get("column", sensitive[0])
        given = {value: random.randint(1, levels) for value in [*table.values(name), ""]}
        if random.random() < 0.7 and "hierarchy" not in columns[name]:
            columns[name]["levels"] = given
        else:
            made["levels"] = given
    return made


def _draw_l_diversity(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    kind = random.choice(("distinct", "entropy", "recursive"))
    made: Settings = {"l": random.choice((2, 2, 3)), "kind": kind, **_of_one(random, sensitive)}
    if kind == "entropy":
        made["l"] = random.choice((1.2, 1.5, "3/2", 2))
    if kind == "recursive":
        made["c"] = random.choice((1, 2.5, 4))
    return made


def _draw_multi(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    chosen = sensitive or ["x"]
    return {
        "l": {name: random.choice((2, 2, 3)) for name in chosen},
        "lower": random.random() < 0.5,
    }


def _draw_t(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    made = {"t": random.choice((0.2, 0.5, 0.8, 1, "1/3")), **_of_one(random, sensitive)}
    numbers = [name for name in sensitive if table.kinds[name] in ("number", "huge")]
    if random.random() < (0.5 if numbers else 0.05):
        made["distance"] = "ordered"
    elif sensitive and random.random() < 0.3:
        known = [*table.values(made.get("column", sensitive[0])), ""]
        if random.random() < 0.5:
            made |= {"distance": "ordered", "order": random.sample(known, len(known))}
        else:
            above = {value: random.choice(("left node", "right node", "top")) for value in known}
            above |= {"left node": "top", "right node": "top"}
            made |= {"distance": "hierarchical", "parents": above}
    return made


def _draw_delta(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    made = {"delta": random.choice((0.3, 0.7, "3/2", 3)), **_of_one(random, sensitive)}
    if random.random() < 0.5:
        made["absent"] = random.choice(("refused", "allowed"))
    return made


def _draw_beta(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    made = {"beta": random.choice((0.2, 1, "3/2", 4)), **_of_one(random, sensitive)}
    return made | {"kind": random.choice(("basic", "enhanced"))}


def _draw_p(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    made = {"p": random.choice((2, 2, 3)), "k": _k(random, table)}
    return made | (
        {"column": random.choice(sensitive)} if sensitive and random.random() < 0.5 else {}
    )


def _draw_personal_k(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    columns["wanted"] = {"role": "identifier"}
    return {"column": "wanted"} | ({"k": _k(random, table)} if random.random() < 0.5 else {})


def _draw_guarding_node(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    columns["guard"] = {"role": "identifier"}
    made = {"share": _alpha(random), "guard": "guard", **_of_one(random, sensitive)}
    name = made.get("column", sensitive[0] if sensitive else None)
    if name is not None and "hierarchy" not in columns[name] and random.random() < 0.5:
        above = {value: random.choice(NODES) for value in table.values(name)}
        made["parents"] = above | dict.fromkeys(NODES, "top")
    return made


def with_wishes(random: Random, table: DrawnTable, settings: Settings) -> DrawnTable:
    """Add the columns that people's own requirements read, as the plan was drawn."""
    frame, required = table.frame, settings.get("require")
    for spec in required if isinstance(required, list) else ():
        if not isinstance(spec, dict) or spec.get("model") not in ("personal-k", "guarding-node"):
            continue
        name, wishes = "wanted", [None, "1", "2", "3", random.choice(("4", "99", "many", "2.0"))]
        if spec["model"] == "guarding-node":
            secret = spec.get("column") or next(iter(_sensitive_columns(settings)), None)
            known = table.values(secret) if secret in table.kinds else []
            nodes = NODES if isinstance(spec.get("parents"), dict) else ()
            name, wishes = "guard", [None, None, *known[:3], *nodes]
        rare = random.random() < 0.7  # few ask for much
        cells = [random.choice(wishes[: 2 if rare else None]) for _ in range(frame.height)]
        for row in random.sample(range(frame.height), min(2, frame.height)):
            cells[row] = random.choice(wishes)
        frame = frame.with_columns(pl.Series(name, cells, dtype=pl.String))
    return DrawnTable(frame, table.kinds)


def _sensitive_columns(settings: Settings) -> list[str]:
    columns = settings.get("columns")
    known = columns.items() if isinstance(columns, dict) else ()
    return [name for name, c in known if isinstance(c, dict) and c.get("role") == "sensitive"]


def _draw_k_map(
    random: Random, table: DrawnTable, sensitive: list[str], columns: dict[str, Settings]
) -> Settings:
    if random.random() < 0.4:
        return {"k": _k(random, table)}
    return {
        "k": _k(random, table),
        "fraction": random.choice((1, 0.5, 0.1, "1/1000")),
        "significance": random.choice((0.01, 0.1)),
        "estimate": random.choice(("zero-truncated", "poisson")),
    }


_Draw = Callable[[Random, DrawnTable, list[str], dict[str, Settings]], Settings]
_DRAW: dict[str, _Draw] = {
    "k-anonymity": lambda random, table, *_: {"k": _k(random, table)},
    "alpha-k": _draw_alpha_k,
    "leveled-alpha-k": _draw_leveled,
    "l-diversity": _draw_l_diversity,
    "multi-l-diversity": _draw_multi,
    "t-closeness": _draw_t,
    "delta-disclosure": _draw_delta,
    "beta-likeness": _draw_beta,
    "p-sensitive-k": _draw_p,
    "personal-k": _draw_personal_k,
    "guarding-node": _draw_guarding_node,
    "average-risk": lambda random, *_: {"risk": random.choice((0.5, "1/3", 0.2, 0.05))},
    "highest-risk": lambda random, *_: {"risk": random.choice((0.5, "1/3", 0.2, 0.05))},
    "population-uniqueness": lambda random, *_: {
        "share": random.choice((0, 0.01, "1/5", 0.9)),
        "fraction": random.choice((1, 0.5, 0.1, "1/1000")),
        "estimate": random.choice(("dankar", "pitman", "zayatz", "snb")),
    },
    "sample-uniqueness": lambda random, *_: {"share": random.choice((0, 0.01, "1/5", 0.9))},
    "k-map": _draw_k_map,
    "delta-presence": lambda random, *_: random.choice(
        (
            {"least": 0, "most": random.choice((0.5, "3/4", 1))},
            {"least": random.choice((0.1, "1/4")), "most": random.choice((0.5, "3/4", 1))},
        )
    ),
    "m-invariance": lambda random, _, sensitive, __: {
        "m": random.choice((2, 2, 3)),
        **_of_one(random, sensitive),
    },
}
"""Who draws the options of each requirement."""


_OPTIONS: dict[str, tuple[Any, ...]] = {
    "distance": ("paper", "loss"),
    "delta": (0.1, 0.5, 1.0),
    "within": ("order", "nearest"),
    "leftovers": ("spread", "paper"),
    "noise": ("allow", "one-by-one", "never"),
    "time_limit": (5.0, 0.001, 60),
    "objective": AIMS,
    "weights": ("equal", "entropy"),
    "stop": ("paper",),
    "numbers": ("intervals", "tree"),
    "partitioning": ("strict", "relaxed"),
    "share": (0, 0.01, 0.3, 1),
}


def _method(
    random: Random, table: DrawnTable, name: str, roles: dict[str, str], *, wild: bool
) -> Settings:
    fields = METHODS[name].__dataclass_fields__
    made: Settings = {"name": name}
    options = dict(_OPTIONS)
    if name == "kaim":
        options["distance"] = ("entropy-change", "equation-9")
    secret = [column for column, role in roles.items() if role == "sensitive"]
    options["primary"] = ("entropy", *secret)
    for option, values in options.items():
        if option in fields and random.random() < 0.3:
            made[option] = random.choice(values)
    labelled = made.get("objective") in ("mutual-information-loss", "gain-ratio-loss")
    if labelled and secret:
        made["label"] = secret[0]
    if "objective" in made and not wild:
        made.pop("weights", None)
    if labelled and not secret:
        made["objective"] = "loss"
    if "seed" in fields and random.random() < 0.7:
        made["seed"] = random.randrange(1000)
    if "picks" in fields and random.random() < 0.3:
        made["picks"] = random.choice(("random", "first"))
    if wild and random.random() < 0.2:
        made[random.choice([*(key for key in fields), "nonsense"])] = random.choice(SILLY)
    return made


def _publication(random: Random, method: str, sensitive: int, *, wild: bool) -> Settings:
    made: Settings = {}
    form = METHODS[method].publication
    if random.random() < 0.2 and sensitive:
        other = tuple(FORMS) if sensitive == 1 else (form,)
        made["form"] = form = random.choice(other)
    elif form != "generalized" and random.random() < 0.4:
        made["form"] = form
    if "form" in made and form in LINKED:
        if random.random() < 0.4:
            made["quasi_cells"] = random.choice(("exact", "generalized"))
        if random.random() < 0.5:
            made["sensitive_cells"] = random.choice(("rows", "counts"))
        elif form == "sensitive-groups":
            made["sensitive_cells"] = "values"
    if random.random() < 0.4 and (
        form == "generalized" or made.get("quasi_cells") == "generalized"
    ):
        made["bounds"] = random.choice(("observed", "rounded"))
    if random.random() < 0.3 and form == "generalized":
        made["categories"] = random.choice(("nodes", "sets", "sets"))
    if random.random() < 0.5 and form == "microaggregated":
        made["centre"] = random.choice(("mean", "median"))
    if random.random() < 0.4:
        made["missing"] = random.choice(("keep", "drop", "suppress-column"))
    made["suppression_limit"] = random.choice((0, 0.05, 0.3, 0.6, 1, 1))
    if random.random() < 0.2:
        made["seed"] = random.randrange(1000)
    if wild and random.random() < 0.1:
        keys = ("form", "quasi_cells", "sensitive_cells", "bounds", "missing", "suppression_limit")
        keys = (*keys, "seed", "categories", "centre")
        made[random.choice(keys)] = random.choice(SILLY)
    return made


def _publish_again(random: Random, settings: Settings) -> None:
    """Take a form that publishes counterfeits; leave out what it cannot do with them."""
    keep = ("missing", "suppression_limit", "seed")
    made = {key: value for key, value in settings["publication"].items() if key in keep}
    forms: Sequence[Settings] = (
        {
            "form": "two-table",
            "quasi_cells": random.choice(("exact", "generalized")),
            "sensitive_cells": random.choice(("rows", "counts")),
        },
        {"form": "generalized", "categories": random.choice(("nodes", "sets"))},
    )
    settings["publication"] = {**random.choice(forms), **made}
    if settings["publication"]["form"] == "generalized":  # counterfeits are rows
        others = [name for name, column in settings["columns"].items() if column["role"] == "other"]
        settings["columns"] |= {name: {"role": "identifier"} for name in others}
    for key in ("bound", "refine", "blocks"):
        settings.pop(key, None)


def _weights(random: Random, roles: dict[str, str]) -> Settings:
    kind = random.choice(WEIGHTS)
    if kind in ("equal", "entropy"):
        return {"kind": kind}
    others = [name for name, role in roles.items() if role in ("sensitive", "other")]
    return {"kind": kind, "label": random.choice(others or list(roles))}


def _improve(random: Random, settings: Settings, method: type[Method], *, wild: bool) -> None:
    """Have some plans refine groups, or bound what is lost, mostly where that can be."""
    form = settings["publication"].get("form", method.publication)
    covering = form == "generalized" or settings["publication"].get("quasi_cells") == "generalized"
    nodes = settings["publication"].get("categories") != "sets"
    measure = random.choice(("iloss", "iloss_rate", "loss"))
    if random.random() < 0.25 and ((covering and nodes) or wild):
        settings["bound"] = {"looks": random.choice((1, 10**5, 10**6)), "measure": measure}
    if random.random() < 0.25 and ((covering and method().fixed is None) or wild):
        settings["refine"] = {"steps": random.choice((1, 20, 200)), "measure": measure}
        if "bound" in settings and random.random() < 0.5:
            settings["refine"]["within"] = random.choice((0, 0.1, 3))
    for name, options in (("bound", ("looks", "seconds")), ("refine", ("steps", "within"))):
        if wild and name in settings and random.random() < 0.3:
            settings[name][random.choice((*options, "measure", "x"))] = random.choice(SILLY)


def _spoil(random: Random, settings: Settings) -> None:
    """Break one thing anywhere in a plan."""
    place: Any = settings
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = random.choice(keys)
        if isinstance(place[key], dict | list) and random.random() < 0.7:
            place = place[key]
            continue
        if isinstance(place, dict) and random.random() < 0.3:
            del place[key]
        else:
            place[key] = random.choice(SILLY)
        return
