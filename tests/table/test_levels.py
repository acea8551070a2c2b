"""Files of levels: a value and its level per line, and refusals that show no cell."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import shoal
from shoal.errors import InputError, ParameterError, ShoalError
from shoal.table.levels import read_levels, write_levels

SECRET = "Xy9secret"


def written(folder: Path, text: str | bytes, name: str = "levels.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "HIV;1\nflu;4\n",
        "HIV,1\nflu,4",
        "HIV\t1\r\nflu\t4\r\n",
        "HIV|1\n\nflu|4\n",
        '"HIV"; 1\n"flu";4\n',
        "\ufeffHIV;1\nflu;4\n",
        "HIV;01\nflu;4\n",
    ],
)
def test_files_are_read(tmp_path: Path, text: str) -> None:
    assert read_levels(written(tmp_path, text)) == {"HIV": 1, "flu": 4}


def test_json_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, '{"HIV": 1, "": 4}', "levels.json")
    assert read_levels(path) == {"HIV": 1, "": 4}


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "is empty"),
        (f"value;level\n{SECRET};1\n", r"Line 1 .* has no level.*header"),
        (f"{SECRET};0\n", "Line 1 .* has no level"),
        (f"a;1\n{SECRET};-1\n", "Line 2 .* has no level"),
        (f"a;1\n{SECRET};1.5\n", "Line 2 .* has no level"),
        (f"a;1\n{SECRET};²\n", "Line 2 .* has no level"),
        (f"a;1\n{SECRET};\n", "Line 2 .* has no level"),
        (f"1;{SECRET}\n", "Line 1 .* has no level"),
        (f"a;1\n{SECRET};99999999999\n", "Line 2 .* has no level"),
        (f"{SECRET};1\nb;1\n{SECRET};2\n", "Line 3 .* repeats the value of line 1"),
        (f"{SECRET}\n", "Line 1 .* has 1 cell, not 2"),
        (f"{SECRET};1;2\n", "Line 1 .* has 3 cells, not 2"),
        (f'"{SECRET};1\n', "quoted cell"),
        (f"{SECRET};1\n".encode("utf-16"), "not encoded in utf-8"),
    ],
)
def test_lines_that_are_not_right(tmp_path: Path, text: str | bytes, match: str) -> None:
    with pytest.raises(InputError, match=match) as caught:
        read_levels(written(tmp_path, text))
    assert SECRET not in str(caught.value)
    assert "hierarch" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (f'{{"{SECRET}": 1', "not JSON"),
        (f'["{SECRET}"]', "object of values and levels"),
        (f'{{"{SECRET}": "1"}}', "object of values and levels"),
        (f'{{"{SECRET}": true}}', "object of values and levels"),
        ("{}", "object of values and levels"),
        (f'{{"{SECRET}": 1, "{SECRET}": 2}}', "occurs twice in the levels"),
    ],
)
def test_json_that_is_not_right(tmp_path: Path, text: str, match: str) -> None:
    with pytest.raises(InputError, match=match) as caught:
        read_levels(written(tmp_path, text, "levels.json"))
    assert SECRET not in str(caught.value)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"levels file .* cannot be read"):
        read_levels(tmp_path / "none.csv")
    with pytest.raises(ParameterError, match=r"must end in \.csv or \.json"):
        read_levels(tmp_path / "levels.xlsx")


@given(st.dictionaries(st.text(), st.integers(1, 99), min_size=1))
def test_files_there_and_back(levels: dict[str, int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "levels.csv"
        try:
            write_levels(path, levels)
        except UnicodeEncodeError:  # half a character is no text
            return
        assert read_levels(path, separator=";") == levels


def test_adult_has_the_levels_of_paper_3() -> None:
    levels = read_levels(shoal.datasets.folder("adult") / "levels" / "occupation.csv")
    held = shoal.datasets.adult(complete=True)["occupation"].unique()
    assert set(held) == set(levels)
    assert [list(levels.values()).count(level) for level in range(1, 6)] == [2, 3, 4, 4, 1]


@pytest.mark.parametrize("levels", [{"a": 0}, {"a": True}, {"a": 1.0}, {1: 1}, {}, "x.csv"])
def test_python_is_checked_too(levels: object) -> None:
    with pytest.raises(ShoalError):
        shoal.sensitive(levels=levels)  # type: ignore[arg-type]
