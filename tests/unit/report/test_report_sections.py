"""What each section must say, on small tables whose figures are known by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import Any, ClassVar

import polars as pl
import pytest

import celosia as cl
from celosia.jobs.plan_file import load
from celosia.masks.base import Leaves, Sheet, Technique
from celosia.report import render
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.sections import SECTIONS
from celosia.report.sections.heading import heading


def plain(page: str) -> str:
    """The words of a page, without tags, styles and no-break spaces."""
    words = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.S)
    return re.sub(r"\s+", " ", unescape(words).replace("\xa0", " "))


def section(page: str, name: str) -> str:
    return plain(page.split(f'<section id="{name}"')[1].split("</section>")[0])


def agency_table() -> cl.Release:
    """The agency note's table 3: 37***, 28***, 24*** and decades, two rows each."""
    frame = pl.DataFrame(
        {
            "postcode": ["37003", "37891", "28108", "28111", "24700", "24701"],
            "age": [40, 44, 44, 40, 37, 33],
            "cholesterol": ["S", "S", "S", "S", "N", "N"],
        }
    )
    schema = cl.Schema(
        quasi_identifiers={"postcode": cl.Prefix(keep=[2]), "age": cl.Intervals(width=10)}, sensitive=["cholesterol"]
    )
    release = cl.Plan(models=[cl.KAnonymity(2)], seed=1).run(cl.Table(frame, schema))
    assert sorted(set(release.rows["postcode"])) == ["24***", "28***", "37***"]
    return release


def test_the_inference_sentence_of_the_agency_note():
    found = section(render(agency_table(), "en"), "findings")
    assert "In 3 of 3 classes (6 rows) anyone known to be in the class" in found
    assert (
        "Whoever knows that somebody is in these data with postcode = 28*** and age = [40, 49] learns with certainty: "
        "cholesterol = S (2 rows)." in found
    )
    spanish = section(render(agency_table(), "es"), "findings")
    assert "con postcode = 28*** y age = [40, 49] averigua con certeza: cholesterol = S (2 filas)" in spanish
    assert "Aviso HOMOGENEOUS" in spanish


def suppressed_release() -> cl.Release:
    tree = cl.Tree([["a", "*"], ["b", "*"]], on_missing="suppress")
    frame = pl.DataFrame({"job": ["a"] * 4 + ["b"] * 3 + ["c"], "mark": [1, 1, 1, 1, 2, 2, 2, 9]})
    schema = cl.Schema(quasi_identifiers={"job": tree}, insensitive=["mark"])
    return cl.Plan(models=[cl.KAnonymity(3)], max_suppression=0.125).run(cl.Table(frame, schema))


def test_one_row_of_eight_is_an_eighth_and_bends_the_columns():
    release = suppressed_release()
    found = section(render(release, "en"), "suppression")
    assert "1 of 8 rows was deleted: 12.5%." in found
    assert "Reason Rows A value that its hierarchy does not know 1" in found
    assert "Se borró 1 de 8 filas: el 12,5 %." in section(render(release, "es"), "suppression")
    assert "job" in found
    assert "mark" in found


def test_the_change_of_a_column_is_the_total_variation_over_its_bars():
    frame = pl.DataFrame({"job": ["a"] * 6 + ["b"] * 4 + ["c"] * 3, "sex": ["m"] * 6 + ["f"] * 4 + ["m"] * 3})
    tree = cl.Tree([["a", "*"], ["b", "*"]], on_missing="suppress")
    schema = cl.Schema(quasi_identifiers={"job": tree}, sensitive=["sex"])
    release = cl.Plan(models=[cl.KAnonymity(3)], max_suppression=0.3).run(cl.Table(frame, schema))
    found = section(render(release, "en"), "suppression")
    # sex before: m 9/13, f 4/13; kept: m 6/10, f 4/10: half the sum of differences is 9/13 - 6/10 = 0.0923.
    assert "sex 9.2% m: 33.3% of its rows" in found


def test_nothing_suppressed_says_so():
    assert "every row is published" in section(render(agency_table(), "en"), "suppression")


def test_risk_before_and_after():
    release = agency_table()
    found = section(render(release, "en"), "risk")
    before, after = cl.risk.prosecutor(release.table), cl.risk.prosecutor(release)
    assert (before.max, after.max) == (1.0, 0.5)
    assert "greatest, of any row 100% 50%" in found
    assert "bounds the greatest risk by 1/k: 1/2 = 50%" in found


def test_loss_names_both_readings_and_the_definition():
    release = suppressed_release()
    found = section(render(release, "en"), "loss")
    assert f"lost whole {release.loss.gcp:.5f}" in found
    assert f"published rows alone {release.loss.gcp_published:.5f}" in found
    assert "(values covered − 1) / (all values − 1)" in found


