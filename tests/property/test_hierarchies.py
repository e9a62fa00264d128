"""Every kind of hierarchy against plain definitions written from the specification."""

from __future__ import annotations

import re
import tempfile
import traceback
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from celosia.base.errors import CelosiaError, FormatError, HierarchyError
from celosia.data.hierarchies import Category, Dates, Intervals, Number, Order, Prefix, Tree, ancestors_of
from celosia.data.hierarchies.base import Hierarchy
from celosia.data.hierarchies.dates import Period
from celosia.data.hierarchies.domains import Levels, Line, Style
from celosia.data.hierarchies.ranges import check_ranges, mend_ranges, parse_range, parse_ranges, range_problems
from celosia.data.hierarchies.text import SEPARATORS, choose_separator

WORDS = st.text(alphabet="abcñß/|é-", min_size=1, max_size=4)


class Case(NamedTuple):
    hierarchy: Hierarchy
    values: list[Any]
    contains: Callable[[str, Any], bool]
    """contains(label, value): the plain reading of a published label."""
    share: Callable[[str, list[Any]], float]
    """share(label, values): the plain loss of a label between the values and the root."""


def ends(label: str) -> tuple[Fraction, Fraction, bool]:
    """Read ``[a, b]``, ``[a, b)`` or a single number."""
    match = re.fullmatch(r"\[(-?[\d.]+), (-?[\d.]+)([\])])", label)
    if match is None:
        return Fraction(label), Fraction(label), True
    return Fraction(match[1]), Fraction(match[2]), match[3] == "]"


def number_in(label: str, value: float) -> bool:
    low, high, closed = ends(label)
    exact = Fraction(repr(value))
    return low <= exact <= high if closed else low <= exact < high


def width_share(label: str, values: list[float]) -> float:
    low, high, _ = ends(label)
    lowest, highest = Fraction(repr(values[0])), Fraction(repr(values[-1]))
    cut = min(high, highest) - max(low, lowest)
    return float(cut / (highest - lowest))


@st.composite
def interval_cases(draw: st.DrawFn) -> Case:
    whole = draw(st.booleans())
    step = st.integers(1, 50) if whole else st.sampled_from([0.1, 0.25, 0.5, 0.7, 2.5, 3.0])
    number = st.integers(-200, 200) if whole else st.integers(-2000, 2000).map(lambda tenths: tenths / 10)
    hierarchy = Intervals(
        width=draw(step), levels=draw(st.integers(1, 4)), factor=draw(st.integers(2, 5)), origin=draw(number)
    )
    values = sorted(draw(st.sets(number, max_size=12)))
    return Case(hierarchy, values, number_in, width_share)


@st.composite
def range_cases(draw: st.DrawFn) -> Case:
    cuts = sorted(draw(st.sets(st.integers(-20, 20), min_size=1, max_size=5)))
    ranges = [f"<{cuts[0]}", *(f"[{low}, {high})" for low, high in pairwise(cuts)), f">={cuts[-1]}"]
    values = sorted(draw(st.sets(st.integers(-60, 60).map(lambda halves: halves / 2), max_size=12)))

    def contains(label: str, value: float) -> bool:
        if label[0] in "<>":
            return value < float(label[1:]) if label[0] == "<" else value >= float(label[2:])
        return number_in(label, value)

    def share(label: str, of: list[float]) -> float:
        low = float(label[2:]) if label[0] == ">" else -999.0
        high = float(label[1:]) if label[0] == "<" else 999.0
        if label[0] == "[":
            low, high = (float(end) for end in ends(label)[:2])
        if all(float(value).is_integer() for value in of):
            high -= 1 if high != 999 else 0
        return (min(high, of[-1]) - max(low, of[0])) / (of[-1] - of[0])

    return Case(Intervals(ranges=ranges), values, contains, share)


@st.composite
def prefix_cases(draw: st.DrawFn) -> Case:
    codes = st.text(alphabet="0123", min_size=1, max_size=5)
    values = sorted(draw(st.sets(codes, max_size=12)))
    keep = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=4)), reverse=True)

    def contains(label: str, value: str) -> bool:
        return len(value) <= len(label) and value.startswith(label.rstrip("*"))

    return Case(Prefix(keep=keep), values, contains, lambda label, of: -1.0)


@st.composite
def date_cases(draw: st.DrawFn) -> Case:
    levels: list[Period] = [level for level in Dates().levels if draw(st.booleans())]
    days = st.integers(0, 3000).map(lambda n: date(1998, 6, 15) + timedelta(n))
    values = sorted(draw(st.sets(days, max_size=10)))

    def contains(label: str, value: date) -> bool:
        if "Q" in label:
            return label == f"{value.year}-Q{1 + (value.month - 1) // 3}"
        return value.isoformat().startswith(label[:3] if label.endswith("s") else label)

    def share(label: str, of: list[date]) -> float:
        n_days = (of[-1] - of[0]).days
        inside = [contains(label, of[0] + timedelta(n)) for n in range(n_days + 1)]
        return (sum(inside) - 1) / n_days

    return Case(Dates(levels=levels or ["year"]), values, contains, share)


