"""What each model promises, in plain words, and what it does not."""

from __future__ import annotations

from typing import Any

from celosia.base.entries import describe
from celosia.report.facts import Facts
from celosia.report.language import Language
from celosia.report.promises.base import Promise
from celosia.report.promises.people import ABOUT_PEOPLE
from celosia.report.promises.secrets import ABOUT_SECRETS

__all__ = ["SPOKEN", "Promise", "promise_of"]

SPOKEN = ABOUT_PEOPLE | ABOUT_SECRETS
"""The words of every model of the house, by its name."""


def promise_of(model: Any, facts: Facts, language: Language) -> Promise:
    """Return what is said of a model; of one that is not the house's, its name and options."""
    if model.name in SPOKEN:
        return SPOKEN[model.name](model, facts, language)
    ((name, options),) = describe(model).items()
    spelt = ", ".join(f"{option} = {value}" for option, value in options.items())
    return Promise(f"{name} ({spelt})" if spelt else name)
