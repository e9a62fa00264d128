"""Which options of pseudonymisation go together."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from celosia.base.errors import InputError, OptionError
from celosia.data.hierarchies.options import check_choice
from celosia.masks.options import check_flag
from celosia.masks.pseudonyms.ff1 import MOST_DIGITS
from celosia.masks.pseudonyms.keyed import N_WORDS
from celosia.masks.vault.codes import CodeSpace
from celosia.masks.vault.source import VaultSource

if TYPE_CHECKING:
    from celosia.masks.pseudonymise import Pseudonymise
    from celosia.masks.vault.vault import Vault

_LONGEST_LABEL = 99
"""Scope, @ and data set together are what a vault takes for a scope: 200 characters at most."""
_SHAPE = {"alphabet": "readable", "length": None, "prefix": ""}
"""The options that say what codes look like, with their defaults."""


def label(option: str, got: object) -> str | None:
    """Return a scope or data set as given, in normal form.

    Raises
    ------
    OptionError
        It is no text, empty, or holds an @, which parts the two in a vault.

    Examples
    --------
    >>> label("dataset", "exams-2026")
    'exams-2026'
    """
    if got is None:
        return None
    is_text = isinstance(got, str) and got.isprintable() and got.strip() and len(got) <= _LONGEST_LABEL
    if not is_text or not isinstance(got, str) or "@" in got:
        raise OptionError(
            f"pseudonymise: {option} must be a text of up to {_LONGEST_LABEL} printable characters without @.",
            hint=f"write {option}: student.",
            about=option,
        )
    return unicodedata.normalize("NFC", got.strip())


def vault_of(got: object) -> VaultSource | Vault:
    """Return the vault that a program gave, or where the vault is that a plan names."""
    if isinstance(got, VaultSource | Mapping | str):
        return VaultSource.of(got)
    from celosia.masks.vault.vault import Vault

    return got if isinstance(got, Vault) else VaultSource.of(got)


def listed(file: str | Path) -> list[str]:
    """Return the codes of a file, one in each line; empty lines are none.

    Raises
    ------
    InputError
        It cannot be read.
    """
    path, reason = Path(file), ""
    try:
        return [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip()]
    except OSError as error:
        reason = error.strerror or type(error).__name__
    except UnicodeDecodeError:
        reason = "it is no text in UTF-8"
    except ValueError:
        reason = "its path holds a character that no path has"
    raise InputError(
        f"pseudonymise: the list of codes '{path.name or path}' cannot be read: {reason}.",
        hint="write one code in each line of a text file.",
        about="values",
    )


def check_choices(mask: Pseudonymise) -> None:
    """Raise ``OptionError`` where an option is out of its range, or stands beside one that it does not go with."""
    check_choice("pseudonymise: form", mask.form, ["code", "digits"])
    check_flag("pseudonymise: shuffle", mask.shuffle)
    space = space_of(mask)
    shape = [name for name, default in _SHAPE.items() if getattr(mask, name) != default]
    if mask.key is not None and mask.vault is not None:
        raise _apart("key", "vault", "keyed codes are worked out and drawn ones are kept; choose one of them.")
    if mask.dataset is not None and mask.key is None and mask.vault is None:
        raise OptionError(
            "pseudonymise: dataset goes with a key or a vault; without, codes are other ones in every run anyway.",
            hint="leave dataset out.",
            about="dataset",
        )
    if mask.values is not None:
        _check_list(mask, shape)
    elif not mask.shuffle:
        raise OptionError(
            "pseudonymise: shuffle: false goes with values; all other codes have no order.",
            hint="leave shuffle out.",
            about="shuffle",
        )
    if mask.form == "digits":
        _check_digits(mask, shape)
    elif mask.key is not None:
        space.of_words(np.empty((0, N_WORDS), dtype=np.uint64))
    if mask.vault is not None and mask.scope is None and any("@" in column for column in mask.columns):
        raise OptionError(
            "pseudonymise: the name of a column holds an @, which parts scope and data set in a vault.",
            hint="name a scope without it, such as scope: student.",
            about="scope",
        )


def space_of(mask: Pseudonymise) -> CodeSpace:
    """Return alphabet, length and prefix of the codes, checked."""
    return CodeSpace(mask.alphabet, CodeSpace.length if mask.length is None else mask.length, mask.prefix)


def _check_list(mask: Pseudonymise, shape: list[str]) -> None:
    if isinstance(mask.values, str | Path) and not str(mask.values).strip():
        raise OptionError("pseudonymise: values names no file.", hint="name a file, or list the codes.", about="values")
    if mask.key is not None:
        raise _apart("values", "key", "a list is given out by chance; a key works codes out.")
    if shape:
        raise _apart("values", shape[0], "a list says itself what its codes look like.")


def _check_digits(mask: Pseudonymise, shape: list[str]) -> None:
    for name in ("vault", "values"):
        if getattr(mask, name) is not None:
            raise _apart("form: digits", name, "the key alone decides which digits stand for which.")
    for name in shape:
        if name != "length":
            raise _apart("form: digits", name, "codes are digits, as many as the values have.")
    if mask.length is not None and mask.length > MOST_DIGITS:
        raise OptionError(
            f"pseudonymise: length is {mask.length}; with form: digits it is at most {MOST_DIGITS}.",
            hint=f"write length: {MOST_DIGITS}, or less, or leave form out.",
            about="length",
        )


def _apart(option: str, other: str, why: str) -> OptionError:
    return OptionError(
        f"pseudonymise: {option} and {other} do not go together: {why}", hint=f"leave {other} out.", about=other
    )
