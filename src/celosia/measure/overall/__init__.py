"""The measures of a release gathered, each taken once, and told without giving anybody away."""

from __future__ import annotations

from celosia.measure.overall.bounding import Nearness, bound_of, quick_bound
from celosia.measure.overall.groups import GroupLoss, Losses, check_group_column, losses_by
from celosia.measure.overall.measures import Measures
from celosia.measure.overall.rounding import RoundedStatistics, rounded_statistics

__all__ = [
    "GroupLoss",
    "Losses",
    "Measures",
    "Nearness",
    "RoundedStatistics",
    "bound_of",
    "check_group_column",
    "losses_by",
    "quick_bound",
    "rounded_statistics",
]
