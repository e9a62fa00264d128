"""Microaggregation: rows in groups of k that are alike, each given the centre of its group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from celosia import kernels
from celosia.base.chance import Randomness
from celosia.base.errors import InputError, OptionError, UnreachableError
from celosia.base.findings import Finding
from celosia.base.progress import Quiet, watch
from celosia.data.classes import group
from celosia.data.hierarchies.options import check_choice, check_count, given
from celosia.data.hierarchies.order import Order
from celosia.data.io import parse_numbers
from celosia.data.masked import Change
from celosia.data.schema.columns import as_text, codes_of
from celosia.masks.aggregating.grouped import PART, GroupedColumn, Groups, NameColumn, NumberColumn, OrderedColumn
from celosia.masks.base import Leaves, Sheet, spelt_numbers
from celosia.masks.decimals import check_decimals
from celosia.masks.options import OnColumns, strata_columns, strata_of

Kind = Literal["number", "category"]


@dataclass(frozen=True)
class Microaggregate(OnColumns):
    """Put rows into groups of k to 2k - 1 that are alike, and publish the centre of the group in each of its rows.

    Groups are found by MDAV: the row furthest from the mean of all that are left takes the k - 1 rows nearest to it,
    then the row furthest from that one does the same, and so on. The squared distance of two rows is the sum over the
    columns of (difference / standard deviation)^2 for numbers and for ranks of ordered categories, and of 1 for each
    other category that differs. Rows with gaps in the same columns are grouped among themselves.

    Parameters
    ----------
    column, columns
        The column to aggregate, or several that are aggregated together; one of the two.
    k
        How many rows a group has at least, from 2.
    numbers
        What is published of numbers: their ``mean`` or ``median``.
    orders
        Of ordered categories all values, lowest first, by column: their median is published (of two the lower).
        Of other categories the most frequent value is (of several the first in their order).
    kinds
        Whether a column holds ``number`` or ``category``, where that is not as it seems: text that reads as numbers
        without leading zeros is taken for numbers, all other text for categories.
    within
        A column, or several: groups are formed among rows that are equal there.
    decimals
        To how many decimals means and medians are rounded, 0 to 12. Left out: as many as the column has.
    missing
        What happens to rows whose gaps fewer than k rows share: ``refuse`` the table, or ``blank`` all their cells in
        these columns (and those of some more rows, drawn at random, where fewer than k would be blank).

    Guarantee
    ---------
    Every combination of published values in these columns stands in at least k rows. All members of a group but one can
    together compute the values of the last; the columns that are not aggregated single rows out as before; and what is
    published lies near to what is true.

    Raises
    ------
    OptionError
        An option has a value that is not allowed.
    InputError
        A cell is no number where numbers are declared, or not one of the declared order.
    UnreachableError
        The table, a stratum, or the rows that share their gaps are fewer than k.

    Examples
    --------
    >>> marks = pl.DataFrame({"mark": [4.0, 9.0, 4.5, 9.5, 5.1, 8.5]})
    >>> Microaggregate(column="mark", k=3).apply(marks)["mark"].to_list()
    [4.5, 9.0, 4.5, 9.0, 4.5, 9.0]
    """

    name: ClassVar[str] = "microaggregate"
    leaves: ClassVar[Leaves] = Leaves(
        "perturbed",
        "Whoever knows all other members of a group can compute the values of the last one. Groups share their values "
        "in the aggregated columns alone; other columns may still single a row out.",
    )

    k: int = 0
    numbers: Literal["mean", "median"] = "mean"
    orders: Mapping[str, Sequence[str]] | tuple[tuple[str, tuple[str, ...]], ...] = ()
    kinds: Mapping[str, Kind] | tuple[tuple[str, Kind], ...] = ()
    within: str | Sequence[str] | None = None
    decimals: int | None = None
    missing: Literal["refuse", "blank"] = "refuse"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.k == 0:
            raise OptionError("microaggregate needs k, the least number of rows in a group.", hint="write k: 5.")
        check_count("microaggregate: k", self.k, least=2)
        check_choice("microaggregate: numbers", self.numbers, ["mean", "median"])
        check_choice("microaggregate: missing", self.missing, ["refuse", "blank"])
        self._set(within=strata_columns(self.name, self.within, self.columns))
        check_decimals(self.name, self.decimals)
        orders = {name: tuple(Order(values).values) for name, values in self._by_column("orders")}
        kinds = dict(self._by_column("kinds"))
        for name, kind in kinds.items():
            check_choice(f"microaggregate: the kind of '{name}'", kind, ["number", "category"])
            if name in orders:
                raise OptionError(f"microaggregate: '{name}' stands under both orders and kinds.", hint="keep one.")
        self._set(orders=tuple(sorted(orders.items())), kinds=tuple(sorted(kinds.items())))

    def _by_column(self, option: str) -> list[tuple[str, Any]]:
        got = getattr(self, option)
        entries = list(got.items()) if isinstance(got, Mapping) else list(got) if isinstance(got, tuple) else None
        is_paired = entries is not None and all(isinstance(one, tuple) and len(one) == 2 for one in entries)
        if entries is None or not is_paired or not all(name in self.columns for name, _ in entries):
            raise OptionError(
                f"microaggregate: {option} must name columns that are aggregated, with a setting for each.",
                hint=f"write {{microaggregate: {{columns: [name], {option}: {{name: ...}}}}}}.",
                about=option,
            )
        return entries

    @property
    def uses(self) -> tuple[str, ...]:
        """The columns that it aggregates, and those that bound the groups."""
        return (*self.columns, *(self.within or ()))

    def mask(self, sheet: Sheet) -> Sheet:
        """Return the sheet with the centres of groups in place of values."""
        group_of_row, centres, findings = self._aggregated(sheet)
        for name, column in zip(self.columns, centres, strict=True):
            sheet = _placed(sheet, column, group_of_row, Change(name, "perturbed"))
        return sheet.noting(*findings)

    def _aggregated(self, sheet: Sheet) -> tuple[pl.Series, list[pl.Series], list[Finding]]:
        """Return the group of each row, what groups publish of each column, and findings."""
        columns = [self._column(sheet, name) for name in self.columns]
        groups, n_blanked = self._groups(columns, sheet)
        centres, losses = zip(*(column.centres(groups) for column in columns), strict=True)
        total = sum(column.total for column in columns)
        share = sum(losses) / total if total else 0.0
        return groups.by_row(), list(centres), list(self._findings(groups, share, n_blanked))

    def _column(self, sheet: Sheet, name: str) -> GroupedColumn:
        column = sheet.column(name, self.name)
        order, kind = dict(self.orders).get(name), dict(self.kinds).get(name)
        if order is not None:
            return _ordered(as_text(column), order)
        numbers = None if kind == "category" else _numbers(sheet, column, is_declared=kind == "number")
        if numbers is not None:
            return NumberColumn(column, numbers, self.numbers, 0 if column.dtype == pl.Date else self.decimals)
        if column.dtype in (pl.Categorical, pl.Enum):  # whose type would keep values that are no longer there
            column = as_text(column)
        codes, values = codes_of(column)
        return NameColumn(codes, pl.Series(name, list(values), dtype=column.dtype))

    def _blocks(self, columns: list[GroupedColumn], sheet: Sheet) -> tuple[NDArray[np.int32], int]:
        """Return the block of each row, -1 for rows that have no value or lose all of them, and how many lose them."""
        blocks = blocks_of(strata_of(sheet, self.within or (), self.name), [~column.is_known for column in columns])
        blocks.require(self.k, is_blanking=self.missing == "blank")
        is_blanked = blanked_rows(blocks, self.k, sheet.randomness)
        labels = blocks.labels
        labels[is_blanked | blocks.is_empty[labels]] = -1
        return labels, int(np.count_nonzero(is_blanked))

    def _groups(self, columns: list[GroupedColumn], sheet: Sheet) -> tuple[Groups, int]:
        """Return the groups, and how many rows lose all their values."""
        n = sheet.n_rows
        weights = np.array([column.weight for column in columns if column.weight is not None], dtype=np.float64)
        blocks, n_blanked = self._blocks(columns, sheet)
        sizes = np.bincount(blocks + 1, minlength=1)
        rows = kernels.sorted_rows([blocks, *(column.codes for column in columns)], n, sheet.randomness.keys(n))
        del blocks
        ends = np.cumsum(sizes[1:][sizes[1:] > 0]).astype(np.int32)
        labels = self._labels(columns, weights, rows[sizes[0] :], ends)
        return Groups(rows, np.concatenate([np.full(sizes[0], -1, dtype=np.int32), labels])), n_blanked

    def _labels(
        self,
        columns: list[GroupedColumn],
        weights: NDArray[np.float64],
        rows: NDArray[np.int32],
        ends: NDArray[np.int32],
    ) -> NDArray[np.int32]:
        """Return the groups of some rows in canonical order, by blocks up to each of ``ends``."""
        cells = np.empty((len(rows), len(columns)))
        for place, column in enumerate(sorted(columns, key=lambda column: column.weight is None)):
            for begin in range(0, len(rows), PART):
                cells[begin : begin + PART, place] = column.cells(rows[begin : begin + PART])
        pulse = kernels.Pulse()
        return watch(pulse, Quiet(), lambda: kernels.mdav(cells, weights, ends, self.k, pulse))

    def _findings(self, groups: Groups, share: float, n_blanked: int) -> Iterator[Finding]:
        yield Finding(
            "MICROAGGREGATED",
            "note",
            "Columns {columns} hold the centres of {groups} groups of at least {k} rows; {share} % of their "
            "variance is lost.",
            values={
                "columns": ", ".join(f"'{name}'" for name in self.columns),
                "groups": groups.n,
                "k": self.k,
                "share": f"{100 * share:.1f}",
            },
        )
        if n_blanked:
            yield Finding(
                "MICROAGGREGATION_BLANKED",
                "note",
                "All cells of {count} rows in the aggregated columns are blank, because fewer than {k} rows share "
                "their gaps or to make up that number.",
                values={"count": n_blanked, "k": self.k},
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the options."""
        options: dict[str, Any] = {"columns": list(self.columns), "k": self.k}
        if self.orders:
            options["orders"] = {name: list(values) for name, values in dict(self.orders).items()}
        if self.kinds:
            options["kinds"] = dict(self.kinds)
        defaults = {"numbers": "mean", "within": (), "decimals": None, "missing": "refuse"}
        return {**options, **given({name: getattr(self, name) for name in defaults}, defaults)}


