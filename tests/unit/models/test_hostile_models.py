"""Faults that a hostile check of the models found, and what should happen instead."""

from __future__ import annotations

import polars as pl
import pytest

import celosia as cl


def released(frame, kinds, models, **options):
    schema = cl.Schema(quasi_identifiers=kinds, sensitive=[name for name in frame.columns if name not in kinds])
    return cl.Plan(models=models, seed=1, **options).run(cl.Table(frame, schema))


def test_numbers_spelt_in_two_ways_are_one_rank():
    frame = pl.DataFrame({"q": [1, 2, 3, 4, 5], "s": ["1", "1.0", "1", "1", "2"]})
    model = cl.TCloseness(0.3, on="s", distance="ordered")
    assert cl.check(released(frame, {"q": "number"}, [model]).frame, ["q"], ["s"], models=[model]).holds
    spelt = pl.DataFrame({"q": list("aabb"), "s": ["1", "1", "1.0", "1.0"]})
    assert cl.check(spelt, ["q"], ["s"]).figures["sensitive"]["s"]["t_ordered"] == 0


@pytest.mark.parametrize("search", [cl.HilbertOrder(), cl.Weave(effort="fast"), cl.Weave(), cl.Mondrian()])
def test_classes_that_publish_the_same_are_judged_as_one(search):
    frame = pl.DataFrame({"q": [None, None, 1, None, 1, None, None, 2], "s": list("babcbcab")})
    models = [cl.KAnonymity(2), cl.DeltaDisclosure(0.7, on="s", kind="present")]
    release = released(frame, {"q": "number"}, models, algorithm=search)
    assert cl.check(release.frame, ["q"], ["s"], models=models).holds
    tree = cl.Tree([["l", "big"], ["m", "small"], ["s", "small"]])
    frame = pl.DataFrame({"q": list("llmsmsmmmlm"), "s": list("ccacaccabba")})
    release = released(frame, {"q": tree}, models, algorithm=search)
    assert cl.check(release.frame, ["q"], ["s"], models=models).holds


@pytest.mark.parametrize(
    "model", [cl.AverageRisk(0.01), cl.ShareAtRisk(0, 0.01), cl.KMap(100, population=100), cl.KAnonymity(100)]
)
def test_rows_that_one_model_costs_may_be_too_many_for_another(model):
    frame = pl.DataFrame({"q": range(100), "s": ["a"] * 51 + ["b"] * 49})
    with pytest.raises(cl.UnreachableError, match="98 people are left"):
        released(frame, {"q": "number"}, [model, cl.AlphaK(0.5, on="s")], max_suppression=0.05)


@pytest.mark.parametrize("share", [0.6, 0.7, 0.9, 1])
def test_no_more_rows_go_than_must(share):
    frame = pl.DataFrame({"q": range(10), "s": list("aaaaaaabcd")})
    release = released(frame, {"q": "number"}, [cl.AlphaK(0.3, on="s")], max_suppression=share)
    assert release.classes.n_suppressed == 6
