"""Information loss: one file per metric."""

from __future__ import annotations

from celosia.measure.utility.ambiguity import Ambiguity, ambiguity
from celosia.measure.utility.average_class_size import AverageClassSize, average_class_size
from celosia.measure.utility.by_group import Group, Groups, by_group
from celosia.measure.utility.classification import Classification, classification
from celosia.measure.utility.correlations import Correlation, Correlations, correlations
from celosia.measure.utility.discernibility import discernibility
from celosia.measure.utility.gcp import Loss, gcp, loss, ncp
from celosia.measure.utility.kl_divergence import kl_divergence
from celosia.measure.utility.lower_bound import LowerBound, gcp_lower_bound
from celosia.measure.utility.non_uniform_entropy import NonUniformEntropy, non_uniform_entropy
from celosia.measure.utility.precision import Precision, precision
from celosia.measure.utility.query_error import QueryError, query_error
from celosia.measure.utility.shares import Share, ShareChange, Shares, shares
from celosia.measure.utility.statistics import Statistics, Summary, SummaryChange, statistics

__all__ = [
    "Ambiguity",
    "AverageClassSize",
    "Classification",
    "Correlation",
    "Correlations",
    "Group",
    "Groups",
    "Loss",
    "LowerBound",
    "NonUniformEntropy",
    "Precision",
    "QueryError",
    "Share",
    "ShareChange",
    "Shares",
    "Statistics",
    "Summary",
    "SummaryChange",
    "ambiguity",
    "average_class_size",
    "by_group",
    "classification",
    "correlations",
    "discernibility",
    "gcp",
    "gcp_lower_bound",
    "kl_divergence",
    "loss",
    "ncp",
    "non_uniform_entropy",
    "precision",
    "query_error",
    "shares",
    "statistics",
]
