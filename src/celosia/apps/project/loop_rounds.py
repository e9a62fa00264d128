"""Rounds: one trial of k, search and suppression; measured, judged against the targets, and made in earnest."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from celosia.apps.dossier.case import Round
from celosia.apps.project.loop_targets import Targets
from celosia.base.errors import UnreachableError
from celosia.base.progress import Ending, Progress, aside
from celosia.base.wording import Said
from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.jobs.release import Release
from celosia.jobs.tables import TableSubject
from celosia.jobs.way import made as made_of
from celosia.jobs.why_not.blocks import find_blocks
from celosia.models import KAnonymity
from celosia.search.base import Algorithm

Key = tuple[int, str, float]
"""What tells rounds apart: k, the search, the share of rows that might go."""

Result = TypeVar("Result")

_OUT_OF_REACH = {
    "hierarchy": Said("More rows hold values that their hierarchies do not know than may be left out."),
    "model": Said("No way of grouping these rows satisfies a model beside k-anonymity with so few of them left out."),
    "column": Said("A quasi-identifier that a model judges holds values of too few people."),
    "demand": Said("No classes were found that satisfy all models with so few rows left out."),
}
_TOO_FEW = Said("There are fewer people in the table than a class must have.")
_BEFORE = Said("A mask would remove more rows than it may.")
_AFTERWARDS = Said("Once the masks after the search have removed rows, too few are left, or a model does not hold.")
_NOT_AGAIN = Said("It was within the targets when it was measured; the release itself, searched for anew, was not.")


@dataclass(frozen=True)
class Trial:
    """What one round tries.

    Examples
    --------
    >>> from celosia.search import Weave
    >>> Trial(5, Weave(effort="best"), 0.02).key
    (5, 'weave (effort best)', 0.02)
    """

    k: int
    algorithm: Algorithm
    max_suppression: float

    @property
    def key(self) -> Key:
        """What tells it from other rounds."""
        options = ", ".join(f"{option} {value}" for option, value in self.algorithm.to_dict().items())
        name = self.algorithm.name
        return self.k, f"{name} ({options})" if options else name, self.max_suppression

    @property
    def title(self) -> str:
        """What a progress bar calls it."""
        k, algorithm, share = self.key
        return f"k = {k}, {algorithm}" + (f", {100 * share:g} %" if share else "")

    def plan(self, plan: Plan, targets: Targets) -> Plan:
        """Return a plan with this trial's k, search and suppression, judged by the targets' situation."""
        others = [model for model in plan.models if not isinstance(model, KAnonymity)]
        return replace(
            plan,
            models=[KAnonymity(self.k), *others],
            algorithm=self.algorithm,
            max_suppression=self.max_suppression,
            risk=targets.situation,
        )

    def round(self, **found: Any) -> Round:
        """Return the round of this trial."""
        k, algorithm, share = self.key
        return Round(k=k, algorithm=algorithm, max_suppression=share, **found)


def key_of(one: Round) -> Key:
    """Return what tells a round from others.

    Examples
    --------
    >>> key_of(Round(5, "weave", 0.0, "accepted"))
    (5, 'weave', 0.0)
    """
    return one.k, one.algorithm, float(one.max_suppression)


def loss_of(one: Round) -> float:
    """Return the loss of a round; everything where nothing was measured.

    Examples
    --------
    >>> loss_of(Round(5, "weave", 0.0, "out of reach"))
    1.0
    """
    return 1.0 if one.gcp is None else one.gcp


def left_out_of(one: Round) -> float:
    """Return the share of rows that a round leaves out; all where nothing was measured.

    Examples
    --------
    >>> left_out_of(Round(5, "weave", 0.0, "out of reach"))
    1.0
    """
    return 1.0 if one.share_suppressed is None else one.share_suppressed


def measured(trial: Trial, plan: Plan, table: Table, targets: Targets, shown: Progress) -> Round:
    """Rehearse a trial and measure it; nothing is published, and no vault is changed.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> from celosia.base.progress import Quiet
    >>> table = cl.Table(pl.DataFrame({"age": [30, 30, 30, 54]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> situation = cl.risk.Situation([cl.risk.PublicRelease()], threshold=0.25)
    >>> found = measured(
    ...     Trial(4, cl.Mondrian(), 0.0), cl.Plan([cl.KAnonymity(2)]), table, Targets(situation, 0.5, 0.0), Quiet()
    ... )
    >>> found.verdict, found.risk, found.gcp
    ('too lossy', Fraction(1, 4), 1.0)
    """
    return _tried(trial, plan, table, targets, shown, rehearsal=True)[0]


def made(trial: Trial, plan: Plan, table: Table, targets: Targets, shown: Progress) -> tuple[Round, Release | None]:
    """Make the release of an accepted trial and judge it anew: without a seed it was searched for anew.

    The release is ``None`` where it does not keep to the targets after all.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> from celosia.base.progress import Quiet
    >>> table = cl.Table(pl.DataFrame({"age": [30, 30, 54, 54]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> targets = Targets(cl.risk.Situation([cl.risk.PublicRelease()], threshold=0.5, floor=2), 0.5, 0.0)
    >>> found, release = made(Trial(2, cl.Mondrian(), 0.0), cl.Plan([cl.KAnonymity(2)]), table, targets, Quiet())
    >>> found.chosen, release.k
    (True, 2)
    """
    found, release = _tried(trial, plan, table, targets, shown, rehearsal=False)
    if found.verdict != "accepted":
        return replace(found, reason=_NOT_AGAIN), None
    return replace(found, chosen=True), release


def watched(work: Callable[[Ending], Result], shown: Progress) -> Result:
    """Run work that shows its progress, and end it at once on Ctrl-C.

    By itself a search that goes on improving would take Ctrl-C for its own end, and the loop would go on.

    Examples
    --------
    >>> from celosia.base.progress import Quiet
    >>> watched(lambda ending: 42, Quiet())
    42
    """
    ending = _Forwarding(shown)
    return aside(lambda: work(ending), ending)


class _Forwarding(Ending):
    """Ends work when it is told to, and shows its progress as one stage."""

    def __init__(self, shown: Progress) -> None:
        super().__init__()
        self._shown = shown

    def advance(self, share: float) -> None:
        self._shown.advance(share)

    def found(self, loss: float) -> None:
        self._shown.found(loss)


def _tried(
    trial: Trial, plan: Plan, table: Table, targets: Targets, shown: Progress, *, rehearsal: bool
) -> tuple[Round, Release | None]:
    """Run a trial's plan; return what the targets say of it, and the release if there is one."""
    own = trial.plan(plan, targets)
    started = time.perf_counter()
    try:
        # No trial leaves the house: the release in earnest is verified from the file that is written.
        subject = TableSubject(own, table)
        release = watched(lambda ending: made_of(subject, ending, rehearsal=rehearsal), shown)
    except UnreachableError as error:
        reason = _why(own, table, error)
        return trial.round(verdict="out of reach", reason=reason, seconds=time.perf_counter() - started), None
    return _judged(trial, release, targets, started), release


def _judged(trial: Trial, release: Release, targets: Targets, started: float) -> Round:
    """Return the round of a release, with what the targets say of it: the risk first."""
    situation = targets.situation
    assessment = situation.assess(release)
    risk, smallest = assessment.overall, assessment.k
    assert risk is not None  # a plan that publishes no row is out of reach
    assert smallest is not None
    gcp, share_left_out = release.loss.gcp, release.classes.n_suppressed / len(release.classes)
    measures = {
        "risk": risk,
        "smallest": smallest,
        "gcp": gcp,
        "share_suppressed": share_left_out,
        "seconds": time.perf_counter() - started,
    }
    if not situation.accepts(risk):
        return trial.round(verdict="too risky", reason=Said("The risk is not within the threshold."), **measures)
    if smallest < situation.floor:
        return trial.round(verdict="too risky", reason=Said("The smallest class is below the floor."), **measures)
    if targets.is_useful(gcp, share_left_out):
        return trial.round(verdict="accepted", **measures)
    if targets.keeps_rows(share_left_out):
        reason = Said("More information is lost than the target allows.")
    elif targets.keeps_enough(gcp):
        reason = Said("More rows are left out than the target allows.")
    else:
        reason = Said("More information is lost, and more rows are left out, than the targets allow.")
    return trial.round(verdict="too lossy", reason=reason, **measures)


def _why(own: Plan, table: Table, error: UnreachableError) -> str:
    """Return why a trial is out of reach, in a sentence that the catalogue knows."""
    if error.about == "masks_after":
        return _AFTERWARDS
    try:
        masked = own.masked(table)
    except UnreachableError:
        return _BEFORE
    block = find_blocks(own, masked, error)[0]
    if block.model == KAnonymity.name:
        return _TOO_FEW
    return _OUT_OF_REACH[block.kind]
