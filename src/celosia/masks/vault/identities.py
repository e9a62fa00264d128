"""What a vault accepts: identities, pseudonyms and scopes, checked without repeating them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from celosia.base.errors import InputError, OptionError

_LONGEST = 10_000
_LONGEST_SCOPE = 200


def checked_identities(given: Sequence[str] | pl.Series) -> list[str]:
    """Return the identities, if each is a text of 1 to 10,000 characters that is not blank.

    Raises
    ------
    InputError
        Some are not; the message says how many.

    Examples
    --------
    >>> checked_identities(["Ana", "Luis", "Ana"])
    ['Ana', 'Luis', 'Ana']
    """
    texts = _texts(given, "identities")
    n_blank = sum(not text.strip() for text in texts)
    n_long = sum(len(text) > _LONGEST for text in texts)
    for n, fault, hint in (
        (n_blank, "are blank", "leave them out."),
        (n_long, f"have more than {_LONGEST} characters", "take a shorter identifier."),
        (0 if _is_text("".join(texts)) else 1, "or more hold half a character", "read the data again, as UTF-8."),
    ):
        if n:
            raise InputError(f"of {len(texts)} identities {n} {fault}.", hint=hint, about="identities")
    return texts


def checked_pseudonyms(given: Sequence[str] | pl.Series) -> list[str]:
    """Return the different pseudonyms in their order.

    Raises
    ------
    InputError
        They are not texts.

    Examples
    --------
    >>> checked_pseudonyms(["K7Q2", "X3B9", "K7Q2"])
    ['K7Q2', 'X3B9']
    """
    return list(dict.fromkeys(_texts(given, "pseudonyms")))


def checked_scope(scope: object) -> str:
    """Return the scope, if it is a text of 1 to 200 characters.

    Raises
    ------
    OptionError
        It is not.

    Examples
    --------
    >>> checked_scope("student")
    'student'
    """
    if not isinstance(scope, str) or not scope.strip() or len(scope) > _LONGEST_SCOPE or not is_storable(scope):
        raise OptionError(
            f"scope must be a text of 1 to {_LONGEST_SCOPE} characters.", hint="write scope: student.", about="scope"
        )
    return scope


def checked_limit(limit: object) -> int:
    """Return the limit of look-ups, if it is a whole number from 0 to 10^9.

    Raises
    ------
    OptionError
        It is not.

    Examples
    --------
    >>> checked_limit(20)
    20
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= 10**9:
        raise OptionError(
            "limit must be a whole number of look-ups a day, from 0 to 1000000000.",
            hint="write limit: 20.",
            about="limit",
        )
    return limit


def is_storable(text: str) -> bool:
    r"""Whether every store can hold a text: it is Unicode without the character 0.

    Examples
    --------
    >>> is_storable("K7Q2"), is_storable("K7\0")
    (True, False)
    """
    return "\0" not in text and _is_text(text)


def _texts(given: Sequence[str] | pl.Series, what: str) -> list[str]:
    if isinstance(given, str | bytes):
        raise InputError(f"{what} must be a list of texts, not one text.", hint="put it in a list.", about=what)
    listed = given.to_list() if isinstance(given, pl.Series) else list(given)
    n_wrong = sum(not isinstance(one, str) for one in listed)
    if n_wrong:
        raise InputError(
            f"of {len(listed)} {what} {n_wrong} are missing or not texts.",
            hint="leave missing ones out, and turn numbers into texts.",
            about=what,
        )
    return listed


def _is_text(text: str) -> bool:
    """Whether a text can be written as UTF-8: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
