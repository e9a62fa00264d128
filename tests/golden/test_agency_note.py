"""The agency's note worked through with the library: its six tables, its mistakes, and what must be said of them."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape

import numpy as np
import polars as pl
import pytest
from agency_note import NOTE, NOTE_1, NOTE_2, NOTE_3, NOTE_4, NOTE_5, NOTE_6, WIDENED_6, table
from by_levels import recode_by_levels
from hypothesis import given
from hypothesis import strategies as st

import celosia as cl
from celosia.data.hierarchies.domains import Style, ancestors_of
from celosia.data.masked import MaskedTable
from celosia.data.recode import scope_of
from celosia.jobs.release import Release
from celosia.jobs.tables import release_of
from celosia.measure.utility.published import published_losses
from celosia.report import render

KNOWN = ["postcode", "age"]
KINDS = {"postcode": cl.Prefix(keep=[4, 3, 2, 1]), "age": cl.Intervals(width=10)}
FULL, VALUE, CELL = "full-domain", "value-global", "cell-local"


def frame(rows: str) -> pl.DataFrame:
    return pl.DataFrame(table(NOTE, rows))


def original(rows: str, kinds=KINDS) -> cl.Table:
    return cl.Table(frame(rows), cl.Schema(quasi_identifiers=kinds, sensitive=["cholesterol"]))


def checked(rows: str, *models) -> cl.Check:
    return cl.check(frame(rows), KNOWN, ["cholesterol"], models=models)


@pytest.mark.parametrize(
    ("rows", "n_classes", "k", "t_equal", "n_alike"),
    [
        (NOTE_1, 3, 2, Fraction(2, 3), 6),
        (NOTE_2, 5, 1, Fraction(2, 3), 6),
        (NOTE_3, 3, 2, Fraction(2, 3), 6),
        (NOTE_4, 3, 2, Fraction(2, 3), 6),
        (NOTE_5, 7, 1, Fraction(5, 8), 8),
        (NOTE_6, 4, 1, Fraction(4, 7), 7),
    ],
    ids=[f"table {number}" for number in range(1, 7)],
)
def test_the_six_tables_through_check(rows, n_classes, k, t_equal, n_alike):
    found = checked(rows)
    secret = found.figures["sensitive"]["cholesterol"]
    assert (found.figures["n_classes"], found.k) == (n_classes, k)
    assert (secret["l_distinct"], secret["alpha"], secret["t_equal"]) == (1, 1.0, float(t_equal))
    assert [one.values for one in found.findings if one.code == "HOMOGENEOUS"] == [
        {"count": n_classes, "rows": n_alike}
    ]
    assert ("SINGLED_OUT" in {one.code for one in found.findings}) == (k == 1)


# T-N1: table 6 is not what it is called, and what would mend it


def test_table_6_is_refused_for_k_2():
    found = checked(NOTE_6, cl.KAnonymity(2))
    assert not found.holds
    assert (found.models[0]["n_classes"], found.models[0]["n_rows"]) == (1, 1)
    compared = cl.compare(original(NOTE_5), frame(NOTE_6), order=range(7), models=[cl.KAnonymity(2)])
    assert compared.truthful is True
    assert not compared.holds


@pytest.mark.parametrize(
    ("rows", "n_lost", "sizes"), [(NOTE_4, 2, [2, 2, 2]), (WIDENED_6, 1, [2, 2, 3])], ids=["without 37891", "widened"]
)
def test_both_repairs_of_table_6_hold(rows, n_lost, sizes):
    published = frame(rows)
    compared = cl.compare(original(NOTE_5), published, order=range(8 - n_lost), models=[cl.KAnonymity(2)])
    assert compared.holds
    assert compared.truthful is True
    assert sorted(published.group_by(KNOWN).len()["len"]) == sizes
    assert (compared.n_suppressed, compared.n_rows) == (n_lost, 8)


@pytest.mark.parametrize("max_suppression", [0.0, 0.125, 0.25])
def test_the_tool_mends_table_5_by_itself(max_suppression):
    release = cl.Plan(models=[cl.KAnonymity(2)], max_suppression=max_suppression).run(original(NOTE_5))
    assert release.k >= 2
    assert release.summary["n_suppressed"] <= 8 * max_suppression


# T-N2: full-domain, value-global, cell-local


@pytest.mark.parametrize(
    ("before", "after", "scope", "columns"),
    [
        (NOTE_2, NOTE_2, FULL, (FULL, FULL)),
        (NOTE_2, NOTE_3, FULL, (FULL, FULL)),
        (NOTE_2, NOTE_4, VALUE, (VALUE, FULL)),
        (NOTE_5, NOTE_6, VALUE, (VALUE, FULL)),
        (NOTE_5, WIDENED_6, CELL, (VALUE, CELL)),
    ],
    ids=["table 2 itself", "table 3", "table 4, which the note calls local", "table 6", "table 6 widened"],
)
def test_the_kind_of_recoding(before, after, scope, columns):
    published = frame(after)
    found = cl.compare(original(before), published, order=range(published.height))
    assert found.scope is not None
    assert found.to_dict()["recoding"] == {"scope": scope, "columns": dict(zip(KNOWN, columns, strict=True))}
    assert cl.compare(original(before), published).to_dict()["recoding"] is None


@pytest.mark.parametrize("order", [range(5), [0, 1, 2, 3, 4, 99], [-1, 1, 2, 3, 4, 5]])
def test_an_order_that_does_not_fit_tells_nothing(order):
    assert cl.compare(original(NOTE_2), frame(NOTE_3), order=order).scope is None


def by_levels(postcode: list[int], age: list[int]) -> Release:
    """Table 2 published by levels: level 3 of a postcode keeps two digits, level 1 of an age is its decade."""
    recoding = recode_by_levels(original(NOTE_2), {"postcode": postcode, "age": age})
    plan = cl.Plan(models=[cl.KAnonymity(2)])
    return release_of(plan, MaskedTable.unmasked(recoding.table), recoding, np.arange(6))


def test_table_3_and_table_4_as_releases():
    third, fourth = by_levels([3] * 6, [1] * 6), by_levels([3, 3, 0, 0, 3, 3], [1] * 6)
    assert third.rows["postcode"].to_list() == table(NOTE, NOTE_3)["postcode"]
    assert fourth.rows["postcode"].to_list() == table(NOTE, NOTE_4)["postcode"]
    assert third.k == fourth.k == 2
    assert third.summary["recoding"] == {"scope": FULL, "columns": {"postcode": FULL, "age": FULL}}
    assert fourth.summary["recoding"] == {"scope": VALUE, "columns": {"postcode": VALUE, "age": FULL}}
    assert "MIXED_LEVELS" not in {one.code for one in third.findings}
    (mixed,) = [one for one in fourth.findings if one.code == "MIXED_LEVELS"]
    assert (mixed.severity, mixed.column) == ("note", "postcode")
    assert "side by side in postcode." in mixed.message
    assert not re.search(r"\d", mixed.message)


def test_one_finding_names_all_columns_of_mixed_levels():
    mixed = by_levels([3, 3, 0, 0, 3, 3], [1, 1, 0, 0, 1, 1])
    (found,) = [one for one in mixed.findings if one.code == "MIXED_LEVELS"]
    assert found.column is None
    assert "side by side in postcode, age." in found.message


def words_of(release: Release, section: str) -> str:
    page = render(release, "en").split(f'<section id="{section}"')[1].split("</section>")[0]
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


@pytest.mark.parametrize(
    ("postcode", "said"),
    [
        ([3] * 6, "full-domain recoding: every value of a column stands on one and the same level"),
        ([3, 3, 0, 0, 3, 3], "value-global recoding (of subtrees): each original value is always published the same"),
        (
            [3, 2, 0, 0, 2, 2],
            "cell-local recoding: one and the same original value is published in two ways or more in",
        ),
    ],
)
def test_the_report_names_the_kind_of_recoding(postcode, said):
    found = words_of(by_levels(postcode, [1] * 6), "steps")
    assert said in found
    assert found.count("recoding:") + found.count("recoding (of subtrees):") == 1


# T-N3: mixed levels are read cell by cell


def test_levels_are_read_per_cell():
    """37*** stands for two of the five postcodes of table 5, 28*** and 24700 for one each."""
    of_five = original(NOTE_5).quasi_identifiers[0]
    losses = published_losses(of_five, frame(NOTE_4)["postcode"])
    assert losses.tolist() == [0.25, 0, 0, 0, 0.25, 0]


def test_table_2_compared_with_table_4():
    """Ages run from 37 to 44: 40 - 49 costs 4/7 in four rows, 30 - 39 costs 2/7 in two; no postcode is lost."""
    found = cl.compare(original(NOTE_2), frame(NOTE_4), order=range(6))
    assert found.columns == {"postcode": 0.0, "age": pytest.approx(float(Fraction(10, 21)))}
    assert found.gcp == pytest.approx(float(Fraction(5, 21)))
    provinces = cl.Tree(
        [[code, f"{code[:2]}***", "*"] for code in ("37003", "37891", "28108", "24700", "24701", "24702")]
    )
    found = cl.compare(original(NOTE_2, KINDS | {"postcode": provinces}), frame(NOTE_4), order=range(6))
    assert found.columns["postcode"] == pytest.approx(2 / 6 * 1 / 5)  # 37*** covers two of six leaves, 24700 itself
    assert found.to_dict()["recoding"]["columns"]["postcode"] == VALUE


# R-N1, R-N2: the note's hierarchies


def test_the_chain_of_a_postcode():
    chain = ancestors_of(original(NOTE_5).quasi_identifiers[0].domain)["37003"]
    assert chain == ["3700*", "370**", "37***", "3****", "*****"]


def test_decades_in_every_style_of_label():
    ages = original(NOTE_2).quasi_identifiers[1].domain
    for style, labels in (
        (Style(), {"[40, 49]", "[30, 39]"}),
        (Style(ranges="dash"), {"40-49", "30-39"}),
    ):
        assert {ages.spell(int(node), style) for node in ages.nodes[1]} == labels
    spaced = original(NOTE_2, KINDS | {"age": cl.Intervals(ranges=["30 - 39", "40 - 49"])})
    as_printed = recode_by_levels(spaced, {"postcode": [3] * 6, "age": [1] * 6})
    assert as_printed.frame()["age"].to_list() == table(NOTE, NOTE_3)["age"]
    assert scope_of(as_printed).table == FULL


# R-N3, T-N5: what k does not hide


def test_table_3_hides_nobodys_cholesterol():
    found = checked(NOTE_3, cl.KAnonymity(2), cl.LDiversity(2, on="cholesterol"))
    assert [one["holds"] for one in found.models] == [True, False]
    (alike,) = [one for one in found.findings if one.code == "HOMOGENEOUS"]
    assert alike.severity == "warning"
    assert "In 3 classes (6 rows) anyone known to be in the class has one and the same 'cholesterol'" in alike.message


def test_the_report_of_table_3_draws_the_notes_inference():
    """Known to be in the data, from Madrid (28), in the forties: cholesterol is S with certainty."""
    found = words_of(by_levels([3] * 6, [1] * 6), "findings")
    assert "In 3 of 3 classes (6 rows) anyone known to be in the class has one and the same 'cholesterol'." in found
    assert (
        "Whoever knows that somebody is in these data with postcode = 28*** and age = [40, 49] learns with certainty: "
        "cholesterol = S (2 rows)." in found
    )


# R-N4: what suppression does


def test_rows_lost_and_the_change_of_every_column_are_told():
    """50011 is in no province of the tree: one of eight rows goes, and S falls from 5/8 to 4/7 of the rows."""
    provinces = cl.Tree(
        [[code, f"{code[:2]}***", "*"] for code in ("37003", "37891", "28108", "24700")], on_missing="suppress"
    )
    plan = cl.Plan(models=[cl.KAnonymity(2)], max_suppression=0.125, seed=1)
    release = plan.run(original(NOTE_5, KINDS | {"postcode": provinces}))
    assert (release.summary["n_suppressed"], release.summary["n_rows"]) == (1, 8)
    found = words_of(release, "suppression")
    assert "1 of 8 rows was deleted: 12.5%." in found
    change = float(Fraction(5, 8) - Fraction(4, 7))
    assert f"cholesterol {round(100 * change, 1)}%" in found
    for column in KNOWN:
        assert re.search(rf"{column} [0-9.]+%", found)


# T-N7: no loss above 1


def test_decades_are_cut_to_the_ages_of_the_data():
    """40 - 49 is 9 wide and the data's range 7: uncut it would cost 9/7."""
    ages = original(NOTE_2).quasi_identifiers[1]
    assert published_losses(ages, frame(NOTE_3)["age"])[0] == pytest.approx(4 / 7)
    third = by_levels([3] * 6, [1] * 6)
    assert third.loss.columns["age"] == pytest.approx(float(Fraction(10, 21)))
    row = cl.utility.ncp(third.table, third)[0]
    assert row == pytest.approx(4 / 7)


