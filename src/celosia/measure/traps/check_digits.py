"""Check digits: a masked number whose check letter or digit stays visible can be narrowed down by arithmetic (A15)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import polars as pl

from celosia.base.findings import Finding
from celosia.data.schema.detectors.check_digits import SCHEMES, Scheme
from celosia.data.schema.detectors.headers import header_words
from celosia.masks.characters.check_digits import Residual, n_candidates
from celosia.measure.traps.base import Published, Values
from celosia.measure.traps.masked_values import spaced

_HIDDEN = r"[*#•●█]|X{2}|x{2}"
_LEAST_SHARE = 0.5
_LOOK = 500
"""Of so many values the candidates are counted; the others have the same form."""
_DNI_DIGITS = 8


@dataclass(frozen=True)
class _Form:
    """What masked numbers of a scheme look like, ``*`` for each hidden character, without marks, in capitals.

    ``leaking`` are those of which the check tells something: it is visible, or all that is hidden. Where other numbers
    have the form as well, only a column whose name holds one of ``words`` counts.
    """

    scheme: Scheme
    any_form: str
    leaking: str
    filled: Callable[[str], str]
    words: frozenset[str] = frozenset()


def check_digits(published: Published) -> list[Finding]:
    """Find masked columns whose check letter or digit narrows down what is hidden.

    A check character that is itself hidden tells nothing, unless it is the only one.

    Examples
    --------
    >>> table = Published(pl.DataFrame({"dni": ["*****678Z", "*****000T"]}))
    >>> [(one.code, one.values["candidates"], one.values["space"]) for one in check_digits(table)]
    [('MASK_CHECK_DIGIT', 4348, 100000)]
    """
    found: list[Finding] = []
    for column in published.kept:
        values = published.values(column)
        if published.frame.schema[column] != pl.String or not spaced(values.texts, _LOOK).str.contains(_HIDDEN).any():
            continue
        texts = _plain(values.texts)
        form = _form_of(column, texts, values)
        if form is not None:
            found += _leaks(column, form, texts, values)
    return found


def residual(masked: str) -> Residual | None:
    """Return how many numbers fit a masked one, and how many would without the check; ``None`` for no known form.

    A DNI has eight digits: a mask that shows fewer places hides those in front as well.

    Examples
    --------
    >>> residual("****678Z"), residual("***4567*Z"), residual("4111 11*1 1111 1111")
    (Residual(candidates=4348, space=100000), Residual(candidates=435, space=10000), Residual(candidates=1, space=10))
    """
    text = _plain(pl.Series([masked]))[0]
    form = next((form for form in _FORMS if re.fullmatch(form.any_form, text)), None)
    return None if form is None else _residual(form, text)


def _plain(texts: pl.Series) -> pl.Series:
    """Return masked texts in capitals without marks, with a star for each hidden character."""
    bare = texts.str.to_uppercase().str.replace_all(r"[\s.\-]", "").str.replace_all("[#•●█]", "*")
    crossed = bare.str.replace_all("XX", "**", literal=True).str.replace_all("*X", "**", literal=True)
    return bare.zip_with(bare.str.contains("*", literal=True), crossed)  # beside stars an X is a check letter


def _form_of(column: str, texts: pl.Series, values: Values) -> _Form | None:
    words = set(header_words(column))
    n_known = max(int(values.counts.sum()), 1)
    for form in _FORMS:
        fits = texts.str.contains(f"^(?:{form.any_form})$").to_numpy()
        if (not form.words or form.words & words) and values.rows_where(fits) >= _LEAST_SHARE * n_known:
            return form
    return None


def _leaks(column: str, form: _Form, texts: pl.Series, values: Values) -> Iterator[Finding]:
    leaking = texts.str.contains(f"^(?:{form.leaking})$") & texts.str.contains("*", literal=True)
    n_rows = values.rows_where(leaking.to_numpy())
    if not n_rows:
        return
    left = [_residual(form, text) for text in spaced(texts.filter(leaking), _LOOK)]
    worst = min(left, key=lambda one: (one.candidates, -one.space))
    if worst.candidates == 1:
        yield Finding(
            "MASK_CHECK_DIGIT",
            "warning",
            "'{column}' has the form of {scheme}, and what stays visible of {n_rows} values lets the hidden "
            "characters of at least one be computed by the check rule. Hide more characters.",
            column,
            {"scheme": form.scheme.name, "n_rows": n_rows},
            n_rows,
        )
    else:
        yield Finding(
            "MASK_CHECK_DIGIT",
            "warning",
            "'{column}' has the form of {scheme}, and the check character of {n_rows} values stays visible: whoever "
            "knows the rule is left with {candidates} candidates instead of {space}. Hide the check character.",
            column,
            {
                "scheme": form.scheme.name,
                "n_rows": n_rows,
                "candidates": worst.candidates,
                "space": worst.space,
            },
            n_rows,
        )


def _residual(form: _Form, text: str) -> Residual:
    number = form.filled(text)
    reading = form.scheme.read(number.replace("*", "0"))
    assert reading is not None  # the form is made so
    return n_candidates(form.scheme, reading, [sign != "*" for sign in number])


def _eight_digits(text: str) -> str:
    """Return a masked DNI with all its eight digits, of which a mask may show fewer places."""
    body, letter = text[:-1], text[-1]
    if body[0] not in "XYZ":
        body = body.replace("*", "*" * (1 + _DNI_DIGITS - len(body)), 1)
    return body + letter


def _as_it_is(text: str) -> str:
    return text


_BY_NAME = {scheme.name: scheme for scheme in SCHEMES}
_ONE_STAR = r"[0-9]*\*[0-9]*"
_FORMS = (
    _Form(
        _BY_NAME["DNI/NIE"],
        r"(?:[XYZ][0-9*]{7}|[0-9*]{6,8})[A-HJ-NP-TV-Z]",
        r"(?:[XYZ][0-9*]{7}|[0-9*]{6,8})[A-HJ-NP-TV-Z]",
        _eight_digits,
    ),
    _Form(
        _BY_NAME["IBAN"],
        r"[A-Z]{2}[0-9*]{2}[0-9A-Z*]{11,30}",
        r"[A-Z]{2}(?:[0-9]{2}[0-9A-Z*]{11,30}|[0-9*]{2}[0-9A-Z]{11,30})",
        _as_it_is,
    ),
    _Form(_BY_NAME["Luhn"], r"[0-9*]{15,16}", rf"[0-9*]{{14,15}}[0-9]|{_ONE_STAR}", _as_it_is),
    _Form(
        _BY_NAME["Luhn"],
        r"[0-9*]{13,19}",
        rf"[0-9*]{{12,18}}[0-9]|{_ONE_STAR}",
        _as_it_is,
        frozenset({"card", "tarjeta", "imei", "visa", "mastercard"}),
    ),
    _Form(_BY_NAME["NIT"], r"[0-9*]{9,11}", rf"[0-9*]{{8,10}}[0-9]|{_ONE_STAR}", _as_it_is, frozenset({"nit"})),
)
"""Forms that other numbers hardly have come first."""
