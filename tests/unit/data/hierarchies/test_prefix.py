from __future__ import annotations

from typing import Any

import pytest

from celosia.base.errors import HierarchyError, OptionError
from celosia.data.hierarchies import Prefix, ancestors_of
from celosia.data.hierarchies.domains import Style

POSTCODES = ["24700", "28108", "37003", "37891"]


def test_the_chain_of_the_agency_note() -> None:
    chain = ancestors_of(Prefix(keep=[4, 3, 2, 1]).fit(["37003"], "postcode"))
    assert chain == {"37003": ["3700*", "370**", "37***", "3****", "*****"]}


def test_the_full_length_is_the_value_itself() -> None:
    assert ancestors_of(Prefix(keep=[5, 2]).fit(POSTCODES, "postcode"))["37003"] == ["37***", "*****"]


def test_loss_counts_the_values_of_the_data() -> None:
    domain = Prefix(keep=[2, 1]).fit(POSTCODES, "postcode")
    losses = {
        domain.spell(node, Style()): (domain.share[node], domain.leaves[node])
        for node in domain.nodes[1:].ravel().tolist()
    }
    assert losses == {
        "24***": (0, 1),
        "28***": (0, 1),
        "37***": (1 / 3, 2),
        "2****": (1 / 3, 2),
        "3****": (1 / 3, 2),
        "*****": (1, 4),
    }
    assert domain.n_leaves == 4


def test_shorter_values_are_filled_up() -> None:
    domain = Prefix(keep=[3, 2]).fit(["37", "370", "37003"], "code")
    assert ancestors_of(domain) == {
        "37": ["37***", "37***", "*****"],
        "370": ["370**", "37***", "*****"],
        "37003": ["370**", "37***", "*****"],
    }


def test_a_declared_length_refuses_others_by_count() -> None:
    with pytest.raises(HierarchyError, match="2 distinct values of 'code' are not 5 characters long"):
        Prefix(keep=[3], length=5).fit(["37", "370", "37003"], "code")


def test_a_value_that_is_masked_already_is_refused() -> None:
    for masked in ("3*", "*"):
        with pytest.raises(HierarchyError, match="1 distinct values of 'code' hold '\\*'"):
            Prefix(keep=[1]).fit([masked, "33"], "code")


@pytest.mark.parametrize(
    "options",
    [
        {"keep": []},
        {"keep": 5},
        {"keep": [3, 5]},
        {"keep": [3, 3]},
        {"keep": [3, 0]},
        {"keep": ["3"]},
        {"keep": [3], "length": 0},
    ],
)
def test_other_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="prefix: "):
        Prefix(**options)


@pytest.mark.parametrize("values", [[], ["37003"]])
def test_fewer_than_two_values_lose_nothing(values: list[str]) -> None:
    domain = Prefix(keep=[3]).fit(values, "code")
    assert domain.nodes.shape[1] == len(values)
    assert not domain.share.any()


def test_the_plan_form() -> None:
    assert Prefix(keep=[5, 3, 1]).to_dict() == {"keep": [5, 3, 1]}
    assert Prefix(keep=[5], length=6).to_dict() == {"keep": [5], "length": 6}
    assert Prefix(keep=[5, 3]) == Prefix(keep=(5, 3)) != Prefix(keep=[5])
