"""The words for data after masks."""

from __future__ import annotations

from collections.abc import Sequence

from celosia.report.language import Language


def called_words(called: Sequence[str], language: Language) -> str:
    """Return what data must be called, in the language of the report.

    Examples
    --------
    >>> called_words(["masked", "perturbed"], Language("en"))
    'masked data and perturbed data'
    """
    _ = language.text
    words = {
        "reduced": _("reduced data"),
        "masked": _("masked data"),
        "generalised": _("generalised data"),
        "perturbed": _("perturbed data"),
        "swapped": _("swapped data"),
        "sampled": _("sampled data"),
        "pseudonymised": _("pseudonymised data"),
    }
    return language.listed([words[word] for word in called])
