"""Killed at any point, the project file is whole, and the next call goes on where the last one was."""

from __future__ import annotations

import hashlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from celosia.apps.project import Project

NURSERY = """
    # Imports everything once, and then bears a child for each line that comes in: starting Python takes long.
    import json, os, sys, time
    import celosia.apps.dossier, celosia.apps.project.running as running, celosia.apps.project.loop as loop
    import celosia.data.io.folder as placing
    from celosia.apps.project import Project

    def documents(case, release, folder, claim, checks):
        (folder / "internal" / "dossier.en.html").write_text("x")

    running.write_documents = documents
    running.assemble = celosia.apps.dossier.assemble = lambda case, folder: None
    measure = loop.measured

    def measured(trial, *arguments):
        with open("measured.txt", "a") as file:
            file.write(f"{trial.key}\\n")
        return measure(trial, *arguments)

    loop.measured = measured

    def hang(*_, **__):
        print("here", flush=True)
        time.sleep(600)

    for line in sys.stdin:
        folder, code = json.loads(line)
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            try:
                exec(code)
                os._exit(0)
            except BaseException as error:
                print(type(error).__name__, error, file=sys.stderr, flush=True)
                os._exit(1)
        print(child, flush=True)
        print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
RUN = "Project.load('project.yaml').run()"
SIGN = """
while True:
    Project.load("project.yaml").sign(1, by="Ana", role="DPO")
    Project.load("project.yaml").unsign(1, by="Ana", reason="again")
"""


class Nursery:
    """A process whose children are killed."""

    def __init__(self):
        command = [sys.executable, "-c", textwrap.dedent(NURSERY)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=os.environ
        )

    def bear(self, folder, code):
        self.process.stdin.write(json.dumps([str(folder), code]) + "\n")
        self.process.stdin.flush()
        self.child = int(self.process.stdout.readline())

    def heard(self):
        return self.process.stdout.readline().strip()

    def kill(self):
        """Kill the child, unless it has ended by itself, and return whether it was killed."""
        if not select.select([self.process.stdout], [], [], 0)[0]:
            os.kill(self.child, signal.SIGKILL)
        return self.heard() == f"ended {-signal.SIGKILL}"

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def nursery():
    made = Nursery()
    yield made
    made.end()


def whole(folder):
    """Return the project, whose file must be whole and its record intact, with what people wrote unchanged."""
    project = Project.load(folder / "project.yaml")
    found = project.status()
    assert found["intact"]
    assert "# A last comment of people." in (folder / "project.yaml").read_text()
    return project, found


def test_killed_while_signing_again_and_again(folder, nursery):
    generator = random.Random(20)
    n_signed = 0
    for _ in range(8):
        nursery.bear(folder, SIGN)
        time.sleep(generator.uniform(0.0, 0.4))
        assert nursery.kill()
        project, found = whole(folder)
        is_signed = found["steps"][0]["state"] == "signed"
        told = [event["what"] for event in found["history"]]
        assert told.count("signed") - told.count("unsigned") == is_signed
        assert told.count("signed") >= n_signed
        n_signed = told.count("signed")
        if is_signed:
            project.unsign(1, by="Ana", reason="again")
    project.sign(1, by="Ana", role="DPO")
    assert project.status()["intact"]
    assert sorted(path.name for path in folder.iterdir()) == ["people.csv", "project.yaml"]


@pytest.fixture
def ready(project, sign, edit):
    edit("algorithms: [mondrian]", "algorithms: [mondrian, hilbert_order]")
    edit("max_suppression: [0]", "max_suppression: [0, 0.1]")
    sign(4)
    return project


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] if seed else []) for seed in range(6)])
def test_killed_at_random_points_of_a_run_it_goes_on_and_measures_nothing_again(ready, folder, written, nursery, seed):
    generator = random.Random(seed)
    n_killed = 0
    for _ in range(6):
        nursery.bear(folder, RUN)
        time.sleep(generator.uniform(0.02, 0.4))
        n_killed += nursery.kill()
        whole(folder)
    nursery.bear(folder, RUN)
    assert nursery.heard() == "ended 0"
    project, found = whole(folder)
    assert found["outcome"] == "feasible"
    lines = (folder / "measured.txt").read_text().splitlines()
    assert set(lines) == {str((one["k"], one["algorithm"], one["max_suppression"])) for one in found["rounds"]}
    assert len(lines) - len(set(lines)) <= n_killed  # a round that was in work when the process was killed
    assert (folder / "release" / "data.csv").exists()
    assert project.run() == "feasible"
    assert len((folder / "measured.txt").read_text().splitlines()) == len(lines)


POINTS = {
    "before anything": ("running._Run.begin = hang", False, False),
    "in the second round": (
        "def second(*a): return measured(*a) if not os.path.exists('measured.txt') else hang()\nloop.measured = second",
        False,
        False,
    ),
    "while the release is made": ("loop.made = hang", False, False),
    "before it is written down": ("running.risk_evidence = hang", False, False),
    "before its documents": ("running.write_documents = hang", True, False),
    "before it is in its place": ("placing._put_in_place = hang", True, False),
    "when it is in its place": (
        "put = placing._put_in_place\nplacing._put_in_place = lambda *a: (put(*a), hang())",
        True,
        True,
    ),
    "before its documents are made anew": ("celosia.apps.dossier.assemble = hang", True, True),
}


@pytest.mark.parametrize("point", POINTS)
def test_killed_at_each_point_of_a_run(ready, folder, written, nursery, point):
    place, is_known, is_placed = POINTS[point]
    nursery.bear(folder, f"{place}\n{RUN}")
    assert nursery.heard() == "here"
    assert nursery.kill()
    project, found = whole(folder)
    assert (found["outcome"] is not None) == is_known
    assert (folder / "release" / "data.csv").exists() == is_placed
    n_rounds = len(found["rounds"])
    assert n_rounds == {"before anything": 0, "in the second round": 1}.get(point, n_rounds)
    nursery.bear(folder, RUN)
    assert nursery.heard() == "ended 0"
    evidence = project.case().step("risk").evidence
    assert hashlib.sha256((folder / "release" / "data.csv").read_bytes()).hexdigest() == evidence["output"]["sha256"]
    told = [event.what for event in project.case().history]
    was_told = is_known and point != "before its documents"  # a release is told of once its documents are written
    assert told.count("released") == (1 if is_placed else 1 + was_told)
    assert [path.name for path in folder.iterdir() if path.name.startswith(".release")] == []
    if is_known:
        lines = (folder / "measured.txt").read_text().splitlines()
        assert len(lines) == len(set(lines)) == n_rounds  # nothing was measured again