def test_weights_are_shown_where_they_are_given():
    frame = pl.DataFrame({"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]})
    schema = cl.Schema(quasi_identifiers={"a": "number", "b": "number"}, weights={"a": 2.5})
    page = render(cl.Plan(models=[cl.KAnonymity(2)]).run(cl.Table(frame, schema)), "es")
    assert "Peso" in section(page, "roles")
    assert "2,5" in section(page, "roles")
    assert "Peso" in section(page, "loss")
    assert "Weight" not in section(render(agency_table(), "en"), "loss")


def test_classes_are_counted_in_people():
    frame = pl.DataFrame({"who": ["a", "a", "b", "c", "d", "d"], "x": [1, 1, 1, 9, 9, 9]})
    schema = cl.Schema(quasi_identifiers={"x": "number"}, subject="who")
    page = render(cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Mondrian()).run(cl.Table(frame, schema)), "en")
    found = section(page, "classes")
    assert "people in the smallest class 2" in found
    assert "rows in the smallest class 3" in found
    assert "about at least 2 different people" in section(page, "claim")
    assert "subject (an identifier)" in section(page, "roles")


def test_many_sizes_of_classes_are_drawn_as_ranges():
    sizes = [20, 31, 44, 50, 63, 71, 85, 92, 101, 117, 125, 133, 140]
    frame = pl.DataFrame({"x": [str(value) for value, size in enumerate(sizes) for _ in range(size)]})
    schema = cl.Schema(quasi_identifiers={"x": "category"})
    release = cl.Plan(models=[cl.KAnonymity(20)], algorithm=cl.Mondrian()).run(cl.Table(frame, schema))
    (chart,) = re.findall(r'aria-label="(Number of classes[^"]*)"', render(release, "en"))
    counts = [int(count) for count in re.findall(r": (\d+)", chart)]
    assert sum(counts) == release.classes.n_classes
    assert 2 <= len(counts) <= 12


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_plan_in_it_runs_as_it_stands(tmp_path, lang):
    tree = cl.Tree([["cook", "food", "*"], ["judge", "law", "*"], ["clerk", "law", "*"]])
    tree.to_csv(tmp_path / "job.csv")
    frame = pl.DataFrame(
        {
            "dni": [str(row) for row in range(12)],
            "extra": ["x"] * 12,
            "age": [20.5 + row for row in range(12)],
            "job": ["cook", "judge", "clerk"] * 4,
            "ill": ["a", "b", "c", "d"] * 3,
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    schema = cl.Schema(
        identifiers=["dni"],
        quasi_identifiers={"age": cl.Number(grid=5), "job": cl.Tree.read_csv(tmp_path / "job.csv")},
        sensitive=["ill"],
        weights={"age": 2},
    )
    plan = cl.Plan(
        models=[cl.KAnonymity(3)], masks=[cl.Drop(columns=["extra"])], algorithm=cl.Mondrian(), max_suppression=0.1
    )
    release = plan.run(cl.Table.read(tmp_path / "people.csv", schema))
    page = render(release, lang)
    shown = unescape(page.split("<pre><code>")[1].split("</code></pre>")[0])
    (tmp_path / "plan.yaml").write_text(shown)
    config = load(tmp_path / "plan.yaml")
    again = config.plan.run(config.table())
    assert again.plan == plan
    assert again.table.schema.to_dict() == release.table.schema.to_dict()


def test_the_commands_name_language_and_order():
    frame = pl.DataFrame({"x": [1, 2, 3, 4]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number"}), name="my data.csv")
    release = cl.Plan(models=[cl.KAnonymity(2)], keep_order=True, seed=4).run(table)
    found = section(render(release, "es"), "repeat")
    assert "celosia run plan.yaml --out release --keep-order --lang es" in found
    assert "celosia compare 'my data.csv' release/data.csv --plan plan.yaml" in found
    assert "Se fijó una semilla" in found


@dataclass(frozen=True)
class Pseudonymise(Technique):
    """A stand-in: the mask is not built yet, the rule about its label is."""

    name: ClassVar[str] = "pseudonymise"
    leaves: ClassVar[Leaves] = Leaves("pseudonymised", "None.")
    uses: ClassVar[tuple[str, ...]] = ("x",)

    def mask(self, sheet: Sheet) -> Sheet:
        return sheet

    def to_dict(self) -> dict[str, Any]:
        return {"column": "x"}


def test_pseudonymised_data_are_never_called_anonymous():
    table = cl.Table(pl.DataFrame({"x": [1, 2, 3, 4]}), cl.Schema(quasi_identifiers={"x": "number"}))
    release = cl.Plan(models=[cl.KAnonymity(2)], masks=[Pseudonymise()]).run(table)
    assert heading(Facts.of(release), Language("en"))["label"] == "Pseudonymised data"
    assert heading(Facts.of(release), Language("es"))["label"] == "Datos seudonimizados"
    assert heading(Facts.of(agency_table()), Language("en"))["label"] == "2-anonymous release"


def test_honest_limits_stand_in_every_report():
    found = section(render(agency_table(), "en"), "limits")
    for words in ("relative to the columns declared", "do not add up", "knows the algorithm", "legal conclusion"):
        assert words in found
    assert "ends of ranges are true" not in found
    numbers = cl.Table(pl.DataFrame({"x": [1, 2, 3, 4]}), cl.Schema(quasi_identifiers={"x": "number"}))
    tight = cl.Plan(models=[cl.KAnonymity(2)]).run(numbers)
    assert "ends of ranges are true" in section(render(tight, "en"), "limits")


def test_the_tool_never_picks_k():
    assert "k = 2 was set in the plan: Celosía never chooses it." in section(render(agency_table(), "en"), "claim")


@pytest.mark.parametrize("make", SECTIONS, ids=lambda make: make.__name__)
def test_a_section_is_named_like_its_function_and_its_template(make):
    assert make(Facts.of(agency_table()), Language("en")).name == make.__name__
