"""Models about secrets: what they refuse, what they tell kernels and claims, and that no message holds a value."""

from __future__ import annotations

import datetime as dt
import json

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import tries

import celosia as cl
from celosia import kernels
from celosia.models import AlphaK, BetaLikeness, DeltaDisclosure, LDiversity, PSensitive, TCloseness
from celosia.models.base import Model
from celosia.models.secrets import Histograms, Secret, water_level

TREE = cl.Tree([("flu", "mild", "*"), ("cold", "mild", "*"), ("cancer", "grave", "*"), ("hiv", "grave", "*")])
ORDER = cl.Order(["cold", "flu", "hiv", "cancer"])
WORDS = ["flu", "cold", "cancer", "hiv"]


def table_of(secrets, *, dtype=pl.String, **schema):
    frame = pl.DataFrame({"age": list(range(len(secrets))), "ill": pl.Series(secrets, dtype=dtype)})
    options = {"quasi_identifiers": {"age": "number"}, "sensitive": ["ill"]} | schema
    return cl.Table(frame, cl.Schema(**options), decimal=".")


WITHOUT_HIERARCHY = [
    AlphaK(0.5, on="ill"),
    PSensitive(2, on="ill"),
    LDiversity(2, on="ill"),
    LDiversity(1.5, on="ill", kind="entropy"),
    LDiversity(2, on="ill", kind="recursive", c=3),
    TCloseness(0.4, on="ill"),
    TCloseness(0.4, on="ill", distance="ordered"),
    DeltaDisclosure(1.2, on="ill"),
    DeltaDisclosure(1.2, on="ill", kind="present", base=2),
    BetaLikeness(0.8, on="ill"),
    BetaLikeness(0.8, on="ill", kind="enhanced"),
]
WITH_HIERARCHY = [
    PSensitive(2, on="ill", hierarchy=TREE, level=1),
    TCloseness(0.4, on="ill", distance="ordered", hierarchy=ORDER),
    TCloseness(0.4, on="ill", distance="hierarchical", hierarchy=TREE),
]
ALL = [*WITHOUT_HIERARCHY, *WITH_HIERARCHY]


def spelt(model):
    return f"{model.name} {model.to_dict()}"


# Options.


@pytest.mark.parametrize("got", [0, 1, -0.5, 1.5, True, "0.5", None, float("nan"), float("inf")])
def test_alpha_lies_between_0_and_1(got):
    with pytest.raises(cl.OptionError, match="alpha must be a number between 0 and 1") as caught:
        AlphaK(got, on="ill")
    assert caught.value.about == "alpha"


@pytest.mark.parametrize("got", [1, -0.1, True, "0", None, float("nan"), [0.2]])
def test_t_is_from_0_to_below_1(got):
    with pytest.raises(cl.OptionError, match="t must be a number from 0 to 1"):
        TCloseness(got, on="ill")
    assert TCloseness(0, on="ill").to_dict() == {"t": 0, "on": "ill", "distance": "equal"}


@pytest.mark.parametrize("got", [0, -1, True, "1", None, float("nan"), float("inf")])
def test_other_bounds_are_numbers_above_0(got):
    with pytest.raises(cl.OptionError, match="delta must be a number above 0"):
        DeltaDisclosure(got, on="ill")
    with pytest.raises(cl.OptionError, match="beta must be a number above 0"):
        BetaLikeness(got, on="ill")
    with pytest.raises(cl.OptionError, match="needs c, a number above 0"):
        LDiversity(2, on="ill", kind="recursive", c=got)
    with pytest.raises(cl.OptionError, match="l must be a number above 1"):
        LDiversity(got, on="ill", kind="entropy")
    if got is not None:
        with pytest.raises(cl.OptionError, match="base must be a number above 1"):
            DeltaDisclosure(1, on="ill", base=got)


@pytest.mark.parametrize("got", [1, 0, -3, True, 2.0, "2", None])
def test_whole_numbers_from_2(got):
    with pytest.raises(cl.OptionError, match="p must be a whole number from 2"):
        PSensitive(got, on="ill")
    with pytest.raises(cl.OptionError, match="l must be a whole number from 2"):
        LDiversity(got, on="ill", kind="recursive", c=1)


