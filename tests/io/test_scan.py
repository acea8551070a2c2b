from __future__ import annotations

from shoal.io.scan import scan


def test_counts_records_and_blank_lines() -> None:
    layout = scan(b"a,b\n1,2\n\n\r\n3,4", 4, 2, ",", '"')
    assert layout is not None
    assert layout.records == 2
    assert layout.blanks == [(8, 9), (9, 11)]
    assert layout.content_end == 14
    assert layout.ragged is None


def test_nothing_to_scan() -> None:
    layout = scan(b"a,b\n", 4, 2, ",", '"')
    assert layout is not None
    assert layout.records == 0


def test_quotes_it_cannot_judge() -> None:
    for data in (b'a"b,1\n', b'"a"b,1\n', b'"a,1\n', b'"a" ,1\n', b'a,1\n "b",2\n'):
        assert scan(data, 0, 2, ",", '"') is None
