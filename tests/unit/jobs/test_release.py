from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import zipfile

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia import audit
from celosia.data.classes import Classes
from celosia.jobs.tables import TableSubject, release_of
from celosia.jobs.way import judged

FORMATS = ["csv", "csv-es", "parquet", "xlsx", "arrow"]


def students(n_rows=60):
    generator = np.random.default_rng(4)
    return pl.DataFrame(
        {
            "dni": [f"CANARYdni{row}" for row in range(n_rows)],
            "who": [f"CANARYwho{row // 2}" for row in range(n_rows)],
            "exam": generator.normal(6, 2, n_rows).round(1),
            "city": [f"city{code}" for code in generator.integers(0, 5, n_rows)],
            "job": [["CANARYnurse", "CANARYdoctor", "CANARYjudge"][code] for code in generator.integers(0, 3, n_rows)],
            "note": ["=1+1", "-2+3", "plain", '"=x', " '=y"][:5] * (n_rows // 5),
            "gone": [f"CANARYgone{row}" for row in range(n_rows)],
        }
    )


JOBS = cl.Tree([["CANARYnurse", "health", "*"], ["CANARYdoctor", "health", "*"], ["CANARYjudge", "law", "*"]])
SCHEMA = cl.Schema(
    identifiers=["dni"],
    quasi_identifiers={"exam": "number", "city": "category", "job": JOBS},
    sensitive=["note"],
    subject="who",
)


def release(**options):
    plan = cl.Plan(models=[cl.KAnonymity(30)], masks=[cl.Drop(columns=["gone"])], algorithm=cl.Mondrian(), **options)
    return plan.run(cl.Table(students(), SCHEMA))


def contents(folder):
    """Every byte that was written, also inside workbooks."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as book:
                    yield from ((f"{path.name}:{name}", book.read(name)) for name in book.namelist())


@pytest.mark.parametrize("format", FORMATS)
def test_no_canary_gets_out(tmp_path, format):
    """One class of 30 people: every job is published as ``*``, so that no leaf of the tree may be in any file."""
    release().write(tmp_path / "out", format=format)
    files = dict(contents(tmp_path / "out"))
    assert len(files) >= 3
    for name, content in files.items():
        assert b"CANARY" not in content, name
        assert "CANARY".encode("utf-16-le") not in content, name


def test_nothing_about_the_search_is_in_the_claim(tmp_path):
    release(seed=5).write(tmp_path / "out")
    claim = (tmp_path / "out" / "claim.json").read_text()
    for word in ("mondrian", "seed", "health", "who", "suppress_", "Drop", "internal"):
        assert word not in claim
    assert "order" not in json.loads(claim)


@pytest.mark.parametrize("format", FORMATS)
def test_a_written_release_is_verified_by_bare_python(tmp_path, format):
    release(keep_order=True).write(tmp_path / "out", format=format)
    data = next((tmp_path / "out").glob("data.*"))
    command = [sys.executable, audit.__file__, str(data), str(tmp_path / "out" / "claim.json"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    checks = {check["name"]: check["status"] for check in json.loads(done.stdout)["checks"]}
    assert checks["hash"] == checks["k_anonymity"] == "passed"
    assert [name for name, status in checks.items() if status == "failed"] == []
    # Subjects are not in the file: without original and record that part cannot be confirmed, and is not.
    assert done.returncode == 1


def test_formula_cells_are_neutralised_and_read_back(tmp_path):
    made = release()
    made.write(tmp_path / "out")
    written = (tmp_path / "out" / "data.csv").read_text()
    assert ",'=1+1" in written
    assert ",=1+1" not in written


def broken_recoding(made, labels):
    """A release whose published classes are not the ones that were searched."""
    from celosia.data.recode import recode

    return release_of(made.plan, made.masked, recode(made.table, Classes(labels)), np.arange(60))


def test_the_audit_rejects_classes_that_are_too_small(tmp_path):
    fake = broken_recoding(release(), [0] * 59 + [1])
    with pytest.raises(cl.AuditError, match="k_anonymity"):
        judged(TableSubject(fake.plan, fake.given), fake)
    with pytest.raises(cl.AuditError, match="k_anonymity"):
        fake.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_audit_rejects_too_few_people():
    """30 rows, but 15 people."""
    fake = broken_recoding(release(), [0] * 30 + [1] * 30)
    with pytest.raises(cl.AuditError, match="in subjects"):
        judged(TableSubject(fake.plan, fake.given), fake)


def test_the_audit_rejects_untrue_values(tmp_path, monkeypatch):
    made = release()
    cells = made.recoding.cells[0]
    cells.texts[0][:] = ["[0, 1]"] * len(cells.texts[0])
    fake = release_of(made.plan, made.masked, made.recoding, np.arange(60))
    with pytest.raises(cl.AuditError, match="truthfulness"):
        fake.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_audit_rejects_a_shifted_secret():
    made = release()
    fake = release_of(made.plan, made.masked, made.recoding, np.arange(60))
    fake.publication.__dict__["cells"] = fake.rows.with_columns(pl.col("note").shift(1).fill_null("plain"))
    with pytest.raises(cl.AuditError, match="'note'"):
        judged(TableSubject(fake.plan, fake.given), fake)


def test_summary_and_loss_agree():
    made = release()
    assert made.summary["gcp"] == cl.utility.gcp(made.table, made) == made.loss.gcp
    assert made.summary["risk"]["prosecutor"] == cl.risk.prosecutor(made).to_dict()
    assert made.summary["k"] == 30
    assert made.summary["k_rows"] == 60
    assert made.to_dict() == made.summary


def test_findings_say_what_is_left():
    codes = {finding.code for finding in release(seed=1, keep_order=True).findings}
    left = {"TIGHT_RANGES", "RARE_VALUES"}
    assert codes == {"SEED_FIXED", "ROW_ORDER_KEPT", "TRIMMED_BLANKS", "SUBJECT_REPEATED"} | left


def test_a_secret_that_all_share_is_found():
    frame = pl.DataFrame({"age": [40, 40, 44, 44], "ill": ["S", "S", "N", "S"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["ill"]))
    found = cl.Plan(models=[cl.KAnonymity(2)]).run(table).findings
    assert [finding.code for finding in found] == ["HOMOGENEOUS", "RARE_VALUES", "PARTICIPANT_LEARNS"]
    assert "1 of 2 classes (2 rows)" in found[0].message


def test_rows_are_shuffled():
    """The position of a row in the output says nothing about its position in the input."""
    table = cl.Table(
        pl.DataFrame({"x": [1] * 200, "row": list(range(200))}),
        cl.Schema(quasi_identifiers={"x": "number"}, insensitive=["row"]),
    )
    plan = cl.Plan(models=[cl.KAnonymity(2)], algorithm=cl.Mondrian())
    correlations = [np.corrcoef(plan.run(table).frame["row"].to_numpy(), np.arange(200))[0, 1] for _ in range(50)]
    assert abs(np.mean(correlations)) < 0.05
    assert max(np.abs(correlations)) < 0.5


def test_without_quasi_identifiers_all_rows_are_one_class():
    table = cl.Table(pl.DataFrame({"ill": ["S", "N"]}), cl.Schema(sensitive=["ill"]))
    made = cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    assert made.k == 2
    assert [finding.code for finding in made.findings] == ["NO_QUASI_IDENTIFIERS", "RARE_VALUES"]


def test_values_unknown_to_a_tree_cost_suppression():
    tree = cl.Tree([["a", "*"], ["b", "*"]], on_missing="suppress")
    frame = pl.DataFrame({"x": ["a", "b", "a", "b", "CANARY"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"x": tree}))
    with pytest.raises(cl.UnreachableError, match=r"1 rows \(20.0%\)"):
        cl.Plan(models=[cl.KAnonymity(2)]).run(table)
    made = cl.Plan(models=[cl.KAnonymity(2)], max_suppression=0.2).run(table)
    assert made.classes.labels[4] == -1
    assert made.summary["n_suppressed"] == 1
    assert made.loss.gcp == pytest.approx(0.2)
    assert made.loss.gcp_published == 0.0


@pytest.mark.parametrize(
    "options",
    [
        {"models": []},
        {"models": cl.KAnonymity(2)},
        {"models": ["k_anonymity"]},
        {"max_suppression": 2},
        {"max_suppression": -0.1},
        {"max_suppression": "0.1"},
        {"max_suppression": True},
        {"algorithm": "k_members"},
        {"masks": ["drop"]},
        {"seed": -1},
        {"seed": 1.5},
        {"range_style": "arrow"},
    ],
)
def test_a_wrong_plan_is_refused_at_once(options):
    with pytest.raises(cl.OptionError):
        cl.Plan(**{"models": [cl.KAnonymity(2)], **options})


SCRIPT = """
import sys
import numpy as np, polars as pl
import celosia as cl
generator = np.random.default_rng(0)
frame = pl.DataFrame({f"x{c}": generator.random(40_000) for c in range(4)})
table = cl.Table(frame, cl.Schema(quasi_identifiers=dict.fromkeys(frame.columns, "number")))
release = cl.Plan(models=[cl.KAnonymity(5)], algorithm=cl.Mondrian()).run(table)
print("ready", flush=True)
for _ in range(1000):
    release.write(sys.argv[1], overwrite=True)
"""


@pytest.mark.parametrize("delay", [0.05, 0.2, 0.4, 0.7])
@pytest.mark.parametrize("kill", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_leaves_the_whole_release_or_none(tmp_path, delay, kill):
    target = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(target)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(delay)
    os.kill(process.pid, kill)
    process.wait()
    process.stdout.close()
    if target.exists():
        assert sorted(path.name for path in target.iterdir()) == ["claim.json", "data.csv", "internal"]
        assert audit.verify(target / "data.csv", target / "claim.json").holds
    visible = [path.name for path in tmp_path.iterdir() if not path.name.startswith(".")]
    assert visible in ([], ["out"])
    if kill == signal.SIGINT:
        assert [path.name for path in tmp_path.iterdir()] in ([], ["out"])


def test_ctrl_c_stops_a_long_search_at_once():
    script = (
        SCRIPT.replace("cl.Mondrian()", "cl.KMembers()")
        .replace("40_000", "400_000")
        .replace("release = ", "print('ready', flush=True); release = ")
    )
    process = subprocess.Popen([sys.executable, "-c", script, "x"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(2)
    started = time.perf_counter()
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=30)
    assert time.perf_counter() - started < 5
    assert b"KeyboardInterrupt" in error


@pytest.mark.parametrize(("form", "mark"), [("csv", "."), ("csv-es", ",")])
def test_a_release_has_one_decimal_mark(tmp_path, form, mark):
    source = tmp_path / "marks.csv"
    source.write_text("age;mark;note\n30;4,5;a, b\n31;3,25;c\n40;2;d\n41;1,75;e\n")
    schema = cl.Schema(quasi_identifiers={"age": "number"}, sensitive=["mark"], insensitive=["note"])
    cl.Plan(models=[cl.KAnonymity(2)]).run(cl.Table.read(source, schema)).write(tmp_path / "out", format=form)
    written = cl.io.read(tmp_path / "out" / "data.csv").frame
    assert sorted(written["mark"]) == [f"1{mark}75", "2", f"3{mark}25", f"4{mark}5"]
    assert "a, b" in written["note"].to_list()
