"""The loop of anonymising and measuring: until every target holds, or "not feasible" is the honest answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from celosia.apps.dossier.case import Round
from celosia.apps.project.loop_advice import advised
from celosia.apps.project.loop_rounds import Key, Trial, key_of, left_out_of, loss_of, made, measured
from celosia.apps.project.loop_targets import Candidates, Targets
from celosia.base.errors import InputError
from celosia.base.findings import Finding
from celosia.base.progress import Progress, Quiet
from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.jobs.release import Release
from celosia.models import KAnonymity
from celosia.search.base import Algorithm

__all__ = ["Candidates", "Outcome", "Targets", "search"]


@dataclass(frozen=True, eq=False)
class Outcome:
    """How the loop ended.

    Attributes
    ----------
    rounds
        Everything that was tried, those known before first. The figures of the chosen one are those of the release.
    release
        The release, audited; ``None`` where it is not feasible.
    verdict
        ``feasible`` or ``not feasible``.
    findings
        Where it is not feasible, what would help, each a note that the catalogue can say in another language.

    Examples
    --------
    >>> Outcome((), None, "not feasible", (Finding("MORE_LOSS_WOULD_DO", "note", "A loss of 2 % would do."),)).advice
    ('A loss of 2 % would do.',)
    """

    rounds: tuple[Round, ...]
    release: Release | None
    verdict: Literal["feasible", "not feasible"]
    findings: tuple[Finding, ...] = ()

    @property
    def advice(self) -> tuple[str, ...]:
        """What would help, in English."""
        return tuple(finding.message for finding in self.findings)


def search(
    plan: Plan,
    table: Table,
    targets: Targets,
    candidates: Candidates,
    *,
    known: Sequence[Round] = (),
    on_round: Callable[[Round], None] = lambda found: None,
    progress: Progress | None = None,
) -> Outcome:
    """Anonymise and measure until the risk is accepted and the loss bearable, then make the release of least loss.

    Tried are: about half the k that the threshold asks for, to show what the threshold buys (unless it lies below the
    floor); that k itself with every search and every share of suppression; a greater k, should the risk still be above
    the threshold; and about twice the k, to show what more safety would cost. Of the rounds that meet all targets the
    one of least loss is taken; if equal, the one that leaves out fewer rows, then the one of the smaller k. One that
    asks for less than the threshold's k, and meets it by chance, comes last. The release is then made in earnest and
    judged anew; should it not meet the targets, the next best round is taken.

    Parameters
    ----------
    plan
        Masks, further models, range style, order and seed. Its k-anonymity gives the least k that is tried (2 where
        only the threshold matters); its search, suppression and situation are replaced.
    known
        Rounds that were measured before with the same plan, table and targets: they are not measured again.
    on_round
        Is given each round as soon as it is measured, and once more with other figures when its release was made.
        Interrupted, by Ctrl-C or otherwise, the loop can go on from the rounds given so far.
    progress
        Hears each round as a stage.

    Raises
    ------
    InputError
        The table does not fit the plan, or a search does not fit the table.
    AuditError
        The verifier rejected the release; it is not handed out.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> frame = pl.DataFrame({"age": [30, 31, 32, 50, 54, 55]})
    >>> table = cl.Table(frame, cl.Schema(quasi_identifiers={"age": "number"}))
    >>> situation = cl.risk.Situation([cl.risk.Insider("medium", "medium")], threshold=0.1)
    >>> found = search(cl.Plan([cl.KAnonymity(2)], seed=1), table, Targets(situation, 0.3, 0.0), Candidates())
    >>> found.verdict, [(one.k, one.verdict, one.chosen) for one in found.rounds]
    ('feasible', [(3, 'accepted', True), (6, 'too lossy', False)])
    """
    if not isinstance(plan, Plan) or not isinstance(table, Table):
        raise InputError("search needs a Plan and a Table.", hint="write search(plan, Table(frame, schema), ...).")
    rounds = {key_of(one): replace(one, chosen=False) for one in known}
    return _Loop(plan, table, targets, candidates, on_round, progress or Quiet(), rounds).walked()


@dataclass
class _Loop:
    """The rounds of one search, by what they tried."""

    plan: Plan
    table: Table
    targets: Targets
    candidates: Candidates
    on_round: Callable[[Round], None]
    shown: Progress
    rounds: dict[Key, Round]
    trials: dict[Key, Trial] = field(default_factory=dict)

    def walked(self) -> Outcome:
        """Try everything in its order, and make the best release."""
        needed = self.targets.situation.minimal_k
        least = max((model.k for model in self.plan.models if isinstance(model, KAnonymity)), default=2)
        k = max(self.candidates.k or needed, least)
        weaker = -(-needed // 2)
        if max(self.targets.situation.floor, least) <= weaker < k:
            self._try(Trial(weaker, self.candidates.algorithms[0], self.candidates.suppressions[0]))
        found = self._try_all(k)
        while _none_accepted(found) and any(one.verdict == "too risky" for one in found):
            k = max(needed, k + 1)
            found = self._try_all(k)
        best = self._best()
        if best is not None:
            self._try(replace(best, k=2 * max(k, needed)))
        release = self._released()
        if release is not None:
            return Outcome(tuple(self.rounds.values()), release, "feasible")
        trials = [Trial(k, algorithm, share) for algorithm, share in self._grid()]
        self.shown.stage("why_not")
        findings = advised(self.plan, self.table, self.targets, trials, tuple(self.rounds.values()), self.shown)
        return Outcome(tuple(self.rounds.values()), None, "not feasible", findings)

    def _grid(self) -> list[tuple[Algorithm, float]]:
        return [
            (algorithm, share) for algorithm in self.candidates.algorithms for share in self.candidates.suppressions
        ]

    def _try_all(self, k: int) -> list[Round]:
        return [self._try(Trial(k, algorithm, share)) for algorithm, share in self._grid()]

    def _try(self, trial: Trial) -> Round:
        """Return the round of a trial, measured unless it is known."""
        self.trials[trial.key] = trial
        if trial.key not in self.rounds:
            self.shown.stage(f"Round {len(self.rounds) + 1}: {trial.title}")
            found = measured(trial, self.plan, self.table, self.targets, self.shown)
            self._keep(trial, found)
        return self.rounds[trial.key]

    def _keep(self, trial: Trial, found: Round) -> None:
        self.rounds[trial.key] = found
        self.on_round(found)

    def _best(self) -> Trial | None:
        """Return the accepted trial to make the release of."""
        needed = self.targets.situation.minimal_k

        def rank(key: Key) -> tuple[bool, float, float, int]:
            one = self.rounds[key]
            return one.k < needed, loss_of(one), left_out_of(one), one.k

        accepted = [key for key in self.trials if self.rounds[key].verdict == "accepted"]
        return self.trials[min(accepted, key=rank)] if accepted else None

    def _released(self) -> Release | None:
        """Make the release of the best round; where it does not keep to the targets after all, of the next best."""
        while (trial := self._best()) is not None:
            self.shown.stage(f"Release: {trial.title}")
            found, release = made(trial, self.plan, self.table, self.targets, self.shown)
            self._keep(trial, found)
            if release is not None:
                return release
        return None


def _none_accepted(rounds: Sequence[Round]) -> bool:
    return all(one.verdict != "accepted" for one in rounds)