def _placed(sheet: Sheet, centres: pl.Series, group_of_row: pl.Series, change: Change) -> Sheet:
    """Return the sheet with the centre of each row's group in a column, as text where it came as text."""
    if sheet.frame.schema[change.column] == pl.String:
        centres = spelt_numbers(centres, sheet.decimal)
    return sheet.with_column(centres.gather(group_of_row), change)


def _numbers(sheet: Sheet, column: pl.Series, is_declared: bool) -> pl.Series | None:
    """Return a column as numbers; ``None`` where it seems to hold none, or some with leading zeros, which would go."""
    if column.dtype == pl.Date:
        return column.to_physical().cast(pl.Int64)
    if column.dtype == pl.String and not is_declared:
        if column.str.contains(r"^[+-]?0[0-9]").any():
            return None
        numbers, n_failed = parse_numbers(column, sheet.decimal)
        return None if n_failed else numbers
    if not (is_declared or column.dtype.is_numeric() or column.dtype == pl.Null):
        return None
    if column.dtype == pl.Float64 and column.is_finite().all():
        return column  # not a copy
    return sheet.numbers(column.name, Microaggregate.name)


def _ordered(column: pl.Series, order: Sequence[str]) -> OrderedColumn:
    places = {value: place for place, value in enumerate(order)}
    held = column.drop_nulls().unique()
    unknown = [value for value in held.to_list() if value not in places]
    if unknown:
        n_unknown = int(column.is_in(unknown).sum())
        raise InputError(
            f"microaggregate: {n_unknown} of {len(column)} cells of '{column.name}' hold none of the {len(order)} "
            f"values of its order.",
            hint="list all values under orders, lowest first.",
            about="orders",
        )
    values = [value for value in order if value in set(held.to_list())]
    codes = column.cast(pl.Enum(values)).to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    ranks = np.array([places[value] for value in values], dtype=np.float64)
    return OrderedColumn(codes, pl.Series(column.name, values, dtype=pl.String), ranks)


