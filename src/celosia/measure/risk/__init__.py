"""Re-identification risk: one file per measure."""

from __future__ import annotations

from celosia.measure.risk.acquaintance import acquaintance
from celosia.measure.risk.assessment import Assessment, ScenarioResult
from celosia.measure.risk.attack_success import AttackRisk, attack_success
from celosia.measure.risk.dankar import dankar
from celosia.measure.risk.distinction import SeparationEstimate, distinction, estimate_separation, separation
from celosia.measure.risk.gains import ColumnGain, Gains, gains
from celosia.measure.risk.grid import Grid
from celosia.measure.risk.insiders import InsiderRisk, insiders
from celosia.measure.risk.isolation import isolation
from celosia.measure.risk.journalist import JournalistRisk, journalist
from celosia.measure.risk.marketer import MarketerRisk, marketer
from celosia.measure.risk.matches import MatchRisk, matches
from celosia.measure.risk.minimal_k import minimal_k
from celosia.measure.risk.minimal_keys import MinimalKeys, minimal_keys
from celosia.measure.risk.overview import Overview, overview
from celosia.measure.risk.pitman import pitman
from celosia.measure.risk.prosecutor import ProsecutorRisk, prosecutor
from celosia.measure.risk.scenarios import Acquaintance, Breach, Insider, PublicRelease
from celosia.measure.risk.situation import Situation
from celosia.measure.risk.snb import snb
from celosia.measure.risk.suda import Suda, suda
from celosia.measure.risk.thresholds import Thresholds
from celosia.measure.risk.uniqueness import PopulationUniqueness
from celosia.measure.risk.weighted import HouseholdRisk, WeightedRisk, weighted
from celosia.measure.risk.zayatz import zayatz

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
