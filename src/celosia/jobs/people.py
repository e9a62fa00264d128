"""people: who gets a pseudonym of a vault, and whom it forgets."""

from __future__ import annotations

from typing import Any

from celosia.base.errors import ColumnNotFoundError, OptionError, nearest_column
from celosia.base.progress import Progress
from celosia.data.schema import Schema, Table
from celosia.masks import Pseudonymise
from celosia.masks.pseudonymise import label, listed
from celosia.masks.pseudonyms.identities import different, spelt
from celosia.masks.pseudonyms.sources import scope_of_dataset
from celosia.masks.vault import Vault
from celosia.masks.vault.codes import CodeList, CodeSpace

_SCOPE = "a scope is the column's name, unless another was chosen"


def give(
    vault: Vault,
    data: str,
    column: str,
    *,
    scope: str | None,
    dataset: str | None,
    sheet: str | None,
    shape: dict[str, Any],
    progress: Progress,
) -> dict[str, Any]:
    """Give everybody in a column of a file a pseudonym, unless they have one; return counts.

    Parameters
    ----------
    scope, dataset
        What kind of person it is, the column's name by default; and the data set that has pseudonyms of its own.
    shape
        The alphabet, length and prefix of pseudonyms, or the file of values to draw from.

    Raises
    ------
    OptionError, ColumnNotFoundError, InputError
        An option has a value that is not allowed, or the file has no such column.
    """
    chosen = {name: option for name, option in shape.items() if option is not None}
    mask = Pseudonymise(column=column, vault=vault, scope=scope, dataset=dataset, **chosen)  # checks the options
    progress.stage("read")
    table = Table.read(data, Schema(), **({} if sheet is None else {"sheet": sheet}))
    if column not in table.frame.columns:
        raise ColumnNotFoundError(
            f"'{column}' is not a column of {table.name}.", hint=nearest_column(column, table.frame.columns)
        )
    identities = different([spelt(table.frame[column])])  # spelt as the mask spells them
    progress.stage("Giving pseudonyms")
    [(people, _)] = mask.scopes
    codes = CodeList(listed(chosen["values"])) if "values" in chosen else CodeSpace(**chosen)
    added = vault.add(identities, scope=scope_of_dataset(people, mask.dataset or ""), codes=codes)
    return {"n_new": added.n_new, "n_known": added.n_known, "scope": people, "dataset": mask.dataset}


def scope_of(scope: str | None, dataset: str | None) -> str | None:
    """Return the scope within which people are forgotten; ``None`` for all.

    Examples
    --------
    >>> scope_of("student", None), scope_of(None, None)
    ('student', None)
    """
    named = label("scope", scope)
    return None if named is None else scope_of_dataset(named, label("dataset", dataset) or "")


def check_forgetting(
    *, by_pseudonym: bool, by_identity: bool, scope: str | None, dataset: str | None, all_scopes: bool
) -> None:
    """Refuse to forget where it is not plain who is meant.

    Raises
    ------
    OptionError
        Options rule each other out, or one lacks.
    """
    if by_pseudonym and by_identity:
        raise OptionError("people are named by pseudonyms or by identities, not by both.", hint="leave one out.")
    if by_identity and (scope is None) is not all_scopes:
        raise OptionError(
            "--identities-from needs --scope or --all-scopes.", hint=f"{_SCOPE}; celosia vault status lists them."
        )
    if dataset is not None and scope is None:
        raise OptionError("--dataset needs --scope.", hint=f"{_SCOPE}.")
    if scope is not None and not by_identity:
        raise OptionError("--scope is for --identities-from: a pseudonym has one scope.", hint="leave it out.")
