"""Character masking: characters of a value replaced by a symbol."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import polars as pl

from celosia.base.errors import OptionError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.data.hierarchies.category import Category
from celosia.data.hierarchies.options import given
from celosia.data.masked import Change
from celosia.data.schema.columns import as_text
from celosia.masks.base import Leaves, Sheet, Technique
from celosia.masks.characters.check_digits import check_digit_finding
from celosia.masks.characters.findings import length_finding, singles_out_finding
from celosia.masks.characters.hidden_text import Rule, hide
from celosia.masks.characters.hiding_pattern import HidingPattern, parse_pattern
from celosia.masks.characters.visible_places import LONGEST, VisiblePlaces, parse_positions
from celosia.masks.options import named_columns

_BLOCK_ROWS = 2**16
"""How many rows are masked at once: what is needed in between is small beside the column."""

_SAMPLE_ROWS = 2000
"""In how many rows a check scheme is sought and candidates are counted; a shorter column is looked at whole."""

_FILLER = "\ue000"
"""A character for private use, by which hidden places are told from visible ones."""

_NOTHING_LEFT = Said(
    "Nothing of '{column}' stays visible; unless the length of its values matters, drop the column instead."
)
_TOO_SHORT = Said(
    "{count} of {rows} values of '{column}' are too short to hide a letter or digit beside what should stay visible: "
    "they are hidden whole."
)
_NO_MATCH = Said(
    "{count} of {rows} values of '{column}' do not match the pattern, or leave no letter or digit to hide: they are "
    "hidden whole."
)
_SYMBOL_HELD = Said(
    "{count} of {rows} values of '{column}' hold the symbol themselves: hidden and true characters cannot be told "
    "apart; choose another symbol."
)


@dataclass(frozen=True)
class MaskCharacters(Technique):
    """Replace characters of a value by a symbol: ``1026457389`` with the first two kept gives ``10XXXXXXXX``.

    Character i of n stays if i <= ``keep_first`` or i > n - ``keep_last``; or if ``positions`` names it; or if no group
    of ``pattern`` matches it. Every other one becomes the symbol. Without any of these the whole value is hidden.
    Values are text; numbers and dates are spelt as text first. Characters are Unicode code points in normal form (NFC).

    A value is shown in part only if it has all the places that stay visible, none of them counted from both ends (or
    matches ``pattern`` as a whole), and at least one letter or digit of it is hidden. Any other is hidden whole (by two
    symbols at least): a value never leaves as it came because it is short.

    Parameters
    ----------
    column, columns
        The column, or several; one of the two.
    keep_first, keep_last
        How many characters stay visible at the start and at the end; from 0.
    positions
        The positions that stay visible, instead: whole numbers and ranges such as ``[1, "4-7", -1]``. The first
        character is 1, the last one -1.
    pattern
        A regular expression of whole values, instead: what its groups match is hidden, the rest stays visible, such as
        ``([^@]+)@.*`` for e-mail addresses. The syntax is that of Rust's ``regex`` crate; matching takes linear time.
        Groups stand side by side, not in others, not repeated.
    symbol
        One character that is a letter, a mark or a sign, no digit.
    length
        The length that every masked value gets, from 2; what stays visible stands at its start and end and the hidden
        stretch between is filled up or cut. With ``pattern`` it is the number of symbols that stand for each group. A
        value that is hidden whole becomes so many symbols.

    Guarantee
    ---------
    No character is visible but those asked for, and no value is published whole (one that holds the symbol itself may
    look as it came; a finding counts those). With ``length`` the output does not tell how long the hidden part was,
    except that a value hidden whole was too short. Nothing holds against whoever knows the visible characters of a
    person, or guesses hidden ones by a check digit or by other columns: findings say where masked values, their length
    or a check digit single somebody out, and the column counts as a quasi-identifier.

    Raises
    ------
    OptionError
        An option is out of its range, two ways to say what stays visible are mixed, or ``length`` is too short.

    Examples
    --------
    >>> import polars as pl
    >>> MaskCharacters("id", keep_first=2, symbol="X").apply(pl.DataFrame({"id": [1026457389]}))["id"].to_list()
    ['10XXXXXXXX']
    >>> mails = pl.DataFrame({"mail": ["ana@uni.es", "unknown"]})
    >>> MaskCharacters("mail", pattern="([^@]+)@.*", length=5).apply(mails)["mail"].to_list()
    ['*****@uni.es', '*****']
    """

    name: ClassVar[str] = "mask_characters"
    leaves: ClassVar[Leaves] = Leaves(
        "masked",
        "The characters that stay visible still narrow down who it is, alone or with other columns; the masked "
        "column is a quasi-identifier.",
    )

    column: str | None = None
    columns: Sequence[str] = ()
    keep_first: int = 0
    keep_last: int = 0
    positions: Sequence[int | str] | None = None
    pattern: str | None = None
    symbol: str = "*"
    length: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", named_columns(self.name, self.column, self.columns))
        object.__setattr__(self, "column", None)
        _check_count("keep_first", self.keep_first, 0)
        _check_count("keep_last", self.keep_last, 0)
        _check_symbol(self.symbol)
        ways = [bool(self.keep_first or self.keep_last), self.positions is not None, self.pattern is not None]
        if sum(ways) > 1:
            raise OptionError(
                "mask_characters: keep_first and keep_last, positions, and pattern say each what stays visible; "
                f"{sum(ways)} of these three are given.",
                hint="keep one of them.",
            )
        rule = self._rule
        if self.positions is not None:
            object.__setattr__(self, "positions", tuple(self.positions))
        if self.length is not None:
            _check_count("length", self.length, rule.least_length)

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it masks."""
        return tuple(self.columns)

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the columns masked, and what they still give away."""
        for column in self.columns:
            values = sheet.column(column, self.name)
            masked, found = self._masked(values, sheet.k)
            sheet = sheet.with_column(masked, Change(column, "hidden", kind=Category())).noting(*found)
        return sheet

    def to_dict(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        names = ("columns", "keep_first", "keep_last", "positions", "pattern", "symbol", "length")
        defaults = {name: type(self).__dataclass_fields__[name].default for name in names[1:]}
        return given({name: getattr(self, name) for name in names}, defaults)

    @cached_property
    def _rule(self) -> VisiblePlaces | HidingPattern:
        if self.pattern is not None:
            return parse_pattern(self.pattern)
        if self.positions is not None:
            return parse_positions(self.positions)
        return VisiblePlaces(
            ((0, self.keep_first),) if self.keep_first else (), ((0, self.keep_last),) if self.keep_last else ()
        )

    def _masked(self, values: pl.Series, k: int) -> tuple[pl.Series, list[Finding]]:
        masked, n_hidden_whole, n_holding = pl.Series(values.name, [], dtype=pl.String), 0, 0
        for start in range(0, len(values), _BLOCK_ROWS):
            texts = as_text(values.slice(start, _BLOCK_ROWS))
            block, n_more = hide(texts, self._rule, self.symbol, self.length)
            masked.append(block)
            n_hidden_whole += n_more
            n_holding += int(texts.str.contains(self.symbol, literal=True).sum())
        counted = self._counted(values, n_hidden_whole, n_holding)
        masked = masked.rechunk()
        return masked, [*counted, *self._given_away(values, masked, k)]

    def _counted(self, values: pl.Series, n_hidden_whole: int, n_holding: int) -> Iterator[Finding]:
        column, n_known = values.name, len(values) - values.null_count()
        if self._rule.hides_all and self.length is None:
            yield Finding("WHOLE_VALUE_MASKED", "note", _NOTHING_LEFT, column)
        if n_hidden_whole:
            code, template = ("MASK_NO_MATCH", _NO_MATCH) if self.pattern else ("MASK_TOO_SHORT", _TOO_SHORT)
            yield Finding(code, "note", template, column, {"count": n_hidden_whole, "rows": n_known})
        if n_holding and not self._rule.hides_all:
            counts = {"count": n_holding, "rows": n_known}
            yield Finding("MASK_SYMBOL_IN_VALUES", "note", _SYMBOL_HELD, column, counts)

    def _given_away(self, values: pl.Series, masked: pl.Series, k: int) -> list[Finding]:
        found = [] if self._rule.hides_all else [singles_out_finding(masked, k), _check_digits(values, self._rule)]
        if self.length is None:
            found.append(length_finding(masked, k))
        return [finding for finding in found if finding is not None]


def _check_count(option: str, got: object, least: int) -> None:
    if not isinstance(got, int) or isinstance(got, bool) or not least <= got <= LONGEST:
        room = ", so that there is room for what stays visible and a symbol" if option == "length" else ""
        raise OptionError(
            f"mask_characters: {option} is {got!r}; it must be a whole number from {least} to {LONGEST}{room}.",
            hint=f"write {option}: {least}, or more.",
        )


def _check_symbol(symbol: object) -> None:
    if not isinstance(symbol, str) or len(symbol) != 1 or unicodedata.category(symbol)[0] not in "LPS":
        raise OptionError(
            "mask_characters: symbol must be one character: a letter, a mark or a sign, no digit and no blank.",
            hint="write symbol: X, or leave it out for *.",
        )


def _check_digits(values: pl.Series, rule: Rule) -> Finding | None:
    rows = values.is_not_null().arg_true()
    drawn = as_text(values.gather(rows if len(rows) <= _SAMPLE_ROWS else rows.sample(_SAMPLE_ROWS, seed=0)))
    aligned, _ = hide(drawn, rule, _FILLER, None)
    return check_digit_finding(values.name, drawn, aligned, _FILLER)
