"""How the time of an attack is shared among domains, by what the header of a column names."""

from __future__ import annotations

from collections.abc import Sequence

from celosia.data.schema.detectors import read_header
from celosia.measure.unhashing.domains import Domain

_FIRST, _OTHERS = 0.5, 0.45
"""What the first spelling of a kind that the header names gets, and what its others; the rest goes to other kinds."""
_KINDS = {
    "identity number": ("dni", "nie"),
    "birth": ("date", "year"),
    "date": ("date", "year"),
    "postcode": ("postcode",),
}
_PHONES = {
    *("phone", "telephone", "mobile", "cell phone", "fax", "phone number"),
    *("telefono", "tfno", "tlf", "tel", "movil", "celular", "whatsapp"),
}
_EMAILS = {"email", "e mail", "mail", "correo", "correo electronico", "email address"}


def kinds_named(column: str) -> tuple[str, ...]:
    """Return which kinds of small domains a header names, the most probable first.

    Examples
    --------
    >>> kinds_named("dni_hash"), kinds_named("móvil (MD5)"), kinds_named("correo"), kinds_named("token")
    (('dni', 'nie'), ('phone',), ('email',), ())
    """
    header = read_header(column)
    if header is None:
        return ()
    if header.word == "nie":
        return ("nie", "dni")
    if header.word in _PHONES:
        return ("phone",)
    if header.word in _EMAILS:
        return ("email",)
    return _KINDS.get(header.concept.name, ())


def shares(domains: Sequence[Domain], column: str) -> list[float]:
    """Return how large a part of the candidates each domain gives.

    Examples
    --------
    >>> from celosia.measure.unhashing.domains import dni, phones
    >>> domains = [phones(6, weight=3), dni(), dni(lower=True)]
    >>> shares(domains, "x")
    [0.6, 0.2, 0.2]
    >>> [round(share, 2) for share in shares(domains, "dni")]
    [0.05, 0.5, 0.45]
    """
    kinds = kinds_named(column)
    named = [domain for domain in domains if (domain.names or domain.kind) in kinds]
    if not named:
        return _by_weight(domains, 1.0)
    first = min(named, key=lambda domain: kinds.index(domain.names or domain.kind))
    others = [domain for domain in named if domain is not first]
    rest = [domain for domain in domains if not any(domain is one for one in named)]
    parts = {
        id(domain): share
        for group, part in (([first], _FIRST), (others, _OTHERS), (rest, 1 - _FIRST - _OTHERS))
        for domain, share in zip(group, _by_weight(group, part), strict=True)
    }
    return [parts[id(domain)] for domain in domains]


def _by_weight(domains: Sequence[Domain], part: float) -> list[float]:
    whole = sum(domain.weight for domain in domains)
    return [part * domain.weight / whole for domain in domains]
