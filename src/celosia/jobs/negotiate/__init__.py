"""Negotiating a threshold: the smallest k for what controls and what motivation, and the cheapest controls for a k."""

from __future__ import annotations

from celosia.jobs.negotiate.result import Negotiation, negotiate

__all__ = ["Negotiation", "negotiate"]
