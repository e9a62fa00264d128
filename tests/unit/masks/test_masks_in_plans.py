"""Masks before and after the search: order, roles, rows, people, truth."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from masked_people import N_PEOPLE, people, people_schema

import celosia as cl
from celosia import audit
from celosia.masks.ordering import in_order


def run(masks=(), after=(), frame=None, k=2, **changes) -> cl.Release:
    table = cl.Table(people() if frame is None else frame, people_schema(**changes))
    return cl.Plan(models=[cl.KAnonymity(k)], masks=list(masks), masks_after=list(after), seed=3).run(table)


def codes(release) -> list[str]:
    return [finding.code for finding in release.findings]


def test_columns_are_dropped_as_soon_as_no_mask_needs_them():
    masks = [
        cl.Round(column="pay", to=100),
        cl.Derive(column="old", expression="age > 65", role="insensitive"),
        cl.Drop(columns=["age", "dni"]),
    ]
    assert [(mask.name, mask.uses) for mask in in_order(masks)] == [
        ("drop", ("dni",)),
        ("round", ("pay",)),
        ("derive", ("age", "old")),
        ("drop", ("age",)),
    ]


def test_whole_columns_are_blanked_first_and_single_cells_are_not():
    masks = [cl.Round(column="pay", to=100), cl.Blank(column="dni"), cl.Blank(column="town", where="age > 70")]
    assert [mask.name for mask in in_order(masks)] == ["blank", "round", "blank"]


def test_a_masked_identifier_counts_in_every_class():
    release = run([cl.MaskCharacters(column="dni", keep_first=7)], k=3)
    assert "dni" in release.frame.columns
    assert release.table.schema.quasi_identifiers["dni"] == cl.Category()
    assert "IDENTIFIER_MASKED" in codes(release)
    assert cl.check(release.frame, quasi_identifiers=["dni", "age", "town"]).k >= 3


def test_a_swapped_identifier_is_published_with_a_warning():
    release = run([cl.Swap(column="dni")])
    assert sorted(release.frame["dni"]) == sorted(people()["dni"])
    (found,) = [one for one in release.findings if one.code == "IDENTIFIER_MOVED"]
    assert found.severity == "warning"


def test_a_blanked_identifier_is_an_empty_column():
    release = run([cl.Blank(column="dni")])
    assert release.frame["dni"].null_count() == N_PEOPLE


def published_dnis(release) -> set[str]:
    """Return the identifiers that some published cell of any column spells out."""
    cells = {cell for column in release.rows.get_columns() for cell in column.cast(pl.String).to_list()}
    return cells & set(people()["dni"])


@pytest.mark.parametrize(
    "masks",
    [
        [cl.Blank(column="dni", where="age > 60")],
        [cl.Blank(column="dni", where="age > 200")],
        [cl.Blank(column="dni", values=["10000000"])],
        [cl.Blank(column="dni", values=["10000000"], symbol="?")],
        [cl.Swap(column="dni"), cl.Blank(column="dni", where="age > 60")],
        [cl.Blank(column="dni", where="age > 60"), cl.MaskCharacters(column="dni", keep_first=7)],
        [cl.Swap(column="dni"), cl.MaskCharacters(column="dni", keep_first=7)],
        [cl.Round(column="dni", to=1)],
        [cl.TopCode(column="dni", at=10**9)],
        [cl.Generalise(column="dni", mapping={dni: dni for dni in people()["dni"]})],
    ],
)
@pytest.mark.parametrize("as_subject", [False, True])
def test_an_identifier_that_is_left_in_part_counts_in_every_class(masks, as_subject):
    roles = {"identifiers": [], "subject": "dni"} if as_subject else {}
    release = run(masks, k=3, **roles)
    assert not published_dnis(release)
    assert "dni" in release.table.schema.quasi_identifiers
    assert "IDENTIFIER_MASKED" in codes(release)
    assert "IDENTIFIER_MOVED" not in codes(release)
    assert cl.check(release.frame, quasi_identifiers=["dni", "age", "town"]).k >= 3


@pytest.mark.parametrize("last", [cl.Drop(column="dni"), cl.Blank(column="dni")])
def test_nothing_is_said_of_an_identifier_that_is_gone_in_the_end(last):
    release = run([cl.Swap(column="dni"), last])
    assert not published_dnis(release)
    assert not {"IDENTIFIER_MOVED", "IDENTIFIER_MASKED"} & set(codes(release))


@pytest.mark.parametrize(("source", "is_warned"), [("dni", True), ("age", True), ("pay", False)])
@pytest.mark.parametrize("role", ["insensitive", "sensitive"])
def test_what_is_derived_from_who_people_are_and_counts_in_no_class_is_warned_of(source, is_warned, role):
    release = run([cl.Derive(column="made", expression=source, role=role)])
    found = [one for one in release.findings if one.code == "DERIVED_OUTSIDE_CLASSES"]
    assert [(one.severity, one.column, one.values) for one in found] == [
        ("warning", "made", {"sources": source})
    ] * is_warned


def test_what_is_derived_from_the_subject_is_warned_of_as_well():
    made = cl.Derive(column="made", expression="upper(dni)", role="insensitive")
    release = run([made, cl.MaskCharacters(column="dni", keep_first=1)], identifiers=[], subject="dni")
    assert "DERIVED_OUTSIDE_CLASSES" in codes(release)


def test_no_mask_gets_at_the_copy_by_which_people_are_counted():
    masks = [cl.MaskCharacters(column="dni", keep_first=1), cl.Swap(column="dni (subject)")]
    with pytest.raises(cl.ColumnNotFoundError):
        run(masks, identifiers=[], subject="dni")


def test_labels_in_place_of_numbers_make_a_category():
    release = run([cl.Generalise(column="age", ranges=["<30", "30-49", "50-64", ">64"])])
    assert release.table.schema.quasi_identifiers["age"] == cl.Category()
    labels = {label for cell in release.frame["age"].unique() for label in cell.split(" / ")}
    assert labels <= {"<30", "30-49", "50-64", ">64"}


def test_a_derived_column_has_its_own_role_and_kind():
    made = cl.Derive(column="decade", expression="age // 10 * 10", kind={"intervals": {"width": 20}})
    release = run([made, cl.Drop(column="age")])
    assert release.frame.columns == ["town", "pay", "decade"]
    assert release.table.schema.quasi_identifiers["decade"] == cl.Intervals(width=20)


def test_rows_that_masks_drop_are_counted_as_suppressed_and_lost(tmp_path):
    frame = people()
    is_gone = (frame["age"] > 70).to_numpy()
    table = cl.Table(frame, people_schema())
    plan = cl.Plan(models=[cl.KAnonymity(2)], masks=[cl.DropRows(where="age > 70")], seed=1)
    release = plan.run(table)
    labels = release.classes.labels
    assert len(labels) == N_PEOPLE
    assert (labels[is_gone] == -1).all()
    assert (labels[~is_gone] >= 0).all()
    summary = release.summary
    assert (summary["n_rows"], summary["n_published"], summary["n_dropped_by_masks"]) == (
        N_PEOPLE,
        N_PEOPLE - is_gone.sum(),
        is_gone.sum(),
    )
    assert summary["n_published"] + summary["n_suppressed"] == summary["n_rows"]
    lost = summary["gcp_published"] * summary["n_published"] + is_gone.sum()
    assert summary["gcp"] == pytest.approx(lost / N_PEOPLE)
    assert cl.utility.gcp(table, release) == summary["gcp"]
    assert cl.utility.gcp(cl.Table(frame, people_schema()), release) == summary["gcp"]
    assert cl.utility.ncp(table, release)[is_gone].tolist() == [2.0] * int(is_gone.sum())
    assert cl.risk.prosecutor(release).max <= 0.5


def test_the_record_speaks_of_the_rows_that_were_given(tmp_path):
    frame = people()
    original = tmp_path / "people.csv"
    frame.write_csv(original)
    table = cl.Table.read(original, people_schema())
    plan = cl.Plan(models=[cl.KAnonymity(2)], masks=[cl.DropRows(where="age > 70"), cl.Round(column="pay", to=100)])
    plan.run(table).write(tmp_path / "out")
    claim = json.loads((tmp_path / "out" / "claim.json").read_text())
    assert {one["name"]: one.get("masked", False) for one in claim["columns"]} == {
        "age": False,
        "town": False,
        "pay": True,
    }
    verdict = audit.verify(
        tmp_path / "out" / "data.csv",
        tmp_path / "out" / "claim.json",
        original=original,
        record=tmp_path / "out" / "internal" / "record.json",
    )
    assert verdict.holds, verdict.to_dict()
    assert ("truthfulness of 'pay'", "not applicable") in [(one.name, one.status) for one in verdict.checks]
    assert ("truthfulness of 'age'", "passed") in [(one.name, one.status) for one in verdict.checks]


def test_people_are_counted_by_the_subject_as_it_was():
    frame = people().with_columns(dni=pl.Series([f"{row // 2:08d}" for row in range(N_PEOPLE)]))
    release = run([cl.MaskCharacters(column="dni", keep_first=1)], frame=frame, identifiers=[], subject="dni", k=3)
    assert release.frame.columns == ["dni", "age", "town", "pay"]
    labels = release.classes.labels
    subjects = np.arange(N_PEOPLE) // 2
    assert min(len(set(subjects[labels == label])) for label in set(labels)) >= 3
    assert release.masked.given.schema.subject == "dni"


def test_what_still_stands_out_goes_after_the_search():
    frame = people().with_columns(town=pl.Series(["Soria"] * (N_PEOPLE - 4) + ["Lugo"] * 4))
    kept = run(frame=frame, k=2)
    towns = kept.frame["town"].to_list()
    assert "Lugo" in towns
    release = run(after=[cl.DropRows(column="town", values=["Lugo"])], frame=frame, k=2)
    assert "Lugo" not in release.frame["town"].to_list()
    assert release.summary["n_suppressed"] == towns.count("Lugo")
    assert "ROWS_DROPPED" in codes(release)
    assert len(release.classes.labels) == N_PEOPLE


def test_rows_dropped_before_and_after_meet_in_the_labels():
    frame = people().with_columns(town=pl.Series(["Lugo"] * 4 + ["Soria"] * (N_PEOPLE - 4)))
    release = run([cl.DropRows(where="pay < 1500")], [cl.DropRows(column="town", values=["Lugo"])], frame=frame)
    published = np.flatnonzero(release.classes.labels >= 0)
    assert len(published) == release.frame.height
    assert (frame["pay"].to_numpy()[published] >= 1500).all()


def test_a_rule_that_breaks_classes_is_refused():
    with pytest.raises(cl.UnreachableError, match="k_anonymity does not hold"):
        run(after=[cl.DropRows(where="pay > 4500")], k=10)


def test_only_rows_can_go_after_the_search():
    with pytest.raises(cl.OptionError, match="masks_after"):
        cl.Plan(models=[cl.KAnonymity(2)], masks_after=[cl.Drop(column="age")])


@pytest.mark.parametrize("search", [cl.Weave(), cl.Mondrian(), cl.Lattice(), cl.Datafly(), cl.TopDown()])
def test_every_search_follows_masks_and_is_audited(search, tmp_path):
    kinds = {"age": cl.Intervals(width=10, levels=2), "town": "category"}
    if search.name in ("lattice", "datafly", "top_down"):
        kinds["town"] = cl.Tree([["Soria", "CyL", "*"], ["Lugo", "Galicia", "*"], ["Jaca", "Aragon", "*"]])
    frame = people()
    floor = 3 if search.name == "weave" else 4  # Weave makes classes of just k rows
    plan = cl.Plan(
        models=[cl.KAnonymity(3)],
        algorithm=search,
        masks=[cl.Sample(n=30), cl.AddNoise(column="pay", share=0.1), cl.Drop(column="dni")],
        masks_after=[cl.DropRows(class_below=floor)],
        seed=5,
    )
    release = plan.run(cl.Table(frame, people_schema(identifiers=["dni"], quasi_identifiers=kinds)))
    assert release.k >= floor
    assert release.summary["n_dropped_by_masks"] == N_PEOPLE - 30
    assert release.summary["called"] == ["reduced", "perturbed", "sampled"]
    release.write(tmp_path / "out")
    record = json.loads((tmp_path / "out" / "internal" / "record.json").read_text())
    assert record["n_original"] == N_PEOPLE


def test_masks_that_leave_nothing_are_refused():
    with pytest.raises(cl.UnreachableError):
        run([cl.DropRows(where="age > 0")])


def test_the_same_seed_gives_the_same_release():
    masks = [cl.AddNoise(column="pay", share=0.2), cl.Swap(column="town"), cl.Sample(fraction=0.5)]
    first, second = run(masks), run(masks)
    assert first.frame.equals(second.frame)


def test_values_in_options_stay_out_of_record_and_report(tmp_path):
    masks = [cl.DropRows(column="town", values=["Jaca"]), cl.Blank(column="pay", where="pay > 4000")]
    run(masks).write(tmp_path / "out")
    for path in (tmp_path / "out").rglob("*"):
        if path.is_file():
            assert b"Jaca" not in path.read_bytes(), path.name
            assert b"pay > 4000" not in path.read_bytes()


@pytest.mark.parametrize("by_order", [True, False])
def test_compare_judges_truth_after_masks_and_spares_what_is_untrue_on_purpose(by_order):
    table = cl.Table(people(), people_schema())
    masks = [
        cl.DropRows(where="age > 75"),
        cl.Generalise(column="town", mapping={"Soria": "inland", "Jaca": "inland", "Lugo": "coast"}),
        cl.AddNoise(column="pay", sd=300),
    ]
    release = cl.Plan(models=[cl.KAnonymity(2)], masks=masks).run(table)
    order = release.masked.rows[release.publication.order].tolist() if by_order else None
    found = cl.compare(table, release.frame, order=order, masks=masks, models=[cl.KAnonymity(2)])
    assert found.truthful is True, found.reason
    assert found.holds
    assert found.gcp == pytest.approx(release.summary["gcp"], abs=0.05)
    wrong = release.frame.with_columns(town=pl.lit("coast"))
    assert cl.compare(table, wrong, order=order, masks=masks).truthful is False


def test_compare_drops_the_rows_that_masks_drop_before_it_reads_cells():
    frame = people().with_columns(age=pl.col("age").cast(pl.String))
    frame = frame.with_columns(age=pl.when(pl.int_range(N_PEOPLE) % 9 == 4).then(pl.lit("unknown")).otherwise("age"))
    masks = [
        cl.DropRows(column="age", values=["unknown"]),
        cl.Generalise(column="age", intervals=10),
        cl.TopCode(column="pay", share=0.2, label="high"),
    ]
    table = cl.Table(frame, people_schema())
    release = cl.Plan(models=[cl.KAnonymity(2)], masks=masks).run(table)
    order = release.masked.rows[release.publication.order].tolist()
    for known in (order, None):
        found = cl.compare(table, release.frame, order=known, masks=masks)
        assert found.truthful is True, found.reason
        assert (found.n_rows, found.n_suppressed) == (N_PEOPLE, N_PEOPLE - release.frame.height)
        assert found.gcp == pytest.approx(release.loss.gcp)
    assert cl.compare(table, release.frame, order=[4, *order[1:]], masks=masks).truthful is False


def test_compare_does_not_ask_the_truth_of_what_was_worked_out_from_noise():
    masks = [
        cl.AddNoise(column="age", sd=20),
        cl.Derive(column="decade", expression="age // 10 * 10", role="insensitive"),
        cl.Blank(column="town", where="age > 50"),
        cl.DropRows(where="decade > 60"),
    ]
    table = cl.Table(people(), people_schema())
    release = cl.Plan(models=[cl.KAnonymity(2)], masks=masks, seed=2).run(table)
    order = release.masked.rows[release.publication.order].tolist()
    assert cl.compare(table, release.frame, order=order, masks=masks).truthful is True
    swapped = release.frame.with_columns(pay=release.frame["pay"].shift(1).fill_null(0))
    assert cl.compare(table, swapped, order=order, masks=masks).truthful is False


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16"])
def test_the_record_says_how_the_original_file_is_read(encoding, tmp_path):
    frame = people().with_columns(pay=pl.when(pl.int_range(N_PEOPLE) % 5 == 0).then(pl.lit("n/a")).otherwise("pay"))
    frame = frame.with_columns(town=pl.col("town").replace("Jaca", "Ávila"))
    original = tmp_path / "people.csv"
    original.write_bytes(frame.write_csv(separator=";").encode(encoding))
    table = cl.Table.read(original, people_schema(missing=["n/a"]))
    cl.Plan(models=[cl.KAnonymity(2)], masks=[cl.Round(column="age", to=5)]).run(table).write(tmp_path / "out")
    verdict = audit.verify(
        tmp_path / "out" / "data.csv",
        tmp_path / "out" / "claim.json",
        original=original,
        record=tmp_path / "out" / "internal" / "record.json",
    )
    assert verdict.holds, verdict.to_dict()
    assert ("truthfulness of 'town'", "passed") in [(one.name, one.status) for one in verdict.checks]


def report_of(release, tmp_path) -> str:
    release.write(tmp_path / "out")
    return (tmp_path / "out" / "internal" / "report.html").read_text()


def test_the_report_does_not_deny_rows_and_identifiers_that_masks_took(tmp_path):
    masks = [cl.DropRows(where="age > 70"), cl.MaskCharacters(column="dni", keep_first=6)]
    page = report_of(run(masks), tmp_path)
    n_gone = int((people()["age"] > 70).sum())
    assert f"Masks left {n_gone} of {N_PEOPLE} rows out before the search" in page
    assert "every row is published" not in page
    assert "None is left after masks." in page
    assert "None declared." not in page


def test_the_report_counts_what_went_after_the_search(tmp_path):
    frame = people().with_columns(town=pl.Series(["Soria"] * (N_PEOPLE - 4) + ["Lugo"] * 4))
    release = run(after=[cl.DropRows(column="town", values=["Lugo"])], frame=frame)
    page = report_of(release, tmp_path)
    assert release.summary["n_suppressed"] > 0
    assert f"{release.summary['n_suppressed']} rows were deleted by the search or by masks after it" in page
    assert "deleted no row" not in page


def test_a_rule_after_the_search_that_fails_is_named(tmp_path):
    with pytest.raises(cl.UnreachableError, match="once masks_after have removed rows") as found:
        run(after=[cl.DropRows(where="pay > 4500")], k=10)
    assert found.value.about == "masks_after"
    with pytest.raises(cl.UnreachableError, match="all 40 rows") as found:
        run(after=[cl.DropRows(class_below=41)])
    assert found.value.about == "masks_after"


def test_a_rule_about_classes_counts_identifiers_that_were_masked_before_it():
    frame = pl.DataFrame({"dni": ["A1", "A2", "A3", "B1"], "age": [40] * 4, "town": ["Soria"] * 4, "pay": range(4)})
    release = run([cl.MaskCharacters(column="dni", keep_first=1), cl.DropRows(class_below=2)], frame=frame)
    assert release.classes.labels.tolist() == [0, 0, 0, -1]
    assert run([cl.DropRows(class_below=2)], frame=frame).classes.labels.tolist() == [0, 0, 0, 0]


def test_rules_after_the_search_read_decimal_commas_and_are_told_of():
    frame = pl.DataFrame({"age": [30] * 6, "town": ["Soria"] * 6, "dni": list("abcdef"), "pay": ["1,234", "2,5"] * 3})
    table = cl.Table(frame, people_schema(), decimal=",")
    release = cl.Plan(models=[cl.KAnonymity(2)], masks_after=[cl.DropRows(where="pay < 2")]).run(table)
    assert release.classes.labels.tolist() == [-1, 0] * 3
    assert release.summary["called"] == ["reduced"]
    assert [one["mask"] for one in release.summary["masks"]] == ["drop_rows"]
