from __future__ import annotations

import json
import stat
import zipfile

import polars as pl
import pytest

PLAN = """\
input: exams.csv
schema:
  identifiers: [dni]
  quasi_identifiers:
    exam: number
    professor: category
  sensitive: [remark]
models:
  - k_anonymity: {k: 2}
algorithm: {mondrian: {}}
output: {path: release, format: csv}
"""
ROWS = "dni,exam,professor,remark\n" + "".join(
    f"canary-dni-{row},{row % 5},prof{row % 2},canary-secret-{row % 3}\n" for row in range(20)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "exams.csv").write_text(ROWS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def entries(folder):
    return sorted(path.name for path in folder.iterdir())


def test_run_writes_a_release_and_prints_its_figures(celosia, folder):
    code, out, _ = celosia("run", "plan.yaml", "--json")
    summary = json.loads(out)
    assert code == 0
    assert set(summary) >= {
        *("k", "n_rows", "n_published", "n_suppressed", "n_classes", "gcp", "gcp_lower_bound", "risk"),
        *("search_seconds", "seconds"),
    }
    assert summary["k"] >= 2
    assert summary["n_rows"] == 20
    assert summary["gcp_lower_bound"] is None or 0 <= summary["gcp_lower_bound"] <= summary["gcp"]
    assert entries(folder / "release") == ["claim.json", "data.csv", "internal"]
    assert stat.S_IMODE((folder / "release" / "internal").stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "release" / "claim.json").stat().st_mode) & 0o044
    published = pl.read_csv(folder / "release" / "data.csv", infer_schema=False)
    assert published.columns == ["exam", "professor", "remark"]
    assert published.group_by("exam", "professor").len()["len"].min() == summary["k"]


def test_run_for_people(celosia, folder):
    code, out, _ = celosia("run", "plan.yaml")
    assert code == 0
    assert "information lost (GCP)" in out
    assert "Written to release" in out


def test_no_original_identifier_is_anywhere_in_the_release(celosia, folder):
    celosia("run", "plan.yaml")
    for path in (folder / "release").rglob("*"):
        if path.is_file():
            assert b"canary-dni" not in path.read_bytes(), path.name
    claim = (folder / "release" / "claim.json").read_text()
    record = (folder / "release" / "internal" / "record.json").read_text()
    assert "canary" not in claim + record
    assert "mondrian" not in claim


def test_an_existing_release_is_refused_then_replaced(celosia, folder):
    assert celosia("run", "plan.yaml")[0] == 0
    before = (folder / "release" / "data.csv").read_bytes()
    code, _, err = celosia("run", "plan.yaml")
    assert code == 2
    assert "--overwrite" in err
    assert (folder / "release" / "data.csv").read_bytes() == before
    assert celosia("run", "plan.yaml", "--overwrite")[0] == 0
    assert entries(folder) == ["exams.csv", "plan.yaml", "release"]


def test_an_unreachable_demand_leaves_the_earlier_release_alone(celosia, folder):
    celosia("run", "plan.yaml")
    before = (folder / "release" / "data.csv").read_bytes()
    (folder / "plan.yaml").write_text(PLAN.replace("k: 2", "k: 21"))
    code, _, err = celosia("run", "plan.yaml", "--overwrite")
    assert code == 3
    assert "UnreachableError" in err
    assert "20" in err
    assert (folder / "release" / "data.csv").read_bytes() == before


def test_dry_run_writes_nothing(celosia, folder):
    code, out, _ = celosia("run", "plan.yaml", "--dry-run")
    assert code == 0
    assert "Nothing was written" in out
    assert entries(folder) == ["exams.csv", "plan.yaml"]


def test_seed_repeats_the_file_and_is_marked(celosia, folder):
    celosia("run", "plan.yaml", "--seed", "7", "--out", "one")
    code, out, _ = celosia("run", "plan.yaml", "--seed", "7", "--out", "two", "--json")
    assert code == 0
    assert (folder / "one" / "data.csv").read_bytes() == (folder / "two" / "data.csv").read_bytes()
    assert "SEED_FIXED" in out
    for path in (folder / "one").rglob("*.json"):
        assert '"seed":' not in path.read_text()


def test_keep_order_keeps_and_warns(celosia, folder):
    code, out, _ = celosia("run", "plan.yaml", "--keep-order", "--strict", "--json")
    assert code == 1
    assert "ROW_ORDER_KEPT" in out
    remarks = pl.read_csv(folder / "release" / "data.csv")["remark"].to_list()
    assert remarks == [f"canary-secret-{row % 3}" for row in range(20)]


