"""Celosía: anonymise tables and graphs, and prove what was done.

>>> import celosia as cl
>>> schema = cl.Schema(quasi_identifiers={"exam": "number"})
>>> schema.columns
('exam',)

Names are loaded when they are first used, so that ``import celosia`` and ``celosia --help`` take no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celosia.base.lazy import lazy
from celosia.base.version import __version__ as __version__

if TYPE_CHECKING:  # for type checkers and editors; what a room offers to all, it lists in its own __all__
    from celosia import audit as audit
    from celosia import graphs as graphs
    from celosia.apps.exam import *
    from celosia.apps.project import *
    from celosia.base.errors import *
    from celosia.base.findings import Finding as Finding
    from celosia.data import hierarchies as hierarchies
    from celosia.data import io as io
    from celosia.data.classes import Classes as Classes
    from celosia.data.hierarchies import *
    from celosia.data.schema import *
    from celosia.jobs.check import Check as Check
    from celosia.jobs.check import check as check
    from celosia.jobs.compare import Comparison as Comparison
    from celosia.jobs.compare import compare as compare
    from celosia.jobs.frontier import *
    from celosia.jobs.masked import Masked as Masked
    from celosia.jobs.masked import mask as mask
    from celosia.jobs.negotiate import *
    from celosia.jobs.plan import Plan as Plan
    from celosia.jobs.plan_file import Config as Config
    from celosia.jobs.plan_file import load as load
    from celosia.jobs.release import Release as Release
    from celosia.jobs.why_not import *
    from celosia.masks import *
    from celosia.masks import vault as vault
    from celosia.masks.vault import *
    from celosia.measure import risk as risk
    from celosia.measure import utility as utility
    from celosia.measure.bipartite import Bipartite as Bipartite
    from celosia.models import *
    from celosia.search import *

# fmt: off
_NAMES_IN = {
    "apps.exam": ["Exam", "exam"],
    "apps.project": ["Project"],
    "base.errors": [
        "AuditError", "CelosiaError", "ColumnNotFoundError", "FormatError", "HierarchyError", "InputError",
        "OptionError", "PlanError", "UnreachableError", "VaultError",
    ],
    "base.findings": ["Finding"],
    "base.version": ["__version__"],
    "data.classes": ["Classes"],
    "data.hierarchies": ["Category", "Dates", "Intervals", "Number", "Order", "Prefix", "Tree"],
    "data.schema": ["Role", "Schema", "Table"],
    "jobs.check": ["Check", "check"],
    "jobs.compare": ["Comparison", "compare"],
    "jobs.frontier": ["Frontier", "frontier"],
    "jobs.masked": ["Masked", "mask"],
    "jobs.negotiate": ["Negotiation", "negotiate"],
    "jobs.plan": ["Plan"],
    "jobs.plan_file": ["Config", "load"],
    "jobs.release": ["Release"],
    "jobs.why_not": ["WhyNot", "why_not"],
    "masks": [
        "AddNoise", "Blank", "BottomCode", "Derive", "Drop", "DropRows", "Generalise", "MaskCharacters",
        "Microaggregate", "Pram", "Pseudonymise", "RankSwap", "Round", "Sample", "Swap", "TopCode",
    ],
    "masks.vault": ["Vault"],
    "measure.bipartite": ["Bipartite"],
    "models": [
        "AlphaK", "AverageRisk", "BetaLikeness", "DeltaDisclosure", "KAnonymity", "KMap", "LDiversity", "PSensitive",
        "SampleUniqueness", "ShareAtRisk", "TCloseness",
    ],
    "search": [
        "Datafly", "Exact", "Genetic", "HilbertOrder", "KMembers", "LGreedy", "Lattice", "Mondrian", "ReferenceOrder",
        "TopDown", "Weave",
    ],
}
# fmt: on
_ROOMS = {
    "audit": "audit",
    "graphs": "graphs",
    "hierarchies": "data.hierarchies",
    "io": "data.io",
    "risk": "measure.risk",
    "utility": "measure.utility",
    "vault": "masks.vault",
}

__getattr__, __dir__, __all__ = lazy(__name__, _NAMES_IN, _ROOMS)