@st.composite
def order_cases(draw: st.DrawFn) -> Case:
    declared = draw(st.lists(WORDS.map(str.strip), min_size=1, max_size=9, unique=True))
    values = sorted(draw(st.sets(st.sampled_from(declared))))
    separator = choose_separator(declared, "the test")
    groups = draw(st.lists(st.integers(2, 3), min_size=1, max_size=3))

    def share(label: str, of: list[str]) -> float:
        return (len(label.split(separator)) - 1) / (len(declared) - 1)

    return Case(Order(declared, groups=groups), values, lambda label, value: value in label.split(separator), share)


@st.composite
def trees(draw: st.DrawFn, labels: st.SearchStrategy[str] = WORDS) -> Tree:
    """Draw a tree by grouping leaves again and again."""
    leaves = draw(st.lists(labels, min_size=1, max_size=10, unique=True))
    rows = [[leaf] for leaf in leaves]
    for _ in range(draw(st.integers(0, 3))):
        names = draw(st.lists(labels, min_size=1, max_size=4, unique=True))
        parent = {node: draw(st.sampled_from(names)) for node in sorted({row[-1] for row in rows})}
        rows = [[*row, parent[row[-1]]] for row in rows]
    return Tree(draw(st.permutations(rows)))


@st.composite
def tree_cases(draw: st.DrawFn) -> Case:
    tree = draw(trees())
    values = sorted(draw(st.sets(st.sampled_from([row[0] for row in tree.rows]))))
    paths = {row[0]: row for row in tree.rows}
    return Case(tree, values, lambda label, value: label in paths[value], lambda label, of: -1.0)


CASES = st.one_of(interval_cases(), range_cases(), prefix_cases(), date_cases(), order_cases(), tree_cases())


def fitted(case: Case) -> Levels:
    domain = case.hierarchy.fit(case.values, "column")
    assert isinstance(domain, Levels)
    return domain


@given(CASES)
def test_the_nodes_of_each_level_part_the_values_into_neighbours(case: Case) -> None:
    domain = fitted(case)
    n_values = len(case.values)
    assert sorted(domain.values) == sorted(case.values)
    assert domain.nodes.dtype == np.int32
    assert domain.nodes.shape[1] == n_values
    assert domain.nodes[0].tolist() == list(range(n_values))
    assert len(set(domain.nodes[-1].tolist())) == min(n_values, 1)
    for level, above in zip(domain.nodes.tolist(), [*domain.nodes.tolist()[1:], None], strict=True):
        runs = [node for i, node in enumerate(level) if i == 0 or level[i - 1] != node]
        assert len(runs) == len(set(runs))
        if above is not None:
            assert len(set(zip(level, above, strict=True))) == len(set(level))
    used = sorted(set(domain.nodes.ravel().tolist()))
    assert used == list(range(len(domain.share))) == list(range(len(domain.leaves)))


@given(CASES)
def test_every_label_contains_the_values_under_it(case: Case) -> None:
    domain = fitted(case)
    for level, nodes in enumerate(domain.nodes.tolist()):
        for code, node in enumerate(nodes):
            label = domain.spell(node, Style())
            if level == 0:
                assert label == domain.spell(code, Style())
            assert label == "*" or case.contains(label, domain.values[code])


@given(CASES)
def test_loss_lies_between_0_and_1_and_grows_up_the_tree(case: Case) -> None:
    domain = fitted(case)
    assert domain.share.dtype == np.float64
    assert ((domain.share >= 0) & (domain.share <= 1)).all()
    paths = domain.share[domain.nodes]
    assert (np.diff(paths, axis=0) >= 0).all()
    assert (paths[0] == 0).all()
    assert (paths[-1] == (1 if len(case.values) > 1 else 0)).all()


@given(CASES)
def test_loss_equals_its_plain_definition(case: Case) -> None:
    assume(len(case.values) > 1)
    domain = fitted(case)
    for level in domain.nodes.tolist()[1:-1]:
        for node in set(level):
            label = domain.spell(node, Style())
            if isinstance(case.hierarchy, Prefix):
                n_under = level.count(node)
                assert domain.leaves[node] == n_under
                expected = (n_under - 1) / (len(case.values) - 1)
            elif isinstance(case.hierarchy, Tree):
                rows = case.hierarchy.rows
                depth = domain.nodes.tolist().index(level)
                n_under = sum(row[depth] == label for row in rows)
                assert domain.leaves[node] == n_under
                expected = (n_under - 1) / (len(rows) - 1)
            else:
                expected = case.share(label, case.values)
            assert domain.share[node] == pytest.approx(expected, abs=1e-12)


