"""Bad input on the command line: one clear message, exit status 2, nothing written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from shoal.cli import app
from tests.cli.small_run import SECRET, SOME, TABLE, change, levels, listing, need, policy, write

CASES: dict[str, tuple[Callable[[Path], None], str]] = {
    "empty file": (write("table.csv", ""), "empty"),
    "only a header": (write("table.csv", "id,age,sex,illness\n"), "no rows"),
    "short row": (change("table.csv", ",m,", ","), "Line 2"),
    "long row": (change("table.csv", f"23,f,{SECRET}", f"23,f,x,{SECRET}"), "Line 5"),
    "unknown encoding": (change("plan.toml", "[input]", '[input]\nencoding = "utf-9"'), "utf-9"),
    "undecodable": (
        lambda folder: (
            change("plan.toml", "[input]", '[input]\nencoding = "ascii"')(folder),
            change("table.csv", f"{SECRET}3,", f"{SECRET}é,")(folder),
        ),
        "ascii",
    ),
    "duplicate names": (change("table.csv", "id,age", "age,age"), "'age'"),
    "no role": (change("plan.toml", '[columns.id]\nrole = "identifier"\n', ""), "no role"),
    "column absent": (
        change("plan.toml", "[columns.id]", "[columns.ident]"),
        "no place in the table",
    ),
    "no table": (change("plan.toml", "table.csv", "tabel.csv"), "tabel.csv"),
    "k is 1": (change("plan.toml", "k = 3", "k = 1"), "at least 2"),
    "k is a word": (change("plan.toml", "k = 3", 'k = "three"'), "at least 2"),
    "k above rows": (change("plan.toml", "k = 3", "k = 21"), "k = 20 is the largest"),
    "one value everywhere": (
        need('"alpha-k"\nalpha = 0.5'),
        "The most frequent value of 'illness' is held by 20 of 20 rows",
    ),
    "one value too often": (
        lambda folder: (
            write("table.csv", SOME)(folder),
            need('"alpha-k"\nalpha = 0.5')(folder),
        ),
        "at least 4 of 20 rows are suppressed, more than the limit of 5.0%",
    ),
    "alpha is 0": (need('"alpha-k"\nalpha = 0.0'), "above 0 and at most 1, not 0.0"),
    "alpha above 1": (need('"alpha-k"\nalpha = "3/2"'), "above 0 and at most 1, not '3/2'"),
    "alpha is nan": (need('"alpha-k"\nalpha = nan'), "above 0 and at most 1, not nan"),
    "no alpha": (need('"alpha-k"'), "needs the option 'alpha'"),
    "value does not occur": (
        need('"alpha-k"\nalpha = 0.5\nvalue = "flu"'),
        "does not occur in column 'illness'",
    ),
    "secret column misspelt": (
        need('"alpha-k"\nalpha = 0.5\ncolumn = "ilness"'),
        "Did you mean 'illness'",
    ),
    "l is 1": (
        lambda folder: (
            change("plan.toml", "k = 3", "l = 1")(folder),
            need('"l-diversity"')(folder),
        ),
        "l must be a whole number of at least 2, not 1",
    ),
    "l above the values": (
        lambda folder: (
            write("table.csv", SOME)(folder),
            change("plan.toml", "k = 3", "l = 4")(folder),
            need('"l-diversity"')(folder),
        ),
        "Column 'illness' has 3 different values: l = 3 is the largest possible",
    ),
    "no c": (
        lambda folder: (
            change("plan.toml", "k = 3", 'l = 2\nkind = "recursive"')(folder),
            need('"l-diversity"')(folder),
        ),
        "kind = 'recursive' needs c",
    ),
    "t above 1": (
        lambda folder: (
            change("plan.toml", "k = 3", "t = 1.5")(folder),
            need('"t-closeness"')(folder),
        ),
        "t must be from 0 to 1, not 1.5",
    ),
    "no numbers in order": (
        lambda folder: (
            change("plan.toml", "k = 3", 't = 0.5\ndistance = "ordered"')(folder),
            need('"t-closeness"')(folder),
        ),
        "1 of 1 values of 'illness' are something else or missing",
    ),
    "distance misspelt": (
        lambda folder: (
            change("plan.toml", "k = 3", 't = 0.5\ndistance = "orderd"')(folder),
            need('"t-closeness"')(folder),
        ),
        "Did you mean 'ordered'",
    ),
    "no levels": (
        need('"leveled-alpha-k"\nalphas = [0.5]'),
        "no sensitive column has them",
    ),
    "value without a level": (levels("{HIV = 1}"), "column 'illness' miss 1 of 1 values"),
    "missing value without a level": (
        lambda folder: (
            write("table.csv", SOME.replace(f",{SECRET}cold", ",").replace(SECRET, ""))(folder),
            levels("{HIV = 1, flu = 2}")(folder),
        ),
        "miss 1 of 3 values, among them the missing one",
    ),
    "level without an alpha": (levels("{HIV = 3}"), "Level 3 has no α"),
    "level is 0": (levels("{HIV = 0}"), "'columns.illness.levels'"),
    "level is a word": (levels('{HIV = "high"}'), "'columns.illness.levels'"),
    "no levels file": (levels('"lvl.csv"'), "lvl.csv"),
    "levels file is a hierarchy": (levels('"sex.csv"'), "Line 1 of the levels file has no level"),
    "levels file says it twice": (
        lambda folder: (
            write("lvl.csv", f"{SECRET}flu;1\n{SECRET}flu;2\n")(folder),
            levels('"lvl.csv"')(folder),
        ),
        "Line 2 of the levels file repeats",
    ),
    "levels of a quasi-identifier": (
        change("plan.toml", 'kind = "numeric"', 'kind = "numeric"\nlevels = {a = 1}'),
        "only for sensitive columns",
    ),
    "k above people": (
        lambda folder: (
            change("plan.toml", "[input]", 'entity = "id"\n[input]')(folder),
            write("table.csv", TABLE.replace(f"{SECRET}1", f"{SECRET}0"))(folder),
            change("plan.toml", "k = 3", "k = 20")(folder),
        ),
        "people",
    ),
    "entity is no identifier": (
        change("plan.toml", "[input]", 'entity = "sex"\n[input]'),
        "must be an identifier",
    ),
    "all missing": (write("table.csv", TABLE.replace(",m,", ",,").replace(",f,", ",,")), "'sex'"),
    "all missing, dropped": (
        lambda folder: (
            write("table.csv", TABLE.replace(",m,", ",,").replace(",f,", ",,"))(folder),
            policy("drop")(folder),
        ),
        '"suppress-column"',
    ),
    "all columns incomplete": (
        lambda folder: (
            write("table.csv", TABLE.replace(",22,m,", ",,m,").replace(",23,f,", ",23,,"))(folder),
            policy("suppress-column")(folder),
        ),
        "All 2 quasi-identifiers have missing cells",
    ),
    "all rows incomplete": (
        lambda folder: (
            write("table.csv", f"id,age,sex,illness\n{SECRET},,m,{SECRET}\n{SECRET},4,,x\n")(
                folder
            ),
            policy("drop")(folder),
        ),
        "All 2 rows have a missing cell",
    ),
    "unknown policy": (
        change("plan.toml", "[output]", '[publication]\nmissing = "ignore"\n[output]'),
        "publication.missing",
    ),
    "entity missing": (
        lambda folder: (
            change("plan.toml", "[input]", 'entity = "id"\n[input]')(folder),
            write("table.csv", TABLE.replace(f"{SECRET}3,", ",").replace(f"{SECRET}4,", "*,"))(
                folder
            ),
        ),
        "'id' is missing in 2 rows",
    ),
    "no text means missing": (
        lambda folder: (
            change("plan.toml", "[input]", "[input]\nmissing = []")(folder),
            change("table.csv", ",22,", ",,")(folder),
        ),
        "1 cell is not a number",
    ),
    "other text means missing": (
        lambda folder: (
            change("plan.toml", 'kind = "numeric"', 'kind = "numeric"\nmissing = ["NA"]')(folder),
            change("table.csv", ",22,", ",NA,")(folder),
            change("table.csv", ",23,", ",*,")(folder),
        ),
        "1 cell is not a number",
    ),
    "star as a value": (
        lambda folder: (
            change("plan.toml", 'hierarchy = "sex.csv"', "missing = []")(folder),
            change("table.csv", ",22,m,", ",22,*,")(folder),
        ),
        "'sex'",
    ),
    "text in numbers": (
        write("table.csv", TABLE.replace(",22,", f",{SECRET},").replace(",23,", f",{SECRET},")),
        "2 cells are not numbers",
    ),
    "infinite": (change("table.csv", ",22,", ",inf,"), "1 infinite or NaN"),
    "not a number": (change("table.csv", ",22,", ",NaN,"), "1 infinite or NaN"),
    "two roots": (write("sex.csv", "m;*\nf;Any\n"), "2 roots"),
    "two parents": (write("sex.csv", f"m;{SECRET};B;*\nf;B;{SECRET};*\n"), "two parents"),
    "cycle": (write("sex.csv", f"m;{SECRET};B;{SECRET}\nf;{SECRET};B;{SECRET}\n"), "cycle"),
    "leaf above leaves": (
        write("sex.csv", f"m;{SECRET};*\nf;f;*\n{SECRET};x;*\n"),
        "both as a value",
    ),
    "uncovered": (write("sex.csv", "m;*\nx;*\n"), "misses 1 of 2"),
    "no hierarchy": (change("plan.toml", "sex.csv", "sexes.csv"), "sexes.csv"),
    "unknown method": (change("plan.toml", "gaa-cp", "gaacp"), "Did you mean 'gaa-cp'"),
    "unknown model": (change("plan.toml", "k-anonymity", "k-anonimity"), "'k-anonymity'"),
    "misspelt key": (change("plan.toml", "role =", "roel ="), "Did you mean 'role'"),
    "misspelt table": (change("plan.toml", "[output]", "[outptu]"), "Did you mean 'output'"),
    "misspelt option": (change("plan.toml", "seed =", "sede ="), "Did you mean 'seed'"),
    "unknown role": (change("plan.toml", '"sensitive"', '"secret"'), "columns.illness.role"),
    "bad distance": (change("plan.toml", "seed = 1", 'distance = "far"'), "distance"),
    "bad seed": (change("plan.toml", "seed = 1", "seed = -1"), "seed"),
    "no toml": (write("plan.toml", "columns = ["), "not TOML"),
    "numeric with hierarchy": (
        change("plan.toml", 'hierarchy = "sex.csv"', 'kind = "numeric"\nhierarchy = "sex.csv"'),
        "'sex'",
    ),
    "output holds other files": (
        lambda folder: ((folder / "out").mkdir(), write("out/thesis.txt", "mine")(folder)),
        "holds other files",
    ),
    "output is a file": (write("out", "mine"), "is a file"),
    "all dropped": (
        lambda folder: (
            write("table.csv", TABLE.replace(",m,", ",,"))(folder),
            change("table.csv", ",21,f,", ",,f,")(folder),
            change("plan.toml", "[output]", '[publication]\nmissing = "drop"\n[output]')(folder),
            change("plan.toml", "k = 3", "k = 15")(folder),
        ),
        "k = 9 is the largest",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_gets_one_message_and_writes_nothing(folder: Path, case: str) -> None:
    apply, message = CASES[case]
    apply(folder)
    before = listing(folder)
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert result.stderr.startswith("Error: ")
    assert SECRET not in result.stderr
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) <= 3
    assert listing(folder) == before


def test_a_value_that_the_plan_lists_is_named(folder: Path) -> None:
    write("table.csv", SOME.replace(f"{SECRET}flu", "flu").replace(f"{SECRET}cold", "cold"))(folder)
    levels("{HIV = 1, flu = 2, cold = 2}")(folder)
    before = listing(folder)
    result = CliRunner().invoke(app, ["run", str(folder / "plan.toml")])
    assert result.exit_code == 2
    assert "at least 4 of 20 rows are suppressed" in result.stderr
    assert "'flu' of 'illness' is held by 12 of 20 rows" in result.stderr
    assert "alphas = [0.3, 0.6] would do" in result.stderr
    assert "suppression_limit to 0.2 or more" in result.stderr
    assert listing(folder) == before


def test_shoal_plan_warns_of_drafted_levels(folder: Path) -> None:
    write("table.csv", SOME)(folder)
    call = ["plan", str(folder / "table.csv"), "-o", str(folder / "draft.toml")]
    result = CliRunner().invoke(app, call)
    assert result.exit_code == 0, result.stderr
    said = " ".join(result.stdout.split())
    assert "Drafted 2 levels for 3 values of 'illness'" in said
    assert "Rarity is not sensitivity" in said
    assert SECRET not in result.stdout
    assert SECRET not in (folder / "draft.toml").read_text()
    assert SECRET in (folder / "levels" / "illness.csv").read_text()
    found = CliRunner().invoke(app, [*call, "--force", "--json"])
    (made,) = json.loads(found.stdout)["levels"]
    assert (made["column"], made["levels"], made["values"]) == ("illness", 2, 3)
    assert SECRET not in found.stdout
    before = listing(folder)
    again = CliRunner().invoke(app, call)
    assert again.exit_code == 2
    assert listing(folder) == before
