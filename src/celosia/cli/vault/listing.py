"""Lists of pseudonyms and identities: from a file or standard input, one in a line."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path


def lines_of(source: str) -> list[str]:
    """Return the different lines of a file (``-``: standard input), trimmed and normalised as cells are; no empty ones.

    Raises
    ------
    InputError
        It cannot be read, or is no text.
    """
    from celosia.base.errors import InputError

    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        data = None
    if data is None:
        raise InputError(f"the list cannot be read: {reason}.", hint="check its path.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = None
    if text is None:
        raise InputError("the list is not UTF-8 text.", hint="save it as UTF-8, one in a line.")
    return _clean(re.split(r"\r\n|\r|\n", text))


def asked_for(pseudonyms: Sequence[str] | None, source: str | None) -> list[str]:
    """Return the different pseudonyms of the command line and of a list.

    Raises
    ------
    OptionError
        There are none.
    """
    from celosia.base.errors import OptionError

    wanted = _clean([*(pseudonyms or []), *([] if source is None else lines_of(source))])
    if not wanted:
        raise OptionError("no pseudonym was given.", hint="name some, or a file of them: --from FILE.")
    return wanted


def shown(text: str) -> str:
    r"""Return a text that cannot steer the terminal it is printed on.

    Examples
    --------
    >>> shown("Ana\x1b[2J")
    'Ana\\x1b[2J'
    """
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def _clean(lines: Sequence[str]) -> list[str]:
    trimmed = (unicodedata.normalize("NFC", line.strip()) for line in lines)
    return list(dict.fromkeys(line for line in trimmed if line))
