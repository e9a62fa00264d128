"""The section on utility: its figures, what they mean, and whom they do not point at."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.measure import utility
from celosia.report import render
from celosia.report.language import Language
from celosia.report.sections.utility import _spelt


def section(release: cl.Release, lang: str = "en") -> str:
    """The words of the section."""
    page = render(release, lang).split('<section id="utility"')[1].split("</section>")[0]
    words = unescape(re.sub(r"<[^>]*>", " ", page)).replace("\xa0", " ")
    return re.sub(r"\s+", " ", words)


def agency_table() -> cl.Release:
    """The agency note's table 3: 37***, 28***, 24*** and decades, two rows each."""
    frame = pl.DataFrame(
        {
            "postcode": ["37003", "37891", "28108", "28111", "24700", "24701"],
            "age": [40, 44, 44, 40, 37, 33],
        }
    )
    kinds = {"postcode": cl.Prefix(keep=[2]), "age": cl.Intervals(width=10)}
    return cl.Plan(models=[cl.KAnonymity(2)]).run(cl.Table(frame, cl.Schema(quasi_identifiers=kinds)))


def test_the_figures_of_the_agency_note_worked_out_on_paper():
    found = section(agency_table())
    assert "Average class size 2 = 1 k" in found
    assert "Discernibility 12 " in found  # 3 · 2²
    assert "the sum: 2 per row" in found
    assert "Precision 50%" in found  # level 1 of 2 in both columns
    # Postcodes hide 1 bit of log2 6. Ages 40 and 44 lie with all four rows of the forties, two of each: 1 bit. 37, 33:
    # 1 bit. So 12 bits of 6 log2 6 (postcodes), and of 4 log2 3 + 2 log2 6 (ages).
    most = 6 * np.log2(6) + 4 * np.log2(3) + 2 * np.log2(6)
    assert f"Information hidden {100 * 12 / most:.1f}%" in found
    assert "Ambiguity 4 " in found  # two postcodes, two ages
    assert found.count("Smaller is better") == 4
    assert found.count("Larger is better") == 1


def test_columns_without_levels_are_named():
    table = cl.Table(
        pl.DataFrame({"x": [1, 2, 3, 4], "job": ["a", "a", "b", "b"]}),
        cl.Schema(quasi_identifiers={"x": "number", "job": "category"}),
    )
    found = section(cl.Plan(models=[cl.KAnonymity(2)]).run(table))
    assert "Precision undefined" in found
    assert "Without levels, and left out here: x and job." in found


def test_a_plan_without_k_has_no_multiples_of_it():
    table = cl.Table(
        pl.DataFrame({"x": [1, 1, 9, 9, 9], "ill": ["a", "b", "a", "b", "b"]}),
        cl.Schema(quasi_identifiers={"x": "number"}, sensitive=["ill"]),
    )
    found = section(cl.Plan(models=[cl.LDiversity(2, on="ill")], algorithm=cl.Mondrian()).run(table))
    assert re.search(r"Average class size (2\.5|5) How", found)


def numbers(n_rows: int, k: int = 5) -> cl.Release:
    pay = np.random.default_rng(1).normal(30_000, 4_000, n_rows).round(2)
    table = cl.Table(
        pl.DataFrame({"pay": pay, "bonus": pay + 0.01}),
        cl.Schema(quasi_identifiers={"pay": "number"}, sensitive=["bonus"]),
    )
    return cl.Plan(models=[cl.KAnonymity(k)], algorithm=cl.Mondrian()).run(table)


def test_statistics_are_rounded_and_of_quasi_identifiers_alone():
    release = numbers(1501)
    found = section(release)
    true = utility.statistics(release.table, release).columns["pay"]
    told = re.search(r"pay ([\d,.]+) → ([\d,.]+) ([\d,.]+) → ([\d,.]+) ([\d,.]+) → ([\d,.]+)", found)
    assert told is not None
    shown = [float(figure.replace(",", "")) for figure in told.groups()]
    exact = [getattr(side, name) for name in ("mean", "sd", "median") for side in (true.before, true.after)]
    step = release.utility.rounded_statistics["pay"].step
    assert shown == pytest.approx(exact, abs=step / 2)
    assert all(figure % step == 0 for figure in shown)
    assert step >= 50
    assert f"{true.before.median:.2f}" not in render(release, "en").replace(",", "")  # one person's pay
    assert "bonus" not in found
    assert "at least 5 people" in found


def test_a_column_of_few_people_has_no_statistics():
    frame = pl.DataFrame({"pay": [12345, 23456, 34567, 45678, *[None] * 6], "sex": ["f", "m"] * 5})
    schema = cl.Schema(quasi_identifiers={"pay": "number", "sex": "category"})
    release = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Mondrian()).run(cl.Table(frame, schema))
    assert utility.statistics(release.table, release).columns["pay"].before.n == 4
    found = section(release)
    assert "pay too few people have a number" in found
    assert "29,0" not in found  # mean and median of the four


@pytest.mark.parametrize(
    ("log10", "english", "spanish"),
    [
        (0, "1", "1"),
        (np.log10(2.5), "2.5", "2,5"),
        (np.log10(123_456), "123,000", "123 000"),
        (8.745, "5.6 · 10⁸", "5,6 · 10⁸"),
        (11.9999, "1 · 10¹²", "1 · 10¹²"),
        (400.5, "3.2 · 10⁴⁰⁰", "3,2 · 10⁴⁰⁰"),
    ],
)
def test_any_ambiguity_can_be_spelt(log10, english, spanish):
    spelt = [_spelt(float(log10), Language(code)).replace("\xa0", " ") for code in ("en", "es")]
    assert spelt == [english, spanish]
