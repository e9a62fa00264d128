"""Character masking: characters of a value replaced by a symbol."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import polars as pl

from celosia.base.errors import OptionError
from celosia.base.findings import Finding
from celosia.base.wording import Said
from celosia.data.hierarchies.category import Category
from celosia.data.masked import Change
from celosia.data.schema.columns import as_text
from celosia.masks.base import Leaves, Sheet
from celosia.masks.characters.check_digits import check_digit_finding
from celosia.masks.characters.findings import length_finding, singles_out_finding
from celosia.masks.characters.hiding_pattern import HidingPattern, parse_pattern
from celosia.masks.characters.visible_places import LEAST_SYMBOLS, LONGEST, VisiblePlaces, parse_positions
from celosia.masks.options import OnEachColumn

_TELLS = r"[\p{L}\p{N}]"
"""A letter or digit. Where nothing but blanks and marks would be hidden, the value can be read."""

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
class MaskCharacters(OnEachColumn):
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

    keep_first: int = 0
    keep_last: int = 0
    positions: Sequence[int | str] | None = None
    pattern: str | None = None
    symbol: str = "*"
    length: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
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
            self._set(positions=tuple(self.positions))
        if self.length is not None:
            _check_count("length", self.length, rule.least_length)

    @cached_property
    def _rule(self) -> Rule:
        if self.pattern is not None:
            return parse_pattern(self.pattern)
        if self.positions is not None:
            return parse_positions(self.positions)
        return VisiblePlaces(
            ((0, self.keep_first),) if self.keep_first else (), ((0, self.keep_last),) if self.keep_last else ()
        )

    def _masked(self, sheet: Sheet, column: str) -> Sheet:
        masked, found = self._hidden(sheet.column(column, self.name), sheet.k)
        return sheet.with_column(masked, Change(column, "hidden", kind=Category())).noting(*found)

    def _hidden(self, values: pl.Series, k: int) -> tuple[pl.Series, list[Finding]]:
        """Return the masked values, and what they still give away."""
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

    def _given_away(self, values: pl.Series, masked: pl.Series, k: int) -> Iterator[Finding]:
        if not self._rule.hides_all:
            yield from singles_out_finding(masked, k)
            yield from _check_digits(values, self._rule)
        if self.length is None:
            yield from length_finding(masked, k)


Rule = VisiblePlaces | HidingPattern
"""What stays visible of texts: the texts as a column beside others, whether one fits, and the pieces it is made of."""


def hide(texts: pl.Series, rule: Rule, symbol: str, length: int | None) -> tuple[pl.Series, int]:
    """Return the masked texts, and how many of them are hidden whole although something should stay visible.

    A text stays visible in part only if it fits the rule and at least one letter or digit of it is hidden; otherwise
    it is hidden whole, by ``length`` symbols or as many as it has characters (but two at least).

    Parameters
    ----------
    texts
        A column of text; missing cells stay missing.
    rule
        What stays visible.
    symbol
        One character.
    length
        The fixed length, or ``None``.
    """
    frame = rule.frame(texts)
    n_characters = pl.col("text").str.len_chars()
    longest = max(frame.select(n_characters.max()).item() or 0, length or 0, LEAST_SYMBOLS)
    symbols = pl.lit(symbol * longest)
    n_whole = n_characters.clip(LEAST_SYMBOLS) if length is None else pl.lit(length)
    whole = pl.when(pl.col("text").is_not_null()).then(symbols.str.slice(0, n_whole))
    if rule.hides_all:
        return frame.select(whole.alias(texts.name)).to_series(), 0
    pieces = rule.pieces(length)
    hidden = [piece.text.str.contains(_TELLS) for piece in pieces if piece.n_symbols is not None]
    visible = [piece.text.str.len_bytes() > 0 for piece in pieces if piece.n_symbols is None]
    may_show = (rule.fits() & pl.any_horizontal(hidden)).fill_null(False)
    checked = frame.select(may_show.alias("may_show"), (may_show & pl.any_horizontal(visible)).alias("is_shown"))
    shown = pl.concat_str(
        [piece.text if piece.n_symbols is None else symbols.str.slice(0, piece.n_symbols) for piece in pieces]
    )
    is_shown = checked["is_shown"]
    chosen = shown if is_shown.all() else pl.when(is_shown).then(shown).otherwise(whole)
    n_refused = len(texts) - texts.null_count() - int(checked["may_show"].sum())
    return frame.select(chosen.alias(texts.name)).to_series(), n_refused


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


def _check_digits(values: pl.Series, rule: Rule) -> Iterator[Finding]:
    rows = values.is_not_null().arg_true()
    drawn = as_text(values.gather(rows if len(rows) <= _SAMPLE_ROWS else rows.sample(_SAMPLE_ROWS, seed=0)))
    aligned, _ = hide(drawn, rule, _FILLER, None)
    return check_digit_finding(values.name, drawn, aligned, _FILLER)
