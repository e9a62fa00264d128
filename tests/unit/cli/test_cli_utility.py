"""``celosia run --utility``: measures without Python, and no cell value unless it is asked for."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

PLAN = """\
input: people.csv
schema:
  identifiers: [dni]
  quasi_identifiers:
    age: number
    zip: {prefix: {keep: [5, 3]}}
    sex: category
  sensitive: [ill, pay]
masks:
  - drop: {columns: [gone]}
models:
  - k_anonymity: {k: 5}
algorithm: {mondrian: {}}
output: release
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    generator = np.random.default_rng(8)
    n_rows = 200
    pl.DataFrame(
        {
            "dni": [f"canary-{row}" for row in range(n_rows)],
            "age": generator.integers(18, 80, n_rows),
            "zip": [f"{code}" for code in generator.integers(28001, 28030, n_rows)],
            "sex": ["canary-x"] * 3 + ["canary-f"] * 60 + ["canary-m"] * 137,
            "ill": [f"canary-{code}" for code in generator.integers(0, 3, n_rows)],
            "pay": generator.normal(30_000, 4_000, n_rows).round(2),
            "gone": "canary",
        }
    ).write_csv(tmp_path / "people.csv")
    (tmp_path / "plan.yaml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    return tmp_path


def figures(celosia, *options):
    code, out, err = celosia("run", "plan.yaml", "--dry-run", "--json", *options)
    assert code == 0, err
    assert "canary" not in err
    return json.loads(out), out


def test_all_measures_without_training_and_no_value(celosia, folder):
    summary, out = figures(celosia, "--utility")
    found = summary["utility"]
    assert set(found) == {
        *("discernibility", "average_class_size", "precision", "non_uniform_entropy", "ambiguity", "kl_divergence"),
        *("query_error", "statistics", "correlations", "shares", "left_out"),
    }
    assert found["kl_divergence"] > 0
    assert found["query_error"]["n_queries"] == 1000
    assert set(found["statistics"]) == {"age", "pay"}
    assert found["statistics"]["pay"]["rounded_to"] >= 20
    assert set(found["shares"]) == {"zip", "sex", "ill"}
    assert "canary" not in out
    assert set(figures(celosia)[0]["utility"]) == {"discernibility", "average_class_size", "precision"}


def test_the_seed_draws_the_queries_and_is_not_printed(celosia, folder):
    one, out = figures(celosia, "--utility", "--seed", "4242424242")
    two, _ = figures(celosia, "--utility", "--seed", "4242424242")
    other, _ = figures(celosia, "--utility", "--seed", "7")
    assert one["utility"] == two["utility"]
    assert one["utility"]["query_error"] != other["utility"]["query_error"]
    assert "4242424242" not in out


def test_groups_have_numbers_and_those_of_few_people_no_figures(celosia, folder):
    summary, out = figures(celosia, "--by", "sex", "--by", "ill")
    sex, ill = summary["utility"]["by"]
    assert [group["group"] for group in sex["groups"]] == [1, 2]
    assert (sex["n_groups_of_few"], sex["fewer_than"]) == (1, 5)
    assert {round(group["share_of_rows"], 4) for group in sex["groups"]} == {0.3, 0.685}
    assert sex["groups"][0]["gcp"] >= sex["groups"][1]["gcp"]
    assert len(ill["groups"]) == 3
    assert "canary" not in out
    assert "kl_divergence" not in summary["utility"]


def test_show_values_names_them_all(celosia, folder):
    summary, _ = figures(celosia, "--utility", "--by", "sex", "--show-values")
    (sex,) = summary["utility"]["by"]
    assert {group["value"] for group in sex["groups"]} == {"canary-f", "canary-m", "canary-x"}
    assert len(summary["utility"]["shares"]["ill"]["values"]) == 3
    pay = pl.read_csv(folder / "people.csv")["pay"]
    assert summary["utility"]["statistics"]["pay"]["before"]["mean"] == pytest.approx(pay.mean())


def test_for_people(celosia, folder):
    code, out, err = celosia("run", "plan.yaml", "--utility", "--by", "sex", "--classify", "ill")
    assert code == 0, err
    for words in ("how to read it", "Statistics, before → after", "Correlations", "would have to move", "group 1"):
        assert words in out
    assert "Groups of fewer than 5 people, not shown: 1." in " ".join(out.split())
    assert "--show-values names them" in " ".join(out.split())
    assert "Predicting ill of people held out" in " ".join(out.split())
    assert "for 10 runs" in out
    assert "canary" not in out + err
    code, out, _ = celosia("run", "plan.yaml", "--dry-run", "--utility", "--by", "sex", "--show-values")
    assert code == 0
    assert "canary-x" in out


def test_learning_is_told_with_its_majority(celosia, folder):
    summary, _ = figures(celosia, "--classify", "ill", "--seed", "3")
    found = summary["utility"]["classification"]
    ill = pl.read_csv(folder / "people.csv")["ill"].value_counts()["count"]
    assert found["accuracy_majority"] == pytest.approx(ill.max() / 200, abs=0.02)
    assert 0 <= found["accuracy"] <= 1
    assert (found["folds"], found["repeats"], found["seeds"]) == (5, 2, None)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        (["--by", "se"], "ColumnNotFoundError", "did you mean 'sex'?"),
        (["--by", "gone"], "ColumnNotFoundError", "or a mask removes it"),
        (["--by", "dni"], "OptionError", "name a column of few values"),
        (["--by", "pay"], "InputError", "200 different values; 100 groups are the most"),
        (["--classify", "il"], "ColumnNotFoundError", "did you mean 'ill'?"),
        (["--classify", "sex"], "OptionError", "predict a sensitive or insensitive column"),
    ],
)
def test_a_wrong_column_is_refused_before_anything_is_written(celosia, folder, options, kind, words):
    code, out, err = celosia("run", "plan.yaml", *options)
    assert (code, out) == (2, "")
    assert err.startswith(kind)
    assert words in err
    assert "canary" not in err
    assert not (folder / "release").exists()


def test_a_plan_that_training_rows_cannot_meet_does_not_undo_the_release(celosia, folder):
    (folder / "plan.yaml").write_text(PLAN.replace("k: 5", "k: 190"))
    code, out, _ = celosia("run", "plan.yaml", "--classify", "ill")
    assert code == 0
    assert "Not defined: the plan cannot be met on the training rows" in out
    assert (folder / "release" / "data.csv").exists()


def test_the_record_holds_the_quick_measures_alone(celosia, folder):
    assert celosia("run", "plan.yaml", "--utility", "--by", "sex", "--show-values")[0] == 0
    record = (folder / "release" / "internal" / "record.json").read_text()
    assert "canary" not in record
    assert set(json.loads(record)["summary"]["utility"]) == {"discernibility", "average_class_size", "precision"}


def test_a_column_name_is_no_markup(celosia, folder):
    rows = (folder / "people.csv").read_text().replace("sex", "sex [kg]", 1)
    (folder / "odd.csv").write_text(rows)
    (folder / "odd.yaml").write_text((folder / "plan.yaml").read_text().replace("sex:", '"sex [kg]":'))
    code, out, err = celosia("run", "odd.yaml", "--input", "odd.csv", "--dry-run", "--by", "sex [kg]")
    assert code == 0, err
    assert "Groups of sex [kg]" in " ".join(out.split())
