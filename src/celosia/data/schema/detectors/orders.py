"""Words with a known order, such as low, medium, high."""

from __future__ import annotations

from collections.abc import Sequence

from celosia.data.hierarchies import Order
from celosia.data.schema.detectors.base import KindClue, Look, without_missing
from celosia.data.schema.detectors.headers import plain_text

# Lowest first; words with one rank are parted by '/'.
_SCALES = tuple(
    tuple(tuple(rank.split("/")) for rank in scale.split(", "))
    for scale in (
        "none, very low, low, medium/moderate/mid, high, very high",
        "ninguno/ninguna, muy bajo/muy baja, bajo/baja, medio/media, alto/alta, muy alto/muy alta",
        "no presentado/np, suspenso/insuficiente, aprobado/suficiente, bien, notable, sobresaliente, "
        "matricula de honor/mh",
        "fail/failed, pass/passed, good/merit, very good, excellent/outstanding/distinction",
        "f, e, d, c, b, a, a+",
        "muy mal/muy malo/muy mala, mal/malo/mala, regular, bien/bueno/buena, muy bien/muy bueno/muy buena, excelente",
        "very poor/very bad, poor/bad, fair/average, good, very good, excellent",
        "never, rarely/seldom, sometimes, often, very often, always",
        "nunca, casi nunca/raramente, a veces/algunas veces, a menudo/con frecuencia, casi siempre, siempre",
        "strongly disagree, disagree, neutral/neither agree nor disagree, agree, strongly agree",
        "muy en desacuerdo/totalmente en desacuerdo, en desacuerdo, neutral/ni de acuerdo ni en desacuerdo, "
        "de acuerdo, muy de acuerdo/totalmente de acuerdo",
        "very dissatisfied, dissatisfied, neutral, satisfied, very satisfied",
        "muy insatisfecho, insatisfecho, neutral, satisfecho, muy satisfecho",
        "nada, poco, algo, bastante, mucho",
        "xs, s, m, l, xl, xxl",
        "small, medium, large",
        "pequeno/pequena, mediano/mediana, grande",
        "mild, moderate, severe, critical",
        "leve, moderado/moderada, grave, muy grave/critico/critica",
        "lunes, martes, miercoles, jueves, viernes, sabado, domingo",
        "monday, tuesday, wednesday, thursday, friday, saturday, sunday",
        "enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre",
        "january, february, march, april, may, june, july, august, september, october, november, december",
        "sin estudios, primaria, secundaria/eso, bachillerato, universitaria/universitario/universidad/grado, "
        "master/posgrado, doctorado",
        "no education, primary, secondary, bachelor, master, doctorate/phd",
    )
)


def find_order(look: Look) -> KindClue | None:
    """Return the order of a column whose values all belong to one known scale, or ``None``.

    Words of at least three ranks must be there: two words are the same with or without an order.

    Examples
    --------
    >>> import polars as pl
    >>> from celosia.data.schema.detectors.base import look_at
    >>> find_order(look_at(pl.Series("x", ["Notable", "Suspenso", "Aprobado"]))).kind.values
    ('Suspenso', 'Aprobado', 'Notable')
    """
    if not look.is_text or not 3 <= look.n_distinct <= 40:
        return None
    rest, missing = without_missing(look.distinct)
    # "none" can be the lowest rank or no value: a scale that holds it comes first.
    attempts: tuple[tuple[list[str], tuple[str, ...]], ...] = ((look.distinct.to_list(), ()), (rest.to_list(), missing))
    for values, left_out in attempts:
        ordered = _in_order(values)
        if ordered:
            return KindClue(Order(ordered), f"{len(ordered)} words of a known order", left_out)
    return None


def _in_order(values: Sequence[str]) -> list[str] | None:
    """Return the values from the lowest to the highest, or ``None`` where no scale holds them all."""
    words = {value: plain_text(value) for value in values}
    for scale in _SCALES:
        ranks = {word: rank for rank, words_of_rank in enumerate(scale) for word in words_of_rank}
        if all(word in ranks for word in words.values()) and len({ranks[word] for word in words.values()}) >= 3:
            return sorted(values, key=lambda value: (ranks[words[value]], value))
    return None
