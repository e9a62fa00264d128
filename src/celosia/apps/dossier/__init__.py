"""The dossier: what a project and its release amount to, as an internal document and an outward one."""

from __future__ import annotations

from celosia.apps.dossier.case import STEPS, Acceptance, Case, Event, Round, Signature, Step
from celosia.apps.dossier.documents import assemble, write_documents, write_refusal

__all__ = [
    "STEPS",
    "Acceptance",
    "Case",
    "Event",
    "Round",
    "Signature",
    "Step",
    "assemble",
    "write_documents",
    "write_refusal",
]