def test_kinds_and_distances_are_named():
    for kind in ("Strict", None, ["strict"]):
        with pytest.raises(cl.OptionError, match="must be 'strict' or 'present'"):
            DeltaDisclosure(1, on="ill", kind=kind)
        with pytest.raises(cl.OptionError, match="must be 'basic' or 'enhanced'"):
            BetaLikeness(1, on="ill", kind=kind)
        with pytest.raises(cl.OptionError, match="must be 'equal', 'ordered', 'numeric' or 'hierarchical'"):
            TCloseness(0.2, on="ill", distance=kind)
        with pytest.raises(cl.OptionError, match="must be 'distinct', 'entropy' or 'recursive'"):
            LDiversity(2, on="ill", kind=kind)


def test_c_belongs_to_the_recursive_kind():
    for kind in ("distinct", "entropy"):
        with pytest.raises(cl.OptionError, match=f"{kind} l_diversity takes no c"):
            LDiversity(2, on="ill", kind=kind, c=1)


@pytest.mark.parametrize(
    "make",
    [
        lambda on: AlphaK(0.5, on=on),
        lambda on: PSensitive(2, on=on),
        lambda on: LDiversity(2, on=on),
        lambda on: TCloseness(0.2, on=on),
        lambda on: DeltaDisclosure(1, on=on),
        lambda on: BetaLikeness(1, on=on),
    ],
)
def test_on_is_a_name(make):
    for on in (5, "", None, ["ill"]):
        with pytest.raises(cl.OptionError, match="name of a sensitive column"):
            make(on)


def test_declared_values_are_a_list_of_texts():
    for values in ("hiv", [], {"hiv"}, 5):
        with pytest.raises(cl.OptionError, match="values must be a list"):
            AlphaK(0.5, on="ill", values=values)
    with pytest.raises(cl.OptionError, match="must be text"):
        AlphaK(0.5, on="ill", values=[None])
    model = AlphaK(0.5, on="ill", values=[" hiv", "e\u0301", 7, "hiv"])
    assert model.to_dict() == {"alpha": 0.5, "on": "ill", "values": ["hiv", "\u00e9", "7"]}


def test_hierarchies_are_of_a_kind_that_fits():
    with pytest.raises(cl.OptionError, match="needs a Tree"):
        TCloseness(0.2, on="ill", distance="hierarchical")
    with pytest.raises(cl.OptionError, match="needs a Tree"):
        TCloseness(0.2, on="ill", distance="hierarchical", hierarchy=ORDER)
    for wrong in (True, TREE):  # a tree sorts its leaves: their order says nothing of rank
        with pytest.raises(cl.OptionError, match="takes an Order"):
            TCloseness(0.2, on="ill", distance="ordered", hierarchy=wrong)
    for distance in ("equal", "numeric"):
        with pytest.raises(cl.OptionError, match=f"the {distance} distance takes no hierarchy"):
            TCloseness(0.2, on="ill", distance=distance, hierarchy=TREE)
    with pytest.raises(cl.OptionError, match="must be a Tree"):
        PSensitive(2, on="ill", hierarchy=ORDER, level=0)
    with pytest.raises(cl.OptionError, match="level needs a hierarchy"):
        PSensitive(2, on="ill", level=0)
    for level in (None, -1, 2, 1.0, True):
        with pytest.raises(cl.OptionError, match="level must be a whole number from 0 to 1"):
            PSensitive(2, on="ill", hierarchy=TREE, level=level)


def test_numbers_of_numpy_become_pythons_own():
    models = [
        AlphaK(np.float32(0.1), on="ill"),
        PSensitive(np.int64(2), on="ill", hierarchy=TREE, level=np.int8(1)),
        LDiversity(np.float64(2.5), on="ill", kind="entropy"),
        TCloseness(np.float64(0.1), on="ill"),
    ]
    assert [json.dumps(next(iter(model.to_dict().values()))) for model in models] == ["0.1", "2", "2.5", "0.1"]


