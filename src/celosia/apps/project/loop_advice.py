"""Advice: where no round meets the targets, which single change of them would do, and what it was measured to cost."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from celosia.apps.dossier.case import Round
from celosia.apps.project.loop_rounds import Trial, left_out_of, loss_of, measured
from celosia.apps.project.loop_targets import Targets
from celosia.base.errors import UnreachableError
from celosia.base.findings import Finding
from celosia.base.progress import Progress
from celosia.data.schema import Table
from celosia.jobs.plan import Plan
from celosia.jobs.why_not import Relaxation, why_not
from celosia.measure.risk.grid import CONTROLS
from celosia.measure.risk.scenarios import Insider, PublicRelease
from celosia.measure.risk.situation import Situation

_SECONDS = 20.0
"""For finding the largest k that is still of use; and as long again for what would make a model reachable."""

_MOST_CHANGES = 3
_DIGITS = 3


def advised(
    plan: Plan, table: Table, targets: Targets, trials: Sequence[Trial], rounds: Sequence[Round], shown: Progress
) -> tuple[Finding, ...]:
    """Return what would have made the release feasible, as notes; the cheapest change of each target.

    Parameters
    ----------
    trials
        Those of the k that the threshold asks for.
    rounds
        Everything that was measured.

    Examples
    --------
    >>> import polars as pl, celosia as cl
    >>> from celosia.base.progress import Quiet
    >>> table = cl.Table(pl.DataFrame({"age": [30, 31, 32, 54]}), cl.Schema(quasi_identifiers={"age": "number"}))
    >>> targets = Targets(Situation([PublicRelease()], threshold=0.25), 0.5, 0.0)
    >>> lossy = Round(4, "mondrian", 0.0, "too lossy", Fraction(1, 4), 4, 1.0, 0.0)
    >>> found = advised(cl.Plan([cl.KAnonymity(2)]), table, targets, [Trial(4, cl.Mondrian(), 0.0)], [lossy], Quiet())
    >>> [finding.code for finding in found]
    ['MORE_LOSS_WOULD_DO']
    """
    found = [*_of_utility(targets, rounds)]
    largest = _largest_useful(plan, table, targets, trials, rounds, shown)
    if largest is not None:
        found += _of_risk(targets, largest)
    of_base = [one for one in rounds if one.k == trials[0].k]
    if all(one.verdict == "out of reach" for one in of_base):
        found += _of_models(trials[-1].plan(plan, targets), table, targets, shown)
    return tuple(found) or (
        Finding(
            "NO_SINGLE_CHANGE",
            "note",
            "No single change that was tried makes this release feasible. Publish fewer quasi-identifiers or coarser "
            "ones, gather more rows, or do not release the data.",
        ),
    )


def _of_utility(targets: Targets, rounds: Sequence[Round]) -> Iterator[Finding]:
    """Say which loss, and which share of rows left out, would have been enough."""
    safe = [one for one in rounds if one.verdict == "too lossy"]
    if few := [one for one in safe if targets.keeps_rows(left_out_of(one))]:
        best = min(few, key=loss_of)
        yield Finding(
            "MORE_LOSS_WOULD_DO",
            "note",
            "A loss of {loss} would do; the target allows {target}. It is what k = {k} with {algorithm} loses.",
            values={
                "loss": _up(loss_of(best)),
                "target": _share(targets.max_loss),
                "k": best.k,
                "algorithm": best.algorithm,
            },
        )
    if light := [one for one in safe if targets.keeps_enough(loss_of(one))]:
        best = min(light, key=left_out_of)
        yield Finding(
            "MORE_SUPPRESSION_WOULD_DO",
            "note",
            "To leave out {share} of the rows would do; the target allows {target}. It is what k = {k} with "
            "{algorithm} leaves out.",
            values={
                "share": _up(left_out_of(best)),
                "target": _share(targets.max_suppression),
                "k": best.k,
                "algorithm": best.algorithm,
            },
        )
    if safe and not few and not light:
        best = min(safe, key=loss_of)
        yield Finding(
            "MORE_LOSS_AND_SUPPRESSION_WOULD_DO",
            "note",
            "A loss of {loss} and leaving out {share} of the rows would do together; the targets allow {max_loss} and "
            "{max_share}. It is what k = {k} with {algorithm} costs.",
            values={
                "loss": _up(loss_of(best)),
                "share": _up(left_out_of(best)),
                "max_loss": _share(targets.max_loss),
                "max_share": _share(targets.max_suppression),
                "k": best.k,
                "algorithm": best.algorithm,
            },
        )


def _largest_useful(
    plan: Plan, table: Table, targets: Targets, trials: Sequence[Trial], rounds: Sequence[Round], shown: Progress
) -> Round | None:
    """Return the round of the largest k below the one wanted keeping to loss and rows; by halving, in limited time."""
    deadline = time.monotonic() + _SECONDS
    useful = [one for one in rounds if one.k < trials[0].k and _is_useful(one, targets)]
    best = max(useful, key=lambda one: one.k, default=None)
    for trial in trials:
        low = targets.situation.floor - 1 if best is None else best.k
        high = trial.k
        while high - low > 1 and time.monotonic() < deadline:
            middle = min(max(math.isqrt(low * high), low + 1), high - 1)
            found = measured(replace(trial, k=middle), plan, table, targets, shown)
            if _is_useful(found, targets):
                low, best = middle, found
            else:
                high = middle
    return best


def _of_risk(targets: Targets, largest: Round) -> Iterator[Finding]:
    """Say which threshold, and which controls, would accept classes of a size that keeps to the other targets."""
    situation = targets.situation
    k, loss, algorithm = largest.k, _up(loss_of(largest)), largest.algorithm
    if k >= situation.minimal_k:
        yield Finding(
            "SMALLER_K_WOULD_DO",
            "note",
            "k = {k} would keep to every target (with {algorithm}, at a loss of {loss}); the threshold asks for "
            "{needed}, and a greater k was demanded.",
            values={"k": k, "algorithm": algorithm, "loss": loss, "needed": situation.minimal_k},
        )
        return
    hidden = max(k - situation.insiders, 1)
    needed = situation.attempt / hidden
    yield Finding(
        "HIGHER_THRESHOLD_WOULD_DO",
        "note",
        "Within the targets for loss and rows k = {k} can be had (with {algorithm}, at a loss of {loss}). A threshold "
        "of {needed} would accept it; it is {threshold}.",
        values={
            "k": k,
            "algorithm": algorithm,
            "loss": loss,
            "needed": _up(needed, above=situation.strict),
            "threshold": _share(situation.accepted),
        },
    )
    attempt = situation.accepted * hidden
    if any(isinstance(one, PublicRelease) for one in situation.scenarios):
        yield Finding(
            "KNOWN_RECIPIENTS_WOULD_DO",
            "note",
            "The release is public, so that an attempt is taken as certain. Given to known recipients only, under "
            "controls with which an attempt is no more probable than {attempt}, k = {k} would do at this threshold.",
            values={"attempt": _down(attempt, below=situation.strict), "k": k},
        )
    controls = _cheapest_controls(situation, k) if targets.counts_controls else None
    if controls is not None:
        yield Finding(
            "MORE_CONTROLS_WOULD_DO",
            "note",
            "With controls of the extent '{controls}' in place k = {k} would do at this threshold, within the targets "
            "for loss and rows.",
            values={"controls": controls, "k": k},
        )


def _cheapest_controls(situation: Situation, k: int) -> str | None:
    """Return the least extent of controls with which a k is enough; ``None`` where none is, or no insider is named."""
    for controls in reversed(CONTROLS):
        changed = [replace(one, controls=controls) if isinstance(one, Insider) else one for one in situation.scenarios]
        if changed != list(situation.scenarios) and replace(situation, scenarios=changed).minimal_k <= k:
            return controls
    return None


def _of_models(own: Plan, table: Table, targets: Targets, shown: Progress) -> Iterator[Finding]:
    """Say which changes of models and columns bring classes of the k wanted within reach, and keep to the loss."""
    try:
        answer = why_not(own, table, time_limit=_SECONDS, progress=shown)
    except UnreachableError:  # a mask is in the way, and says so in its own round
        return
    fitting = [
        one
        for one in answer.relaxations
        if one.kind != "smaller_k"  # another k is not the threshold's
        and targets.keeps_enough(one.gcp)
        and (one.kind == "more_suppression" or targets.keeps_rows(one.n_suppressed / one.n_rows))
    ]
    for one in fitting[:_MOST_CHANGES]:
        yield _of_change(one)


def _of_change(one: Relaxation) -> Finding:
    change, loss = one.change, _up(one.gcp)
    column, model = change.get("on"), str(change.get("model"))
    if one.kind == "more_suppression":
        return Finding(
            "MORE_SUPPRESSION_WOULD_DO",
            "note",
            "To let {share} of the rows be left out would bring the models within reach, at a loss of {loss}.",
            values={"share": _up(change["max_suppression"]), "loss": loss},
        )
    if one.kind == "drop_column":
        return Finding(
            "FEWER_COLUMNS_WOULD_DO",
            "note",
            "Without the column '{column}' the models are within reach, at a loss of {loss}.",
            change["column"],
            {"loss": loss},
        )
    if one.kind == "drop_model":
        return Finding(
            "FEWER_MODELS_WOULD_DO",
            "note",
            "Without {model} the other models are within reach, at a loss of {loss}: what it is to protect must then "
            "be protected otherwise.",
            column,
            {"model": model, "loss": loss},
        )
    if one.kind == "weaker_model":
        return Finding(
            "WEAKER_MODEL_WOULD_DO",
            "note",
            "With {option} = {value} instead of {asked} the model {model} is within reach, at a loss of {loss}.",
            column,
            {
                "option": str(change["option"]),
                "value": f"{change['to']:g}",
                "asked": f"{change['from']:g}",
                "model": model,
                "loss": loss,
            },
        )
    return Finding(
        "OTHER_CHANGE_WOULD_DO",
        "note",
        "This change brings the models within reach, at a loss of {loss}: {change}.",
        values={"change": one.message, "loss": loss},
    )


def _is_useful(one: Round, targets: Targets) -> bool:
    return one.smallest is not None and targets.is_useful(loss_of(one), left_out_of(one))


def _share(share: float | Fraction) -> str:
    return f"{float(100 * share):.{_DIGITS + 1}g} %"


def _up(share: float | Fraction, *, above: bool = False) -> str:
    """Spell a share of one, rounded up so that whoever asks for it gets it; strictly above it on demand."""
    return _rounded(share, ROUND_CEILING, 1 if above else 0)


def _down(share: float | Fraction, *, below: bool = False) -> str:
    """Spell a share of one, rounded down; strictly below it on demand."""
    return _rounded(min(Fraction(share), Fraction(1)), ROUND_FLOOR, -1 if below else 0)


def _rounded(share: float | Fraction, rounding: str, away: int) -> str:
    exact = 100 * (Fraction(str(share)) if isinstance(share, float) else Fraction(share))
    context = Context(prec=_DIGITS, rounding=rounding)
    rounded = context.divide(Decimal(exact.numerator), Decimal(exact.denominator))
    if away and Fraction(rounded) == exact:
        rounded = context.next_plus(rounded) if away > 0 else context.next_minus(rounded)
    return f"{rounded.normalize():f} %"