@given(ages=st.lists(st.integers(0, 99), min_size=1, max_size=12), width=st.integers(1, 60), origin=st.integers(-9, 9))
def test_the_loss_of_an_interval_is_never_above_1(ages, width, origin):
    domain = cl.Intervals(width=width, origin=origin, levels=3).fit(sorted(set(ages)), "age")
    assert ((domain.share >= 0) & (domain.share <= 1)).all()


# T-N8: children


@pytest.mark.parametrize("name", ["age", "Edad", "edad_paciente", "Alter", "age group"])
def test_a_child_in_the_data_is_told_without_its_age(name):
    renamed = frame(NOTE_5).rename({"age": name})
    (found,) = [one for one in cl.check(renamed, ["postcode", name]).findings if one.code == "CHILD_DATA"]
    assert (found.severity, found.column, dict(found.values)) == ("note", name, {"count": 1})
    assert "13" not in found.message
    schema = cl.Schema(quasi_identifiers={"postcode": KINDS["postcode"], name: "number"}, sensitive=["cholesterol"])
    release = cl.Plan(models=[cl.KAnonymity(2)]).run(cl.Table(renamed, schema))
    (same,) = [one for one in release.findings if one.code == "CHILD_DATA"]
    assert same == found
    assert "CHILD_DATA" in {one["code"] for one in release.summary["findings"]}


@pytest.mark.parametrize(
    ("values", "count"),
    [
        (["17", "18", "0", "-1", None], 2),
        (["10-14", "10 - 17", "[10, 18)", "<18", "10-19", "[17, 18]", ">=10", "*", "child"], 4),
        ([17.5, 18.0, None], 1),
        (["17,5", "18,5"], 1),
        (["018", "007"], 1),
        ([True, False], 0),
    ],
)
def test_who_counts_as_a_child(values, count):
    told = [one for one in cl.check(pl.DataFrame({"edad": values}), ["edad"]).findings if one.code == "CHILD_DATA"]
    assert [one.values["count"] for one in told] == ([count] if count else [])


def test_only_quasi_identifiers_of_ages_are_looked_at():
    young = pl.DataFrame({"age": [3, 4], "visits": [3, 4]})
    assert "CHILD_DATA" not in {one.code for one in cl.check(young, ["visits"]).findings}
    release = cl.Plan(models=[cl.KAnonymity(2)]).run(
        cl.Table(young, cl.Schema(quasi_identifiers={"visits": "number"}, sensitive=["age"]))
    )
    assert "CHILD_DATA" not in {one.code for one in release.findings}