@pytest.mark.parametrize("model", ALL, ids=spelt)
def test_the_protocol(model):
    assert isinstance(model, Model)
    assert model.needs == ("secret",)
    assert model.smallest_class == 1
    assert hash(model) == hash(type(model)(**vars(model)))
    assert json.dumps(model.to_dict())
    if model.to_dict().get("hierarchy") is None and getattr(model, "hierarchy", None) is None:
        assert type(model)(**model.to_dict()) == model


def test_options_of_plans_and_claims_never_hold_a_hierarchy():
    assert [model.to_dict() for model in WITH_HIERARCHY] == [
        {"p": 2, "on": "ill", "level": 1},
        {"t": 0.4, "on": "ill", "distance": "ordered", "hierarchy": True},
        {"t": 0.4, "on": "ill", "distance": "hierarchical"},
    ]


def test_the_evidence_does():
    tree = {
        "cancer": ["grave", "*"],
        "hiv": ["grave", "*"],
        "cold": ["mild", "*"],
        "flu": ["mild", "*"],
    }
    line = {"cold": ["*"], "flu": ["*"], "hiv": ["*"], "cancer": ["*"]}
    found = [model.evidence() for model in WITH_HIERARCHY]
    assert found == [{"population": None, "hierarchy": rows} for rows in (tree, line, tree)]
    assert list(found[1]["hierarchy"]) == list(line)
    assert list(found[2]["hierarchy"]) == list(tree)
    for model in (PSensitive(2, on="ill"), TCloseness(0.2, on="ill")):
        assert model.evidence() == {"population": None, "hierarchy": None}


# Columns.


@pytest.mark.parametrize("model", ALL, ids=spelt)
def test_the_column_must_be_a_secret(model):
    options = vars(model)
    named = lambda on: type(model)(**options | {"on": on})  # noqa: E731
    table = table_of(["flu", "cold"])
    rows = np.arange(2)
    for act in (
        lambda model, table: model.check_reachable(table, 1),
        lambda model, table: model.broken(cl.Classes([0, 0]), table),
        lambda model, table: model.add_demand(Recorder(), table, rows),
    ):
        with pytest.raises(cl.ColumnNotFoundError, match=f"{model.name} names 'il', .*\n.*did you mean 'ill'"):
            act(named("il"), table)
        with pytest.raises(cl.InputError, match=f"{model.name} names 'age', whose role is quasi-identifier, not"):
            act(named("age"), table)


@pytest.mark.parametrize("model", WITH_HIERARCHY, ids=spelt)
def test_values_that_the_hierarchy_does_not_know_are_counted_and_withheld(model):
    table = table_of(["flu", "sepsis", "sepsis", None, "gout"])
    for act in (
        lambda: model.check_reachable(table),
        lambda: model.broken(cl.Classes([0] * 5), table),
        lambda: model.add_demand(Recorder(), table, np.arange(5)),
    ):
        with pytest.raises(
            cl.HierarchyError, match=r"2 distinct values of 'ill' \(3 of 5 rows\) are missing"
        ) as caught:
            act()
        assert "sepsis" not in str(caught.value)
        assert "gout" not in str(caught.value)
        assert caught.value.about == "ill"
    with pytest.raises(cl.HierarchyError, match=r"1 distinct value .* is missing"):
        model.check_reachable(table_of(["flu", "sepsis"]))


def test_the_numeric_distance_wants_numbers_in_every_row():
    model = TCloseness(0.2, on="ill", distance="numeric")
    with pytest.raises(cl.InputError, match="1 of 4 rows have no value, 2 one that is no number") as caught:
        model.check_reachable(table_of(["1", None, "secret-7", "secret-8"]))
    assert "secret" not in str(caught.value)
    with pytest.raises(cl.InputError, match="1 of 2 rows have no value, 0"):
        model.broken(cl.Classes([0, 0]), table_of([1, None], dtype=pl.Int64))
    with pytest.raises(cl.InputError, match="0 of 2 rows have no value, 2"):
        model.check_reachable(table_of([dt.date(2020, 1, 1), dt.date(2021, 1, 1)], dtype=pl.Date))
    with pytest.raises(cl.InputError, match="1 one that is no number"):
        model.check_reachable(table_of([1.0, float("inf")], dtype=pl.Float64))


