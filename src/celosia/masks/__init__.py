"""Techniques on columns and rows: one file each. Read ``base.py`` first, then ``round_.py``."""

from __future__ import annotations

from celosia.masks.add_noise import AddNoise
from celosia.masks.blank import Blank
from celosia.masks.derive import Derive
from celosia.masks.drop import Drop
from celosia.masks.drop_rows import DropRows
from celosia.masks.end_codes import BottomCode, TopCode
from celosia.masks.generalise import Generalise
from celosia.masks.mask_characters import MaskCharacters
from celosia.masks.microaggregate import Microaggregate
from celosia.masks.pram import Pram
from celosia.masks.pseudonymise import Pseudonymise
from celosia.masks.rank_swap import RankSwap
from celosia.masks.round_ import Round
from celosia.masks.sample import Sample
from celosia.masks.swap import Swap

__all__ = [
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
]
