"""What is said of a model in a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from celosia.report.facts import Facts
from celosia.report.language import Language


@dataclass(frozen=True)
class Promise:
    """A model of the plan in plain words of one language.

    Attributes
    ----------
    title
        Its name with its parameters.
    meaning
        What it means to a person in the data, in a sentence.
    promise
        What holds in the published rows.
    caveat
        What it does not protect from.
    choice
        What to weigh in choosing its parameter, where there is more to say than that people chose it.
    """

    title: str
    meaning: str = ""
    promise: str = ""
    caveat: str = ""
    choice: str = ""


MakePromise = Callable[[Any, Facts, Language], Promise]
"""From a model, the facts and a language to what is said of the model."""
