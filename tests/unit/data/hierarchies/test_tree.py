from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celosia.base.errors import FormatError, HierarchyError, OptionError
from celosia.data.hierarchies import Tree, ancestors_of
from celosia.data.hierarchies.domains import Style

LECTURERS = [
    ["Eva", "statistics", "staff"],
    ["Luis", "informatics", "staff"],
    ["Ana", "informatics", "staff"],
    ["Ida", "mathematics", "staff"],
]


def test_lecturers_and_their_departments() -> None:
    domain = Tree(LECTURERS).fit(["Ana", "Eva", "Luis"], "lecturer")
    assert domain.values == ["Ana", "Luis", "Eva"]
    assert ancestors_of(domain) == {
        "Ana": ["informatics", "staff"],
        "Luis": ["informatics", "staff"],
        "Eva": ["statistics", "staff"],
    }


def test_loss_counts_the_leaves_of_the_tree_not_of_the_data() -> None:
    domain = Tree(LECTURERS).fit(["Ana", "Eva"], "lecturer")
    losses = {
        domain.spell(node, Style()): (domain.share[node], domain.leaves[node])
        for node in domain.nodes[1:].ravel().tolist()
    }
    assert losses == {"informatics": (1 / 3, 2), "statistics": (0, 1), "staff": (1, 4)}
    assert domain.n_leaves == 4


def test_marks_in_words() -> None:
    rows = [
        [str(mark), "fail" if mark < 5 else "pass" if mark < 7 else "notable" if mark < 9 else "outstanding"]
        for mark in range(11)
    ]
    domain = Tree(rows).fit(["3", "5", "6", "9"], "exam")
    assert ancestors_of(domain)["6"] == ["pass", "*"]
    assert domain.share[domain.nodes[1]].tolist() == [0.4, 0.1, 0.1, 0.1]


def test_the_order_of_the_rows_does_not_matter() -> None:
    assert Tree(LECTURERS) == Tree(LECTURERS[::-1]) == Tree(LECTURERS + LECTURERS[:2])
    assert Tree(LECTURERS).rows[0] == ("Ana", "informatics", "staff")


def test_a_missing_root_is_added() -> None:
    assert Tree([["Ana", "informatics"], ["Eva", "statistics"]]).rows == (
        ("Ana", "informatics", "*"),
        ("Eva", "statistics", "*"),
    )
    assert Tree([["Ana"]]).rows == (("Ana", "*"),)


