"""Tight ranges: hulls of classes against grids, hierarchies and lists made by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.measure.traps.base import Published
from celosia.measure.traps.tight_ranges import tight_ranges


def codes_of(frame, **options):
    return {one.column: one.n_rows for one in tight_ranges(Published(pl.DataFrame(frame), **options))}


def test_the_papers_table_2():
    """T-P10: the ends of its ranges are marks that somebody really has."""
    practicals = ["5-8"] * 3 + ["8-10"] * 3 + ["6-10"] * 3
    assert codes_of({"practicals": practicals}) == {"practicals": 9}
    (found,) = tight_ranges(Published(pl.DataFrame({"practicals": practicals})))
    assert (found.code, found.severity, found.values["n_ranges"]) == ("TIGHT_RANGES", "warning", 3)


@pytest.mark.parametrize(
    "ranges",
    [
        ["30-39", "40-49", "50-59", "90-99"],
        ["[30, 40)", "[40, 50)", "[35, 45)"],
        ["[35, 45]", "[40, 50]", "[40, 60]"],
        ["[2.5, 5]", "[0, 7.5]", "[5, 10]"],
        ["<6", "6-7", "8-9", "10-11", ">11"],
        ["6-7", "8-9", "9-10", "10-11"],
        ["0-17", "18-24", "25-44", "45-64", "65-79", "80-99"],
        ["0-17", "25-44", "65-79"],
        ["18-22", "23-27", "38-42", "18-27"],
        ["40-49", "43", "41", "47"],
        ["5-10"],
        ["a", "b"],
        ["*", "*"],
        ["2022-2020", "2019-2018"],
    ],
    ids=lambda ranges: " ".join(ranges),
)
def test_grids_hierarchies_and_lists_are_clean(ranges):
    assert codes_of({"x": ranges * 3}) == {}


@pytest.mark.parametrize(
    "ranges",
    [
        ["5-10", "3-8"],
        ["[1.26, 3.5]", "[2.75, 4.01]"],
        ["17-21", "25-28", "31-38", "44-45", "51-57", "60-71"],
        ["[-3, 4]", "[-7, 1]", "9"],
    ],
    ids=lambda ranges: " ".join(ranges),
)
def test_hulls_are_found(ranges):
    n_ranges = sum("-" in one[1:] or "[" in one for one in ranges)
    assert codes_of({"x": ranges * 2}) == {"x": 2 * n_ranges}


def people(n_rows=300):
    generator = np.random.default_rng(5)
    return pl.DataFrame({"age": generator.integers(17, 91, n_rows), "size": generator.integers(140, 200, n_rows)})


@pytest.mark.parametrize(
    ("kind", "tight"),
    [
        ("number", True),
        (cl.Number(publish="range", grid=5), False),
        (cl.Number(grid=10), False),
        (cl.Intervals(width=5, levels=4), False),
    ],
    ids=["number", "grid of 5", "grid of 10", "intervals"],
)
def test_what_celosia_publishes_is_read_as_it_was_made(kind, tight):
    schema = cl.Schema(quasi_identifiers={"age": kind, "size": kind})
    rows = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Weave(passes=2), seed=1).run(cl.Table(people(), schema)).rows
    assert (set(codes_of(rows)) == {"age", "size"}) is tight
    assert bool(codes_of(rows)) is tight


def test_many_ranges_are_judged_by_some_of_them():
    low = np.random.default_rng(1).uniform(0, 1000, 20_000).round(3)
    ranges = [f"[{one}, {one + 7.123:.3f}]" for one in low]
    assert set(codes_of({"x": ranges})) == {"x"}
