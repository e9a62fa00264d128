"""The way of the work: prepare, search, publish, stage, verify, measure, documents, place. It is known here alone.

What differs between a table and a graph stands behind one protocol, ``Subject``. Chance, the folder that is placed
whole, and the rule that nothing is handed out unless the verifier has accepted it are here, once. ``made`` goes the way
to a result, ``verified`` to one that is handed to Python, and ``placed`` from a result into a folder.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

from celosia import audit
from celosia.audit import Verdict
from celosia.base.chance import Randomness
from celosia.base.errors import AuditError, InputError
from celosia.base.progress import Progress, Quiet, Stop, Stoppable
from celosia.data import io
from celosia.data.io.sql import SqlTarget
from celosia.data.outcome import Judged

Checks = tuple[tuple[str, str], ...]
"""Name and status of every check of the verifier."""
Documents = Callable[[Path, Mapping[str, Any], Checks], None]
"""Writes documents into a release's folder, given its claim and the verifier's checks."""

_UNPASSED = ("failed", "could not run")


@dataclass(frozen=True)
class Place:
    """Where a release goes, and in which form.

    Attributes
    ----------
    folder
        The folder to make.
    format
        The format of the data file.
    claim
        Whether the claim is written.
    overwrite
        Whether an earlier release may be replaced.
    lang
        The language of the report: ``en`` or ``es``.
    database
        A table of a database into which the published rows go as well, once the verifier has accepted them; with
        ``overwrite`` an earlier table is replaced.
    documents
        Writes further documents: ``statement.*`` for everybody, the rest into ``internal/``.
    """

    folder: Path
    format: str = "csv"
    claim: bool = True
    overwrite: bool = False
    lang: str = "en"
    database: SqlTarget | None = None
    documents: Documents | None = None


@dataclass(frozen=True)
class Staged:
    """What lies in the private folder: the data file, what is promised about it, and the private record."""

    data: Path
    claim: dict[str, Any]
    record: dict[str, Any]


Given = TypeVar("Given")
Prepared = TypeVar("Prepared")
Searched = TypeVar("Searched")
Made = TypeVar("Made", bound=Judged)


class Subject(Protocol[Given, Prepared, Searched, Made]):
    """What is worked on, a table or a graph: the steps to a result. Each takes what the one before returned."""

    seed: int | None
    """Of chance; ``None`` for the system's secure generator."""

    def read(self) -> Given:
        """Read what is to be worked on."""

    def prepare(self, given: Given, randomness: Randomness, *, rehearsal: bool) -> Prepared:
        """Apply masks, and refuse what can be refused before the search."""

    def search(self, prepared: Prepared, randomness: Randomness, shown: Progress) -> Searched:
        """Find classes, or edits, that satisfy all models."""

    def publish(self, prepared: Prepared, searched: Searched, randomness: Randomness, *, rehearsal: bool) -> Made:
        """Turn what was found into what will be published, with what is promised of it."""

    def measure(self, made: Made, shown: Progress) -> Made:
        """Measure what is asked for beyond what a result measures when it is asked."""


class ReleasedSubject(Subject[Given, Prepared, Searched, Made], Protocol[Given, Prepared, Searched, Made]):
    """One of which something is promised: the steps to a folder that holds what the verifier has accepted."""

    def preflight(self, place: Place) -> None:
        """Refuse a place that can be refused before anything is read."""

    def stage(self, made: Made, folder: Path, place: Place) -> Staged:
        """Write data and claim into the private folder."""

    def verify(self, made: Made, staged: Staged | None = None) -> Verdict:
        """Have the independent verifier judge the staged file, or else what is in memory."""

    def demanded(self, made: Made) -> Sequence[str]:
        """Return the names of the checks that must have been made."""

    def document(self, made: Made, folder: Path, place: Place, staged: Staged) -> None:
        """Write record and report into the private folder."""

    def store(self, made: Made, place: Place) -> None:
        """Write into the database that the place names."""