def test_declared_values_that_no_row_holds_are_an_error_without_their_names():
    with pytest.raises(cl.InputError, match="declares 1 value") as caught:
        AlphaK(0.9, on="ill", values=["HIV", "flu"]).check_reachable(table_of(["hiv", "flu", "cold"]))
    assert "HIV" not in str(caught.value)


@pytest.mark.parametrize(
    ("secrets", "dtype"),
    [
        ([2, 10, 9, 10], pl.Int64),
        ([2.0, 10.0, 9.5, 10.0], pl.Float64),
        (["2", "10", "9,5", "10"], pl.String),
        (["2", "10.0", "9", "1e1"], pl.String),
    ],
)
def test_numbers_are_ranked_by_size_in_every_type(secrets, dtype):
    frame = pl.DataFrame({"age": range(4), "ill": pl.Series(secrets, dtype=dtype)})
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"])
    for decimal in (".", ","):
        demands = Recorder()
        table = cl.Table(frame, schema, decimal=decimal)
        TCloseness(0.2, on="ill", distance="ordered").add_demand(demands, table, np.arange(4))
        (_, (codes, reference, steps, _)), *_ = demands.given
        assert codes.tolist() == [0, 2, 1, 2]
        assert reference.tolist() == [0.25, 0.25, 0.5]
        assert steps.tolist() == [0.5, 0.5]


def test_texts_that_are_no_numbers_are_ranked_by_text_with_missing_first():
    demands = Recorder()
    TCloseness(0.2, on="ill", distance="ordered").add_demand(demands, table_of(["b", None, "10", "9"]), np.arange(4))
    assert demands.given[0][1][0].tolist() == [3, 0, 1, 2]


# Histograms.


@given(rows=st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 3)), max_size=20), groups=st.sampled_from([0, 1, 2]))
@tries(200)
def test_histograms_are_counts(rows, groups):
    labels, codes = (np.array(side, dtype=np.int64) for side in (zip(*rows, strict=True) if rows else ([], [])))
    classes = cl.Classes(labels)
    group_of = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]][groups])
    found = Histograms.of(classes, codes, 4)
    for histograms, own in ((found, codes), (found.grouped(group_of), group_of[codes])):
        table = list(
            zip(histograms.labels.tolist(), histograms.values.tolist(), histograms.counts.tolist(), strict=True)
        )
        pairs = list(zip(classes.labels.tolist(), own.tolist(), strict=True))
        assert table == [(*pair, pairs.count(pair)) for pair in sorted(set(pairs)) if pair[0] >= 0]
        totals = [sum(label >= 0 and code == value for label, code in pairs) for value in range(len(histograms.totals))]
        assert histograms.totals.tolist() == totals
        assert histograms.labels[histograms.starts].tolist() == list(range(classes.n_classes))
        assert histograms.summed(histograms.counts).tolist() == classes.sizes.tolist()
    compact = found.without_absent()
    assert compact.totals.tolist() == [total for total in found.totals.tolist() if total]
    assert compact.totals[compact.values].tolist() == found.totals[found.values].tolist()
    chosen = np.arange(0, classes.n_classes, 2)
    part = found.only(chosen)
    assert part.sizes.tolist() == classes.sizes[chosen].tolist()
    assert part.summed(part.counts).tolist() == part.sizes.tolist()


@given(counts=st.lists(st.integers(0, 9), max_size=5), n_spare=st.integers(0, 30), lowest=st.integers(0, 2))
@tries(200)
def test_the_water_level_is_the_lowest_that_the_rows_allow(counts, n_spare, lowest):
    level = water_level(np.array(counts, dtype=np.int64), n_spare, lowest)
    costs = [sum(max(count - own, 0) for count in counts) for own in (level, level - 1)]
    assert costs[0] <= n_spare or level == lowest == 0
    assert level == lowest or costs[1] > n_spare


