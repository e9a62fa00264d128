"""What a release gives away beyond its models: every finding planted once, and a clean release without any."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from by_levels import recode_by_levels

import celosia as cl
from celosia.data.classes import Classes
from celosia.data.recode import recode
from celosia.data.recode.scope import Scope
from celosia.measure import traps
from celosia.measure.release_findings.class_contents import about_singles
from celosia.measure.release_findings.readers import published_of
from celosia.measure.release_findings.recodings import about_tight_levels, about_tight_ranges
from celosia.measure.traps.almost_homogeneous import almost_homogeneous
from celosia.measure.traps.extremes import extremes
from celosia.measure.traps.participants import participants
from celosia.measure.traps.rare_pairs import rare_pairs
from celosia.measure.traps.rare_values import rare_values
from celosia.measure.traps.suppression_signal import suppression_signal
from celosia.measure.traps.tight_ranges import tight_ranges

SEARCH = cl.Mondrian()


@pytest.fixture(autouse=True)
def own_traps(monkeypatch):
    own = (rare_values, rare_pairs, extremes, participants, tight_ranges, suppression_signal, almost_homogeneous)
    monkeypatch.setattr(traps, "TRAPS", own)


def people(n_rows: int = 240, **more) -> pl.DataFrame:
    generator = np.random.default_rng(11)
    return pl.DataFrame(
        {
            "age": generator.integers(20, 80, n_rows),
            "ill": generator.permutation(["flu", "cold", "cough"] * (n_rows // 3)),
            **more,
        }
    )


def released(frame: pl.DataFrame, k: int = 4, age="number", models=(), masks=(), **roles) -> cl.Release:
    roles = {"sensitive": ["ill"], **roles}
    schema = cl.Schema(quasi_identifiers={"age": age}, **roles)
    plan = cl.Plan(models=[cl.KAnonymity(k), *models], algorithm=SEARCH, masks=masks)
    return plan.run(cl.Table(frame, schema))


def found_in(release: cl.Release) -> dict[str, cl.Finding]:
    found = release.findings
    assert len({(one.code, one.column) for one in found}) == len(found)
    return {one.code: one for one in found}


def test_a_clean_release_has_no_warning():
    """On a grid, three illnesses in every class, nobody at an end: --strict must be silent."""
    made = released(people(), k=8, age=cl.Number(grid=10), models=[cl.LDiversity(3, on="ill")])
    assert [one.code for one in made.findings] == []


def test_a_release_of_plain_ranges_has_a_note_and_no_warning():
    made = released(people(), k=8, models=[cl.LDiversity(3, on="ill")])
    (found,) = made.findings
    assert (found.code, found.severity, found.column) == ("TIGHT_RANGES", "note", "age")
    shown = made.rows["age"]
    assert found.n_rows == int(shown.str.starts_with("[").sum())


@pytest.mark.parametrize("kind", ["number", cl.Number(publish="pair")], ids=["range", "pair"])
def test_tight_ranges_are_those_whose_ends_somebody_has(kind):
    """T-P10, by the original: the paper's second table."""
    practicals = [5, 5, 8, 10, 9, 8, 10, 9, 6]
    table = cl.Table(pl.DataFrame({"practicals": practicals}), cl.Schema(quasi_identifiers={"practicals": kind}))
    (found,) = about_tight_ranges(recode(table, Classes([0, 0, 0, 1, 1, 1, 2, 2, 2])))
    assert found.n_rows == 9
    assert about_tight_ranges(recode(table, Classes([0, 0, 1, 2, 3, 1, 2, 3, 4]))) == []  # equal marks in each class


@pytest.mark.parametrize("kind", [cl.Number(grid=5), cl.Number(publish="centroid"), "category", cl.Intervals(width=5)])
def test_what_has_no_true_ends_is_not_tight(kind):
    table = cl.Table(pl.DataFrame({"x": [5, 7, 8, 12]}), cl.Schema(quasi_identifiers={"x": kind}))
    assert about_tight_ranges(recode(table, Classes([0, 0, 1, 1]))) == []