def made(
    subject: Subject[Any, Any, Any, Made],
    progress: Progress | None = None,
    *,
    rehearsal: bool = False,
    stop: Stop | None = None,
    judge: Callable[[Made], Made] | None = None,
) -> Made:
    """Go the way up to a result. Nobody has verified it unless there is a judge: ``placed`` does, or it is measured.

    Parameters
    ----------
    rehearsal
        Whether the result is only looked at: nothing is stored, and what a store would give is made up.
    stop
        Asks the search to end and to keep its best, from another thread or process.
    judge
        Returns the result once the verifier has accepted it.
    """
    started = time.perf_counter()
    shown: Progress = progress or Quiet()
    if stop is not None:
        shown = Stoppable(shown, stop)
    randomness = Randomness(subject.seed)
    prepared = subject.prepare(subject.read(), randomness, rehearsal=rehearsal)
    shown.stage("search")
    searched = subject.search(prepared, randomness, shown)
    shown.stage("recode")
    result = subject.publish(prepared, searched, randomness, rehearsal=rehearsal)
    if judge is not None:
        shown.stage("audit")
        result = judge(result)
    # Only now, when the result is there: whatever ends the measuring, it stays.
    return subject.measure(result, shown).noting(seconds=time.perf_counter() - started)


def verified(
    subject: ReleasedSubject[Any, Any, Any, Made],
    progress: Progress | None = None,
    *,
    rehearsal: bool = False,
    stop: Stop | None = None,
) -> Made:
    """Go the way up to a result that the verifier has accepted as it is in memory, to be handed to Python.

    Raises
    ------
    AuditError
        The verifier rejected it.
    """
    return made(subject, progress, rehearsal=rehearsal, stop=stop, judge=partial(judged, subject))


def judged(subject: ReleasedSubject[Any, Any, Any, Made], result: Made) -> Made:
    """Return a result once the verifier has accepted what is in memory, with the checks it made.

    Raises
    ------
    AuditError
        The verifier rejected it.
    """
    return result.noting(checks=_accepted(subject, result, None))


def placed(subject: ReleasedSubject[Any, Any, Any, Made], result: Made, place: Place) -> Made:
    """Go the rest of the way: all goes to a private folder, is judged there, and renamed into place whole.

    Raises
    ------
    InputError
        The folder exists or cannot be written, or the result is a rehearsal.
    AuditError
        The verifier rejected the file; nothing was left behind.
    """
    if result.is_rehearsal:
        raise InputError("a rehearsal is not written.", hint="run the plan without rehearsal.")
    subject.preflight(place)
    started = time.perf_counter()
    with io.placing(place.folder, overwrite=place.overwrite) as folder:
        staged = subject.stage(result, folder, place)
        checks = _accepted(subject, result, staged)
        result = result.noting(checks=checks, seconds=result.seconds + time.perf_counter() - started)
        (folder / "internal").mkdir(mode=0o700)
        subject.document(result, folder, place, staged)
        if place.documents is not None:
            place.documents(folder, staged.claim, checks)
        if place.database is not None:
            subject.store(result, place)
    return result


def _accepted(subject: ReleasedSubject[Any, Any, Any, Made], result: Made, staged: Staged | None) -> Checks:
    """Return the checks made, or raise unless all on which the result stands were made, and none has failed."""
    try:
        verdict = subject.verify(result, staged)
    except audit.AuditInputError as error:  # a release that it cannot even read
        raise _rejected(str(error)) from None
    run = {check.name for check in verdict.checks}
    absent = [name for name in subject.demanded(result) if not {name, f"{name} in subjects"} & run]
    unpassed = [f"{check.name}: {check.detail}" for check in verdict.checks if check.status in _UNPASSED]
    if not verdict.holds or absent:
        raise _rejected("; ".join([*unpassed, *(f"{name}: was not checked" for name in absent)]))
    return tuple((check.name, check.status) for check in verdict.checks)


def _rejected(reason: str) -> AuditError:
    return AuditError(
        f"the verifier rejected the release ({reason}).",
        hint="nothing was handed out. This is a fault of Celosía: please report it with the plan, without the data.",
    )