def test_missing_is_the_first_code_of_its_own():
    secret = Secret.of(table_of(["b", None, "a"]), "ill", "alpha_k")
    assert (secret.known.tolist(), secret.codes.tolist(), secret.n_codes) == ([1, -1, 0], [2, 0, 1], 3)
    secret = Secret.of(table_of(["b", "a"]), "ill", "alpha_k")
    assert (secret.codes.tolist(), secret.n_codes) == ([1, 0], 2)


# Kernels.


class Recorder:
    """Demands that write down what they are told, and insist on the arrays that kernels take."""

    def __init__(self):
        self.given = []

    def __getattr__(self, method):
        def add(*given):
            for one in given:
                if isinstance(one, np.ndarray):
                    assert one.flags.c_contiguous
                    assert one.dtype in (np.int32, np.float64)
            self.given.append((method, given))

        return add


def told(model, secrets, rows):
    demands = Recorder()
    model.add_demand(demands, table_of(secrets), np.array(rows))
    plain = [
        (method, [one.tolist() if isinstance(one, np.ndarray) else one for one in given])
        for method, given in demands.given
    ]
    assert len(plain) <= 1
    return plain[0] if plain else None


SECRETS = ["flu", None, "hiv", "flu", "cold", "flu"]  # cold 0 (1), flu 1 (2), hiv 2 (3); missing -1 (0)
ROWS = [5, 0, 2, 1]


def test_what_kernels_are_told_about_one_class():
    assert told(AlphaK(0.5, on="ill"), SECRETS, ROWS) == ("add_shares", [[2, 2, 3, 0], [0.0] * 4, [0.5] * 4, False])
    declared = AlphaK(0.5, on="ill", values=["hiv"])
    assert told(declared, SECRETS, ROWS) == ("add_shares", [[2, 2, 3, 0], [0.0] * 4, [1, 1, 1, 0.5], False])
    assert told(PSensitive(2, on="ill"), SECRETS, ROWS) == ("add_distinct", [[1, 1, 2, -1], 2])
    level = PSensitive(2, on="ill", hierarchy=TREE, level=1)
    assert told(level, ["flu", None, "hiv", "cold"], [3, 2, 1, 0]) == ("add_distinct", [[0, 1, -1, 0], 2])
    assert told(LDiversity(2, on="ill"), SECRETS, ROWS) == ("add_distinct", [[1, 1, 2, -1], 2])
    entropy = LDiversity(2.5, on="ill", kind="entropy")
    assert told(entropy, SECRETS, ROWS) == ("add_entropy", [[2, 2, 3, 0], 4, pytest.approx(np.log(2.5))])
    recursive = LDiversity(2, on="ill", kind="recursive", c=3)
    assert told(recursive, SECRETS, ROWS) == ("add_recursive", [[2, 2, 3, 0], 4, 3.0, 2])


def test_what_kernels_are_told_about_the_distribution_of_the_rows_given():
    equal = TCloseness(0.2, on="ill")
    assert told(equal, SECRETS, ROWS) == ("add_equal_distance", [[1, 1, 2, 0], [0.25, 0.5, 0.25], 0.2])
    ordered = TCloseness(0.2, on="ill", distance="ordered", hierarchy=ORDER)
    assert told(ordered, SECRETS, [0, 2, 4]) == (
        "add_line_distance",
        [[1, 2, 0], pytest.approx([1 / 3] * 3), [0.5, 0.5], 0.2],
    )
    numeric = TCloseness(0.2, on="ill", distance="numeric")
    method, given_ = told(numeric, ["1", "2", "11", "5"], [2, 0, 1])
    assert method == "add_line_distance"
    assert given_[0] == [2, 0, 1]
    assert given_[2] == pytest.approx([0.1, 0.9])
    for model in (equal, ordered):
        assert told(model, SECRETS, [0, 3, 5]) is None  # one value: nothing can be moved
    assert told(numeric, ["7", "7"], [0, 1]) is None


