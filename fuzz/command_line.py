"""Random command lines over random and damaged files: exit 0, 1, 2 or 130, and no traceback."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import tomlkit
from polars.exceptions import PanicException
from typer.testing import CliRunner

from fuzz.faults import Fault
from fuzz.plans import Settings, draw_plan
from fuzz.tables import DrawnTable, draw_table
from shoal.cli import app

__all__ = ["Call", "try_command"]

ALLOWED = (0, 1, 2, 130)
ESCAPES = ("\x1b", "\x9b", "\x07", "\u202e")
ODD_ARGUMENTS = ("", "[/x]", "-1", "0", "nan", "x" * 300, "/", "..", "a\nb", "=1", "\x1b[2J", "*")


@dataclass(frozen=True)
class Call:
    """A command that was called, and how it ended."""

    command: str
    code: int


def try_command(seed: int, folder: Path) -> list[Call]:
    """Draw files and call a few commands on them, one after the other.

    Raises
    ------
    Fault
        If one ends with another exit code, a traceback, or an escape sequence on the screen.
    """
    random = Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    calm = random.random() < 0.5  # so that some commands find a release to read
    table = draw_table(random, wild=not calm and random.random() < 0.4)
    settings = draw_plan(random, table, folder, wild=not calm and random.random() < 0.4)
    name = _save(random, table, folder)
    _write_plan(random, settings, name, folder, calm=calm)
    if not calm and random.random() < 0.5:
        _damage(random, folder / random.choice((name, "plan.toml")))
    calls = []
    place = Path.cwd()
    try:
        os.chdir(folder)
        if calm:
            calls.append(_call(seed, ["run", "plan.toml"], settings))
        chosen = [random.choice(_FIRST), *random.choices(_LATER, k=random.randint(1, 3))]
        for draw in chosen:
            arguments = draw(random, table, name)
            if random.random() < (0.0 if calm else 0.2):
                arguments = _spoil(random, arguments)
            calls.append(_call(seed, arguments, settings))
    finally:
        os.chdir(place)
    return calls


def _call(seed: int, arguments: list[str], settings: Settings) -> Call:
    found = CliRunner().invoke(app, arguments)
    shown = f"shoal {arguments}\n{settings}\n{found.output}"
    if found.exit_code not in ALLOWED:
        os.environ["SHOAL_DEBUG"] = "1"
        try:
            error = CliRunner().invoke(app, arguments).exception
        finally:
            del os.environ["SHOAL_DEBUG"]
        raise Fault(seed, f"exit code {found.exit_code} of shoal {arguments[:1]}", shown, error)
    if "Traceback" in found.output:
        raise Fault(seed, "a traceback", shown)
    if any(escape in found.output for escape in ESCAPES):
        raise Fault(seed, "an escape sequence on the screen", shown)
    if "--json" in arguments and found.exit_code == 0 and "--help" not in arguments:
        json.loads(found.stdout)
    return Call(arguments[0] if arguments else "", found.exit_code)


def _save(random: Random, table: DrawnTable, folder: Path) -> str:
    """Save the table in some form; one that no file can hold, as an empty file."""
    form = random.choice(("csv", "csv", "parquet", "csv.gz", "tsv"))
    path = folder / random.choice((f"table.{form}", f"[bold] é.{form}"))
    try:
        if form == "parquet":
            table.frame.write_parquet(path)
        else:
            text = table.frame.write_csv(separator="\t" if form == "tsv" else ",").encode()
            path.write_bytes(gzip.compress(text) if form.endswith("gz") else text)
    except (Exception, PanicException):  # polars panics at some names
        path.write_bytes(b"")
    return path.name


def _write_plan(random: Random, settings: Settings, name: str, folder: Path, *, calm: bool) -> None:
    given = settings.get("input")
    settings["input"] = {"path": name, **(given if isinstance(given, dict) else {})}
    output = settings.get("output")
    odd = ("[/out]", "deep/er/out", "..", "/", "", "plan.toml")
    place = "out" if calm or random.random() < 0.6 else random.choice(odd)
    settings["output"] = {**(output if isinstance(output, dict) else {}), "path": place}
    try:
        text = tomlkit.dumps(settings)
    except Exception:  # TOML has no null
        text = tomlkit.dumps({"input": {"path": name}, "require": settings.get("nothing", [])})
    (folder / "plan.toml").write_text(text, encoding="utf-8", newline="\n")


def _damage(random: Random, path: Path) -> None:
    """Cut, repeat, overwrite or garble some bytes."""
    data = bytearray(path.read_bytes())
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(data) + 1)
        junk = random.choice(
            (
                b"\0",
                b'"',
                b"\xff\xfe",
                b"\n\n",
                b",",
                b"[" * 2000,
                bytes(random.randbytes(9)),
                b"\r",
            )
        )
        how = random.randrange(4)
        if how == 0:
            data[at : at + len(junk)] = junk
        elif how == 1:
            del data[at:]
        elif how == 2:
            data[at:at] = junk
        else:
            del data[at : at + random.randrange(20)]
    path.write_bytes(bytes(data))


def _spoil(random: Random, arguments: list[str]) -> list[str]:
    made = list(arguments)
    at = random.randrange(len(made) + 1)
    odd = random.choice((*ODD_ARGUMENTS, "--json", "--help", "--k", "--nonsense", "-o"))
    if at < len(made) and random.random() < 0.5:
        made[at] = odd
    else:
        made.insert(at, odd)
    return made


def _maybe(random: Random, *words: str) -> list[str]:
    return list(words) if random.random() < 0.3 else []


def _column(random: Random, table: DrawnTable) -> str:
    return random.choice([*table.kinds, *ODD_ARGUMENTS[:2]])


def _plan(random: Random, table: DrawnTable, name: str) -> list[str]:
    k = random.choice(("2", "3", "0", "-1", "x"))
    force = random.choice((["--force"], ["-o", "new.toml"], ["-o", "[/n].toml"], []))
    return [
        "plan",
        name,
        *force,
        *_maybe(random, "--k", k),
        *_maybe(random, "--missing", random.choice(("NA", "", "7"))),
        *_maybe(random, "--separator", random.choice((";", ",", "", "ab", '"'))),
        *_maybe(random, "--encoding", random.choice(("utf-8", "cp1252", "utf-16", "nope", ""))),
        *_maybe(random, "--quote", random.choice(("'", "", "ab"))),
        *_maybe(random, "--json"),
    ]


def _run(random: Random, table: DrawnTable, name: str) -> list[str]:
    place = random.choice(("other", "[/other]", "/", "", "plan.toml", ".", "x" * 300))
    odd = (name, "none.toml", ".", "0.csv")
    plan = "plan.toml" if random.random() < 0.9 else random.choice(odd)
    return [
        "run",
        plan,
        *_maybe(random, "-o", place)[: 2 * (random.random() < 0.5)],
        *_maybe(random, "--json"),
    ]


def _lattice(random: Random, table: DrawnTable, name: str) -> list[str]:
    return ["lattice", "plan.toml", *_maybe(random, "--json")]


def _hierarchy(random: Random, table: DrawnTable, name: str) -> list[str]:
    which = random.choice(("build", "build", "check", "show"))
    if which == "build":
        builder = random.choice(("auto", "flat", "order", "intervals", "prefixes", "dates", "tree"))
        option = random.choice(("width=10", "bins=4", "fan_out=2", "fan_out=x", "width", "root="))
        return [
            *("hierarchy", "build", name, _column(random, table), "--builder", builder),
            *_maybe(random, "-p", option),
            *random.choice((["-o", "h.csv", "--force"], ["-o", "/"], [])),
        ]
    file = random.choice(("h.csv", "0.csv", "0.json", name, "none.csv"))
    if which == "show":
        return ["hierarchy", "show", file, *_maybe(random, "--children", random.choice("0123"))]
    more = ["--table", name, "--column", _column(random, table)]
    return ["hierarchy", "check", file, *_maybe(random, *more), *_maybe(random, "--json")]


def _where(random: Random, name: str) -> str:
    odd = ("[/out]", "out/table.csv", "out.private", name, "none", ".")
    return "out" if random.random() < 0.8 else random.choice(odd)


def _verify(random: Random, table: DrawnTable, name: str) -> list[str]:
    if random.random() < 0.4:
        return ["verify", "out", *_maybe(random, "--original", name), *_maybe(random, "--json")]
    quasi = ",".join([_column(random, table), _column(random, table)])
    return [
        "verify",
        _where(random, name),
        *_maybe(random, "--plan", "plan.toml"),
        *_maybe(random, "--quasi", quasi, "--k", random.choice(("2", "1", "99", "-3"))),
        *_maybe(random, "--sensitive", _column(random, table)),
        *_maybe(random, "--alpha", random.choice(("0.5", "2/3", "x", "0", "1/0"))),
        *_maybe(random, "--original", name),
        *_maybe(random, "--manifest", random.choice(("out.private", "none"))),
        *_maybe(random, "--json"),
    ]


def _measure(random: Random, table: DrawnTable, name: str) -> list[str]:
    place = _where(random, name)
    return ["measure", place, "--plan", "plan.toml", *_maybe(random, "--json")]


def _query(random: Random, table: DrawnTable, name: str) -> list[str]:
    values = table.values(random.choice(list(table.kinds))) or ["x"]
    value = random.choice((random.choice(values), "1..9", "..", "9..1", "*", ""))
    return [
        *("query", _where(random, name), "--where", f"{_column(random, table)}={value}"),
        *_maybe(random, "--plan", "plan.toml"),
        *_maybe(random, "--original", name),
        *_maybe(random, "--json"),
    ]


def _risk(random: Random, table: DrawnTable, name: str) -> list[str]:
    return [
        *("risk", _where(random, name)),
        *_maybe(random, "--plan", "plan.toml"),
        *_maybe(random, "--alpha", random.choice(("0.5", "x"))),
        *_maybe(random, "--original", name),
        *_maybe(random, "--quasi", _column(random, table)),
        *_maybe(random, "--sampling-fraction", random.choice(("0.1", "1", "0"))),
        *_maybe(random, "--population", name),
        *_maybe(random, "--thresholds", random.choice(("0.2", "0.05,0.5", "x"))),
        *_maybe(random, "--json"),
    ]


def _list(random: Random, table: DrawnTable, name: str) -> list[str]:
    which = random.choice((["methods"], ["models"], ["measures"], ["--version"], ["plan"], []))
    return [*which, *_maybe(random, random.choice(("--json", "--help")))]


Draw = Callable[[Random, DrawnTable, str], list[str]]
_FIRST: list[Draw] = [_run, _run, _run, _plan]
_LATER: list[Draw] = [
    *(_plan, _run, _lattice, _hierarchy, _hierarchy),
    *(_verify, _verify, _measure, _query, _risk, _list),
]
