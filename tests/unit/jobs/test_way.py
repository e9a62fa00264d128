"""The way of the work: its order, who may stop it, and that nothing unverified leaves it."""

from __future__ import annotations

import multiprocessing
import threading
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import celosia as cl
from celosia.base.errors import AuditError
from celosia.base.progress import Quiet, Stop
from celosia.jobs.tables import TableSubject
from celosia.jobs.way import Place, made, placed, verified

SCHEMA = cl.Schema(quasi_identifiers={"age": "number", "town": "category"})


def table(n: int = 400) -> cl.Table:
    rng = np.random.default_rng(4)
    return cl.Table(pl.DataFrame({"age": rng.integers(18, 90, n), "town": rng.choice(list("abcdefgh"), n)}), SCHEMA)


class Told(Quiet):
    def __init__(self) -> None:
        self.stages: list[str] = []

    def stage(self, name: str) -> None:
        self.stages.append(name)


def test_the_order_of_the_stages():
    told = Told()
    verified(TableSubject(cl.Plan([cl.KAnonymity(2)], cl.Mondrian()), table()), told)
    assert told.stages == ["search", "recode", "audit"]


def test_what_is_not_verified_says_so():
    subject = TableSubject(cl.Plan([cl.KAnonymity(2)], cl.Mondrian()), table())
    assert made(subject).checks == ()
    assert verified(subject).checks


def test_a_rehearsal_is_not_placed(tmp_path):
    subject = TableSubject(cl.Plan([cl.KAnonymity(2)], cl.Mondrian()), table())
    with pytest.raises(cl.InputError, match="a rehearsal is not written"):
        placed(subject, made(subject, rehearsal=True), Place(tmp_path / "release"))
    assert not list(tmp_path.iterdir())


def test_nothing_is_left_where_the_verifier_rejects_the_file(tmp_path, monkeypatch):
    subject = TableSubject(cl.Plan([cl.KAnonymity(2)], cl.Mondrian()), table())
    monkeypatch.setattr(TableSubject, "demanded", lambda *_: ["a check that nobody makes"])
    with pytest.raises(AuditError, match="was not checked"):
        placed(subject, made(subject), Place(tmp_path / "release"))
    assert not list(tmp_path.iterdir())


def test_what_is_placed_carries_the_checks_of_the_file(tmp_path):
    subject = TableSubject(cl.Plan([cl.KAnonymity(2)], cl.Mondrian()), table())
    found = placed(subject, made(subject), Place(tmp_path / "release", format="csv-es", lang="es"))
    names = [name for name, _ in found.checks]
    assert any("hash" in name for name in names)
    assert all(status in ("passed", "not applicable") for _, status in found.checks)


ENDLESS = cl.Plan([cl.KAnonymity(5)], cl.Weave(time_limit=600), bound=False)


def test_a_search_is_stopped_from_another_thread():
    stop, started = Stop(), time.perf_counter()
    threading.Timer(0.5, stop.ask).start()
    release = ENDLESS.run(table(3000), stop=stop)
    assert time.perf_counter() - started < 60
    assert release.was_stopped
    assert release.k >= 5
    assert release.checks


def test_a_stop_before_the_search_keeps_the_first_classes():
    stop = Stop()
    stop.ask()
    release = ENDLESS.run(table(3000), stop=stop)
    assert release.was_stopped
    assert release.k >= 5


def test_a_search_that_does_not_improve_goes_on_to_its_end():
    stop = Stop()
    stop.ask()
    release = cl.Plan([cl.KAnonymity(5)], cl.Mondrian(), bound=False).run(table(), stop=stop)
    assert not release.was_stopped
    assert release.k >= 5


def _run_in_a_process(event, folder: str) -> None:
    release = ENDLESS.run(table(3000), stop=Stop(event))
    Path(folder, "k").write_text(f"{release.k} {release.was_stopped}")


def test_a_search_is_stopped_from_another_process(tmp_path):
    context = multiprocessing.get_context("spawn")
    event = context.Event()
    worker = context.Process(target=_run_in_a_process, args=(event, str(tmp_path)))
    worker.start()
    event.set()
    worker.join(60)
    assert worker.exitcode == 0
    assert (tmp_path / "k").read_text().endswith("True")