def test_what_kernels_are_told_about_a_tree():
    model = TCloseness(0.2, on="ill", distance="hierarchical", hierarchy=TREE)
    method, (codes, reference, parents, weights, t) = told(model, ["flu", None, "hiv", "cold"], [3, 2, 1, 0])
    # Codes in the order of the leaves: missing, hiv, cold, flu; above them missing, grave, mild; then the root.
    assert (method, codes, reference, t) == ("add_tree_distance", [2, 1, 0, 3], [0.25] * 4, 0.2)
    assert parents == [4, 5, 6, 6, 7, 7, 7, -1]
    assert weights == [0, 0, 0, 0, 0.5, 0.5, 0.5, 1]
    flat = TCloseness(0.2, on="ill", distance="hierarchical", hierarchy=cl.Tree([["flu"], ["hiv"], ["cold"]]))
    _, (_, _, parents, weights, _) = told(flat, ["flu", "hiv"], [0, 1])
    assert (parents, weights) == ([2, 2, -1], [0, 0, 1])


def test_what_kernels_are_told_about_ratios():
    shares = [0.25, 0.5, 0.25]
    method, (codes, least, most, present_only, reference) = told(DeltaDisclosure(0.5, on="ill"), SECRETS, ROWS)
    assert (method, codes, present_only, reference) == ("add_shares", [1, 1, 2, 0], False, shares)
    assert least == pytest.approx([share * np.exp(-0.5) for share in shares])
    assert all(one > share * np.exp(-0.5) for one, share in zip(least, shares, strict=True))  # strict: a little inward
    assert most == pytest.approx([share * np.exp(0.5) for share in shares])
    assert all(one < share * np.exp(0.5) for one, share in zip(most, shares, strict=True))
    _, (_, least, most, present_only, _) = told(DeltaDisclosure(1, on="ill", kind="present", base=2), SECRETS, ROWS)
    assert (least, most, present_only) == (
        pytest.approx([0.125, 0.25, 0.125]),
        pytest.approx([0.5, 1.0, 0.5]),
        True,
    )
    _, (_, least, most, _, _) = told(DeltaDisclosure(5000, on="ill"), SECRETS, ROWS)
    assert (least, most) == ([0.125] * 3, [np.inf] * 3)  # less than one row of four: the value must be there
    _, (_, least, most, _, _) = told(DeltaDisclosure(1e-12, on="ill"), SECRETS, ROWS)
    assert all(low < share < high for low, share, high in zip(least, shares, most, strict=True))
    _, (_, least, most, present_only, reference) = told(BetaLikeness(0.8, on="ill"), SECRETS, ROWS)
    assert (least, most, present_only, reference) == ([0.0] * 3, pytest.approx([0.45, 0.9, 0.45]), False, shares)
    _, (_, _, most, _, reference) = told(BetaLikeness(0.8, on="ill", kind="enhanced"), SECRETS, ROWS)
    assert most == pytest.approx([0.45, 0.5 * (1 + np.log(2)), 0.45])
    assert reference is None  # bounds that are not in proportion cannot move with the shares


HAS_ALL = all(hasattr(kernels.Demands, name) for name in ("add_shares", "add_tree_distance", "broken"))


@pytest.mark.skipif(not HAS_ALL, reason="the kernels are older than these demands")
@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.sampled_from([None, *WORDS])), min_size=4, max_size=20),
    model=st.sampled_from(ALL),
)
@tries(400)
def test_kernels_demand_what_the_model_judges(rows, model):
    """Where no class lies at a threshold the kernels' doubles and the exact verdict agree."""
    labels, secrets = zip(*rows, strict=True)
    classes, table = cl.Classes(labels), table_of(list(secrets))
    demands = kernels.Demands(len(rows))
    model.add_demand(demands, table, np.arange(len(rows)))
    found = demands.broken(classes.labels.astype(np.int32))
    assert sorted(np.asarray(found).tolist()) == model.broken(classes, table).tolist()