def test_ranges_that_a_search_made_wider_than_its_classes_are_not_tight():
    """Whole columns on three levels: a value, pairs of neighbours, ``*``."""
    frame = pl.DataFrame({"x": [10, 20, 30, 40, 40, 30]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": "number"}))
    (found,) = about_tight_ranges(recode_by_levels(table, {"x": [1] * 6}))
    assert found.n_rows == 6
    (found,) = about_tight_ranges(recode_by_levels(table, {"x": [1] * 6}, [True, False, False, False, False, False]))
    assert found.n_rows == 4  # without the 10 nobody is at the lower end of [10, 20]
    assert about_tight_ranges(recode_by_levels(table, {"x": [0] * 6})) == []


JOBS = cl.Tree([["cook", "food", "*"], ["baker", "food", "*"], ["judge", "law", "*"], ["clerk", "law", "*"]])


def tree_classes(jobs: str, labels: list[int], k: int = 2):
    table = cl.Table(pl.DataFrame({"job": jobs.split()}), cl.Schema(quasi_identifiers={"job": JOBS}))
    recoding = recode(table, Classes(labels))
    return about_tight_levels(recoding, Scope.of({"job": "cell-local"}), k)


def test_a_class_of_just_k_at_a_node_lies_in_two_of_its_children():
    """A7: k = 2, two rows published as the root of {A, B}: one in A, one in B, always."""
    (found,) = tree_classes("cook baker judge judge", [0, 0, 1, 1])
    assert (found.code, found.severity, found.n_rows, found.values["n_classes"]) == ("REFINABLE", "note", 2, 1)
    assert tree_classes("cook baker cook judge judge", [0, 0, 0, 1, 1]) == []  # three people: more than just k
    assert tree_classes("cook cook judge judge", [0, 0, 1, 1]) == []  # published as they are


def test_columns_on_one_level_are_not_refinable():
    frame = pl.DataFrame({"job": ["cook", "baker", "judge", "clerk"], "ill": ["flu"] * 4})
    schema = cl.Schema(quasi_identifiers={"job": JOBS}, sensitive=["ill"])
    made = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Lattice()).run(cl.Table(frame, schema))
    assert made.scope.columns["job"] == "full-domain"
    assert "REFINABLE" not in found_in(made)


def test_a_local_recoding_is_refinable():
    jobs = ["cook", "cook", "baker", "judge", "judge", "judge", "clerk", "clerk", "clerk", "cook"]
    frame = pl.DataFrame({"job": jobs, "age": [20, 20, 20, 30, 30, 30, 30, 30, 30, 20]})
    schema = cl.Schema(quasi_identifiers={"job": JOBS, "age": "number"})
    made = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Weave(passes=20), seed=1).run(cl.Table(frame, schema))
    found = found_in(made)
    assert made.scope.columns["job"] == "cell-local"
    assert found["REFINABLE"].n_rows == 2


def test_two_people_in_a_class_learn_one_anothers_secret():
    frame = pl.DataFrame({"lecturer": ["Milena"] * 3 + ["José"] * 2, "mark": [4.5, 3.5, 3.8, 2.5, 5.0]})
    schema = cl.Schema(quasi_identifiers={"lecturer": "category"}, sensitive=["mark"])
    found = found_in(cl.Plan(models=[cl.KAnonymity(2)]).run(cl.Table(frame, schema)))
    assert (found["PARTICIPANT_LEARNS"].severity, found["PARTICIPANT_LEARNS"].n_rows) == ("warning", 2)
    assert "RARE_VALUES" not in found  # marks are rare by nature


def test_a_rare_value_beside_the_classes_is_warned_of():
    towns = ["Soria"] * 239 + ["Medinaceli"]
    found = found_in(released(people(town=towns), insensitive=["town"]))["RARE_VALUES"]
    assert (found.severity, found.column, found.n_rows, found.values["k"]) == ("warning", "town", 1, 4)
    assert "Medinaceli" not in found.message


def test_pseudonyms_and_perturbed_columns_are_rare_by_design():
    frame = people(dni=[f"{n:08d}" for n in range(240)], pay=[float(n) for n in range(240)])
    masks = [cl.Pseudonymise("dni"), cl.AddNoise("pay", sd=5.0)]
    made = released(frame, identifiers=["dni"], insensitive=["pay"], masks=masks)
    assert not {one.column for one in made.findings if one.code in ("RARE_VALUES", "EXTREMES")} & {"dni", "pay"}
    plain = released(frame.drop("dni"), insensitive=["pay"])
    assert {one.code for one in plain.findings if one.column == "pay"} >= {"RARE_VALUES", "EXTREMES"}


def test_the_best_paid_stands_far_out():
    pay = [*np.random.default_rng(3).normal(30_000, 4_000, 239).round(2), 987_654.32]
    found = found_in(released(people(pay=pay), sensitive=["ill", "pay"]))["EXTREMES"]
    assert (found.severity, found.column, found.n_rows) == ("warning", "pay", 3)
    coded = cl.TopCode("pay", share=0.05)
    again = released(people(pay=pay), sensitive=["ill", "pay"], masks=[coded]).findings
    assert not [one for one in again if one.column == "pay" and one.severity == "warning"]


def test_people_are_counted_by_a_subject_that_is_not_published():
    frame = people(who=[f"p{n // 2}" for n in range(240)], town=["Soria"] * 232 + ["Medinaceli"] * 8)
    made = released(frame, insensitive=["town"], subject="who", k=5)
    published = published_of(made)
    assert "who" not in made.rows.columns
    assert "who" not in published.kept
    assert sorted(published.people.tolist()) == sorted(made.recoding.classes.units(made.table.subjects).tolist())
    assert found_in(made)["RARE_VALUES"].n_rows == 8  # four people


