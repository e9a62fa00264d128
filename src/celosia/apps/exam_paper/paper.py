"""What the exam paper prints in its section 5."""

from __future__ import annotations

from typing import Any

N_STUDENTS = 500
SMALLEST_K, LARGEST_K = 2, 40

LOSS_AT = {SMALLEST_K: 0.0052, LARGEST_K: 0.0509}
"""GCP of l-greedy: "from 0.52 % (k=2) to 5.09 % (k=40)"."""

MEAN_LOSS = {"k_members": 0.0271, "l_greedy": 0.0270}
"""Mean GCP "of all the experiments of this work"; it does not say which k those are."""

RISK_AT = {SMALLEST_K: 0.5, LARGEST_K: 0.025}
"""The chance to re-identify a student."""

SECONDS = 1.0
"""Both algorithms take less."""

FACTOR_OVER_PYTHON = 30
"""How many times faster, at least, than the Python of l-greedy's authors."""

SHARE_WITHIN_ONE = 0.68
"""The share of marks in [5, 7], said of a normal distribution with mean 6 and standard deviation 2."""


def printed() -> dict[str, Any]:
    """Return the printed figures as ``--json`` gives them.

    Examples
    --------
    >>> printed()["mean_gcp"]
    {'k_members': 0.0271, 'l_greedy': 0.027}
    """
    return {
        "gcp_l_greedy": {str(k): loss for k, loss in LOSS_AT.items()},
        "mean_gcp": dict(MEAN_LOSS),
        "risk": {str(k): risk for k, risk in RISK_AT.items()},
        "seconds_below": SECONDS,
        "times_faster_than_python": FACTOR_OVER_PYTHON,
        "share_of_marks_from_5_to_7": SHARE_WITHIN_ONE,
    }
