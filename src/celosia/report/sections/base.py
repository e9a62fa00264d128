"""What a section of the report is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from celosia.report.facts import Facts
from celosia.report.language import Language


@dataclass(frozen=True)
class Section:
    """One section.

    Attributes
    ----------
    name
        Its anchor, and the name of its template.
    title
        Its heading, in the report's language.
    content
        What its template shows; texts are in the report's language, and escaped there.
    """

    name: str
    title: str
    content: Mapping[str, Any] = field(default_factory=dict)


MakeSection = Callable[[Facts, Language], Section]
"""What a section's file offers: a function from the facts to the section in one language."""
