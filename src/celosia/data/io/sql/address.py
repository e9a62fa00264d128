"""Addresses of databases: told from files, split from their table, looked up in the environment.

An address may hold a password, so no message here repeats it or a part of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from urllib.parse import unquote

from celosia.base.errors import FormatError, InputError, OptionError

# Two letters at least: "C://" is a drive. Schemes that are not read count as well, since their text may hold a password
# and must not end up in a message about a missing file.
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_FORM = "sqlite:///school.db#exams or postgresql+psycopg://user@host/base#exams"


def is_address(text: str) -> bool:
    """Return whether a text is the address of a database rather than the path of a file.

    Examples
    --------
    >>> is_address("sqlite:///school.db#exams"), is_address("school.db"), is_address("C://school.csv")
    (True, False, False)
    """
    return _ADDRESS.match(text) is not None


def split_address(text: str) -> tuple[str, str]:
    """Return the address without its table, and the table that its last ``#`` names (``%20`` is a space).

    Raises
    ------
    FormatError
        When no table is named.

    Examples
    --------
    >>> split_address("sqlite:///school.db#exams")
    ('sqlite:///school.db', 'exams')
    """
    if re.search(r"[?&](ssl)?password=", text):
        raise FormatError(
            "the address of the database has its password behind '?'.",
            hint="write it before the host: user:password@host.",
        )
    url, mark, fragment = text.rpartition("#")
    # A "#" within a password would make the rest of the address look like a table, and messages name tables.
    if not mark or not fragment or re.search(r"[@/]", fragment):
        raise FormatError(
            "the address of the database names no table.",
            hint=f"put it behind '#': {_FORM}; in a password write '#' as '%23'.",
        )
    return url, unquote(fragment)


def resolve_url(given: str | Mapping[str, str]) -> str:
    """Return the address of a database: the text itself, or what an environment variable holds.

    Parameters
    ----------
    given
        A text, or ``{"env": NAME}`` so that no password stands in a plan.

    Raises
    ------
    OptionError
        When it is neither.
    InputError
        When the variable is not set or empty.

    Examples
    --------
    >>> resolve_url("sqlite:///school.db")
    'sqlite:///school.db'
    >>> os.environ["SCHOOL_DATABASE"] = "sqlite:///school.db"
    >>> resolve_url({"env": "SCHOOL_DATABASE"})
    'sqlite:///school.db'
    """
    if isinstance(given, str) and given:
        return given
    if not isinstance(given, Mapping) or set(given) != {"env"} or not isinstance(given["env"], str):
        raise OptionError(
            "the address of the database is neither a text nor {env: NAME}.",
            hint=f"write {_FORM.replace('#exams', '')}, or {{env: NAME}} with the name of an environment variable.",
            about="url",
        )
    name = given["env"]
    found = os.environ.get(name)
    if not found:
        raise InputError(
            f"the environment variable '{name}' holds no address of a database: "
            f"it is {'not set' if found is None else 'empty'}.",
            hint=f"set it before the run: export {name}='postgresql+psycopg://user:password@host/base'.",
            about="url",
        )
    return found
