"""The benchmarks' one command, on a small table, without peers, shared data or Matplotlib."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import celosia as cl
from celosia.jobs import registry

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    # The package may not be installed; the benchmarks run in processes of their own.
    paths = [str(Path(cl.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    out = tmp_path_factory.mktemp("bench") / "results.json"
    ended = run("--quick", "--tables", "generated-200", "--k", "3", "--out", str(out))
    assert ended.returncode == 0, ended.stderr
    return json.loads(out.read_text()), ended.stdout


def test_every_algorithm_is_measured_and_keeps_the_model(written):
    results, shown = written
    assert {run["algorithm"] for run in results["runs"]} == set(registry.classes_in("algorithms"))
    for run in results["runs"]:
        assert "error" not in run, run
        assert run["title"] in shown
        assert (run["table"], run["n_rows"], run["k"]) == ("generated-200", 200, 3)
        assert run["smallest_class"] >= 3
        assert 0 < run["gcp"] < 1


def test_times_and_memory_are_ordered(written):
    for run in written[0]["runs"]:
        assert 0 < run["search_seconds"] <= run["seconds"]
        assert 10 < run["start_mb"] <= run["search_peak_mb"] <= run["peak_mb"]
        seconds, losses = zip(*run["history"], strict=True)
        assert list(seconds) == sorted(seconds)
        assert list(losses) == sorted(losses, reverse=True)
        assert losses[-1] == pytest.approx(run["gcp"], abs=1e-6)


def test_the_machine_is_stated_without_its_name(written):
    machine = written[0]["machine"]
    assert {"processor", "cores", "memory_gb", "python", "celosia", "date"} <= set(machine)
    assert machine["celosia"] == cl.__version__
    assert os.uname().nodename not in json.dumps(written[0]).split('"')


def test_unknown_names_are_refused():
    ended = run("--algorithms", "nonsense")
    assert ended.returncode == 2
    assert "nonsense is not one of" in ended.stderr


def test_a_peers_output_is_measured_by_its_classes_and_by_its_cells():
    from benchmarks.peers import judged

    frame = pl.DataFrame({"age": [20, 30, 50, 60, 40], "job": ["a", "b", "c", "c", "a"]})
    table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number", "job": "category"}))
    published = pl.DataFrame(
        {"row": ["3", "0", "2", "1"], "age": ["40-60", "[20, 40)", "40-60", "[20, 40)"], "job": ["c", "*", "c", "*"]}
    )
    found = judged(table, published, k=2)
    # Row 4 is deleted: lost whole. Tight: ages 10 of 40 in both classes, jobs 2 of 3 values and 1 of 3.
    assert found["gcp"] == pytest.approx((4 * 0.25 + 2 * 0.5 + 2 * 0.0 + 2 * 1.0) / 10)
    # As published: ages 20 of 40, `*` all.
    assert found["gcp_as_published"] == pytest.approx((4 * 0.5 + 2 * 1.0 + 2 * 0.0 + 2 * 1.0) / 10)
    assert (found["smallest_class"], found["k_anonymous"], found["n_suppressed"]) == (2, True, 1)
    assert found["truthful"] is True
    moved = published.with_columns(row=pl.Series(["3", "0", "1", "2"]))
    assert judged(table, moved, k=3)["k_anonymous"] is False
    assert judged(table, moved, k=3)["truthful"] is False


def test_histories_of_several_tables_are_averaged_as_step_lines():
    from benchmarks.measure import mean_history

    assert mean_history([[[0.1, 0.5], [0.3, 0.3]], [[0.2, 0.4], [0.4, 0.2]]]) == [
        [0.2, pytest.approx(0.45)],
        [0.3, pytest.approx(0.35)],
        [0.4, pytest.approx(0.25)],
    ]
    assert mean_history([[[0.1, 0.5]], []]) == []