@dataclass(frozen=True, eq=False)
class Blocks:
    """Rows by stratum and gaps.

    Attributes
    ----------
    labels
        The block of each row, 0, 1, ...
    strata
        The stratum of each block.
    is_empty
        Whether the rows of a block have a gap in every column.
    """

    labels: NDArray[np.int32]
    strata: NDArray[np.int64]
    is_empty: NDArray[np.bool_]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows each block has."""
        return np.bincount(self.labels, minlength=len(self.strata))

    def require(self, k: int, is_blanking: bool) -> None:
        """Raise ``UnreachableError`` if a stratum, or a block that cannot be blanked, has fewer than ``k`` rows."""
        in_strata = np.bincount(self.strata, weights=self.sizes).astype(np.int64)
        n_small = int(np.count_nonzero(in_strata < k))
        if n_small or not len(self.labels):
            n_rows = int(in_strata[in_strata < k].sum())
            where = "the table has" if len(in_strata) < 2 else f"{n_small} of {len(in_strata)} strata have only"
            raise UnreachableError(
                f"microaggregate: groups need {k} rows, but {where} {n_rows} row(s){_in_all(len(in_strata))}.",
                hint="lower k" + (", or make the columns under within coarser." if len(in_strata) > 1 else "."),
                about="k",
            )
        is_small = self.sizes < k
        if is_small.any() and not is_blanking:
            raise UnreachableError(
                f"microaggregate: groups need {k} rows with gaps in the same columns, but "
                f"{int(self.sizes[is_small].sum())} row(s) have gaps that fewer than {k} rows share.",
                hint="fill or remove the missing cells, aggregate fewer columns together, or set missing to blank.",
                about="missing",
            )


def _in_all(n_strata: int) -> str:
    return " in all" if n_strata > 1 else ""


def blocks_of(strata: NDArray[np.integer], gaps: Sequence[NDArray[np.bool_]]) -> Blocks:
    """Return the blocks of rows, by the stratum of each row and by where each column has gaps.

    Examples
    --------
    >>> blocks_of(np.array([0, 0, 0]), [np.array([False, True, False])]).labels.tolist()
    [0, 1, 0]
    """
    labels = np.zeros(len(strata), dtype=np.int32)
    parting = [column for column in (strata, *(gap.view(np.int8) for gap in gaps)) if column.any()]
    if parting:
        labels[:] = group(parting)
    n_blocks = int(labels.max(initial=-1)) + 1
    own_strata = np.zeros(n_blocks, dtype=np.int64)
    own_strata[labels] = strata
    is_empty = np.zeros(n_blocks, dtype=np.bool_)
    is_empty[labels] = np.logical_and.reduce(gaps)
    return Blocks(labels, own_strata, is_empty)


def blanked_rows(blocks: Blocks, k: int, randomness: Randomness) -> NDArray[np.bool_]:
    """Return which rows must be blanked so that every block has ``k`` rows or none.

    Rows of small blocks are. Where the rows without any value are then still fewer than ``k`` in a stratum, rows of its
    largest block, drawn at random, join them, or all of it if fewer than ``k`` would be left.

    Examples
    --------
    >>> blocks = blocks_of(np.zeros(6, dtype=int), [np.array([True, False, False, False, False, False])])
    >>> blanked_rows(blocks, 2, Randomness(seed=1)).sum()
    np.int64(1)
    """
    sizes = blocks.sizes
    is_small = (sizes < k) & ~blocks.is_empty
    is_blanked = is_small[blocks.labels]
    n_gone = np.bincount(blocks.strata, weights=np.where(is_small | blocks.is_empty, sizes, 0)).astype(np.int64)
    wanting = np.flatnonzero((n_gone > 0) & (n_gone < k))
    if not len(wanting):
        return is_blanked
    order = np.argsort(blocks.labels, kind="stable")
    starts = np.cumsum(sizes) - sizes
    left = np.where(is_small | blocks.is_empty, 0, sizes)
    # The largest block of each stratum comes last.
    by_size = np.lexsort((left, blocks.strata))
    last = np.searchsorted(blocks.strata[by_size], wanting, side="right") - 1
    for stratum, largest in zip(wanting.tolist(), by_size[last].tolist(), strict=True):
        n_wanted = k - int(n_gone[stratum])
        rows = order[starts[largest] : starts[largest] + sizes[largest]]
        n_taken = n_wanted if len(rows) - n_wanted >= k else len(rows)
        is_blanked[rows[randomness.permutation(len(rows))[:n_taken]]] = True
    return is_blanked
