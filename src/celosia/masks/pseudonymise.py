"""Pseudonymisation: identities replaced by codes that say nothing about them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

import numpy as np
import polars as pl

from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError
from celosia.base.findings import Finding
from celosia.base.keys import KeySource
from celosia.data.hierarchies.category import Category
from celosia.data.hierarchies.options import check_choice
from celosia.data.masked import Change
from celosia.masks.base import Leaves, Sheet
from celosia.masks.options import OnColumns, check_flag, told
from celosia.masks.pseudonyms.findings import key_findings, length_finding, order_finding
from celosia.masks.pseudonyms.identities import different, replaced, spelt
from celosia.masks.pseudonyms.keyed import N_WORDS, KeyedCodes
from celosia.masks.pseudonyms.permuted_digits import MOST_DIGITS, PermutedDigits, padded
from celosia.masks.pseudonyms.sources import CodeSource, DrawnCodes, VaultCodes
from celosia.masks.vault.codes import CodeList, Codes, CodeSpace
from celosia.masks.vault.source import VaultSource

if TYPE_CHECKING:
    from celosia.masks.vault.vault import Vault

_LONGEST_LABEL = 99
"""Scope, @ and data set together are what a vault takes for a scope: 200 characters at most."""
_SHAPE = {"alphabet": "readable", "length": None, "prefix": ""}
"""The options that say what codes look like, with their defaults."""


@dataclass(frozen=True)
class Pseudonymise(OnColumns):
    """Replace each value by a code: equal values get equal codes, different values different ones.

    Where codes come from:

    - nothing given: drawn at random in every run; nobody keeps the pairs, nothing leads back.
    - ``key``: HMAC-SHA-256(key of scope and data set, value), spelt in the alphabet; the same in every run.
    - ``vault``: drawn at random once; the pairs are kept encrypted, and lead back within a limit of look-ups.
    - ``form="digits"``: a permutation of all numbers of as many digits, keyed by ``key`` or anew in every run.

    Values are text, trimmed and in normal form (NFC): the number 12345678 and its spelling are one value. Missing cells
    stay missing. Codes are text: ``094532`` keeps its zero.

    Parameters
    ----------
    column, columns
        The column, or several; one of the two.
    key
        ``{"env": NAME}`` or ``{"file": PATH}``; in programs also 32 random bytes. It is read when the mask is applied.
    vault
        ``{"path": FILE, "key": KEY}`` or ``{"url": {"env": NAME}, "key": KEY}``, or an open ``Vault``; not with
        ``key``.
    dataset
        A label: another one makes other codes; for ``key`` and ``vault``.
    scope
        Columns and tables of one scope share codes, because they name the same people (without ``key`` and ``vault``
        the columns of this mask alone); by default each column has its own name for a scope.
    form
        ``code``, or ``digits``: digits become as many other digits, from 1 to 18.
    alphabet, length, prefix
        ``readable``, ``digits``, ``hex``, ``letters`` or the characters themselves; how many follow the prefix (16 by
        default, up to 64). With ``form="digits"`` ``length`` fills shorter values up with zeros first.
    values
        Codes made beforehand, instead: a list, or the file that holds one in each line; not with ``key``.
    shuffle
        Whether a list is given out in random order; otherwise in its own, to people as they first appear.

    Guarantee
    ---------
    No code is given twice, and none is equal to a true value of the column (``form="digits"`` excepted, where a number
    may stand for another). Whoever has neither key nor vault learns from a code nothing but which rows belong together:
    trying all values, as on a plain hash, finds none. It does not hold against whoever holds the key or the vault, or
    knows who is behind one code, and not for what the other columns tell: the result is pseudonymised, not anonymous.

    Raises
    ------
    OptionError
        An option is not allowed, or not with another one.

    Examples
    --------
    >>> students = pl.DataFrame({"student": ["Luis", "Amparo ", "Luis"]})
    >>> drawn = Pseudonymise("student", alphabet="digits", length=6).apply(students)["student"]
    >>> drawn[0] == drawn[2] != drawn[1], drawn.str.len_chars().to_list()
    (True, [6, 6, 6])
    >>> listed = Pseudonymise("student", values=["543456", "094532"], shuffle=False)
    >>> listed.apply(students)["student"].to_list()
    ['543456', '094532', '543456']
    """

    name: ClassVar[str] = "pseudonymise"
    leaves: ClassVar[Leaves] = Leaves(
        "pseudonymised",
        "Equal values have equal pseudonyms: how often each occurs, and what all other columns say about it, remain. "
        "Whoever holds the key or the vault, or knows who is behind one pseudonym, joins all rows of that person.",
    )

    key: KeySource | Mapping[str, Any] | bytes | None = None
    vault: VaultSource | Vault | Mapping[str, Any] | None = None
    dataset: str | None = None
    scope: str | None = None
    form: Literal["code", "digits"] = "code"
    alphabet: str = "readable"
    length: int | None = None
    prefix: str = ""
    values: Sequence[str] | str | Path | None = None
    shuffle: bool = True

    def __post_init__(self) -> None:
        # First of all: a key that a program gave is then shown by no error about another option.
        self._set(key=None if self.key is None else KeySource.of(self.key))
        self._set(vault=None if self.vault is None else vault_of(self.vault))
        super().__post_init__()
        self._set(dataset=label("dataset", self.dataset), scope=label("scope", self.scope))
        check_choices(self)
        if isinstance(self.values, str | Path):
            self._set(values=str(self.values))
        elif self.values is not None:
            self._set(values=CodeList(self.values, self.shuffle).values)

    @property
    def kept_apart(self) -> tuple[Path, ...]:
        """The files that must not lie beside a release: the vault's and the keys'."""
        vault = self.vault if isinstance(self.vault, VaultSource) else None
        keys = [source.file for source in self._keys if source.file]
        return (*([vault.file] if vault and vault.file else ()), *map(Path, keys))

    def preflight(self, *, rehearsal: bool) -> None:
        """Refuse a key that is not at hand before anything is read; a rehearsal opens no vault."""
        for source in self._keys:
            if source is self.key or not rehearsal:
                source.read()

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the columns replaced by pseudonyms.

        Raises
        ------
        InputError
            The key is not there, or codes do not suffice.
        VaultError
            The vault refuses.
        """
        texts = {column: self._identities(sheet.column(column, self.name)) for column in self.columns}
        source, found = self._source(sheet)
        for scope, columns in self.scopes:
            identities = different([texts[column] for column in columns])
            codes = source.codes(identities, scope, columns)
            for column in columns:
                made = replaced(texts[column], identities, codes)
                sheet = sheet.with_column(made, Change(column, "pseudonymised", kind=Category()))
                found += [*source.findings(column, len(identities)), *self._about(made, sheet.k)]
        return sheet.noting(*found)

    def to_dict(self) -> dict[str, Any]:
        """Return the options that differ from their defaults; a key or vault that a program gave is ``...``."""
        options = told(self)
        for name in {"key", "vault"} & set(options):
            is_named = isinstance(options[name], KeySource | VaultSource)
            options[name] = options[name].to_dict() if is_named else "..."
        return options

    @property
    def _keys(self) -> list[KeySource]:
        sources = [self.key, self.vault.key if isinstance(self.vault, VaultSource) else None]
        return [source for source in sources if isinstance(source, KeySource)]

    def _identities(self, column: pl.Series) -> pl.Series:
        texts = spelt(column)
        return padded(texts, self.length) if self.form == "digits" and self.length is not None else texts

    @property
    def scopes(self) -> list[tuple[str, list[str]]]:
        """The columns of each scope."""
        if self.scope is not None:
            return [(self.scope, list(self.columns))]
        return [(unicodedata.normalize("NFC", column.strip()), [column]) for column in self.columns]

    def _source(self, sheet: Sheet) -> tuple[CodeSource, list[Finding]]:
        """Return what gives codes, and what is to be known about its key."""
        dataset = self.dataset or ""
        found = [finding for source in self._keys for finding in key_findings(source)]
        if isinstance(self.key, KeySource):
            secret = self.key.read()
            found += key_findings(secret)
            master = secret.master()
            if self.form == "digits":
                return PermutedDigits(master, dataset), found
            return KeyedCodes(space_of(self), master, dataset), found
        if self.form == "digits":
            return PermutedDigits(sheet.randomness.keys(4).tobytes()), found
        if self.vault is not None and sheet.rehearsal:
            # A chance of its own: what a seed decides is then the same as in the true run.
            return DrawnCodes(self._codes, Randomness()), found
        if self.vault is not None:
            vault = self.vault.open() if isinstance(self.vault, VaultSource) else cast("Vault", self.vault)
            return VaultCodes(self._codes, vault, dataset), found
        return DrawnCodes(self._codes, sheet.randomness), found

    @property
    def _codes(self) -> Codes:
        if self.values is None:
            return space_of(self)
        return CodeList(listed(self.values) if isinstance(self.values, str | Path) else self.values, self.shuffle)

    def _about(self, codes: pl.Series, k: int) -> Iterator[Finding]:
        if not self.shuffle:
            yield order_finding(codes.name)
        if self.form == "digits":
            yield from length_finding(codes, k)


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
