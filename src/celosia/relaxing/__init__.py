"""Why not: what stands in the way of a demand, and what each way round it costs."""

from __future__ import annotations

from celosia.relaxing.blocks import Block
from celosia.relaxing.explaining import WhyNot, why_not
from celosia.relaxing.relaxations import Relaxation

__all__ = ["Block", "Relaxation", "WhyNot", "why_not"]
