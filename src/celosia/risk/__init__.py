"""Re-identification risk: one file per measure."""

from __future__ import annotations

from celosia.risk.acquaintance import acquaintance
from celosia.risk.assessment import Assessment, ScenarioResult
from celosia.risk.attack_success import AttackRisk, attack_success
from celosia.risk.dankar import dankar
from celosia.risk.distinction import SeparationEstimate, distinction, estimate_separation, separation
from celosia.risk.gains import ColumnGain, Gains, gains
from celosia.risk.grid import Grid
from celosia.risk.insiders import InsiderRisk, insiders
from celosia.risk.isolation import isolation
from celosia.risk.journalist import JournalistRisk, journalist
from celosia.risk.marketer import MarketerRisk, marketer
from celosia.risk.matches import MatchRisk, matches
from celosia.risk.minimal_k import minimal_k
from celosia.risk.minimal_keys import MinimalKeys, minimal_keys
from celosia.risk.overview import Overview, overview
from celosia.risk.pitman import pitman
from celosia.risk.prosecutor import ProsecutorRisk, prosecutor
from celosia.risk.scenarios import Acquaintance, Breach, Insider, PublicRelease
from celosia.risk.situation import Situation
from celosia.risk.snb import snb
from celosia.risk.suda import Suda, suda
from celosia.risk.thresholds import Thresholds
from celosia.risk.uniqueness import PopulationUniqueness
from celosia.risk.weighted import HouseholdRisk, WeightedRisk, weighted
from celosia.risk.zayatz import zayatz

__all__ = [
    "Acquaintance",
    "Assessment",
    "AttackRisk",
    "Breach",
    "ColumnGain",
    "Gains",
    "Grid",
    "HouseholdRisk",
    "Insider",
    "InsiderRisk",
    "JournalistRisk",
    "MarketerRisk",
    "MatchRisk",
    "MinimalKeys",
    "Overview",
    "PopulationUniqueness",
    "ProsecutorRisk",
    "PublicRelease",
    "ScenarioResult",
    "SeparationEstimate",
    "Situation",
    "Suda",
    "Thresholds",
    "WeightedRisk",
    "acquaintance",
    "attack_success",
    "dankar",
    "distinction",
    "estimate_separation",
    "gains",
    "insiders",
    "isolation",
    "journalist",
    "marketer",
    "matches",
    "minimal_k",
    "minimal_keys",
    "overview",
    "pitman",
    "prosecutor",
    "separation",
    "snb",
    "suda",
    "weighted",
    "zayatz",
]
