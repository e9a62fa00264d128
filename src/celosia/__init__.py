"""Celosía: anonymise tables and graphs, and prove what was done.

>>> import celosia as cl
>>> schema = cl.Schema(quasi_identifiers={"exam": "number"})
>>> schema.columns
('exam',)

Names are loaded when they are first used, so that ``import celosia`` and ``celosia --help`` take no time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from celosia._version import __version__ as __version__

if TYPE_CHECKING:
    from celosia import audit as audit
    from celosia import graphs as graphs
    from celosia import hierarchies as hierarchies
    from celosia import io as io
    from celosia import risk as risk
    from celosia import utility as utility
    from celosia.algorithms import Datafly as Datafly
    from celosia.algorithms import Exact as Exact
    from celosia.algorithms import Genetic as Genetic
    from celosia.algorithms import HilbertOrder as HilbertOrder
    from celosia.algorithms import KMembers as KMembers
    from celosia.algorithms import Lattice as Lattice
    from celosia.algorithms import LGreedy as LGreedy
    from celosia.algorithms import Mondrian as Mondrian
    from celosia.algorithms import ReferenceOrder as ReferenceOrder
    from celosia.algorithms import TopDown as TopDown
    from celosia.algorithms import Weave as Weave
    from celosia.bipartite import Bipartite as Bipartite
    from celosia.checking import Check as Check
    from celosia.checking import check as check
    from celosia.classes import Classes as Classes
    from celosia.comparing import Comparison as Comparison
    from celosia.comparing import compare as compare
    from celosia.config import Config as Config
    from celosia.config import load as load
    from celosia.errors import AuditError as AuditError
    from celosia.errors import CelosiaError as CelosiaError
    from celosia.errors import ColumnNotFoundError as ColumnNotFoundError
    from celosia.errors import FormatError as FormatError
    from celosia.errors import HierarchyError as HierarchyError
    from celosia.errors import InputError as InputError
    from celosia.errors import OptionError as OptionError
    from celosia.errors import PlanError as PlanError
    from celosia.errors import UnreachableError as UnreachableError
    from celosia.errors import VaultError as VaultError
    from celosia.exams import Exam as Exam
    from celosia.exams import exam as exam
    from celosia.findings import Finding as Finding
    from celosia.frontiers import Frontier as Frontier
    from celosia.frontiers import frontier as frontier
    from celosia.hierarchies import Category as Category
    from celosia.hierarchies import Dates as Dates
    from celosia.hierarchies import Intervals as Intervals
    from celosia.hierarchies import Number as Number
    from celosia.hierarchies import Order as Order
    from celosia.hierarchies import Prefix as Prefix
    from celosia.hierarchies import Tree as Tree
    from celosia.masking import Masked as Masked
    from celosia.masking import mask as mask
    from celosia.masks import AddNoise as AddNoise
    from celosia.masks import Blank as Blank
    from celosia.masks import BottomCode as BottomCode
    from celosia.masks import Derive as Derive
    from celosia.masks import Drop as Drop
    from celosia.masks import DropRows as DropRows
    from celosia.masks import Generalise as Generalise
    from celosia.masks import MaskCharacters as MaskCharacters
    from celosia.masks import Microaggregate as Microaggregate
    from celosia.masks import Pram as Pram
    from celosia.masks import Pseudonymise as Pseudonymise
    from celosia.masks import RankSwap as RankSwap
    from celosia.masks import Round as Round
    from celosia.masks import Sample as Sample
    from celosia.masks import Swap as Swap
    from celosia.masks import TopCode as TopCode
    from celosia.models import AlphaK as AlphaK
    from celosia.models import AverageRisk as AverageRisk
    from celosia.models import BetaLikeness as BetaLikeness
    from celosia.models import DeltaDisclosure as DeltaDisclosure
    from celosia.models import KAnonymity as KAnonymity
    from celosia.models import KMap as KMap
    from celosia.models import LDiversity as LDiversity
    from celosia.models import PSensitive as PSensitive
    from celosia.models import SampleUniqueness as SampleUniqueness
    from celosia.models import ShareAtRisk as ShareAtRisk
    from celosia.models import TCloseness as TCloseness
    from celosia.negotiating import Negotiation as Negotiation
    from celosia.negotiating import negotiate as negotiate
    from celosia.plan import Plan as Plan
    from celosia.project import Project as Project
    from celosia.relaxing import WhyNot as WhyNot
    from celosia.relaxing import why_not as why_not
    from celosia.release import Release as Release
    from celosia.schema import Role as Role
    from celosia.schema import Schema as Schema
    from celosia.schema import Table as Table
    from celosia.vault import Vault as Vault

_NAMES_IN = {
    "algorithms": (
        "Datafly",
        "Exact",
        "Genetic",
        "HilbertOrder",
        "KMembers",
        "LGreedy",
        "Lattice",
        "Mondrian",
        "ReferenceOrder",
        "TopDown",
        "Weave",
    ),
    "bipartite": ("Bipartite",),
    "checking": ("Check", "check"),
    "classes": ("Classes",),
    "comparing": ("Comparison", "compare"),
    "config": ("Config", "load"),
    "errors": (
        "AuditError",
        "CelosiaError",
        "ColumnNotFoundError",
        "FormatError",
        "HierarchyError",
        "InputError",
        "OptionError",
        "PlanError",
        "UnreachableError",
        "VaultError",
    ),
    "exams": ("Exam", "exam"),
    "findings": ("Finding",),
    "frontiers": ("Frontier", "frontier"),
    "hierarchies": ("Category", "Dates", "Intervals", "Number", "Order", "Prefix", "Tree"),
    "masking": ("Masked", "mask"),
    "masks": (
        "AddNoise",
        "Blank",
        "BottomCode",
        "Derive",
        "Drop",
        "DropRows",
        "Generalise",
        "MaskCharacters",
        "Microaggregate",
        "Pram",
        "Pseudonymise",
        "RankSwap",
        "Round",
        "Sample",
        "Swap",
        "TopCode",
    ),
    "models": (
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
    ),
    "negotiating": ("Negotiation", "negotiate"),
    "plan": ("Plan",),
    "project": ("Project",),
    "relaxing": ("WhyNot", "why_not"),
    "release": ("Release",),
    "schema": ("Role", "Schema", "Table"),
    "vault": ("Vault",),
}
_ROOMS = ("audit", "graphs", "hierarchies", "io", "risk", "utility", "vault")
_ROOM_OF = {name: room for room, names in _NAMES_IN.items() for name in names}

__all__ = sorted(["__version__", *_ROOMS, *_ROOM_OF])


def __getattr__(name: str) -> Any:
    """Load a public name from its room."""
    if name in _ROOMS:
        return import_module(f"celosia.{name}")
    if name in _ROOM_OF:
        found = getattr(import_module(f"celosia.{_ROOM_OF[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'celosia' has no attribute '{name}'")


def __dir__() -> list[str]:
    """List the public names."""
    return list(__all__)