def suppressed(ages: list[int], ill: list[str], share: float = 0.1) -> cl.Release:
    schema = cl.Schema(quasi_identifiers={"age": cl.Intervals(width=10, levels=2)}, sensitive=["ill"])
    plan = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Lattice(), max_suppression=share)
    return plan.run(cl.Table(pl.DataFrame({"age": ages, "ill": ill}), schema))


def test_an_illness_whose_rows_are_all_deleted_is_told():
    """A21: all rows with HIV are suppressed, and they alone."""
    common = [20 + n % 10 for n in range(48)] + [40 + n % 10 for n in range(48)]
    made = suppressed([*common, 91, 71, 81, 61], ["flu", "cold"] * 48 + ["HIV"] * 4)
    assert made.classes.n_suppressed == 4
    (found,) = [one for one in made.findings if one.code == "SUPPRESSION_SIGNAL"]
    assert (found.severity, found.column, found.n_rows) == ("warning", "ill", 4)
    assert "HIV" not in found.message


def test_rows_deleted_whatever_their_illness_tell_nothing():
    common = [20 + n % 10 for n in range(48)] + [40 + n % 10 for n in range(48)]
    made = suppressed([*common, 91, 71, 81, 61], ["flu", "cold"] * 50)
    assert made.classes.n_suppressed == 4
    assert "SUPPRESSION_SIGNAL" not in found_in(made)


def test_rows_that_a_mask_dropped_for_their_secret_are_told():
    frame = people(240).with_columns(ill=pl.Series(["HIV"] * 6 + ["flu", "cold"] * 117))
    made = released(frame, masks=[cl.DropRows(where="ill == 'HIV'")])
    (found,) = [one for one in made.findings if one.code == "SUPPRESSION_SIGNAL"]
    assert found.n_rows == 6


def test_findings_about_rows_say_how_many():
    frame = people(who=[f"p{n // 2}" for n in range(240)]).with_columns(ill=pl.lit("flu"), age=pl.lit(12))
    made = released(frame, subject="who")
    found = found_in(made)
    assert {code: found[code].n_rows for code in ("SUBJECT_REPEATED", "CHILD_DATA", "HOMOGENEOUS")} == {
        "SUBJECT_REPEATED": 240,
        "CHILD_DATA": 240,
        "HOMOGENEOUS": 240,
    }


def test_one_who_stands_alone_is_counted():
    """Two rows of one person are one person."""
    frame = pl.DataFrame({"age": [20, 20, 30, 30], "who": [*"aabc"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, subject="who"))
    (found,) = about_singles(table, Classes([0, 0, 1, 1]))
    assert (found.code, found.severity, found.n_rows) == ("SINGLED_OUT", "warning", 2)
    assert about_singles(table, Classes([0, 0, 0, 0])) == []


def test_a_situation_that_the_plan_describes_is_judged():
    situation = cl.risk.Situation([cl.risk.PublicRelease()], threshold="0.1")
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"])
    for k, is_met in ((4, False), (12, True)):
        plan = cl.Plan(models=[cl.KAnonymity(k)], algorithm=SEARCH, risk=situation)
        codes = {one.code for one in plan.run(cl.Table(people(), schema)).findings}
        assert ("RISK_ABOVE_THRESHOLD" not in codes) is is_met


def test_no_finding_holds_a_value():
    canaries = ["CANARYone", "CANARYtwo"]
    frame = people(town=["CANARYtown"] * 237 + ["CANARYhamlet", *canaries], pay=[*range(1000, 1239), 77_777_777])
    made = released(frame, insensitive=["town"], sensitive=["ill", "pay"])
    text = " ".join(one.message + str(one.values) for one in made.findings)
    assert "CANARY" not in text
    assert "7777" not in text


def test_check_finds_the_same_in_a_file_without_its_original():
    """The paper's second table (T-P10), the lecturer's class of two, an only ten, and a remark of one person."""
    file = pl.DataFrame(
        {
            "practicals": ["5-8"] * 3 + ["8-10"] * 3 + ["6-10"] * 2,
            "participation": ["6", "10", "5", "5", "5", "5", "6", "6"],
            "remark": ["none"] * 7 + ["late"],
        }
    )
    found = {(one.code, one.column): one for one in cl.check(file, ["practicals"], ["participation"]).findings}
    assert found["TIGHT_RANGES", "practicals"].severity == "warning"
    assert found["RARE_VALUES", "remark"].n_rows == 1
    assert found["PARTICIPANT_LEARNS", None].n_rows == 2
    assert (found["EXTREMES", "participation"].severity, found["EXTREMES", "participation"].n_rows) == ("warning", 1)
    clean = pl.DataFrame({"age": ["30-39"] * 4 + ["40-49"] * 4, "ill": ["flu", "cold"] * 4, "town": ["Soria"] * 8})
    assert cl.check(clean, ["age"], ["ill"]).findings == []