@given(CASES)
def test_the_lowest_common_node_equals_a_search(case: Case) -> None:
    domain = fitted(case)
    codes = range(len(case.values))
    pairs = [(low, high) for low in codes for high in codes if low <= high]
    low, high = (np.array([pair[side] for pair in pairs], dtype=np.int32) for side in (0, 1))
    found = domain.lowest_common(low, high).tolist()
    for (first, last), node in zip(pairs, found, strict=True):
        covering = [level[first] for level in domain.nodes.tolist() if len(set(level[first : last + 1])) == 1]
        assert node == covering[0]


@given(CASES)
def test_the_plan_form_builds_the_same_hierarchy(case: Case) -> None:
    again = type(case.hierarchy)(**case.hierarchy.to_dict())
    assert again == case.hierarchy
    assert again.to_dict() == case.hierarchy.to_dict()


@given(CASES)
def test_ancestors_name_every_value_once(case: Case) -> None:
    domain = fitted(case)
    ancestors = ancestors_of(domain)
    assert len(ancestors) == len(case.values)
    assert all(len(path) == domain.n_levels - 1 for path in ancestors.values())


@given(st.sets(st.one_of(st.integers(-(10**20), 10**20), st.floats(-1e6, 1e6)), max_size=20))
def test_positions_on_a_line_rise_from_0_to_1(numbers: set[float]) -> None:
    values = sorted(numbers)
    domain = Number().fit(values, "x")
    assert (np.diff(domain.positions) >= 0).all()
    if len(values) > 1:
        span = Fraction(values[-1]) - Fraction(values[0])
        expected = [float((Fraction(value) - Fraction(values[0])) / span) for value in values]
        assert domain.positions.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(st.lists(WORDS, min_size=1, max_size=8, unique=True), st.data())
def test_an_order_spells_all_declared_values_between(declared: list[str], data: st.DataObject) -> None:
    held = sorted(data.draw(st.sets(st.sampled_from(declared), min_size=1)))
    domain = Order(declared).fit(held, "x")
    assert isinstance(domain, Line)
    separator = choose_separator(declared, "the test")
    for low, first in enumerate(domain.values):
        for high, last in enumerate(domain.values[low:], start=low):
            between = declared[declared.index(first) : declared.index(last) + 1]
            assert domain.spell(low, high, Style()).split(separator) == between
            width = domain.positions[high] - domain.positions[low]
            assert width == pytest.approx((len(between) - 1) / max(len(declared) - 1, 1))


@given(st.sets(st.text(alphabet="a/| ;+", min_size=1, max_size=6), min_size=1, max_size=6))
def test_sets_can_always_be_taken_apart(values: set[str]) -> None:
    try:
        domain = Category().fit(sorted(values), "x")
    except HierarchyError:
        assert all(any(mark.strip() in value for value in values) for mark in SEPARATORS)
    else:
        assert domain.separator.join(domain.values).split(domain.separator) == list(domain.values)


@given(trees(st.text(alphabet='ab;, "\n\tñ', min_size=1, max_size=4).map(str.strip).filter(bool)))
def test_arx_files_round_trip(tree: Tree) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tree.to_csv(Path(folder, "x.csv"))
        assert Tree.read_csv(Path(folder, "x.csv")) == tree


@given(trees())
def test_amnesia_files_round_trip(tree: Tree) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            tree.to_amnesia(Path(folder, "x.txt"))
        except FormatError:
            nodes = {(level, label) for row in tree.rows for level, label in enumerate(row)}
            assert len(nodes) > len({label for _, label in nodes})
        else:
            assert Tree.read_amnesia(Path(folder, "x.txt")) == tree


@st.composite
def range_lists(draw: st.DrawFn) -> list[str]:
    texts = []
    for _ in range(draw(st.integers(1, 5))):
        low, high = sorted((draw(st.integers(0, 12)), draw(st.integers(0, 12))))
        forms = [f"<{high}", f">{low}", f">={low}", f"{low}-{high}"]
        texts.append(draw(st.sampled_from(forms + ([f"[{low}, {high})", f"({low}, {high}]"] if low < high else []))))
    return texts


