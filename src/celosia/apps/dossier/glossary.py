"""The glossary: the terms that a document uses, and no others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from celosia.base.wording import Said
from celosia.report.language import Language


@dataclass(frozen=True)
class _Term:
    """A term, the beginnings of words by which it is found in each language, and what it means."""

    name: str
    found_by: dict[str, tuple[str, ...]]
    meaning: str


_TERMS = (
    _Term(
        Said("anonymisation"),
        {"en": ("anonymis",), "es": ("anonimiz",)},
        Said(
            "Changing data so that nobody can be recognised in them any more, by any means likely to be used. Whether "
            "that is reached is for the controller to judge; this dossier is evidence for it."
        ),
    ),
    _Term(
        Said("class"),
        {"en": ("class",), "es": ("clase",)},
        Said(
            "Equivalence class: all rows that are published alike on every quasi-identifier. Whoever looks for a "
            "person finds the whole class."
        ),
    ),
    _Term(
        Said("claim"),
        {"en": ("claim",), "es": ("se afirma", "lo afirmado")},
        Said("What a release promises, in a file that anybody can check against the published data."),
    ),
    _Term(
        Said("controller"),
        {"en": ("controller",), "es": ("responsable",)},
        Said("Whoever decides why and how the data are used, and answers for them."),
    ),
    _Term(
        Said("GCP"),
        {"en": ("gcp",), "es": ("gcp",)},
        Said(
            "Global certainty penalty: the share of the information in the quasi-identifiers that is lost; 0 leaves "
            "every value as it was, 1 leaves nothing. NCP is the same for one cell."
        ),
    ),
    _Term(
        Said("hash (SHA-256)"),
        {"en": ("sha-256", "hash"), "es": ("sha-256", "hash")},
        Said("A number worked out from a file: another file, changed in a single letter, has another one."),
    ),
    _Term(
        Said("homogeneous class"),
        {"en": ("homogeneous", "one and the same"), "es": ("homogéne", "un mismo")},
        Said("A class in which everybody has the same secret: finding the class is enough to know it."),
    ),
    _Term(
        Said("k-anonymity"),
        {"en": ("-anonym",), "es": ("-anónim", "-anonim")},
        Said(
            "Every class has at least k people. Linking on the quasi-identifiers alone, nobody is right about a row "
            "with a chance above 1/k."
        ),
    ),
    _Term(
        Said("l-diversity"),
        {"en": ("-diversity",), "es": ("-diversidad",)},
        Said("Every class has at least l different, or evenly spread, values of a secret."),
    ),
    _Term(
        Said("mask"),
        {"en": ("mask",), "es": ("máscara",)},
        Said("A technique that changes columns or rows before the search: dropping, rounding, pseudonyms and others."),
    ),
    _Term(
        Said("prosecutor's risk"),
        {"en": ("prosecutor",), "es": ("fiscal",)},
        Said(
            "The chance of picking the right row for somebody who knows that the person is in the data: 1 / class size."
        ),
    ),
    _Term(
        Said("pseudonymisation"),
        {"en": ("pseudonym",), "es": ("seudónim", "seudonim")},
        Said(
            "Putting codes in place of identities. Whoever has the key or the table of codes can undo it, so that "
            "pseudonymised data are not anonymous."
        ),
    ),
    _Term(
        Said("quasi-identifier"),
        {"en": ("quasi-identifier",), "es": ("cuasiidentificador", "cuasi-identificador")},
        Said("A column that names nobody, but together with others can point to a person: age, postcode, job."),
    ),
    _Term(
        Said("recoding"),
        {"en": ("recod",), "es": ("recodific",)},
        Said("Publishing a wider value in place of the exact one: a range, a set, a group."),
    ),
    _Term(
        Said("sensitive column (secret)"),
        {"en": ("sensitive", "secret"), "es": ("sensible", "secret")},
        Said("What nobody should learn about a person, such as a diagnosis."),
    ),
    _Term(
        Said("suppression"),
        {"en": ("suppress", "left out"), "es": ("suprim", "supres")},
        Said("Leaving a row out of the release altogether."),
    ),
    _Term(
        Said("t-closeness"),
        {"en": ("-closeness",), "es": ("-cercanía", "-proximidad")},
        Said("In every class a secret is distributed nearly as in the whole release, t apart at most."),
    ),
    _Term(
        Said("threshold"),
        {"en": ("threshold",), "es": ("umbral",)},
        Said("The greatest risk that is accepted, fixed before any result is seen."),
    ),
    _Term(
        Said("verifier"),
        {"en": ("verifier",), "es": ("verificador",)},
        Said("A program that shares no code with the one that made the release, and judges the written file anew."),
    ),
)


def glossary(page: str, language: Language) -> list[tuple[str, str]]:
    """Return those terms that the text of a page uses, in the order of the language.

    Parameters
    ----------
    page
        HTML; what stands in its tags, styles and pictures does not count.

    Examples
    --------
    >>> [term for term, meaning in glossary("<p class='x'>The threshold is 5%.</p>", Language("en"))]
    ['threshold']
    """
    words = _text(page).casefold()
    found = [
        (language.text(term.name), language.text(term.meaning))
        for term in _TERMS
        if any(beginning in words for beginning in term.found_by[language.code])
    ]
    return sorted(found, key=lambda one: one[0].casefold())


def _text(page: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<(style|svg|pre)\b.*?</\1>", " ", page)))
