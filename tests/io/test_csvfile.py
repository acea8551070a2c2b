from __future__ import annotations

import csv
import gzip
import io
import traceback
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.io import csvfile, scan
from shoal.io.csvfile import read_csv
from tests.examples import examples

CANARY = "Zebedee"


def write(folder: Path, data: bytes | str, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def rows(folder: Path, data: bytes | str, **how: str) -> list[tuple[str, ...]]:
    frame = read_csv(write(folder, data), **how).frame
    assert set(frame.dtypes) == {pl.String}
    assert frame.null_count().sum_horizontal().item() == 0
    return frame.rows()


def test_text_stays_text(tmp_path: Path) -> None:
    found = rows(tmp_path, 'zip,n,e,q\n01234,NA, x ,""\n1.0,null,,NaN\n')
    assert found == [("01234", "NA", " x ", ""), ("1.0", "null", "", "NaN")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("final", [True, False])
def test_line_ends(tmp_path: Path, end: str, final: bool) -> None:
    text = end.join(["a,b", "1,", f'"x{end}y","2"']) + (end if final else "")
    assert rows(tmp_path, text) == [("1", ""), (f"x{end}y", "2")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_blank_lines_are_no_rows(tmp_path: Path, end: str) -> None:
    found = rows(tmp_path, end.join(["", "a,b", "", "1,2", "", "", "3,4", "", ""]))
    assert found == [("1", "2"), ("3", "4")]
    found = rows(tmp_path, end.join(["a,b", f'1,"x{end}{end}y"', "", "3,4"]))
    assert found == [("1", f"x{end}{end}y"), ("3", "4")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_one_column(tmp_path: Path, end: str) -> None:
    assert rows(tmp_path, end.join(["a", "x", '""', "y", "", ""])) == [("x",), ("",), ("y",)]
    with pytest.raises(InputError, match=r"Line 3 .* is blank"):
        rows(tmp_path, end.join(["a", "x", "", "y"]))
    with pytest.raises(InputError, match=r"Line 2 .* is blank"):
        rows(tmp_path, end.join(["a", "", "y"]))
    with pytest.raises(InputError, match=r"Line 5 .* is blank"):
        rows(tmp_path, end.join(["a", '"x', 'y"', "z", "", "w"]))


RAGGED = [
    ("a,b,c\n1,2,3\n1,Zebedee\n", 3, 2, 3),
    ("a,b,c\n1,2,3\n1,Zebedee,3,4\n", 3, 4, 3),
    ('a,b\n"x\ny",2\n1,2\nZebedee\n', 5, 1, 2),
    ('a,b\n1,"x\n\n,,\ny"\n"Zebedee",2,"3\n"\n1,2\n', 6, 3, 2),
    ('a,b\n\n\n"x, y",2\n\nZebedee\n', 6, 1, 2),
    ('a,b\n1,5" pipe\nZebedee\n', 3, 1, 2),  # a stray quote
    ('a,b\n1,"x\ny"\n2,5" pipe\nZebedee', 5, 1, 2),
    ("a,b\n1,2\n \n", 3, 1, 2),
    ("a,b\n1,2\nZebedee", 3, 1, 2),
    ("a,b\n1,2\n,,", 3, 3, 2),
]


@pytest.mark.parametrize(("text", "line", "found", "expected"), RAGGED)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_ragged_rows_are_named_by_line(
    tmp_path: Path, text: str, line: int, found: int, expected: int, end: str, encoding: str
) -> None:
    path = write(tmp_path, text.replace("\n", end).encode(encoding))
    cells = counted(found, "cell")
    message = f"Line {line} of 'x.csv' has {cells} where the header has {expected} columns"
    with pytest.raises(InputError, match=message) as caught:
        read_csv(path, separator=",")
    assert CANARY not in "".join(traceback.format_exception(caught.value))


def test_ragged_row_late_in_a_file_of_many_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "_CHUNK", 64)
    body = '1,2\n"3\n,""","x"\n' * 500
    assert len(rows(tmp_path, f"a,b\n{body}")) == 1000
    with pytest.raises(InputError, match="Line 1502 of"):
        rows(tmp_path, f"a,b\n{body}1\n{body}")
    long = "y\n" * 500
    assert rows(tmp_path, f'a,b\n1,"{long}"\n3,4') == [("1", long), ("3", "4")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b" \n\t\r\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"\xff\xfe", "is empty"),
        (b"a,b\n", "header and no rows"),
        (b"a,b", "header and no rows"),
        (b"a,b\n\n\n", "header and no rows"),
        (b"a,b\r", "header and no rows"),
        (b"a,b,a\n1,2,3\n", "more than one column named 'a'"),
        (b"a,,c\n1,2,3\n", "without a name, at position 2"),
        (b"a, \n1,2\n", "without a name, at position 2"),
        (b"a,b\n1,2\nZebedee,\0\n", "Line 3 of 'x.csv' holds a NUL byte"),
        (b'a,b\n1,2\n"Zebedee,3\n4,5\n', "begins on line 3 has a quoted cell"),
        (b'a,b\n1,2\n"Zebedee,3\n"x",5\n', "begins on line 3 has a quoted cell"),
        (b'a,b\n1,"x\ny"\n"Zebedee" z,3\n', "begins on line 4 has a quoted cell"),
        (b'a,"b\n1,2\n', "begins on line 1 has a quoted cell"),
        (b"\x1f\x8bZebedee", "damaged"),
        (gzip.compress(b"a,b\n1,Zebedee\n" * 9, mtime=0)[:-10], "damaged"),
    ],
)
def test_refusals_say_why_and_show_no_cell(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_csv(write(tmp_path, data))
    assert CANARY not in "".join(traceback.format_exception(caught.value))
    assert caught.value.hint


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_csv(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_csv(tmp_path)


@pytest.mark.parametrize(
    ("encoding", "bad"),
    [("utf-8", b"\xff"), ("utf-8-sig", b"\xff"), ("ascii", b"\xe9"), ("cp1252", b"\x81")],
)
def test_undecodable_bytes(tmp_path: Path, encoding: str, bad: bytes) -> None:
    path = write(tmp_path, "a,b\n1,é\n".encode() * (encoding != "ascii") + b"x,y\n" + bad)
    line = 4 if encoding != "ascii" else 2
    with pytest.raises(InputError, match=rf"Line {line} of 'x.csv' \(byte \d+\) is not text"):
        read_csv(path, encoding=encoding)


def test_undecodable_utf16_names_line_and_byte(tmp_path: Path) -> None:
    data = "a,b\n1,2\n".encode("utf-16-be") + b"\xdc\x00" + "\n".encode("utf-16-be")
    with pytest.raises(InputError, match=r"Line 3 of 'x.csv' \(byte 18\)"):
        read_csv(write(tmp_path, b"\xfe\xff" + data))


@pytest.mark.parametrize(
    "encoding", ["latin-1", "cp1252", "utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"]
)
@pytest.mark.parametrize("packed", [True, False])
def test_encodings(tmp_path: Path, encoding: str, packed: bool) -> None:
    data = 'näme,x\n"Müller\nKöln",1\nÅse Tromsø,2\n'.encode(encoding)
    path = write(tmp_path, gzip.compress(data) if packed else data)
    read = read_csv(path)
    assert read.frame.columns == ["näme", "x"]
    assert read.frame.rows() == [("Müller\nKöln", "1"), ("Åse Tromsø", "2")]
    assert read.dialect is not None
    assert read.dialect.compressed is packed
    assert read_csv(path, encoding=encoding).frame.equals(read.frame)


def test_shift_jis(tmp_path: Path) -> None:
    # The second byte of 表 and ソ is a backslash, of 痔 a bar.
    text = "名前,表\n山田太郎,ソ連\n鈴木花子,痔\n"
    assert rows(tmp_path, text.encode("shift_jis")) == [("山田太郎", "ソ連"), ("鈴木花子", "痔")]


def test_a_foreign_letter_after_the_sample_is_found(tmp_path: Path) -> None:
    data = b"a,b\n" + b"x,y\n" * (1 << 18) + "Müller,Köln\n".encode("latin-1") + b"x,y\n" * 9
    read = read_csv(write(tmp_path, data))
    assert read.frame.row(-10) == ("Müller", "Köln")


def test_utf8_file_with_one_bad_byte_is_refused_not_guessed(tmp_path: Path) -> None:
    data = "a,b\né,y\n".encode() + b"x,y\n" * (1 << 18) + b"\xfc,y\n"
    with pytest.raises(InputError, match="is not text in the encoding utf-8"):
        read_csv(write(tmp_path, data))


def test_chunked_recoding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shoal.io.encoding._CHUNK", 7)
    for encoding in ("utf-8", "utf-16", "shift_jis"):
        text = "名前,表\n" + "山田太郎,ソ連\n" * 50
        assert (
            rows(tmp_path, text.encode(encoding), encoding=encoding) == [("山田太郎", "ソ連")] * 50
        )
    data = ("a,b\n" + "é,é\n" * 50).encode() + b"\xff"
    with pytest.raises(InputError, match=rf"Line 52 of 'x.csv' \(byte {len(data) - 1}\)"):
        read_csv(write(tmp_path, data), encoding="utf-8")


def test_stray_quotes_are_text(tmp_path: Path) -> None:
    assert rows(tmp_path, 'a,b\n5" pipe,x "y"\n"q""",2\n') == [('5" pipe', 'x "y"'), ('q"', "2")]


def test_quoting_switched_off(tmp_path: Path) -> None:
    assert rows(tmp_path, 'a,b\n"x,"\n', quote="") == [('"x', '"')]


def test_single_quotes(tmp_path: Path) -> None:
    assert rows(tmp_path, "a;b\n'x;y';'it''s'\n", quote="'") == [("x;y", "it's")]


def test_slow_reader_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csvfile, "_BATCH", 7)
    found = rows(tmp_path, "a,b\n" + "".join(f'{i},5" x\n' for i in range(50)))
    assert found == [(str(i), '5" x') for i in range(50)]


# Anything but NUL, surrogates, and the mark that is taken for the beginning of a file.
CELL = st.text(
    st.one_of(
        st.sampled_from(list("\"',;\t\n\r 0Aé€名=#\\")),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"),
    ),
    max_size=6,
)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(st.lists(CELL, min_size=width, max_size=width), min_size=1)
    ),
    st.sampled_from([",", ";", "\t", "|"]),
    # With bare newlines Python leaves a carriage return without quotes.
    st.sampled_from([("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_MINIMAL)]),
    st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]),
)
@example([["x\x01", "y"]], ",", ("\n", csv.QUOTE_MINIMAL), "utf-8")  # looks packed to some
@example([["007", "\r"], ["", '"']], ",", ("\r\n", csv.QUOTE_MINIMAL), "utf-8")
def test_round_trip_with_pythons_writer(
    tmp_path: Path, cells: list[list[str]], separator: str, style: tuple[str, int], encoding: str
) -> None:
    names = [f"c{place}" for place in range(len(cells[0]))]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator, lineterminator=style[0], quoting=style[1])
    writer.writerows([names, *cells])
    path = write(tmp_path, out.getvalue().encode(encoding))
    read = read_csv(path, separator=separator, encoding=encoding, quote='"')
    assert read.frame.columns == names
    assert read.frame.rows() == [tuple(row) for row in cells]


@settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.text(st.sampled_from('a1,"\n\r'), max_size=24), st.sampled_from([4, 1 << 22]))
def test_any_text_is_judged_as_python_judges_it(tmp_path: Path, body: str, chunk: int) -> None:
    """The fast and the slow reader agree on every file, good or bad, with Python's own."""
    text = "x,y\n" + body
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "_CHUNK", chunk)
        try:
            got: object = rows(tmp_path, text, separator=",", quote='"')
        except InputError as error:
            got = error.problem
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    want: list[tuple[str, ...]] = []
    line = 1
    try:
        for record in reader:
            if record and len(record) != 2:
                assert isinstance(got, str)
                cells = counted(len(record), "cell")
                assert got.startswith(f"Line {line} of 'x.csv' has {cells}")
                return
            if record:
                want.append(tuple(record))
            line = reader.line_num + 1
    except csv.Error:
        assert isinstance(got, str)
        assert f"begins on line {line} has a quoted cell" in got
        return
    if len(want) == 1:
        assert got == "'x.csv' has a header and no rows."
    else:
        assert got == want[1:]


def test_columns_that_repeat_are_numbered_with_those_that_are_asked_for(tmp_path: Path) -> None:
    cells = [(f"{i}", f"{i % 7}", f"{i}", f"{i // 2}") for i in range(1500)]
    lines = ["asked,repeats,differs,pairs", *map(",".join, cells)]
    path = write(tmp_path, "\n".join(lines))
    found = read_csv(path, categories=["asked"]).table
    known = [name for name in found.columns if found.knows(name)]
    assert known == ["asked", "repeats", "pairs"]
    assert found.frame.rows() == cells
    plain = read_csv(path).table
    assert not any(plain.knows(name) for name in plain.columns)
    assert plain.frame.rows() == cells