def test_labels_may_repeat_along_a_path() -> None:
    domain = Tree([["Male", "Male", "*"], ["Other", "*", "*"]]).fit(["Male", "Other"], "sex")
    assert ancestors_of(domain) == {"Male": ["Male", "*"], "Other": ["*", "*"]}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", "x", "*"], ["b", "*"], ["c", "x"]], r"2 row\(s\) \(2, 3\) differ in length from row 1"),
        ([["a", "x"], ["b", " "]], r"1 row\(s\) \(2\) hold an empty cell"),
        ([["a", "x"], ["b", "x"], ["a", "y"]], "rows 1 and 3 put the same leaf under two different parents"),
        (
            [["a", "x", "p", "*"], ["b", "x", "q", "*"]],
            "rows 1 and 2 put the same label in column 2 under two different parents",
        ),
    ],
)
def test_what_is_no_tree_is_refused_by_row(rows: list[list[str]], message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        Tree(rows)


@pytest.mark.parametrize("options", [{"rows": []}, {"rows": [[]]}, {"rows": ["ab"]}, {"rows": [["a", None]]}])
def test_rows_must_be_lists_of_labels(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="tree: "):
        Tree(**options)
    with pytest.raises(OptionError, match="tree: on_missing"):
        Tree(LECTURERS, on_missing="skip")  # type: ignore[arg-type]


def test_values_that_are_no_leaves(tmp_path: Path) -> None:
    file = tmp_path / "job.csv"
    file.write_text("a;x;*\nb;x;*\n")
    with pytest.raises(HierarchyError, match=r"37 distinct values of 'job' are missing from job\.csv") as caught:
        Tree.read_csv(file).fit([f"v{i}" for i in range(37)], "job")
    assert "on_missing: suppress" in str(caught.value)
    with pytest.raises(HierarchyError, match=r"1 distinct value of 'job' is missing from job\.csv"):
        Tree.read_csv(file).fit(["a", "x"], "job")
    domain = Tree.read_csv(file).with_missing("suppress").fit(["a", "z"], "job")
    assert domain.values == ["a"]


def test_the_mark_for_anything_is_reserved() -> None:
    with pytest.raises(HierarchyError, match="reserved"):
        Tree([["*", "x"], ["a", "x"]]).fit(["*", "a"], "job")


@pytest.mark.parametrize("values", [[], ["Ana"]])
def test_fewer_than_two_values_lose_nothing(values: list[str]) -> None:
    domain = Tree(LECTURERS).fit(values, "lecturer")
    assert domain.nodes.shape == (3, len(values))
    assert not domain.share.any()


def test_from_nested_and_flat_mappings() -> None:
    expected = Tree(LECTURERS)
    departments = {"informatics": ["Ana", "Luis"], "statistics": {"Eva": None}, "mathematics": ["Ida"]}
    assert Tree.from_dict({"staff": departments}) == expected
    assert Tree.from_dict({leaf: path for leaf, *path in LECTURERS}) == expected
    assert Tree.from_dict({"x": {"a": None}, "y": {"b": None}}).rows == (("a", "x", "*"), ("b", "y", "*"))
    assert Tree.from_dict({"a": None, "b": None}).rows == (("a", "*"), ("b", "*"))
    with pytest.raises(OptionError, match="of type int"):
        Tree.from_dict({"x": {"a": 3}})
    with pytest.raises(OptionError, match="tree: rows"):
        Tree.from_dict({})


def test_the_plan_form() -> None:
    tree = Tree(LECTURERS, on_missing="suppress")
    assert tree.to_dict() == {"rows": sorted(LECTURERS, key=lambda row: row[::-1]), "on_missing": "suppress"}
    assert Tree(**tree.to_dict()) == tree


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_the_delimiter_is_found(tmp_path: Path, delimiter: str) -> None:
    file = tmp_path / "job.csv"
    file.write_text("\n".join(delimiter.join(row) for row in LECTURERS))
    assert Tree.read_csv(file) == Tree(LECTURERS)
    assert Tree.read_csv(file, delimiter=delimiter) == Tree(LECTURERS)


def test_commas_inside_labels(tmp_path: Path) -> None:
    file = tmp_path / "age.csv"
    file.write_bytes(b'\xef\xbb\xbf39;"[30, 40)";*\r\n41;[40, 50);*\r\n\r\n')
    assert Tree.read_csv(file).rows == (("39", "[30, 40)", "*"), ("41", "[40, 50)", "*"))


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", FormatError, r"job\.csv is empty"),
        (b"\n \n", FormatError, r"job\.csv is empty"),
        (b"a;x\nb;x\n\xff;x\n", FormatError, r"job\.csv: line 3 is not UTF-8"),
        (b'a;x\n"b;x\n', FormatError, r"job\.csv: the quotes of line 2 do not match"),
        (b"a;x;*\n\nb;*\n", HierarchyError, r"job\.csv: 1 line\(s\) \(3\) differ in length from line 1"),
        (b"a;x;*\n\na;y;*\n", HierarchyError, r"job\.csv: lines 1 and 3 put the same leaf"),
        (b"a;x;*;\nb;x;*;\n", HierarchyError, r"job\.csv: 2 line\(s\) \(1, 2\) hold an empty cell"),
    ],
)
def test_broken_files_are_refused_by_line(tmp_path: Path, content: bytes, error: type[Exception], message: str) -> None:
    file = tmp_path / "job.csv"
    file.write_bytes(content)
    with pytest.raises(error, match=message):
        Tree.read_csv(file)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"job\.csv cannot be read"):
        Tree.read_csv(tmp_path / "job.csv")
    with pytest.raises(FormatError, match=r"job\.csv cannot be written"):
        Tree(LECTURERS).to_csv(tmp_path / "missing" / "job.csv")
    with pytest.raises(FormatError, match="not valid Unicode"):
        Tree([["\ud800"]]).to_csv(tmp_path / "job.csv")


def test_arx_form_round_trip(tmp_path: Path) -> None:
    tree = Tree([["a;b", 'say "x"'], ["new\nline", "y"], ["ñ", "y"]])
    tree.to_csv(tmp_path / "job.csv")
    assert Tree.read_csv(tmp_path / "job.csv") == tree
    Tree(LECTURERS).to_csv(tmp_path / "plain.csv")
    assert (tmp_path / "plain.csv").read_text().splitlines()[0] == "Ana;informatics;staff"


AMNESIA = """distinct
name lecturer
type string
height 3

informatics has Ana Luis\x20
statistics has Eva\x20
mathematics has Ida\x20

staff has informatics statistics mathematics\x20

"""