@pytest.mark.parametrize("format", ["csv", "csv-es", "parquet", "xlsx", "arrow"])
def test_every_format_is_written_and_read_back(celosia, folder, format):
    (folder / "plan.yaml").write_text(PLAN.replace("format: csv", f"format: {format}"))
    code, _, err = celosia("run", "plan.yaml")
    assert code == 0, err
    data = folder / "release" / f"data.{format.removesuffix('-es')}"
    code, out, _ = celosia("check", data, "--quasi-identifiers", "exam,professor", "--json")
    assert code == 0
    assert json.loads(out)["k"] >= 2
    code, out, err = celosia("compare", "exams.csv", data, "--plan", "plan.yaml", "--json")
    assert code == 0, err
    assert json.loads(out)["truthful"] is True
    record = json.loads((folder / "release" / "internal" / "record.json").read_text())
    assert json.loads(out)["gcp"] == pytest.approx(record["summary"]["gcp"])
    contents = [data.read_bytes()]
    if format == "xlsx":
        with zipfile.ZipFile(data) as book:
            contents += [book.read(name) for name in book.namelist()]
    assert not any(b"canary-dni" in content for content in contents)


def test_compare_with_the_record_goes_row_by_row(celosia, folder):
    celosia("run", "plan.yaml")
    data, record = folder / "release" / "data.csv", folder / "release" / "internal" / "record.json"
    code, out, _ = celosia("compare", "exams.csv", data, "--plan", "plan.yaml", "--record", record, "--json")
    assert code == 0
    assert json.loads(out)["truthful_by"] == "order"
    assert json.loads(out)["truthful"] is True
    code, out, _ = celosia("compare", "exams.csv", data, "--plan", "plan.yaml", "--keep-order", "--json")
    assert code == 1
    assert json.loads(out)["truthful"] is False


def test_check_demands_a_model(celosia, folder):
    demand = ("check", "exams.csv", "--quasi-identifiers", "exam,professor", "--model")
    code, out, _ = celosia(*demand, "{k_anonymity: {k: 3}}")
    assert code == 1
    assert "does NOT hold" in out
    code, _, _ = celosia(*demand, "{k_anonymity: {k: 2}}")
    assert code == 0


def test_check_demands_diversity(celosia, folder):
    (folder / "wards.csv").write_text("age,ill,on\n30,flu,x\n30,cold,y\n70,flu,y\n70,,y\n")
    demand = ("check", "wards.csv", "--quasi-identifiers", "age", "--sensitive", "ill", "--model")
    code, out, _ = celosia(*demand, "{l_diversity: {l: 2, on: ill}}", "--json")
    (judged,) = json.loads(out)["models"]
    assert code == 1
    assert judged["model"] == {"l_diversity": {"l": 2, "on": "ill", "kind": "distinct"}}
    assert not judged["holds"]
    (folder / "wards.csv").write_text("age,ill,on\n30,flu,x\n30,cold,y\n")
    code, out, _ = celosia(*demand, "{l_diversity: {l: 2, on: ill}}")
    assert code == 0
    assert "holds" in out
    for wrong in ("{l: 1, on: ill}", "{l: 2}", "{on: ill}", "{l: 2, on: il}", "{l: 2, on: age}", "{l: 2, on: on}"):
        code, _, err = celosia(*demand, f"{{l_diversity: {wrong}}}")
        assert code == 2
        assert "Hint:" in err


def test_check_prints_the_contract(celosia, folder):
    code, out, _ = celosia("check", "exams.csv", "--quasi-identifiers", "exam", "--sensitive", "remark", "--json")
    found = json.loads(out)
    assert code == 0
    assert set(found) >= {"n_rows", "n_classes", "k", "sensitive", "risk"}
    assert set(found["sensitive"]["remark"]) == {
        *("alpha", "l_distinct", "l_entropy", "l_recursive", "t_equal", "t_ordered", "t_numeric", "delta_strict"),
        *("delta_present", "beta_basic", "beta_enhanced", "homogeneous"),
    }
    assert set(found["risk"]["prosecutor"]) == {"max", "mean", "share_at_risk"}


