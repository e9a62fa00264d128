"""Privacy models: one file each. Read ``base.py`` first, then ``k_anonymity.py``."""

from __future__ import annotations

from celosia.models.alpha_k import AlphaK
from celosia.models.average_risk import AverageRisk
from celosia.models.beta_likeness import BetaLikeness
from celosia.models.delta_disclosure import DeltaDisclosure
from celosia.models.k_anonymity import KAnonymity
from celosia.models.k_map import KMap
from celosia.models.l_diversity import LDiversity
from celosia.models.p_sensitive import PSensitive
from celosia.models.sample_uniqueness import SampleUniqueness
from celosia.models.share_at_risk import ShareAtRisk
from celosia.models.t_closeness import TCloseness

__all__ = [
    "AlphaK",
    "AverageRisk",
    "BetaLikeness",
    "DeltaDisclosure",
    "KAnonymity",
    "KMap",
    "LDiversity",
    "PSensitive",
    "SampleUniqueness",
    "ShareAtRisk",
    "TCloseness",
]