def test_amnesias_form_is_read(tmp_path: Path) -> None:
    (tmp_path / "lecturer.txt").write_text(AMNESIA)
    assert Tree.read_amnesia(tmp_path / "lecturer.txt") == Tree(LECTURERS)
    (tmp_path / "dos.txt").write_bytes(AMNESIA.replace("\n\n", "\n\n\n").replace("\n", "\r\n").encode())
    assert Tree.read_amnesia(tmp_path / "dos.txt") == Tree(LECTURERS)


def test_amnesias_form_is_written(tmp_path: Path) -> None:
    Tree(LECTURERS).to_amnesia(tmp_path / "my lecturers.txt")
    assert (tmp_path / "my lecturers.txt").read_text().splitlines() == [
        "distinct",
        "name my_lecturers",
        "type string",
        "height 3",
        "",
        "informatics has Ana Luis",
        "mathematics has Ida",
        "statistics has Eva",
        "",
        "staff has informatics mathematics statistics",
        "",
    ]


def test_leaves_above_the_lowest_level_are_repeated(tmp_path: Path) -> None:
    file = tmp_path / "sex.txt"
    file.write_text("distinct\nname x\ntype string\nheight 3\n\nx has a b\n\n* has x c\n\n")
    assert Tree.read_amnesia(file).rows == (("c", "c", "*"), ("a", "x", "*"), ("b", "x", "*"))


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "a", "*"], ["b", "x", "*"]],
        [["a", "a", "*"], ["b", "b", "*"]],
        [["a", "x", "x", "*"], ["b", "y", "z", "*"]],
        [["a", "a", "a", "*"], ["b", "y", "x", "*"], ["c", "y", "x", "*"]],
    ],
)
def test_repeated_labels_survive_amnesias_form(tmp_path: Path, rows: list[list[str]]) -> None:
    Tree(rows).to_amnesia(tmp_path / "x.txt")
    assert Tree.read_amnesia(tmp_path / "x.txt") == Tree(rows)


def test_numbers_of_amnesia(tmp_path: Path) -> None:
    file = tmp_path / "age.txt"
    file.write_text("distinct\nname age\ntype int\nheight 2\n\n0.0 has 39.0 41.0 \n\n")
    assert Tree.read_amnesia(file).rows == (("39", "0"), ("41", "0"))


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("range\nname x\ntype int\nheight 2\n\n0.0,9.0 has 0.0,4.0 5.0,9.0\n", FormatError, "is a range hierarchy"),
        ("a;x;*\n", FormatError, "does not begin as a hierarchy of Amnesia"),
        ("distinct\nname x\ntype string\nheight one\n\nx has a\n", FormatError, "does not begin"),
        ("distinct\nname x\ntype string\nheight 4\n\nx has a\n\n* has x\n", FormatError, "asks for 3 levels"),
        ("distinct\nname x\ntype string\nheight 2\n\nx a\n", FormatError, "line 6 is not of the form"),
        (
            "distinct\nname x\ntype string\nheight 2\n\nx has a\ny has a\n",
            HierarchyError,
            "lines 6 and 7 put the same label under two different parents",
        ),
        (
            "distinct\nname x\ntype string\nheight 3\n\nx has a\ny has b\n\n* has x\n",
            HierarchyError,
            "an ancestor of line 7 has no parent",
        ),
    ],
)
def test_broken_amnesia_files_are_refused(tmp_path: Path, content: str, error: type[Exception], message: str) -> None:
    (tmp_path / "x.txt").write_text(content)
    with pytest.raises(error, match=message):
        Tree.read_amnesia(tmp_path / "x.txt")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["Tech support", "x"], ["has", "x"]], "2 labels hold blanks or are 'has'"),
        ([["a", "x", "*"], ["x", "y", "*"]], "1 labels belong to more than one node"),
        ([["a", "x", "a"]], "1 labels belong to more than one node"),
        ([["a", "a"], ["b", "a"]], "1 labels belong to more than one node"),
        ([["a", "x", "x", "*"], ["b", "y", "x", "*"]], "1 labels repeat above children on several levels"),
        ([["a", "x", "*", "*"], ["b", "y", "*", "*"]], "1 labels repeat above children on several levels"),
    ],
)
def test_what_amnesias_form_cannot_spell(tmp_path: Path, rows: list[list[str]], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Tree(rows).to_amnesia(tmp_path / "x.txt")
    assert not (tmp_path / "x.txt").exists()
