"""Why not: what stands in the way of a demand, and what each way round it costs."""

from __future__ import annotations

from celosia.jobs.why_not.attempts import Relaxation
from celosia.jobs.why_not.blocks import Block
from celosia.jobs.why_not.explaining import WhyNot, why_not

__all__ = ["Block", "Relaxation", "WhyNot", "why_not"]
