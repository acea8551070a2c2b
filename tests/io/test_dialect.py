from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import shoal
from shoal.errors import InputError, ParameterError
from shoal.io import Dialect, detect, read


def write(folder: Path, data: bytes | str, name: str = "x.csv") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", ":"])
def test_each_separator_is_found(tmp_path: Path, separator: str) -> None:
    lines = [["name", "age", "city"], ["Ann", "7", "Rome"], ["Bob", "8", "Oslo"]]
    text = "\n".join(separator.join(line) for line in lines)
    assert detect(write(tmp_path, text)).separator == separator


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),  # decimal commas
        ('a,b\n"1;2;3",x\n"4;5;6",y\n', ","),  # separators inside quotes
        ("time,n\n12:30:00,1\n13:30:00,2\n", ","),  # times
        ("name\nAnn\nBob\n", ","),  # one column
        ("url\nhttp://x\nhttp://y\n", ","),
        ("at:place,n\n12:30,1\n13:30,2\nnoon,3\n", ","),  # colons in most rows, commas in all
        ("note\nto: Ann\nto: Bob\n", ","),  # colons in most rows of one column
        ("to:note\nAnn:hello\nBob\nEve:bye\n", ","),  # colons in three rows of four
        ("a,b,c\n1,2\n", ","),  # a ragged row does not hide the separator
    ],
)
def test_separators_inside_cells_do_not_mislead(tmp_path: Path, text: str, separator: str) -> None:
    assert detect(write(tmp_path, text)).separator == separator


def test_one_column_tsv_keeps_its_tab(tmp_path: Path) -> None:
    assert detect(write(tmp_path, "name\nAnn\n", "x.tsv.gz")).separator == "\t"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a,b\n'x','1'\n'y','2'\n", "'"),
        ("a,b\n'x, y',1\nz,2\nz,3\nz,4\n", "'"),  # only the cell that needs it
        ("a,b\nO'Brien,1\n'tis,2\n", '"'),
        ('a,b\n"x","it\'s"\n', '"'),
        ("a,b\n1,2\n", '"'),
    ],
)
def test_quote(tmp_path: Path, text: str, quote: str) -> None:
    assert detect(write(tmp_path, text)).quote == quote


TEXTS = {
    "latin-1": "name,city\nMüller,Köln\nGarçon,Orléans\n",
    "cp1252": "name,note\nMüller,“ja” – 5 €\n",
    "cp1250": "imię,miasto\nŁukasz,Łódź\nŚwięta,Gdańsk\n",
    "cp1254": "ad,il\nIşık,Muş\nYıldız,İstanbul\nÇağla,Düzce\nŞule,Iğdır\n",
    "iso8859-9": "şehir,ülke\nKahramanmaraş,Türkiye\nBeşiktaş,Türkiye\n",
    "cp1251": "имя,город\nИван,Москва\nАнна,Тверь\n",
    "shift_jis": "名前,都市\n山田太郎,東京\n鈴木花子,大阪\n",
    "euc_jp": "名前,都市\n山田太郎,東京\n鈴木花子,大阪\n",
    "gb18030": "姓名,城市\n张三,北京\n李四,上海\n",
    "utf-8": "имя,name\nИван,Müller\n",
    "utf-8-sig": "name,x\nMüller,1\n",
    "utf-16": "name,x\nMüller,1\n",
    "utf-16-le": "name,x\nMüller,1\n",
    "utf-16-be": "name,x\nMüller,1\n",
    "utf-32": "name,x\nMüller,1\n",
}


@pytest.mark.parametrize("encoding", TEXTS)
def test_encoding_gives_the_text_back(tmp_path: Path, encoding: str) -> None:
    data = TEXTS[encoding].encode(encoding)
    found = detect(write(tmp_path, data)).encoding
    assert data.decode(found).removeprefix("\ufeff") == TEXTS[encoding]


