import pytest

from shoal.errors import HierarchyError, InputError, OutputError, ParameterError
from shoal.table.hierarchies import Hierarchy

CANARY = "canary-7f3a"


@pytest.fixture
def write(tmp_path):
    def write(content, encoding="utf-8"):
        file = tmp_path / "tree.csv"
        file.write_bytes(content.encode(encoding))
        return file

    return write


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_separator_is_found(write, separator, end):
    lines = [["a", "X", "*"], ["b", "b", "*"]]
    file = write(end.join(separator.join(line) for line in lines) + end)
    assert Hierarchy.from_csv(file).labels == ("*", "X", "a", "b")


def test_intervals_with_commas_are_no_reason_for_commas(write):
    assert Hierarchy.from_csv(write("5;[0, 10);*\n15;[10, 20);*\n")).leaves == ("5", "15")


def test_quotes_and_byte_order_mark(write):
    file = write('\ufeff"a;1";"say ""x""";*\r\n"b"; ;*\r\n')
    assert Hierarchy.from_csv(file).labels == ("*", 'say "x"', "a;1", " ", "b")


def test_cell_over_two_lines_counts_lines(write):
    with pytest.raises(HierarchyError, match="Line 3 "):
        Hierarchy.from_csv(write('"a\nb";*\nc;X;*\n'))


def test_other_encodings(write):
    file = write("Köln;*\n", "latin-1")
    assert Hierarchy.from_csv(file, encoding="latin-1").leaves == ("Köln",)
    with pytest.raises(InputError, match="utf-8"):
        Hierarchy.from_csv(file)
    with pytest.raises(ParameterError, match="klingon"):
        Hierarchy.from_csv(file, encoding="klingon")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "empty"),
        ("\n\n", "empty"),
        (f"{CANARY}\nb\n", "single column"),
        (f"{CANARY};X;*\nb;*\n", "Line 2 .* has 2 cells, line 1 has 3"),
        (f"a;X;*\n\n{CANARY};*\n", "Line 3 .* has 2 cells, line 1 has 3"),
        (f'a;*\n"{CANARY};*\n', "Line 2 .* quoted"),
        (f"a;{CANARY}\nb;*\n", r"2 roots \(line 2\)"),
        (f"{CANARY};X;*\nb;Y;*\n\n{CANARY};Y;*\n", r"two parents \(line 4\)"),
        (f"a;{CANARY};*\n{CANARY};Y;*\n", r"both as a value.*\(line 2\)"),
        (f"a;{CANARY};a;*\n", r"cycle \(line 1\)"),
    ],
)
def test_files_that_fail(write, content, message):
    with pytest.raises(HierarchyError, match=message) as caught:
        Hierarchy.from_csv(write(content))
    assert CANARY not in str(caught.value)
    assert caught.value.hint


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Hierarchy.from_csv(tmp_path / "none.csv")
    with pytest.raises(OutputError, match="cannot be written"):
        Hierarchy.flat(["a"]).to_csv(tmp_path / "none" / "tree.csv")


@pytest.mark.parametrize("separator", ["", ";;", '"', "\n"])
def test_separator_is_one_character(write, separator):
    with pytest.raises(ParameterError, match="separator"):
        Hierarchy.from_csv(write("a;*"), separator=separator)
    with pytest.raises(ParameterError, match="separator"):
        Hierarchy.flat(["a"]).to_csv("unused.csv", separator)


def test_line_ends_in_labels_and_the_root_alone_survive(tmp_path):
    for tree in (Hierarchy.flat(["a\rb", "c\nd", "e"]), Hierarchy.flat([])):
        tree.to_csv(tmp_path / "tree.csv")
        assert Hierarchy.from_csv(tmp_path / "tree.csv") == tree