def test_check_counts_subjects(celosia, folder):
    (folder / "marks.csv").write_text("who,age\na,40\na,40\nb,40\n")
    code, out, _ = celosia("check", "marks.csv", "--quasi-identifiers", "age", "--subject", "who", "--json")
    assert code == 0
    assert (json.loads(out)["k"], json.loads(out)["k_rows"]) == (2, 3)


@pytest.mark.parametrize("room", ["models", "masks", "algorithms", "utility", "risk", "hierarchies"])
def test_list(celosia, room):
    code, out, _ = celosia("list", room, "--json")
    assert code == 0
    assert json.loads(out)
    assert all(entry["summary"] for entry in json.loads(out))
    assert celosia("list", room)[0] == 0


def test_demo(celosia, folder):
    code, out, _ = celosia("demo", "--out", "demo")
    assert code == 0
    assert "every row is shared by at least 5 students" in out
    assert entries(folder / "demo") == ["claim.json", "data.csv", "internal"]
    assert celosia("demo", "--out", "demo")[0] == 2
    assert celosia("demo", "--out", "demo", "--overwrite", "--json")[0] == 0


BAD = {
    "missing column": ("exam: number", "exams: number", "did you mean 'exam'"),
    "unknown option": ("k: 2", "k: 2, kk: 3", "no option 'kk'"),
    "k below 2": ("k: 2", "k: 1", "from 2"),
    "overlapping ranges": ("exam: number", "exam: {intervals: {ranges: ['0-2', '2-4']}}", "overlap"),
    "a range that does not cover": ("exam: number", "exam: {intervals: {ranges: ['0-1', '2-3']}}", "exam"),
    "a hole in a tree": ("professor: category", "professor: {tree: tree.csv}", "tree.csv"),
    "no role": ("  sensitive: [remark]\n", "", "remark"),
    "unknown output format": ("format: csv", "format: docx", "output format"),
    "input not there": ("exams.csv", "nothing.csv", "nothing.csv"),
    "parent not there": ("path: release", "path: no/where/release", "parent"),
}


@pytest.mark.parametrize(("old", "new", "message"), BAD.values(), ids=BAD)
def test_bad_input_names_the_place_and_writes_nothing(celosia, folder, old, new, message):
    (folder / "tree.csv").write_text("prof0;*\n")
    (folder / "plan.yaml").write_text(PLAN.replace(old, new))
    before = entries(folder)
    code, out, err = celosia("run", "plan.yaml")
    assert code == 2, err
    assert message in err
    assert "Hint:" in err
    assert out == ""
    assert "canary" not in err
    assert entries(folder) == before


