"""Which of the exam paper's statements hold: judged from what was measured, statement by statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import erf, sqrt
from statistics import fmean
from typing import Any, Literal

from celosia.apps.exam_paper import paper
from celosia.apps.exam_paper.experiment import ALGORITHMS, Reproduction

Status = Literal["holds", "partly", "undecided", "fails", "out_of_reach", "not_checked"]
"""``out_of_reach``: the printed loss lies below what any grouping must lose, so that no search can have given it."""

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Verdict:
    """A statement of the paper, how it fares, and the figures that decide.

    Examples
    --------
    >>> Verdict("seconds", "holds", {"printed": 1.0, "slowest": 0.02}).to_dict()
    {'statement': 'seconds', 'status': 'holds', 'figures': {'printed': 1.0, 'slowest': 0.02}}
    """

    statement: str
    status: Status
    figures: Figures

    def to_dict(self) -> dict[str, Any]:
        """Return statement, status and figures."""
        return {"statement": self.statement, "status": self.status, "figures": dict(self.figures)}


def verdicts(found: Reproduction) -> list[Verdict]:
    """Judge every printed statement.

    Examples
    --------
    >>> from celosia.apps.exam_paper import reproduce_exam_paper
    >>> judged = verdicts(reproduce_exam_paper([2, 40], n_seeds=1, marks=["real"]))
    >>> judged[0].statement, judged[0].status
    ('loss_at', 'out_of_reach')
    """
    return [
        *(_loss_at(found, k) for k in paper.LOSS_AT),
        _mean_loss(found),
        _ahead(found),
        _growth(found),
        _risk(found),
        _seconds(found),
        _over_python(found),
        _share_of_marks(found),
    ]


def _loss_at(found: Reproduction, k: int) -> Verdict:
    printed = paper.LOSS_AT[k]
    if k not in found.ks:
        return Verdict("loss_at", "not_checked", {"printed": printed, "k": k})
    losses = {marks: found.loss(marks, "l_greedy", k) for marks in found.marks}
    lowest = min(found.bound(marks, k).min for marks in found.marks)
    figures = {
        "printed": printed,
        "k": k,
        "measured": {marks: loss.mean for marks, loss in losses.items()},
        "factor": {marks: loss.mean / printed for marks, loss in losses.items()},
        "lower_bound": lowest,
    }
    if printed < lowest:
        return Verdict("loss_at", "out_of_reach", figures)
    reached = any(loss.min <= printed <= loss.max for loss in losses.values())
    return Verdict("loss_at", "holds" if reached else "fails", figures)


def _mean_loss(found: Reproduction) -> Verdict:
    """Judge the means: the paper does not say over which k, but the bound at the smallest k bounds them all."""
    means = {name: {marks: _mean(found, marks, name) for marks in found.marks} for name in ALGORITHMS}
    figures: dict[str, Any] = {
        **{f"printed_{name}": printed for name, printed in paper.MEAN_LOSS.items()},
        **{f"measured_{name}": values for name, values in means.items()},
        "smallest_k": found.ks[0],
        "largest_k": found.ks[-1],
        "n_k": len(found.ks),
    }
    if paper.SMALLEST_K not in found.ks:
        return Verdict("mean_loss", "not_checked", figures)
    lowest = figures["lower_bound"] = min(found.bound(marks, paper.SMALLEST_K).min for marks in found.marks)
    if max(paper.MEAN_LOSS.values()) < lowest:
        return Verdict("mean_loss", "out_of_reach", figures)
    near = any(
        all(round(means[name][marks], 3) == round(printed, 3) for name, printed in paper.MEAN_LOSS.items())
        for marks in found.marks
    )
    return Verdict("mean_loss", "holds" if near else "fails", figures)


def _mean(found: Reproduction, marks: str, algorithm: str, seed: int | None = None) -> float:
    """Return the mean GCP over all k, of all tables or of one."""
    return fmean(
        run.gcp for run in found.runs if (run.marks, run.algorithm) == (marks, algorithm) and seed in (None, run.seed)
    )


def _ahead(found: Reproduction) -> Verdict:
    """Judge whether l-greedy loses a little less: table by table, since a mean may hang on one."""
    gaps = [
        _mean(found, marks, "l_greedy", seed) - _mean(found, marks, "k_members", seed)
        for marks in found.marks
        for seed in range(found.n_seeds)
    ]
    n_ahead = sum(gap < 0 for gap in gaps)
    status: Status = "holds" if n_ahead == len(gaps) else "undecided" if n_ahead else "fails"
    return Verdict("ahead", status, {"n_tables": len(gaps), "n_ahead": n_ahead, "mean_gap": fmean(gaps)})


def _growth(found: Reproduction) -> Verdict:
    """Judge whether the loss grows with k: step by step, for each algorithm and kind of marks."""
    curves = [[(k, found.loss(marks, name, k).mean) for k in found.ks] for marks in found.marks for name in ALGORITHMS]
    steps = [step for curve in curves for step in pairwise(curve)]
    falls = [(k, next_k) for (k, loss), (next_k, next_loss) in steps if next_loss < loss]
    figures = {
        "n_steps": len(steps),
        "n_falls": len(falls),
        "n_fewer_left": sum(paper.N_STUDENTS % next_k < paper.N_STUDENTS % k for k, next_k in falls),
    }
    if not steps:
        return Verdict("growth", "not_checked", figures)
    if not falls:
        return Verdict("growth", "holds", figures)
    return Verdict("growth", "partly" if all(curve[-1][1] > curve[0][1] for curve in curves) else "fails", figures)


def _risk(found: Reproduction) -> Verdict:
    """Judge the chance to re-identify: one over the rows of the smallest class that any run gave."""
    measured = {
        k: max(1 / run.smallest_class for run in found.runs if run.k == k) for k in paper.RISK_AT if k in found.ks
    }
    figures = {f"measured_at_{k}": risk for k, risk in measured.items()}
    if len(measured) < len(paper.RISK_AT):
        return Verdict("risk", "not_checked", figures)
    kept = all(risk <= paper.RISK_AT[k] for k, risk in measured.items())
    return Verdict("risk", "holds" if kept else "fails", figures)


def _seconds(found: Reproduction) -> Verdict:
    slowest = max(run.seconds for run in found.runs)
    figures = {"printed": paper.SECONDS, "slowest": slowest, "n_runs": len(found.runs)}
    return Verdict("seconds", "holds" if slowest < paper.SECONDS else "fails", figures)


def _over_python(found: Reproduction) -> Verdict:
    """Say that it is not checked: the authors' code is not run here; our own yardstick stands beside it."""
    return Verdict("over_python", "not_checked", {"printed": paper.FACTOR_OVER_PYTHON, **found.yardstick.to_dict()})


def _share_of_marks(found: Reproduction) -> Verdict:
    """Judge the share of marks in [5, 7]: within three standard errors of the printed one, or not."""
    printed, shares = paper.SHARE_WITHIN_ONE, found.shares
    error = sqrt(printed * (1 - printed) / shares.n_marks)
    figures = {
        "printed": printed,
        "within_one": shares.within_one,
        "within_two": shares.within_two,
        "law_within_one": _within(1, deviation=2),
        "law_within_one_of_deviation_one": _within(1, deviation=1),
        "law_within_two": _within(2, deviation=2),
        "n_marks": shares.n_marks,
    }
    near = abs(shares.within_one - printed) <= 3 * error
    return Verdict("share_of_marks", "holds" if near else "fails", figures)


def _within(distance: float, *, deviation: float) -> float:
    """Return the chance that a normal number lies within a distance of its mean."""
    return erf(distance / deviation / sqrt(2))
