"""What every model, mask, algorithm and hierarchy owes the house."""

from __future__ import annotations

import inspect

import pytest

import celosia as cl
from celosia.base.entries import describe
from celosia.data.hierarchies.base import Hierarchy
from celosia.jobs import registry
from celosia.masks.base import Mask
from celosia.models.base import Model
from celosia.search.base import Algorithm

PROTOCOLS = {"models": Model, "masks": Mask, "algorithms": Algorithm, "hierarchies": Hierarchy}
EXAMPLES = {
    "alpha_k": {"alpha": 0.5, "on": "diagnosis", "values": ["hiv"]},
    "average_risk": {"limit": 0.1},
    "beta_likeness": {"beta": 1, "on": "diagnosis"},
    "delta_disclosure": {"delta": 1, "on": "diagnosis", "base": 2},
    "k_anonymity": {"k": 3},
    "k_map": {"k": 3, "population": 100_000},
    "l_diversity": {"l": 2, "on": "diagnosis"},
    "lattice": {"objective": "loss", "levels": {"age": [0, 2]}, "time_limit": 5},
    "p_sensitive": {"p": 2, "on": "diagnosis"},
    "sample_uniqueness": {"share": 0.05},
    "share_at_risk": {"share": 0.05},
    "t_closeness": {"t": 0.2, "on": "diagnosis"},
    "add_noise": {"column": "mark", "sd": 0.5},
    "blank": {"column": "name", "where": "mark > 5"},
    "bottom_code": {"column": "age", "at": 18},
    "derive": {"column": "minutes", "expression": "duration(entry, exit)", "kind": "number"},
    "drop": {"columns": ["name"]},
    "drop_rows": {"column": "postcode", "values": ["50011"]},
    "generalise": {"column": "grade", "ranges": ["<6", "6-7", ">7"]},
    "mask_characters": {"column": "id", "keep_first": 2, "symbol": "X"},
    "microaggregate": {"columns": ["age", "salary"], "k": 3},
    "pram": {"column": "job", "keep": 0.8},
    "pseudonymise": {"column": "dni", "key": {"env": "CELOSIA_KEY"}, "length": 12},
    "rank_swap": {"column": "salary", "window": 0.05},
    "round": {"column": "salary", "to": 100},
    "sample": {"fraction": 0.1},
    "swap": {"columns": ["name"], "within": ["class"]},
    "top_code": {"column": "age", "at": 90},
    "intervals": {"width": 5},
    "prefix": {"keep": [3, 1]},
    "order": {"values": ["low", "high"]},
    "tree": {"rows": [["a", "*"], ["b", "*"]]},
}
KINDS = [(room, kind) for room in PROTOCOLS for kind in registry.classes_in(room).values()]


@pytest.mark.parametrize(("room", "kind"), KINDS, ids=lambda one: getattr(one, "__name__", one))
def test_every_kind_keeps_the_contract(room, kind):
    made = registry.build(room, {kind.name: EXAMPLES.get(kind.name, {})})
    assert isinstance(made, PROTOCOLS[room])
    assert describe(made) == {kind.name: made.to_dict()}
    assert registry.build(room, describe(made)) == made
    assert hash(made) is not None
    assert getattr(cl, kind.__name__) is kind
    snake = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__).lstrip("_")
    assert snake == kind.name
    doc = inspect.getdoc(kind) or ""
    assert ">>>" in doc
    if room in ("models", "algorithms", "masks"):
        assert "Guarantee" in doc
    with pytest.raises(cl.OptionError, match="no option 'nonsense'"):
        registry.build(room, {kind.name: {**EXAMPLES.get(kind.name, {}), "nonsense": 1}})


@pytest.mark.parametrize("spec", [5, [], {}, {"a": {}, "b": {}}, {"k_anonymity": 5}, None])
def test_an_entry_is_one_name_with_options(spec):
    with pytest.raises(cl.OptionError):
        registry.build("models", spec)


def test_an_unknown_room_is_refused():
    with pytest.raises(cl.OptionError, match="did you mean 'models'"):
        registry.classes_in("model")


def test_the_public_surface_is_pinned():
    assert cl.__all__ == [
        *("AddNoise", "AlphaK", "AuditError", "AverageRisk", "BetaLikeness", "Bipartite", "Blank", "BottomCode"),
        *("Category", "CelosiaError", "Check", "Classes", "ColumnNotFoundError", "Comparison", "Config", "Datafly"),
        *("Dates", "DeltaDisclosure", "Derive", "Drop", "DropRows", "Exact", "Exam", "Finding", "FormatError"),
        *("Frontier", "Generalise", "Genetic", "HierarchyError", "HilbertOrder", "InputError", "Intervals"),
        *("KAnonymity", "KMap", "KMembers", "LDiversity", "LGreedy", "Lattice", "MaskCharacters", "Masked"),
        *("Microaggregate",),
        *("Mondrian", "Negotiation", "Number", "OptionError", "Order", "PSensitive", "Plan", "PlanError", "Pram"),
        *("Prefix", "Project", "Pseudonymise", "RankSwap", "ReferenceOrder", "Release", "Role", "Round", "Sample"),
        *("SampleUniqueness", "Schema", "ShareAtRisk", "Swap", "TCloseness", "Table", "TopCode", "TopDown", "Tree"),
        *("UnreachableError", "Vault", "VaultError", "Weave", "WhyNot", "__version__", "audit", "check", "compare"),
        *("exam", "frontier", "graphs", "hierarchies", "io", "load", "mask", "negotiate", "risk", "utility", "vault"),
        "why_not",
    ]


@pytest.mark.parametrize("name", cl.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name):
    thing = getattr(cl, name)
    assert name == "__version__" or inspect.getdoc(thing)


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError):
        _ = cl.KAnonymous


def test_the_version_is_that_of_the_distribution():
    from importlib.metadata import version

    assert cl.__version__ == version("celosia")