BROKEN = {
    "ragged": b"dni,exam,professor,remark\ncanary,1,prof0\n",
    "open quote": b'dni,exam,professor,remark\ncanary,"1,prof0,x\n',
    "duplicate headers": b"dni,exam,exam,remark\ncanary,1,2,3\n",
    "empty": b"",
    "not a number": b"dni,exam,professor,remark\ncanary,canary,p,r\ncanary,1,p,r\n",
    "NUL": b"dni,exam,professor,remark\ncan\0ary,1,p,r\n",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_without_its_cells(celosia, folder, content):
    (folder / "exams.csv").write_bytes(content)
    code, out, err = celosia("run", "plan.yaml")
    assert code == 2, err
    assert "Hint:" in err
    assert out == ""
    assert "canary" not in err
    assert entries(folder) == ["exams.csv", "plan.yaml"]


def test_a_wrong_encoding_is_refused(celosia, folder):
    (folder / "exams.csv").write_bytes(ROWS.replace("prof0", "pröf").encode("latin-1"))
    (folder / "plan.yaml").write_text(PLAN.replace("input: exams.csv", "input: {path: exams.csv, encoding: utf-8}"))
    code, _, err = celosia("run", "plan.yaml")
    assert code == 2
    assert "utf-8" in err.lower()
    assert "line 2" in err


def test_an_unforeseen_error_withholds_its_message(celosia, folder, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("canary-secret")

    monkeypatch.setattr("celosia.jobs.request.Request.run", fail)
    code, out, err = celosia("run", "plan.yaml")
    assert code == 70
    assert "RuntimeError" in err
    assert "canary" not in out + err
    assert entries(folder) == ["exams.csv", "plan.yaml"]


def test_an_interruption_leaves_nothing(celosia, folder, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("celosia.audit.verify", interrupt)
    code, _, err = celosia("run", "plan.yaml")
    assert code == 130
    assert "Nothing was written" in err
    assert entries(folder) == ["exams.csv", "plan.yaml"]


def test_names_with_brackets_are_shown_as_they_are(celosia, folder):
    (folder / "exams.csv").write_text(ROWS.replace("exam,", "exam [/10],"))
    (folder / "plan.yaml").write_text(PLAN.replace("exam: number", "'exam [/10]': number"))
    code, out, err = celosia("run", "plan.yaml")
    assert code == 0, err
    assert "exam [/10]" in out


def test_an_input_in_the_output_folder_is_refused(celosia, folder):
    (folder / "exams").mkdir()
    (folder / "exams" / "data.csv").write_text(ROWS)
    (folder / "plan.yaml").write_text(PLAN.replace("exams.csv", "exams/data.csv").replace("release", "exams"))
    code, _, err = celosia("run", "plan.yaml", "--overwrite")
    assert code == 2, err
    assert (folder / "exams" / "data.csv").read_text() == ROWS


def test_a_folder_that_is_no_release_is_not_replaced(celosia, folder):
    (folder / "release").mkdir()
    (folder / "release" / "data.txt").write_text("mine")
    assert celosia("run", "plan.yaml", "--overwrite")[0] == 2
    assert celosia("demo", "--out", "release", "--overwrite")[0] == 2
    assert (folder / "release" / "data.txt").read_text() == "mine"


def test_a_decimal_comma_release_is_compared(celosia, folder):
    (folder / "exams.csv").write_text("exam,professor,remark\n1.25,a,x\n2.5,a,x\n7.75,b,x\n9.5,b,x\n")
    (folder / "plan.yaml").write_text(
        PLAN.replace("  identifiers: [dni]\n", "").replace("format: csv", "format: csv-es")
    )
    assert celosia("run", "plan.yaml")[0] == 0
    assert "[1,25; 2,5]" in (folder / "release" / "data.csv").read_text()
    code, out, err = celosia("compare", "exams.csv", "release/data.csv", "--plan", "plan.yaml", "--json")
    assert code == 0, err
    assert json.loads(out)["truthful"] is True


def test_a_file_without_a_header_shows_no_cell(celosia, folder):
    (folder / "exams.csv").write_text("canary1,30,a,x\ncanary2,31,a,y\n")
    code, _, err = celosia("run", "plan.yaml")
    assert code == 2
    assert "canary" not in err


LINES = {
    "a column that is not there": ("exam: number", "exams: number", 5),
    "a subject that is not there": ("  sensitive: [remark]", "  sensitive: [remark]\n  subject: nobody", 8),
    "a secret that is not there": ("sensitive: [remark]", "sensitive: [remarks]", 7),
    "values that are no numbers": ("professor: category", "professor: number", 6),
    "values outside of the ranges": ("exam: number", "exam: {intervals: {ranges: ['0-1', '2-3']}}", 5),
    "a weight that is none": ("  sensitive: [remark]", "  sensitive: [remark]\n  weights: {exam: 0}", 8),
    "weights that are a list": ("  sensitive: [remark]", "  sensitive: [remark]\n  weights: [exam]", 8),
    "a subject that is a number": ("  sensitive: [remark]", "  sensitive: [remark]\n  subject: 5", 8),
    "missing that is a number": ("  sensitive: [remark]", "  sensitive: [remark]\n  missing: 5", 8),
    "a path that is a number": ("path: release", "path: 5", 11),
    "a claim that is a text": ("format: csv", "format: csv, claim: no", 11),
    "a format that is a number": ("format: csv", "format: 7", 11),
    "a tree that is a list": ("professor: category", "professor: {tree: [1]}", 6),
    "a mask for nothing": ("models:", "masks:\n  - drop: {column: nothing}\nmodels:", 8),
    "a delimiter of two letters": ("input: exams.csv", "input: {path: exams.csv, delimiter: ab}", 1),
    "a seed that is a text": ("algorithm:", "max_suppression: 0.1\nseed: x\nalgorithm:", 11),
    "a style that is none": ("algorithm:", "max_suppression: 0.1\nrange_style: x\nalgorithm:", 11),
}


@pytest.mark.parametrize(("old", "new", "line"), LINES.values(), ids=LINES)
def test_errors_name_the_line_of_the_plan(celosia, folder, old, new, line):
    assert old in PLAN
    (folder / "plan.yaml").write_text(PLAN.replace(old, new))
    code, _, err = celosia("run", "plan.yaml")
    assert code == 2, err
    assert f"plan.yaml:{line}" in err