ICELANDIC = "nafn,borg\nGuðrún,Reykjavík\nÞórður,Akureyri\nHafþór,Ísafjörður\nÝmir,Höfn\n"
CZECH = "jméno,město\nNovák,Ústí\nDvořák,Plzeň\nkůň,žlutý\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(TEXTS["cp1254"], "cp1254"), (ICELANDIC, "cp1252"), (CZECH, "cp1250")],
)
def test_tables_of_letters_are_told_apart_by_the_languages_they_are_for(
    tmp_path: Path, text: str, encoding: str
) -> None:
    found = detect(write(tmp_path, text.encode(encoding)))
    assert (found.encoding, found.also_fit) == (encoding, ())


def test_where_several_encodings_fit_it_is_said(tmp_path: Path) -> None:
    path = write(tmp_path, ("ad,il\n" + "Ayşe,Ağrı\n" * 2).encode("cp1254"))
    found = detect(path)
    assert (found.encoding, found.also_fit) == ("cp1252", ("cp1254",))
    doubt = "encoding cp1252 (cp1254 fits as well: if the text is wrong, set encoding)"
    assert doubt in found.describe()
    assert doubt in read(path).describe()
    schema = shoal.Schema({"ad": shoal.quasi(), "il": shoal.other()})
    made = shoal.anonymize(path, schema, require=[shoal.KAnonymity(2)])
    assert doubt in made.read_as
    named = read(path, encoding="cp1254")
    assert named.describe() == "CSV, separator ',', encoding cp1254, quote '\"'"
    assert named.frame.rows() == [("Ayşe", "Ağrı")] * 2


def test_encodings_that_give_the_same_text_are_no_doubt(tmp_path: Path) -> None:
    for text in (TEXTS["latin-1"], TEXTS["cp1252"], "nombre\nMuñoz,Málaga\nPeña,León\n"):
        assert detect(write(tmp_path, text.encode("cp1252"))).also_fit == ()


def test_letters_after_the_sample_are_judged_too(tmp_path: Path) -> None:
    plain = "ad,il\n" + "a,b\n" * (1 << 18)
    path = write(tmp_path, plain.encode() + TEXTS["cp1254"].encode("cp1254"))
    assert read(path).dialect == Dialect(",", "cp1254")
    path = write(tmp_path, plain.encode() + "Ayşe,Ağrı\n".encode("cp1254"))
    assert read(path).dialect == Dialect(",", "cp1252", also_fit=("cp1254",))


def test_a_character_cut_by_the_sample_is_still_utf8(tmp_path: Path) -> None:
    data = b"a,b\n" + b"x,y\n" * ((1 << 18) - 2) + b"x,y" + "é\n".encode()
    assert data[1 << 20 :] == b"\xa9\n"
    assert detect(write(tmp_path, data)).encoding == "utf-8"


def test_unknown_encodings(tmp_path: Path) -> None:
    path = write(tmp_path, b"a,b\n1,2\n")
    for name in ("klingon", "base64", "a\0b"):
        with pytest.raises(InputError, match="Unknown encoding"):
            detect(path, encoding=name)
    with pytest.raises(InputError, match="No known encoding"):
        detect(write(tmp_path, b"a,b\n" + bytes(range(128, 256)) * 20 + b",1\n"))


def test_what_is_given_is_kept(tmp_path: Path) -> None:
    path = write(tmp_path, "a,b\n1,2\n")
    found = detect(path, separator=";", encoding="Latin-1", quote="")
    assert found == Dialect(";", "iso8859-1", "", False)


@pytest.mark.parametrize(
    "given", [{"separator": ""}, {"separator": ",,"}, {"separator": "§"}, {"quote": "\n"}]
)
def test_impossible_arguments(tmp_path: Path, given: dict[str, str]) -> None:
    with pytest.raises(ParameterError):
        detect(write(tmp_path, "a,b\n1,2\n"), **given)
    with pytest.raises(ParameterError):
        detect(write(tmp_path, "a,b\n1,2\n"), separator="'", quote="'")


def test_gzip_is_known_by_content(tmp_path: Path) -> None:
    found = detect(write(tmp_path, gzip.compress(b"a;b\n1;2\n"), "x.csv"))
    assert found.compressed
    assert found.separator == ";"
    assert found.describe() == "CSV, separator ';', encoding utf-8, quote '\"', gzip"


def test_describe() -> None:
    assert (
        Dialect("\t", "cp1252", "").describe() == "CSV, separator tab, encoding cp1252, no quotes"
    )
