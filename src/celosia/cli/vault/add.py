"""``celosia vault add``: the people of a file get pseudonyms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli.console import figures, print_json, progress_bar
from celosia.cli.vault.access import opened
from celosia.cli.vault.options import AsJson, Dataset, Key, Scope, Vault

if TYPE_CHECKING:
    import polars as pl

    from celosia.masks.vault.codes import Codes


def add(
    vault: Vault,
    data: Annotated[str, typer.Argument(help="The data file, or a table of a database.", show_default=False)],
    column: Annotated[
        str, typer.Option("--column", help="The column that names the people, such as dni.", show_default=False)
    ],
    scope: Scope = None,
    dataset: Dataset = None,
    alphabet: Annotated[
        str | None,
        typer.Option("--alphabet", help="readable, digits, hex, letters, or the characters.", show_default="readable"),
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", help="How many characters a pseudonym has.", show_default="16")
    ] = None,
    prefix: Annotated[str | None, typer.Option("--prefix", help="What every pseudonym begins with.")] = None,
    values: Annotated[
        str | None, typer.Option("--values", help="A file of pseudonyms to draw from, one in a line.")
    ] = None,
    sheet: Annotated[str | None, typer.Option("--sheet", help="The sheet of a workbook.")] = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Give everybody in a column a pseudonym, unless they have one. Prints counts, neither names nor pseudonyms."""
    from celosia.masks import Pseudonymise
    from celosia.masks.pseudonyms.sources import scope_of_dataset

    shape: dict[str, Any] = {"alphabet": alphabet, "length": length, "prefix": prefix, "values": values}
    chosen: dict[str, Any] = {name: option for name, option in shape.items() if option is not None}
    kept = opened(vault, key)
    mask = Pseudonymise(column=column, vault=kept, scope=scope, dataset=dataset, **chosen)  # checks the options
    with progress_bar() as bar:
        bar.stage("read")
        identities = _identities(data, column, sheet)
        bar.stage("Giving pseudonyms")
        [(people, _)] = mask.scopes
        added = kept.add(identities, scope=scope_of_dataset(people, mask.dataset or ""), codes=_codes(chosen))
    if as_json:
        print_json({"n_new": added.n_new, "n_known": added.n_known, "scope": people, "dataset": mask.dataset})
        return
    rows = [("new pseudonyms", str(added.n_new)), ("known before", str(added.n_known)), ("scope", people)]
    figures("People", rows if mask.dataset is None else [*rows, ("data set", mask.dataset)])


def _identities(data: str, column: str, sheet: str | None) -> pl.Series:
    """Return the different cells of a column, spelt as the mask spells them."""
    from celosia.base.errors import ColumnNotFoundError, nearest_column
    from celosia.data.schema import Schema, Table
    from celosia.masks.pseudonyms.identities import different, spelt

    table = Table.read(data, Schema(), **({} if sheet is None else {"sheet": sheet}))
    if column not in table.frame.columns:
        raise ColumnNotFoundError(
            f"'{column}' is not a column of {table.name}.", hint=nearest_column(column, table.frame.columns)
        )
    return different([spelt(table.frame[column])])


def _codes(chosen: dict[str, Any]) -> Codes:
    from celosia.masks.pseudonymise import listed
    from celosia.masks.vault.codes import CodeList, CodeSpace

    return CodeList(listed(chosen["values"])) if "values" in chosen else CodeSpace(**chosen)