def members(text: str, points: list[Fraction]) -> set[Fraction]:
    """Which points a range holds, read in the plainest way."""
    if text[0] in "<>":
        bound = Fraction(text.lstrip("<>="))
        return {
            point
            for point in points
            if (point < bound if text[0] == "<" else point > bound) or ("=" in text and point == bound)
        }
    low, high = (Fraction(end) for end in re.findall(r"\d+(?:\.\d+)?", text))
    inside = {point for point in points if low < point < high}
    return inside | ({low} - ({low} if text[0] == "(" else set())) | ({high} - ({high} if text[-1] == ")" else set()))


@given(range_lists(), st.booleans())
def test_a_clean_list_of_ranges_puts_every_number_into_exactly_one(texts: list[str], whole: bool) -> None:
    points = [Fraction(n) if whole else Fraction(n, 2) for n in (range(-3, 16) if whole else range(-6, 31))]
    sets = [members(text, points) & set(points) for text in texts]
    covered = sorted(set().union(*sets))
    disjoint = sum(len(held) for held in sets) == len(covered)
    seamless = not covered or covered == [p for p in points if covered[0] <= p <= covered[-1]]
    ascending = all(max(left, default=-9) < min(right, default=99) for left, right in pairwise(sets))
    clean = disjoint and seamless and ascending and all(sets)
    assert (range_problems(parse_ranges(texts), whole) == []) == clean


@given(range_lists(), st.booleans())
def test_the_mended_list_is_clean(texts: list[str], whole: bool) -> None:
    mended = mend_ranges(parse_ranges(texts), whole)
    if mended is not None:
        check_ranges(parse_ranges(mended), whole)
    if not range_problems(parse_ranges(texts), whole):
        assert mended == texts


CANARY = "canary77"
NUMBER = 987654.25


def csv_file(content: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        (folder / "x.csv").write_text(content, encoding="latin-1")
        return Tree.read_csv(folder / "x.csv")

    return read


def amnesia_file(content: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        (folder / "x.txt").write_text(f"distinct\nname x\ntype string\nheight 2\n\n{content}\n")
        return Tree.read_amnesia(folder / "x.txt")

    return read


FAILURES: list[Callable[[Path], Any]] = [
    lambda folder: Number().fit([NUMBER, float("inf")], "x"),
    lambda folder: Category().fit([f"{CANARY}{separator}b" for separator in SEPARATORS], "x"),
    lambda folder: Category().fit(["*", CANARY], "x"),
    lambda folder: Intervals(width=1e-12).fit([0, NUMBER], "x"),
    lambda folder: Intervals(width=5, whole=True).fit([NUMBER], "x"),
    lambda folder: Intervals(ranges=["6-7", "8-9"]).fit([6, NUMBER], "x"),
    lambda folder: Intervals(ranges=["[6, 7)", "[7, 9)"]).fit([6, NUMBER], "x"),
    lambda folder: parse_range(CANARY),
    lambda folder: parse_range(f"{NUMBER}-5"),
    lambda folder: Prefix(keep=[2]).fit([CANARY + "*"], "x"),
    lambda folder: Prefix(keep=[2], length=3).fit([CANARY], "x"),
    lambda folder: Order(["a", "b"]).fit([CANARY], "x"),
    lambda folder: Order([CANARY, CANARY]),
    lambda folder: Tree([["a"], ["b"]]).fit([CANARY], "x"),
    lambda folder: Tree([[CANARY, "x"], [CANARY, "y"]]),
    lambda folder: Tree([["a", CANARY, "x"], ["b", CANARY, "y"]]),
    lambda folder: Tree([[CANARY, "x"], [CANARY, "y", "*"]]),
    lambda folder: Tree([[CANARY, ""]]),
    lambda folder: Tree.from_dict({CANARY: {CANARY: 3}}),
    lambda folder: Tree([[f"{CANARY} b", "x"]]).to_amnesia(folder / "x.txt"),
    lambda folder: Tree([[CANARY, "x", CANARY]]).to_amnesia(folder / "x.txt"),
    lambda folder: Tree([[CANARY + "\ud800"]]).to_csv(folder / "x.csv"),
    csv_file(f"{CANARY}ñ;x\n"),
    csv_file(f'a;b\n"{CANARY};x\n'),
    csv_file(f"{CANARY};x\n{CANARY};y\n"),
    amnesia_file(f"{CANARY} {CANARY} x"),
    amnesia_file(f"x has {CANARY}\ny has {CANARY}"),
]


@pytest.mark.parametrize("fail", FAILURES)
def test_no_message_holds_a_value(fail: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(CelosiaError) as caught:
        fail(tmp_path)
    chain = [caught.value, caught.value.__cause__]
    if not caught.value.__suppress_context__:
        chain.append(caught.value.__context__)
    shown = "".join("".join(traceback.format_exception_only(error)) + repr(error) for error in chain if error)
    assert CANARY not in shown
    assert str(NUMBER) not in shown
